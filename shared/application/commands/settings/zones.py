"""Time zones as people type them: IANA names in any case, cities, hours from UTC."""

from __future__ import annotations

import re

from shared.domain.chats.timezones import timezone_named

_CITIES = {
    "київ": "Europe/Kyiv",
    "kiev": "Europe/Kyiv",
    "львів": "Europe/Kyiv",
    "lviv": "Europe/Kyiv",
    "харків": "Europe/Kyiv",
    "kharkiv": "Europe/Kyiv",
    "одеса": "Europe/Kyiv",
    "odesa": "Europe/Kyiv",
    "дніпро": "Europe/Kyiv",
    "dnipro": "Europe/Kyiv",
    "варшава": "Europe/Warsaw",
    "краків": "Europe/Warsaw",
    "вроцлав": "Europe/Warsaw",
    "берлін": "Europe/Berlin",
    "прага": "Europe/Prague",
    "париж": "Europe/Paris",
    "лондон": "Europe/London",
    "нью-йорк": "America/New_York",
    "торонто": "America/Toronto",
}
"""Cities that are no IANA name, as our groups may call them."""

_CONTINENTS = ("Africa/", "America/", "Asia/", "Atlantic/", "Australia/", "Europe/", "Indian/", "Pacific/")
_HOURS = re.compile(r"(?:utc|gmt)?([+\-−])(\d{1,2})(?::?00)?")
_FROM_UTC = re.compile(r"Etc/GMT([+-])(\d{1,2})")


def zone_typed(text: str) -> str:
    """The IANA name of what somebody typed.

    Raises:
        ValueError: There is no such zone.
    """
    wanted = "_".join(text.casefold().split())
    if hours := _HOURS.fullmatch(wanted.replace("_", "")):
        return _at_hours(ahead=hours[1] == "+", hours=int(hours[2]))
    return timezone_named(_CITIES.get(wanted) or _zone_named(wanted) or text).key


def _at_hours(*, ahead: bool, hours: int) -> str:
    # IANA counts these zones westwards: two hours ahead of UTC is Etc/GMT-2.
    return timezone_named(f"Etc/GMT{'-' if ahead else '+'}{hours}" if hours else "UTC").key


def _zone_named(wanted: str) -> str | None:
    """The zone of this name in any case, or the one that is named after this city."""
    from zoneinfo import available_timezones

    known = sorted(available_timezones(), key=len)
    exact = (name for name in known if name.casefold() == wanted)
    cities = (n for n in known if n.startswith(_CONTINENTS) and n.casefold().rpartition("/")[2] == wanted)
    return next(exact, None) or next(cities, None)


def zone_shown(name: str) -> str:
    """A zone as people read it."""
    hours = _FROM_UTC.fullmatch(name)
    return name if hours is None else f"UTC{'+' if hours[1] == '-' else '-'}{hours[2]}"
