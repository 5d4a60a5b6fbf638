"""A chat's own time: its zone, and the hours of its day in which the bot speaks only when it is spoken to."""

from __future__ import annotations

import re
from datetime import datetime
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from zoneinfo import ZoneInfo


class QuietHours(NamedTuple):
    """A span between two full hours, over midnight when the first is the later one; the same hour twice is never.

    Attributes:
        start, end: Hours of the chat's local day, 0 to 23.
    """

    start: int
    end: int

    def holds(self, local: datetime) -> bool:
        """Return whether it is quiet at an instant, given in the chat's zone."""
        if self.start <= self.end:
            return self.start <= local.hour < self.end
        return local.hour >= self.start or local.hour < self.end

    def __str__(self) -> str:
        return "off" if self.start == self.end else f"{self.start:02}-{self.end:02}"


def parse_quiet_hours(text: str) -> QuietHours:
    """Read "22-8" or "off".

    Raises:
        ValueError: It is neither; the message says what would be.
    """
    if text.strip().casefold() == "off":
        return QuietHours(0, 0)
    match = re.fullmatch(r"\s*(\d{1,2})\s*[-–]\s*(\d{1,2})\s*", text)
    hours = [int(hour) for hour in match.groups()] if match else []
    if not hours or max(hours) > 23:
        raise ValueError("use two full hours like 22-8, or off")
    return QuietHours(*hours)


def timezone_named(name: str) -> ZoneInfo:
    """The zone of an IANA name such as `Europe/Kyiv`.

    Raises:
        ValueError: There is none of this name.
    """
    from zoneinfo import ZoneInfo

    try:
        return ZoneInfo(name)
    except (KeyError, ValueError, OSError) as error:  # KeyError: not found; the others: no name of a zone at all
        raise ValueError(f"there is no time zone {name[:60]!r}: use an IANA name like Europe/Kyiv") from error
