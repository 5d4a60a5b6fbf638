"""Spans of time that people name in a question: "last Friday", "two weeks ago", "минулої п'ятниці", "торік".

A phrase stands for whole days of the asker's calendar. Talk lies in the past: a day or a month without a year is the
last one that has begun. What could be read in two ways and is rarely meant as a time ("may", "день") is no span, and
neither is what reaches out of the years that people mean (`domain.dates`).
"""

import re
from collections.abc import Callable, Iterator
from datetime import date, datetime, timedelta
from typing import NamedTuple

from shared.domain.text import dates as words
from shared.domain.text.dates import is_meant
from shared.domain.text.language import fold, unify_apostrophes


class Span(NamedTuple):
    """From `since` (included) to `until` (excluded), aware."""

    since: datetime
    until: datetime


class _Days(NamedTuple):
    """First day, and the day after the last."""

    first: date
    end: date


_DAY, _WEEK = timedelta(days=1), timedelta(days=7)
_LAST = r"last|past|previous|минул\w{1,4}|попередн\w{1,4}|той|тої|тієї|того|тому|ту"
_THIS = r"this|цей|ця|це|ці|цього|цієї|цій|цьому|цю"
_ON_DAY, _IN = r"on|в|у|о|від|з|із|за|since|from|of|by|до", r"in|of|since|during|у|в|за|з|із|від"
_COUNT = rf"\d{{1,3}}|{words.COUNT}"
_UNTIL, _FROM = re.compile(r"\b(?:до|before|until|till) $"), re.compile(r"\b(?:після|after|since) $")
_YEAR_BACK = timedelta(days=365)
_UNIT = words.units("day", "week", "month", "year")
_YEAR = r"(?:19|20)\d{2}"


def spans_in(text: str, asked_at: datetime) -> list[Span]:
    """The spans named in a text, in the order in which they are found; none twice.

    Args:
        asked_at: When it is asked, aware, from 1970 on; its time zone is the calendar's.
    """
    rest, found = fold(unify_apostrophes(text)), list[Span]()
    midnight = asked_at.replace(hour=0, minute=0, second=0, microsecond=0)
    for pattern, read in _PHRASES:
        for match in pattern.finditer(rest):
            days = read(match, asked_at.date())
            if days is not None and read is _days_of_date:
                days = _range_days(days, rest[: match.start()], asked_at.date())
            if days is not None and is_meant(days.first):
                found.append(Span(*(midnight + (day - asked_at.date()) for day in days)))
        rest = pattern.sub(lambda match: " " * len(match[0]), rest)  # a longer phrase hides the shorter one in it
    return list(dict.fromkeys(found))


def _range_days(days: _Days, before: str, today: date) -> _Days:
    """Return a day, or all until it ("до 14 березня", a year at most) or from it on, by the word right before it."""
    if _UNTIL.search(before):
        return _Days(days.first - _YEAR_BACK, days.end)
    return _Days(days.first, max(days.end, today + _DAY)) if _FROM.search(before) else days


def _one(day: date) -> _Days:
    return _Days(day, day + _DAY)


def _month_of(year: int, month: int) -> _Days:
    first = date(year, month, 1)
    return _Days(first, words.month_end(first) + _DAY)


def _days_of_date(match: re.Match[str], today: date) -> _Days | None:
    """A day by its date; without a year the last one that has come."""
    day = words.day_of(match, lambda month, day: words.latest(month, day, today))
    return None if day is None else _one(day)


def _month(match: re.Match[str], today: date) -> _Days:
    month = words.month_of(match["name"])
    if match["year"]:
        return _month_of(int(match["year"]), month)
    year = today.year if month <= today.month else today.year - 1
    return _month_of(year - bool(match["last"] and month == today.month), month)


def _season(match: re.Match[str], today: date) -> _Days:
    start = date(int(match["year"] or today.year), words.season_start(match["name"]), 1)
    if not match["year"] and start > today:
        start = start.replace(year=start.year - 1)
    return _Days(start, _months_later(start, 3))


def _year_of(year: int) -> _Days:
    return _Days(date(year, 1, 1), date(year + 1, 1, 1))


def _weekday(match: re.Match[str], today: date) -> _Days:
    """The last such day before today; "this" one may lie ahead in the same week."""
    weekday = words.weekday_of(match["name"])
    if match["this"]:
        return _one(today - timedelta(days=today.weekday()) + timedelta(days=weekday))
    return _one(today - timedelta(days=(today.weekday() - weekday - 1) % 7 + 1))


def _weekend(match: re.Match[str], today: date) -> _Days:
    saturday = today - timedelta(days=(today.weekday() - 5) % 7)
    if match["last"] and today.weekday() >= 5:  # on a weekend, the last one is the one before
        saturday -= _WEEK
    return _Days(saturday, saturday + 2 * _DAY)


def _unit(match: re.Match[str], today: date) -> _Days:
    """Last or this week, month, year: whole ones of the calendar."""
    back = 0 if match["this"] else 1
    if match["week"]:
        monday = today - timedelta(days=today.weekday()) - back * _WEEK
        return _Days(monday, monday + _WEEK)
    if match["month"]:
        first = _months_later(today, -back)
        return _month_of(first.year, first.month)
    if match["year"]:
        return _year_of(today.year - back)
    return _one(today - back * _DAY)


