"""Days that people name when they plan: "до п'ятниці", "14 березня", "by Feb 20", "next week", "завтра".

The counterpart of `recall.time_phrases`, which reads questions about the past: here a day without a year is the next
one, and a stretch of days counts by its last.
"""

import re
from collections.abc import Sequence
from datetime import date, timedelta
from functools import lru_cache
from typing import NamedTuple

from shared.domain.text import dates as words
from shared.domain.text.data_files import expressions
from shared.domain.text.dates import calendar_day, find_phrases, is_meant, read_phrases
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
_MAY_NAME = expressions(__package__, "days")["may_name"]


def days_in(text: str, said_on: date) -> list[SaidDay]:
    """The days from `said_on` on that a text names, in the order of the text; none twice.

    Args:
        said_on: The day on which it was said, in the calendar of the chat.
    """
    return list(_read(text, said_on)) if _MAY_NAME.search(text) else []


@lru_cache(maxsize=2_000)
def _read(text: str, said_on: date) -> tuple[SaidDay, ...]:
    found = (
        SaidDay(day, *match.span(), read in _DATED)
        for match, read, day in find_phrases(unify_apostrophes(text), _PHRASES, said_on)
        if day >= said_on and is_meant(day)
    )
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


def _next_day(month: int, day: int, today: date) -> date | None:
    """Return that day of this year, or of the next when it has long been over."""
    this_year = calendar_day(today.year, month, day)
    if this_year is not None and today - this_year > _LONG_PAST:
        return calendar_day(today.year + 1, month, day)
    return this_year


def _day_of_date(match: re.Match[str], today: date) -> date | None:
    return words.day_of(match, lambda month, day: _next_day(month, day, today))


def _day_of_month(match: re.Match[str], today: date) -> date | None:
    """Return that day of this month, or of the next ("до 15-го")."""
    day = int(match["day"])
    if day >= today.day:
        return calendar_day(today.year, today.month, day)
    first = words.month_end(today) + _DAY
    return calendar_day(first.year, first.month, day)


def _weekday(match: re.Match[str], today: date) -> date:
    number = words.weekday_of(match["name"])
    if match["next"]:
        return today - timedelta(days=today.weekday()) + _WEEK + timedelta(days=number)
    return today + timedelta(days=(number - today.weekday() - 1) % 7 + 1)


def _end_of_week(match: re.Match[str], today: date) -> date:
    sunday = today + timedelta(days=6 - today.weekday())
    return sunday + _WEEK if match["next"] else sunday


_DATED = (_day_of_date, _day_of_month)
_PHRASES = read_phrases(
    __package__,
    "days",
    {
        "date": _day_of_date,
        "of_month": _day_of_month,
        "end_of_week": _end_of_week,
        "end_of_month": lambda _, today: words.month_end(today),
        "later": lambda match, today: today + words.days_counted(match),
        "weekday": _weekday,
        "in_two_days": lambda _, today: today + 2 * _DAY,
        "tomorrow": lambda _, today: today + _DAY,
        "today": lambda _, today: today,
    },
)
