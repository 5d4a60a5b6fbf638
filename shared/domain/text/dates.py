"""The days that people mean, and what Ukrainian and English call days, months, units of time and small counts.

Shared by all who read times: questions about the past (`recall.time_phrases`), plans (`consolidation.days`), commands.

Python's calendar ends on 31 December 9999, and whatever reaches over its ends is an `OverflowError`; so a day that
nobody can mean is no day, before anything is reckoned with it.
"""

import re
from calendar import monthrange
from collections.abc import Callable, Iterable, Iterator, Mapping
from datetime import date, timedelta
from functools import lru_cache
from typing import TypeVar

from shared.domain.text.data_files import put_together, read_data

FIRST_YEAR, LAST_YEAR = 1900, 2100
"""People speak of their own and their grandparents' years, and plan for their children's."""

_WORDS = read_data(__package__, "dates")
_DAYS_OF = {"day": 1, "week": 7, "month": 30, "year": 365}
_COUNTS = {word: count for count, words in enumerate(_WORDS["counts"], start=1) for word in words.split("|")}

_NUMERIC = r"(?<![\d.])(?P<day>\d{1,2})[./](?P<month>%s)(?:[./](?P<year>\d{4}|\d\d))?(?![\d.:/]*\d)"

PARTS: Mapping[str, str] = {
    **{f"IN_{unit.upper()}S": f"(?P<{unit}>{words})" for unit, words in _WORDS["units"].items()},
    **{name.upper(): "|".join(_WORDS[name]) for name in ("months", "weekdays", "seasons")},
    "SHORT_WEEKDAYS": "|".join(_WORDS["short_weekdays"]),
    "COUNT": "|".join(sorted(_COUNTS, key=len, reverse=True)),
    "ORDINAL": "st|nd|rd|th|-?го",
    "ISO": r"(?<!\d)(?P<year>\d{4})-(?P<month>\d{1,2})-(?P<day>\d{1,2})(?!\d)",
    "NUMERIC": _NUMERIC % r"\d{1,2}",
    "PADDED": _NUMERIC % r"[01]\d",
}
"""Parts of phrases that tell days: words of `dates.toml`, and days in digits, 2026-11-20, 20.11 or 20/11 (`PADDED` with
two digits for the month: "2.5" is a number more often). Their groups are those that `day_of` and `unit_of` read."""

IN_DIGITS = tuple(re.compile(PARTS[name]) for name in ("ISO", "NUMERIC"))

FoundT = TypeVar("FoundT")
Reader = Callable[[re.Match[str], date], FoundT | None]
"""Tells what a phrase means, by the day on which it was said."""


def read_phrases(
    package: str, name: str, readers: Mapping[str, Reader[FoundT]]
) -> list[tuple[re.Pattern[str], Reader[FoundT]]]:
    """Return the phrases of a data file in their order, longer and surer ones first, each with what reads it."""
    file = read_data(package, name)
    rows = [(phrase, reader) for row in file["phrases"] for reader, phrase in row.items()]
    parts = {**PARTS, **file["parts"]}
    return [(re.compile(put_together(phrase, parts), re.IGNORECASE), readers[reader]) for phrase, reader in rows]


def find_phrases(
    text: str, phrases: Iterable[tuple[re.Pattern[str], Reader[FoundT]]], today: date
) -> Iterator[tuple[re.Match[str], Reader[FoundT], FoundT]]:
    """Yield what phrases in a text mean; a longer phrase hides the shorter one in it."""
    for pattern, read in phrases:
        for match in pattern.finditer(text):
            if (found := read(match, today)) is not None:
                yield match, read, found
        text = pattern.sub(lambda match: "\x00" * len(match[0]), text)


def calendar_day(year: int, month: int, day: int) -> date | None:
    """A day of the calendar, or None when it has none such, or not in the years `FIRST_YEAR` to `LAST_YEAR`."""
    try:
        found = date(year, month, day)
    except (ValueError, OverflowError):  # OverflowError: a number beyond what a machine word holds
        return None
    return found if is_meant(found) else None


def calendar_iso_day(text: str) -> date | None:
    """The day of a text that begins like 2026-11-20, by the rule of `calendar_day`."""
    try:
        found = date.fromisoformat(text.strip()[:10])
    except ValueError:
        return None
    return found if is_meant(found) else None


def is_meant(day: date) -> bool:
    """Return whether a day lies in the years that people mean."""
    return FIRST_YEAR <= day.year <= LAST_YEAR


def unit_of(match: re.Match[str]) -> str:
    """Return which of the units' groups took part; "day" when none did."""
    return next((name for name in _DAYS_OF if match.groupdict().get(name)), "day")


def days_counted(match: re.Match[str]) -> timedelta:
    """Return how long so many units are as people count ahead and back: a month has 30 days, a year 365."""
    return timedelta(days=count_of(match["count"]) * _DAYS_OF[unit_of(match)])


def count_of(said: str | None) -> int:
    """Return the number that a match of `COUNT` or digits say; 1 for nothing."""
    if not said:
        return 1
    return int(said) if said.isdecimal() else _COUNTS[said.casefold()]


def month_of(name: str) -> int:
    """Return the number of a month, 1 to 12, by what `MONTHS` matched."""
    return _place_in("months", name.casefold()) + 1


def season_start(name: str) -> int:
    """Return the number of the month in which a season begins, by what `SEASONS` matched; winter's is December."""
    return (12, 3, 6, 9)[_place_in("seasons", name.casefold())]


def weekday_of(name: str) -> int:
    """Return the number of a weekday, Monday is 0, by what `WEEKDAYS` or `SHORT_WEEKDAYS` matched."""
    folded, short = name.casefold(), _WORDS["short_weekdays"]
    return int(short.index(folded)) if folded in short else _place_in("weekdays", folded)


@lru_cache(maxsize=256)
def _place_in(table: str, word: str) -> int:
    return next(place for place, forms in enumerate(_WORDS[table]) if re.fullmatch(forms, word))


def day_of(match: re.Match[str], nearest: Callable[[int, int], date | None]) -> date | None:
    """Return the day that a match names; None for what no calendar has, or nobody means.

    Args:
        match: Has the groups "day", "month" (digits) or "name" (of a month), "year" (four digits, two of this
            century, or None), and perhaps "last": the last day of several.
        nearest: The day of a month and a day when no year is told.
    """
    said = match.groupdict()
    month = int(said["month"]) if said.get("month") else month_of(said["name"])
    day = int(said.get("last") or said["day"])
    if not said["year"]:
        return nearest(month, day)
    year = int(said["year"])
    return calendar_day(year if len(said["year"]) > 2 else 2000 + year, month, day)


def latest_past_day(month: int, day: int, today: date) -> date | None:
    """Return that day of the last year in which it had come."""
    found = (calendar_day(year, month, day) for year in range(today.year, today.year - 5, -1))
    return next((each for each in found if each and each <= today), None)


def month_end(day: date) -> date:
    """Return the last day of a day's month."""
    return day.replace(day=monthrange(day.year, day.month)[1])
