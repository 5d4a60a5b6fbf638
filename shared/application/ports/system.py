"""Time and chance."""

from datetime import datetime
from typing import Protocol


class Clock(Protocol):
    """The source of "now", and of waiting."""

    def now(self) -> datetime:
        """The current instant, aware, UTC."""
        ...

    async def sleep(self, seconds: float) -> None:
        """Return when so much time has passed; others go on meanwhile."""
        ...


class Ids(Protocol):
    """The source of randomness."""

    def token(self) -> str:
        """A fresh unguessable string of 22 URL-safe characters."""
        ...
