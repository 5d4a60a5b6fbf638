"""Read what admins type as a value of a setting, or say what to type instead."""

import re
from collections.abc import Callable, Mapping, Sequence
from functools import cache
from itertools import chain
from typing import Any, get_args

from shared.application.chats.choices import MAX_INSTRUCTIONS
from shared.application.delivery.wording import word
from shared.application.policy import Policy
from shared.domain.chats.hours import parse_quiet_hours, timezone_named
from shared.domain.reading.guards.sentences import has_injection
from shared.domain.text.data_files import read_data
from shared.domain.text.language import Language
from shared.domain.text.plain import one_line
from shared.locales import say

_ON = frozenset(("on", "yes", "true", "так", "увімкнути", "увімкнено"))
_OFF = frozenset(("off", "no", "false", "ні", "вимкнути", "вимкнено"))
_DEFAULT = frozenset(("default", "типово", "за замовчуванням", "auto", "авто"))
_APOSTROPHES = str.maketrans("’ʼ`", "'''")
_CONTINENTS = ("Africa/", "America/", "Asia/", "Atlantic/", "Australia/", "Europe/", "Indian/", "Pacific/")
_HOURS = re.compile(r"(?:utc|gmt)?([+\-−])(\d{1,2})(?::?00)?")
_FROM_UTC = re.compile(r"Etc/GMT([+-])(\d{1,2})")

Reader = Callable[[str, Policy], Any]
"""Typed words, case-folded or not, as what is stored. Raises `Wrong`."""


class Wrong(ValueError):
    """The typed words are no choice; `text` says what to type instead, in the reader's language.

    Attributes:
        key: Of a text of the locales.
        choices: Keys of texts that name what could be typed.
        places: Other values.
    """

    def __init__(self, key: str, *, choices: Sequence[str] = (), **places: str) -> None:
        super().__init__(key)
        self.key, self.choices, self.places = key, choices, places

    def text(self, name: str, language: Language) -> str:
        """Return what to type instead, as markup.

        Args:
            name: What the setting is called where it is typed.
        """
        options = "; ".join(word(language, key) for key in self.choices)
        return say(language, self.key, row=name, options=options, **self.places)


def choice_reader(row: str, *codes: str) -> Callable[[str, Policy], str]:
    """Return a reader of one of a few codes: by the code or its name in either language."""

    def read(text: str, _: Policy) -> str:
        wanted = fold_typed(text)
        for code in codes:
            if wanted in (code, *(word(each, f"choice_{row}_{code}").casefold() for each in get_args(Language))):
                return code
        raise Wrong("settings_wrong_option", choices=[f"choice_{row}_{code}" for code in codes])

    return read


def _switch(text: str, _: Policy) -> bool:
    wanted = text.casefold()
    if wanted not in _ON | _OFF:
        raise Wrong("settings_wrong_switch")
    return wanted in _ON


def _own_words(text: str, _: Policy) -> str:
    line = one_line(text, len(text))
    if not line:
        raise Wrong("settings_empty")
    if len(line) > MAX_INSTRUCTIONS:
        raise Wrong("settings_too_long", length=str(len(line)), most=str(MAX_INSTRUCTIONS))
    if has_injection(text) or has_injection(line):
        raise Wrong("settings_injection")
    return line


def _quiet_hours(text: str, _: Policy) -> str:
    try:
        hours = text.replace(":00", "").replace("—", "-")
        return str(parse_quiet_hours("off" if text.casefold() in _OFF else hours))
    except ValueError as error:
        raise Wrong("settings_wrong_quiet") from error


def _zone(text: str, _: Policy) -> str:
    try:
        return zone_typed(text)
    except ValueError as error:
        raise Wrong("settings_wrong_timezone") from error


def _days(text: str, policy: Policy) -> int:
    match = re.fullmatch(r"(\d{1,6})(?:\s*(?:d|days?|дн\.?|днів|дні|день))?", text.casefold())
    most = policy.retention.days
    if match is None or not 1 <= int(match[1]) <= most:
        raise Wrong("settings_wrong_retention", most=str(most))
    return int(match[1])


def _tokens(text: str, policy: Policy) -> int:
    """A number, or a share of the deployment's budget."""
    most = policy.tokens_per_day
    if text.casefold() in _OFF:
        return 0
    bare = re.sub(r"[\s\u00a0_']", "", text)
    match = re.fullmatch(r"(\d{1,12})(%?)", bare)
    tokens = None if match is None else int(match[1]) * most // 100 if match[2] else int(match[1])
    if tokens is None or tokens > most:
        raise Wrong("settings_wrong_budget", most=str(most))
    return tokens


READERS: Mapping[str, Reader] = {
    "switch": _switch, "words": _own_words, "hours": _quiet_hours, "zone": _zone, "days": _days, "tokens": _tokens,
}  # fmt: skip
"""The readers of typed values, by the name that a row has for them; `choice_reader` reads options."""


def fold_typed(text: str) -> str:
    """Return typed words as names of rows and options are compared: case-folded, with plain apostrophes."""
    return text.casefold().translate(_APOSTROPHES)


def is_default(text: str) -> bool:
    """Return whether somebody types that nothing shall be chosen."""
    return text.casefold() in _DEFAULT


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
    ours = (zone for zone, cities in read_data(__package__, "zones")["cities"].items() if wanted in cities)
    exact = (name for name in _zones() if name.casefold() == wanted)
    cities = (n for n in _zones() if n.startswith(_CONTINENTS) and n.casefold().rpartition("/")[2] == wanted)
    return next(chain(ours, exact, cities), None)


@cache
def _zones() -> tuple[str, ...]:
    """Return the names of all zones, the shortest first, for which the system's files are walked through once."""
    from zoneinfo import available_timezones

    return tuple(sorted(available_timezones(), key=len))


def zone_shown(name: str) -> str:
    """A zone as people read it."""
    hours = _FROM_UTC.fullmatch(name)
    return name if hours is None else f"UTC{'+' if hours[1] == '-' else '-'}{hours[2]}"
