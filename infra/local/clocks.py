"""Clocks that can be moved forward: a replay lives in its messages' time, and nobody waits ten minutes for idleness."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Protocol

from shared.application.ports.system import Clock


class MovableClock(Clock, Protocol):
    """A clock that never goes back."""

    def skip(self, time: timedelta) -> None:
        """Go forward by `time`, which is not negative."""
        ...

    def reach(self, instant: datetime) -> None:
        """Go forward to `instant`, unless it has passed."""
        ...


class ReplayClock:
    """Stands still until it is moved."""

    def __init__(self, start: datetime) -> None:
        self._now = start

    def now(self) -> datetime:
        """The instant that was reached."""
        return self._now

    async def sleep(self, seconds: float) -> None:
        """Go forward at once: nobody waits in a replay."""
        self.skip(timedelta(seconds=seconds))

    def skip(self, time: timedelta) -> None:
        self._now += time

    def reach(self, instant: datetime) -> None:
        self._now = max(self._now, instant)


class SkippingClock:
    """Runs with another clock, ahead of it by what was skipped."""

    def __init__(self, base: Clock) -> None:
        self._base = base
        self._ahead = timedelta(0)

    def now(self) -> datetime:
        """The other clock's time and what was skipped."""
        return self._base.now() + self._ahead

    async def sleep(self, seconds: float) -> None:
        """Wait with the other clock."""
        await self._base.sleep(seconds)

    def skip(self, time: timedelta) -> None:
        self._ahead += time

    def reach(self, instant: datetime) -> None:
        self._ahead += max(instant - self.now(), timedelta(0))
