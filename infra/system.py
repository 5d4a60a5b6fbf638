"""The clock and the dice: the only module that may ask the machine for time or chance."""

from __future__ import annotations

import asyncio
import secrets  # noqa: TID251 - this is the one place
from datetime import UTC, datetime


class SystemClock:
    """The machine's clock."""

    def now(self) -> datetime:
        """The current instant, aware, UTC."""
        return datetime.now(UTC)  # noqa: TID251 - this is the one place

    async def sleep(self, seconds: float) -> None:
        """Return when so much time has passed; others go on meanwhile."""
        await asyncio.sleep(seconds)


class SystemIds:
    """Unguessable tokens from the operating system."""

    def token(self) -> str:
        """A fresh string of 22 URL-safe characters (128 bits)."""
        return secrets.token_urlsafe(16)
