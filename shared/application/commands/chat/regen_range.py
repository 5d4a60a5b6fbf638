"""Which stretch of talk /gryadregen means."""

from __future__ import annotations

import re
from datetime import date, datetime, time, timedelta
from typing import NamedTuple

from shared.domain.text.dates import day_in_digits, latest

_DAY = timedelta(days=1)


_TODAY, _YESTERDAY, _LAST = ("today", "сьогодні"), ("yesterday", "вчора", "учора"), "last|latest|останні|останніх"


class Days(NamedTuple):
    """From a local day's beginning to another's."""

    start: datetime
    end: datetime


class Latest(NamedTuple):
    """So many messages up to now."""

    messages: int


class Since(NamedTuple):
    """From a message up to now."""

    message_id: int


Range = Days | Latest | Since


def read_range(words: str, *, now: datetime) -> Range | None:
    """Return what somebody typed as a range: a day, two days with a space between them, or the latest messages; None
    when it is none.

    Args:
        now: In the chat's zone.
    """
    text = " ".join(words.casefold().split())
    if match := re.fullmatch(rf"(?:{_LAST}) (\d{{1,6}})", text):
        return Latest(int(match[1])) if int(match[1]) else None
    days = [_day(word, now.date()) for word in text.split()]
    if not 1 <= len(days) <= 2 or any(day is None for day in days):
        return None
    first, last = min(filter(None, days)), max(filter(None, days))
    return Days(*(datetime.combine(day, time(), now.tzinfo) for day in (first, last + _DAY)))


def _day(word: str, today: date) -> date | None:
    """A day by its word, as 2026-11-20, or as 20.11 (then the last one there was) with or without the year."""
    if word in _TODAY or word in _YESTERDAY:
        return today if word in _TODAY else today - _DAY
    return day_in_digits(word, lambda month, day: latest(month, day, today))
