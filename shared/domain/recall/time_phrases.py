"""Spans of time that people name in a question: "last Friday", "two weeks ago", "минулої п'ятниці", "торік".

A phrase stands for whole days of the asker's calendar. Talk lies in the past: a day or a month without a year is the
last one that has begun. What could be read in two ways and is rarely meant as a time ("may", "день") is no span, and
neither is what reaches out of the years that people mean (`domain.dates`).
"""

import re
from datetime import date, datetime, timedelta
from typing import NamedTuple

from shared.domain.text import dates as words
from shared.domain.text.data_files import expressions
from shared.domain.text.dates import find_phrases, is_meant, read_phrases
from shared.domain.text.language import fold, unify_apostrophes


class Span(NamedTuple):
    """A span of time: from `since` (included) to `until` (excluded), aware."""

    since: datetime
    until: datetime


class _DayRange(NamedTuple):
    """First day, and the day after the last."""

    first: date
    end: date


_DAY, _WEEK = timedelta(days=1), timedelta(days=7)
_YEAR_BACK = timedelta(days=365)
_SAYS = expressions(__package__, "time_phrases")


def spans_in(text: str, asked_at: datetime) -> list[Span]:
    """The spans named in a text, in the order in which they are found; none twice.

    Args:
        asked_at: When it is asked, aware, from 1970 on; its time zone is the calendar's.
    """
    return list(dict.fromkeys(span for span, _ in _read(text, asked_at)))


def spans_alone(text: str, asked_at: datetime) -> list[Span]:
    """The spans of a text that names nothing else, as `spans_in`; none when it does."""
    found = _read(text, asked_at)
    named = {place for _, places in found for place in places}
    rest = (sign for place, sign in enumerate(fold(unify_apostrophes(text))) if place not in named)
    return [] if any(map(str.isalnum, rest)) else [span for span, _ in found]


def _read(text: str, asked_at: datetime) -> list[tuple[Span, range]]:
    """Return the spans named in a text, each with where in it."""
    text, today, found = fold(unify_apostrophes(text)), asked_at.date(), list[tuple[Span, range]]()
    midnight = asked_at.replace(hour=0, minute=0, second=0, microsecond=0)
    for match, read, named in find_phrases(text, _PHRASES, today):
        days = _range_days(named, match.string[: match.start()], today) if read is _days_of_date else named
        if is_meant(days.first):
            found.append((Span(*(midnight + (day - today) for day in days)), range(*match.span())))
    return found


def _range_days(days: _DayRange, before: str, today: date) -> _DayRange:
    """Return a day, or all until it ("до 14 березня", a year at most) or from it on, by the word right before it."""
    if _SAYS["until"].search(before):
        return _DayRange(days.first - _YEAR_BACK, days.end)
    return _DayRange(days.first, max(days.end, today + _DAY)) if _SAYS["from"].search(before) else days


def _one(day: date) -> _DayRange:
    return _DayRange(day, day + _DAY)


def _month_of(year: int, month: int) -> _DayRange:
    first = date(year, month, 1)
    return _DayRange(first, words.month_end(first) + _DAY)


def _days_of_date(match: re.Match[str], today: date) -> _DayRange | None:
    """A day by its date; without a year the last one that has come."""
    day = words.day_of(match, lambda month, day: words.latest_past_day(month, day, today))
    return None if day is None else _one(day)


def _month(match: re.Match[str], today: date) -> _DayRange:
    month = words.month_of(match["name"])
    if match["year"]:
        return _month_of(int(match["year"]), month)
    year = today.year if month <= today.month else today.year - 1
    return _month_of(year - bool(match["last"] and month == today.month), month)


def _season(match: re.Match[str], today: date) -> _DayRange:
    start = date(int(match["year"] or today.year), words.season_start(match["name"]), 1)
    if not match["year"] and start > today:
        start = start.replace(year=start.year - 1)
    return _DayRange(start, _months_later(start, 3))


def _year_of(year: int) -> _DayRange:
    return _DayRange(date(year, 1, 1), date(year + 1, 1, 1))


def _weekday(match: re.Match[str], today: date) -> _DayRange:
    """The last such day before today; "this" one may lie ahead in the same week."""
    weekday = words.weekday_of(match["name"])
    if match["this"]:
        return _one(today - timedelta(days=today.weekday()) + timedelta(days=weekday))
    return _one(today - timedelta(days=(today.weekday() - weekday - 1) % 7 + 1))


def _weekend(match: re.Match[str], today: date) -> _DayRange:
    saturday = today - timedelta(days=(today.weekday() - 5) % 7)
    if match["last"] and today.weekday() >= 5:  # on a weekend, the last one is the one before
        saturday -= _WEEK
    return _DayRange(saturday, saturday + 2 * _DAY)


def _unit(match: re.Match[str], today: date) -> _DayRange:
    """Last or this week, month, year: whole ones of the calendar."""
    back = 0 if match["this"] else 1
    if match["week"]:
        monday = today - timedelta(days=today.weekday()) - back * _WEEK
        return _DayRange(monday, monday + _WEEK)
    if match["month"]:
        first = _months_later(today, -back)
        return _month_of(first.year, first.month)
    if match["year"]:
        return _year_of(today.year - back)
    return _one(today - back * _DAY)


def _units_ago(match: re.Match[str], today: date) -> _DayRange:
    """Return so many units ago, as vaguely as people mean it: half a unit to either side.

    A count has three digits at most, so that it never leads out of Python's calendar.
    """
    unit, count = words.unit_of(match), words.count_of(match.groupdict().get("count"))
    if unit == "day":
        return _range_around(today - count * _DAY, timedelta(0))
    if unit == "week":
        return _range_around(today - count * _WEEK, timedelta(days=3))
    months = count * (12 if unit == "year" else 1)
    return _range_around(_months_later(today, -months), timedelta(days=180 if unit == "year" else 15))


def _range_around(day: date, slack: timedelta) -> _DayRange:
    return _DayRange(day - slack, day + slack + _DAY)


def _months_later(day: date, months: int) -> date:
    at = day.year * 12 + day.month - 1 + months
    year, month = divmod(at, 12)
    first = date(year, month + 1, 1)
    return first.replace(day=min(day.day, words.month_end(first).day))


_PHRASES = read_phrases(
    __package__,
    "time_phrases",
    {
        "date": _days_of_date,
        "month": _month,
        "season": _season,
        "ago": _units_ago,
        "running": lambda match, today: _DayRange(today - words.days_counted(match), today + _DAY),
        "weekend": _weekend,
        "weekday": _weekday,
        "unit": _unit,
        "two_days_back": lambda _, today: _one(today - 2 * _DAY),
        "yesterday": lambda _, today: _one(today - _DAY),
        "today": lambda _, today: _one(today),
        "last_year": lambda _, today: _year_of(today.year - 1),
        "year_before_last": lambda _, today: _year_of(today.year - 2),
        "year": lambda match, _: _year_of(int(match["year"])),
    },
)
