"""Days that people name when they plan: "до п'ятниці", "14 березня", "by Feb 20", "next week", "завтра".

The counterpart of `recall.time_phrases`, which reads questions about the past: here a day without a year is the next
one, and a stretch of days counts by its last.
"""

from __future__ import annotations

import re
from calendar import monthrange
from collections.abc import Callable, Iterator, Sequence
from datetime import date, timedelta
from functools import lru_cache
from typing import NamedTuple

from shared.domain.dates import is_meant, meant_day
from shared.domain.language import unify_apostrophes


class SaidDay(NamedTuple):
    """A day, and where in the text it is said, its preposition included; `dated` when it is told by its number."""

    day: date
    start: int
    end: int
    dated: bool


_DAY, _WEEK = timedelta(days=1), timedelta(days=7)
_LONG_PAST = timedelta(days=180)
"""A day of this year that lies further back than this means next year's (own choice)."""

_UK_MONTHS = (
    "січня", "лютого", "березня", "квітня", "травня", "червня", "липня", "серпня", "вересня", "жовтня", "листопада",
    "грудня",
)  # fmt: skip
_EN_MONTHS = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
_EN_MONTH = (
    r"(?P<name>jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?"
    r"|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)\b"
)
_WEEKDAYS = (
    "понеділ(?:ок|ка|ку)|monday", "вівтор(?:ок|ка|ку)|tuesday", "серед[аиу]|wednesday", "четвер(?:га|гу)?|thursday",
    "п'ятниц[яіюи]|friday", "субот[аиу]|saturday", "неділ[яюі]|sunday",
)  # fmt: skip
_BY = ("до ", "by ", "until ", "till ", "before ", "for ")
_COUNTS = {
    "два": 2, "дві": 2, "пару": 2, "три": 3, "чотири": 4, "п'ять": 5, "шість": 6, "сім": 7, "десять": 10,
    "a couple of": 2,
    "two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "seven": 7, "ten": 10, "a": 1, "an": 1, "one": 1,
}  # fmt: skip
_MAY_NAME = re.compile(
    r"\d|days?\b|day\b|week|month|tonight|tomorrow|понед|вівт|серед|четвер|ятниц|субот|неділ"
    r"|вихідн|завтра|сьогодні|тиж|місяц|день|дні\b|днів",
    re.IGNORECASE,
)
"""Texts without any of it name no day; most are told apart here."""
_BEFORE = r"(?:(?<!\w)(?:до|на|у|в|від|з|із|by|on|until|till|before|for|from|at)\s+(?:the\s+)?)?"
_NEXT = r"(?:(?P<next>наступн\w{1,4}|next)\s+|(?:ц\w{1,3}|this|coming|найближч\w{1,4})\s+)?"
_RANGE = r"(?:\s?[-–—]\s?(?P<last>\d{1,2}))?"
_TH = r"(?:st|nd|rd|th)?"


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
    """Whether a day found in a text is one by which something is to be done."""
    return unify_apostrophes(text)[said.start : said.end].casefold().startswith(_BY)


def without_days(text: str, found: Sequence[SaidDay]) -> str:
    """The text without the days named in it."""
    for said in sorted(found, key=lambda said: -said.start):
        text = f"{text[: said.start]} {text[said.end :]}"
    return " ".join(text.split()).strip(" ,;:–—-")


def _next(month: int, day: int, today: date) -> date | None:
    """That day of this year, or of the next when it has long been over."""
    this_year = meant_day(today.year, month, day)
    if this_year is not None and today - this_year > _LONG_PAST:
        return meant_day(today.year + 1, month, day)
    return this_year


def _iso(match: re.Match[str], _: date) -> date | None:
    return meant_day(int(match["year"]), int(match["month"]), int(match["day"]))


def _numeric(match: re.Match[str], today: date) -> date | None:
    month, day = int(match["month"]), int(match["day"])
    if match["year"]:
        year = int(match["year"])
        return meant_day(year if year > 99 else 2000 + year, month, day)
    return _next(month, day, today)


def _named(match: re.Match[str], today: date) -> date | None:
    name = match["name"].casefold()
    month = (_UK_MONTHS.index(name) if name in _UK_MONTHS else _EN_MONTHS.index(name[:3])) + 1
    day = int(match["last"] or match["day"])
    return meant_day(int(match["year"]), month, day) if match["year"] else _next(month, day, today)


def _of_month(match: re.Match[str], today: date) -> date | None:
    """Of this month, or of the next ("до 15-го")."""
    day = int(match["day"])
    if day >= today.day:
        return meant_day(today.year, today.month, day)
    first = _month_end(today) + _DAY
    return meant_day(first.year, first.month, day)


