"""Time zones by their IANA names."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:  # three milliseconds that a chat without a zone of its own does not need
    from zoneinfo import ZoneInfo


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
