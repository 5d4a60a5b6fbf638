"""Time zones as people type them: IANA names in any case, cities, hours from UTC."""

from __future__ import annotations

import re
from itertools import chain

from shared.domain.chats.timezones import timezone_named
from shared.domain.text.data_files import read_data

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
        # IANA counts these zones westwards: two hours ahead of UTC is Etc/GMT-2.
        sign, ahead = "-" if hours[1] == "+" else "+", int(hours[2])
        return timezone_named(f"Etc/GMT{sign}{ahead}" if ahead else "UTC").key
    return timezone_named(_zone_named(wanted) or text).key


def _zone_named(wanted: str) -> str | None:
    """The zone that a city of ours lies in, the one of this name in any case, or the one named after this city."""
    from zoneinfo import available_timezones

    ours = (zone for zone, cities in read_data(__package__, "zones")["cities"].items() if wanted in cities)
    known = sorted(available_timezones(), key=len)
    exact = (name for name in known if name.casefold() == wanted)
    cities = (n for n in known if n.startswith(_CONTINENTS) and n.casefold().rpartition("/")[2] == wanted)
    return next(chain(ours, exact, cities), None)


def zone_shown(name: str) -> str:
    """A zone as people read it."""
    hours = _FROM_UTC.fullmatch(name)
    return name if hours is None else f"UTC{'+' if hours[1] == '-' else '-'}{hours[2]}"