def _ago(match: re.Match[str], today: date) -> _Days:
    """Return so many units ago, as vaguely as people mean it: half a unit to either side.

    A count has three digits at most, so that it never leads out of Python's calendar.
    """
    unit, count = words.unit_of(match), words.count_of(match.groupdict().get("count"))
    if unit == "day":
        return _reaching(today - count * _DAY, timedelta(0))
    if unit == "week":
        return _reaching(today - count * _WEEK, timedelta(days=3))
    months = count * (12 if unit == "year" else 1)
    return _reaching(_months_later(today, -months), timedelta(days=180 if unit == "year" else 15))


def _reaching(day: date, slack: timedelta) -> _Days:
    return _Days(day - slack, day + slack + _DAY)


def _running(match: re.Match[str], today: date) -> _Days:
    """The last so many units until now."""
    days = words.count_of(match["count"]) * words.days_of(words.unit_of(match))
    return _Days(today - days * _DAY, today + _DAY)


def _months_later(day: date, months: int) -> date:
    at = day.year * 12 + day.month - 1 + months
    year, month = divmod(at, 12)
    first = date(year, month + 1, 1)
    return first.replace(day=min(day.day, words.month_end(first).day))


def _days_back(back: int) -> Callable[[re.Match[str], date], _Days]:
    return lambda _, today: _one(today - back * _DAY)


def _phrases() -> Iterator[tuple[re.Pattern[str], Callable[[re.Match[str], date], _Days | None]]]:
    """Longer and surer ones first."""
    year = rf"(?:,? ?(?P<year>{_YEAR}))?"
    yield re.compile(words.ISO), _days_of_date
    yield re.compile(words.NUMERIC), _days_of_date
    name = rf"(?P<name>{words.MONTH})"
    yield re.compile(rf"\b(?P<day>\d{{1,2}})(?:{words.ORDINAL})?(?: of)? {name}\b{year}"), _days_of_date
    yield re.compile(rf"\b{name}\.? (?P<day>\d{{1,2}})(?:{words.ORDINAL})?\b(?!:){year}"), _days_of_date
    yield re.compile(rf"\b{name},? (?:of )?(?P<year>{_YEAR})(?P<last>)"), _month
    in_month = rf"\b(?:{_IN}|(?P<last>{_LAST})|{_THIS}) (?:early |late |mid-?)?{name}\b(?P<year>)"
    yield re.compile(in_month), _month
    yield re.compile(rf"\b(?P<name>{words.SEASON})(?: (?:of )?(?P<year>{_YEAR}))\b"), _season
    yield re.compile(rf"\b(?:(?:{_IN}|{_LAST}|{_THIS})(?: the)? (?P<name>{words.SEASON}))\b(?P<year>)"), _season
    yield re.compile(r"\b(?P<name>взимку|узимку|навесні|влітку|улітку|восени)\b(?P<year>)"), _season
    yield re.compile(rf"\b(?P<count>{_COUNT}) (?:{_UNIT}) (?:ago|back|тому)\b"), _ago
    yield re.compile(r"\b(?:(?P<week>тиждень)|(?P<month>місяць)|(?P<year>рік)) тому\b"), _ago
    running = rf"\b(?:last|past|останн\w{{1,2}})(?: (?P<count>{_COUNT}))? (?:{_UNIT})\b"
    yield re.compile(rf"\b(?:in the|over the|during the|within the|за) {running[2:]}"), _running
    yield re.compile(rf"\b(?:last|past|останн\w{{1,2}}) (?P<count>{_COUNT}) (?:{_UNIT})\b"), _running
    yield re.compile(rf"\b(?:(?P<last>{_LAST})|{_THIS}|on the|at the|на|у|в) (?:weekend|вихідн\w{{1,3}})\b"), _weekend
    yield re.compile(rf"\b(?:(?P<this>{_THIS})|{_LAST}|{_ON_DAY}) (?P<name>{words.ANY_WEEKDAY})\b"), _weekday
    yield re.compile(rf"\b(?:(?P<this>{_THIS})|(?:{_LAST})) (?:{_UNIT})\b"), _unit
    yield (
        re.compile(r"\b(?:the )?day before yesterday\b|\bпозавчора\b|\bпозавчорашн\w{1,4}\b"),
        _days_back(2),
    )
    yield (
        re.compile(r"\byesterday\b|\bвчора\b|\bучора\b|\bвчорашн\w{1,4}\b|\blast night\b"),
        _days_back(1),
    )
    yield (
        re.compile(r"\btoday\b|\bthis (?:morning|evening|afternoon)\b|\btonight\b|\bсьогодн\w{1,4}\b"),
        _days_back(0),
    )
    yield re.compile(r"\bторік\b|\bторішн\w{1,4}\b"), lambda _, today: _year_of(today.year - 1)
    yield re.compile(r"\bпозаторік\b"), lambda _, today: _year_of(today.year - 2)
    yield (
        re.compile(rf"\b(?:{_IN}) (?P<year>{_YEAR})\b(?! ?[^\W\d]{{0,4}}(?:грн|usd))"),
        lambda match, _: _year_of(int(match["year"])),
    )


_PHRASES = tuple(_phrases())
