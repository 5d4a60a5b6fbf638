"""Days that people name when they plan: "до п'ятниці", "14 березня", "by Feb 20", "next week", "завтра".

The counterpart of `recall.time_phrases`, which reads questions about the past: here a day without a year is the next
one, and a stretch of days counts by its last.
"""

import re
from collections.abc import Callable, Iterator, Sequence
from datetime import date, timedelta
from functools import lru_cache
from typing import NamedTuple

from shared.domain.text import dates as words
from shared.domain.text.dates import is_meant, meant_day
from shared.domain.text.language import unify_apostrophes


class SaidDay(NamedTuple):
    """A day, and where in the text it is said, its preposition included; `dated` when it is told by its number."""

    day: date
    start: int
    end: int
    dated: bool


_DAY, _WEEK = timedelta(days=1), timedelta(days=7)
_LONG_PAST = timedelta(days=180)
"""A day of this year that lies further back than this means next year's."""

_BY = ("до ", "by ", "until ", "till ", "before ", "for ")
_MAY_NAME = re.compile(
    r"\d|days?\b|day\b|week|month|tonight|tomorrow|понед|вівт|серед|четвер|ятниц|субот|неділ"
    r"|вихідн|завтра|сьогодні|тиж|місяц|день|дні\b|днів",
    re.IGNORECASE,
)
"""Texts without any of it name no day; most are told apart here."""
_BEFORE = r"(?:(?<!\w)(?:до|на|у|в|від|з|із|by|on|until|till|before|for|from|at)\s+(?:the\s+)?)?"
_NEXT = r"(?:(?P<next>наступн\w{1,4}|next)\s+|(?:ц\w{1,3}|this|coming|найближч\w{1,4})\s+)?"
_RANGE = r"(?:\s?[-–—]\s?(?P<last>\d{1,2}))?"


def days_in(text: str, said_on: date) -> list[SaidDay]:
    """The days from `said_on` on that a text names, in the order of the text; none twice.

    Args:
        said_on: The day on which it was said, in the calendar of the chat.
    """
    return list(_read(text, said_on)) if _MAY_NAME.search(text) else []


@lru_cache(maxsize=2_000)
def _read(text: str, said_on: date) -> tuple[SaidDay, ...]:
    rest, found = unify_apostrophes(text), list[SaidDay]()
    for pattern, read in _PATTERNS:
        for match in pattern.finditer(rest):
            day = read(match, said_on)
            if day is not None and day >= said_on and is_meant(day):
                found.append(SaidDay(day, *match.span(), read in _DATED))
        rest = pattern.sub(lambda match: "\x00" * len(match[0]), rest)  # a longer phrase hides the shorter one in it
    return tuple(sorted(found, key=lambda said: said.start))


def due_day(days: Sequence[SaidDay]) -> date | None:
    """The day that counts among those said: the last one with a number, else the last ("14 лютого, субота")."""
    dated = [said.day for said in days if said.dated] or [said.day for said in days]
    return dated[-1] if dated else None


def is_deadline(text: str, said: SaidDay) -> bool:
    """Return whether a day found in a text is one by which something is to be done."""
    return unify_apostrophes(text)[said.start : said.end].casefold().startswith(_BY)


def without_days(text: str, found: Sequence[SaidDay]) -> str:
    """The text without the days named in it."""
    for said in sorted(found, key=lambda said: -said.start):
        text = f"{text[: said.start]} {text[said.end :]}"
    return " ".join(text.split()).strip(" ,;:–—-")


def _next(month: int, day: int, today: date) -> date | None:
    """Return that day of this year, or of the next when it has long been over."""
    this_year = meant_day(today.year, month, day)
    if this_year is not None and today - this_year > _LONG_PAST:
        return meant_day(today.year + 1, month, day)
    return this_year


def _day_of_date(match: re.Match[str], today: date) -> date | None:
    return words.day_of(match, lambda month, day: _next(month, day, today))


def _of_month(match: re.Match[str], today: date) -> date | None:
    """Return that day of this month, or of the next ("до 15-го")."""
    day = int(match["day"])
    if day >= today.day:
        return meant_day(today.year, today.month, day)
    first = words.month_end(today) + _DAY
    return meant_day(first.year, first.month, day)


def _weekday(match: re.Match[str], today: date) -> date:
    number = words.weekday_of(match["name"])
    if match["next"]:
        return today - timedelta(days=today.weekday()) + _WEEK + timedelta(days=number)
    return today + timedelta(days=(number - today.weekday() - 1) % 7 + 1)


def _end_of_week(match: re.Match[str], today: date) -> date:
    sunday = today + timedelta(days=6 - today.weekday())
    return sunday + _WEEK if match["next"] else sunday


def _in_days(count: int) -> Callable[[re.Match[str], date], date]:
    return lambda _, today: today + count * _DAY


_DATED = (_day_of_date, _of_month)


def _patterns() -> Iterator[tuple[re.Pattern[str], Callable[[re.Match[str], date], date | None]]]:
    """Longer and surer ones first."""

    def pattern(expression: str) -> re.Pattern[str]:
        return re.compile(rf"{_BEFORE}{expression}", re.IGNORECASE)

    name, year = rf"(?P<name>{words.MONTH})\b", r"(?:,?\s+(?P<year>20\d\d))?"
    yield pattern(words.ISO), _day_of_date
    yield pattern(words.PADDED), _day_of_date
    yield (
        pattern(rf"(?<![\d:])(?P<day>\d{{1,2}})(?:{words.ORDINAL})?{_RANGE}(?:\s+of)?\s+{name}{year}"),
        _day_of_date,
    )
    yield pattern(rf"\b{name}\.?\s+(?P<day>\d{{1,2}})(?:{words.ORDINAL})?(?!\d|:){_RANGE}{year}"), _day_of_date
    yield (
        pattern(r"(?<![\d:])(?P<day>\d{1,2})(?:-?го\b(?:\s+числа)?|-(?:ге|те|ше|е|му)\b|(?:st|nd|rd|th)\b)"),
        _of_month,
    )
    yield pattern(r"(?:кінця|end of)\s+(?:the\s+|ц\w{1,3}\s+)?(?P<next>(?!))?(?:тижня|week)\b"), _end_of_week
    yield (
        pattern(r"(?:кінця|end of)\s+(?:the\s+|ц\w{1,3}\s+)?(?:місяця|month)\b"),
        lambda _, today: words.month_end(today),
    )
    later = rf"(?:(?P<count>\d{{1,2}}|{words.COUNT})\s+)?(?:{words.units('day', 'week', 'month')})"
    yield (
        re.compile(rf"\b(?:через|за|in)\s+{later}\b", re.IGNORECASE),
        lambda match, today: today + words.count_of(match["count"]) * words.days_of(words.unit_of(match)) * _DAY,
    )
    yield pattern(rf"{_NEXT}\b(?P<name>{words.WEEKDAY})\b"), _weekday
    yield pattern(rf"(?:{_NEXT}|\b)(?:вихідн(?:их|і)|weekend)\b"), _end_of_week
    yield (
        pattern(r"\b(?:(?P<next>наступн\w{2,3}|next)|ц(?:ього|ьому|ей)|this)\s+(?:тиж\w{2,4}|week)\b"),
        _end_of_week,
    )
    yield pattern(r"\b(?:післязавтра|the day after tomorrow|day after tomorrow)\b"), _in_days(2)
    yield pattern(r"\b(?:завтра|tomorrow)\b"), _in_days(1)
    yield pattern(r"\b(?:сьогодні|today|tonight)\b"), _in_days(0)


_PATTERNS = tuple(_patterns())