def _month_end(today: date) -> date:
    return today.replace(day=monthrange(today.year, today.month)[1])


def _weekday(number: int) -> Callable[[re.Match[str], date], date]:
    def read(match: re.Match[str], today: date) -> date:
        if match["next"]:
            return today - timedelta(days=today.weekday()) + _WEEK + timedelta(days=number)
        return today + timedelta(days=(number - today.weekday() - 1) % 7 + 1)

    return read


def _later(match: re.Match[str], today: date) -> date:
    said = (match["count"] or "a").casefold()
    count = int(said) if said.isdecimal() else _COUNTS[said]
    unit = 7 if match["week"] else 30 if match["month"] else 1
    return today + timedelta(days=count * unit)


def _end_of_week(match: re.Match[str], today: date) -> date:
    sunday = today + timedelta(days=6 - today.weekday())
    return sunday + _WEEK if match["next"] else sunday


def _in_days(count: int) -> Callable[[re.Match[str], date], date]:
    return lambda _, today: today + count * _DAY


_DATED = (_iso, _numeric, _named, _of_month)


def _patterns() -> Iterator[tuple[re.Pattern[str], Callable[[re.Match[str], date], date | None]]]:
    """Longer and surer ones first."""

    def compiled(expression: str) -> re.Pattern[str]:
        return re.compile(rf"{_BEFORE}{expression}", re.IGNORECASE)

    uk_month = rf"(?P<name>{'|'.join(_UK_MONTHS)})\b"
    counts = "|".join([r"\d{1,2}", *_COUNTS])
    yield compiled(r"(?<!\d)(?P<year>20\d{2})-(?P<month>\d\d)-(?P<day>\d\d)(?!\d)"), _iso
    yield (
        compiled(r"(?<![\d.])(?P<day>\d{1,2})[./](?P<month>[01]\d)(?:[./](?P<year>20\d\d|\d\d))?(?![\d.:/]*\d)"),
        _numeric,
    )
    yield compiled(rf"(?<![\d:])(?P<day>\d{{1,2}})(?:-?го)?{_RANGE}\s+{uk_month}(?:\s+(?P<year>20\d\d))?"), _named
    yield (
        compiled(rf"(?<![\d:])(?P<day>\d{{1,2}}){_TH}{_RANGE}(?:\s+of)?\s+{_EN_MONTH}(?:,?\s+(?P<year>20\d\d))?"),
        _named,
    )
    yield compiled(rf"\b{_EN_MONTH}\.?\s+(?P<day>\d{{1,2}}){_TH}(?!\d|:){_RANGE}(?:,?\s+(?P<year>20\d\d))?"), _named
    yield (
        compiled(r"(?<![\d:])(?P<day>\d{1,2})(?:-?го\b(?:\s+числа)?|-(?:ге|те|ше|е|му)\b|(?:st|nd|rd|th)\b)"),
        _of_month,
    )
    yield compiled(r"(?:кінця|end of)\s+(?:the\s+|ц\w{1,3}\s+)?(?P<next>(?!))?(?:тижня|week)\b"), _end_of_week
    yield compiled(r"(?:кінця|end of)\s+(?:the\s+|ц\w{1,3}\s+)?(?:місяця|month)\b"), lambda _, today: _month_end(today)
    units = r"(?P<week>тиждень|тижні|тижнів|weeks?)|(?P<month>місяць|місяці|місяців|months?)|день|дні|днів|days?"
    yield re.compile(rf"\b(?:через|за|in)\s+(?:(?P<count>{counts})\s+)?(?:{units})\b", re.IGNORECASE), _later
    for number, names in enumerate(_WEEKDAYS):
        yield compiled(rf"{_NEXT}\b(?:{names})\b"), _weekday(number)
    yield compiled(rf"(?:{_NEXT}|\b)(?:вихідн(?:их|і)|weekend)\b"), _end_of_week
    yield compiled(r"\b(?:(?P<next>наступн\w{2,3}|next)|ц(?:ього|ьому|ей)|this)\s+(?:тиж\w{2,4}|week)\b"), _end_of_week
    yield compiled(r"\b(?:післязавтра|the day after tomorrow|day after tomorrow)\b"), _in_days(2)
    yield compiled(r"\b(?:завтра|tomorrow)\b"), _in_days(1)
    yield compiled(r"\b(?:сьогодні|today|tonight)\b"), _in_days(0)


_PATTERNS = tuple(_patterns())
