"""The days that people mean, and what Ukrainian and English call days, months, units of time and small counts.

Shared by all who read times: questions about the past (`recall.time_phrases`), plans (`consolidation.days`), commands.
The tables hold alternatives of regular expressions, in calendar order, for text with unified apostrophes.

Python's calendar ends on 31 December 9999, and whatever reaches over its ends is an `OverflowError`; so a day that
nobody can mean is no day, before anything is reckoned with it.
"""

import re
from calendar import monthrange
from collections.abc import Callable, Mapping
from datetime import date
from functools import lru_cache

FIRST_YEAR, LAST_YEAR = 1900, 2100
"""People speak of their own and their grandparents' years, and plan for their children's."""

_MONTHS = (
    "january|jan|січ(?:ень|ня|ні)", "february|feb|лют(?:ий|ого|ому)", "march|mar|берез(?:ень|ня|ні)",
    "april|apr|квіт(?:ень|ня|ні)", "may|трав(?:ень|ня|ні)", "june|jun|черв(?:ень|ня|ні)", "july|jul|лип(?:ень|ня|ні)",
    "august|aug|серп(?:ень|ня|ні)", "september|sept|sep|верес(?:ень|ня|ні)", "october|oct|жовт(?:ень|ня|ні)",
    "november|nov|листопад[аі]?", "december|dec|груд(?:ень|ня|ні)",
)  # fmt: skip
_WEEKDAYS = (
    "monday|понеділ(?:ок|ка|ку)", "tuesday|вівтор(?:ок|ка|ку)", "wednesday|серед[аиуі]", "thursday|четвер(?:г|га|гу)?",
    "friday|п'ятниц[яіюи]", "saturday|субот[аиуі]", "sunday|неділ[яіюи]",
)  # fmt: skip
_SEASONS = (
    "winter|зим[аиуі]|взимку|узимку", "spring|весн[аиуі]|навесні", "summer|літ[оаі]|влітку|улітку",
    "autumn|fall|осінь|осені|восени",
)  # fmt: skip
_SHORT_WEEKDAYS = ("mon", "tue", "wed", "thu", "fri", "sat", "sun")
_UNITS = {
    "day": (1, "days?|день|дня|дні|днів"),
    "week": (7, "weeks?|тиждень|тижня|тижні|тижнів"),
    "month": (30, "months?|місяць|місяця|місяці|місяців"),
    "year": (365, "years?|рік|року|роки|років"),
}
_COUNTS: Mapping[str, int] = {
    word: count
    for count, words in enumerate((
        "a|an|one|один|одну|одного", "two|a couple of|couple of|два|дві|двох|пару", "three|три|трьох",
        "four|чотири|чотирьох", "five|п'ять", "six|шість", "seven|сім", "eight|вісім", "nine|дев'ять", "ten|десять",
    ), start=1)
    for word in words.split("|")
}  # fmt: skip

MONTH, SEASON = "|".join(_MONTHS), "|".join(_SEASONS)
WEEKDAY = "|".join(_WEEKDAYS)
"""Whole names alone: "sun" and "sat" are words, too."""

ANY_WEEKDAY = "|".join((WEEKDAY, *_SHORT_WEEKDAYS))
COUNT = "|".join(sorted(_COUNTS, key=len, reverse=True))
ORDINAL = "st|nd|rd|th|-?го"

ISO = r"(?<!\d)(?P<year>\d{4})-(?P<month>\d{1,2})-(?P<day>\d{1,2})(?!\d)"
"""A day in digits: 2026-11-20. The groups of such expressions are those that `day_of` reads."""

_NUMERIC = r"(?<![\d.])(?P<day>\d{1,2})[./](?P<month>%s)(?:[./](?P<year>\d{4}|\d\d))?(?![\d.:/]*\d)"
NUMERIC = _NUMERIC % r"\d{1,2}"
"""A day and a month in digits, perhaps with a year: 20.11, 20/11."""

PADDED = _NUMERIC % r"[01]\d"
"""The same with two digits for the month: "2.5" is a number more often."""

_IN_DIGITS = (re.compile(ISO), re.compile(NUMERIC))


def meant_day(year: int, month: int, day: int) -> date | None:
    """A day of the calendar, or None when it has none such, or not in the years `FIRST_YEAR` to `LAST_YEAR`."""
    try:
        found = date(year, month, day)
    except (ValueError, OverflowError):  # OverflowError: a number beyond what a machine word holds
        return None
    return found if is_meant(found) else None


def meant_iso_day(text: str) -> date | None:
    """The day of a text that begins like 2026-11-20, by the rule of `meant_day`."""
    try:
        found = date.fromisoformat(text.strip()[:10])
    except ValueError:
        return None
    return found if is_meant(found) else None


def is_meant(day: date) -> bool:
    """Return whether a day lies in the years that people mean."""
    return FIRST_YEAR <= day.year <= LAST_YEAR


def units(*names: str) -> str:
    """Return an expression for these units ("day", "week", "month", "year"), each a group of its name."""
    return "|".join(f"(?P<{name}>{_UNITS[name][1]})" for name in names)


def unit_of(match: re.Match[str]) -> str:
    """Return which of the groups of `units` took part; "day" when none did."""
    said = match.groupdict()
    return next((name for name in _UNITS if said.get(name)), "day")


def days_of(unit: str) -> int:
    """Return the length of a unit as people count ahead and back: a month has 30 days, a year 365."""
    return _UNITS[unit][0]


def count_of(said: str | None) -> int:
    """Return the number that a match of `COUNT` or digits say; 1 for nothing."""
    if not said:
        return 1
    return int(said) if said.isdecimal() else _COUNTS[said.casefold()]


def month_of(name: str) -> int:
    """Return the number of a month, 1 to 12, by what `MONTH` matched."""
    return _place_in(_MONTHS, name.casefold()) + 1


def season_start(name: str) -> int:
    """Return the number of the month in which a season begins, by what `SEASON` matched; winter's is December."""
    return (12, 3, 6, 9)[_place_in(_SEASONS, name.casefold())]


def weekday_of(name: str) -> int:
    """Return the number of a weekday, Monday is 0, by what `WEEKDAY` or `ANY_WEEKDAY` matched."""
    folded = name.casefold()
    return _SHORT_WEEKDAYS.index(folded) if folded in _SHORT_WEEKDAYS else _place_in(_WEEKDAYS, folded)


@lru_cache(maxsize=256)
def _place_in(table: tuple[str, ...], word: str) -> int:
    return next(place for place, forms in enumerate(table) if re.fullmatch(forms, word))


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
    return meant_day(year if len(said["year"]) > 2 else 2000 + year, month, day)


def day_in_digits(text: str, nearest: Callable[[int, int], date | None]) -> date | None:
    """Return the day that is all of a text, in digits, or None."""
    match = next((match for pattern in _IN_DIGITS if (match := pattern.fullmatch(text))), None)
    return day_of(match, nearest) if match else None


def latest(month: int, day: int, today: date) -> date | None:
    """Return that day of the last year in which it had come."""
    found = (meant_day(year, month, day) for year in range(today.year, today.year - 5, -1))
    return next((each for each in found if each and each <= today), None)


def month_end(day: date) -> date:
    """Return the last day of a day's month."""
    return day.replace(day=monthrange(day.year, day.month)[1])
