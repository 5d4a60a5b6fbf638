"""Time and chance."""

from datetime import datetime
from typing import Protocol


class Clock(Protocol):
    """Where "now" comes from, and what lets time pass."""

    def now(self) -> datetime:
        """The current instant, aware, UTC."""
        ...

    async def sleep(self, seconds: float) -> None:
        """Return when so much time has passed; others go on meanwhile."""
        ...


class Ids(Protocol):
    """Where chance comes from."""

    def token(self) -> str:
        """A fresh unguessable string of 22 URL-safe characters."""
        ...
