"""Times of day and numeric dates as people write them, in digits and in words."""

from __future__ import annotations

import re
from collections.abc import Callable

_NOON, _DAY, _HOUR, _HALF, _QUARTER = 12, 24, 60, 30, 15
_MONTHS, _DAYS_OF_MONTH = 12, 31
_LATE = 6
"""Hours "of the night" (ночі) from which they are before midnight."""

_UK_HOURS = ("перш", "друг", "трет", "четверт", "п'ят", "шост", "сьом", "восьм", "дев'ят", "десят", "одинадцят", "дванадцят")  # fmt: skip  # noqa: E501
_EN_HOURS = ("one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve")
_PART = (
    r"(?: ?(?P<half>am|pm|a\.m\.?|p\.m\.?)(?!\w)| (?P<part>ранку|ранком|вечора|вечером|дня|ночі|пополудні"
    r"|in the (?:morning|evening|afternoon)|at night|вдень|ввечері|увечері|вранці|зранку)(?!\w))"
)
_DIGITS = re.compile(
    r"(?<![\d.:])(?P<hour>\d{1,2}):(?P<minute>\d{2})(?!\d)" + _PART + "?"
    r"|(?<!\w)(?:о|об|at) (?P<hour2>\d{1,2})\.(?P<minute2>\d{2})(?![\d.])" + _PART.replace("half", "half2").replace("part", "part2") + "?"  # fmt: skip  # noqa: E501
    r"|(?<![\w.:])(?:(?:о|об|at) )?(?P<hour3>\d{1,2})(?:\.(?P<minute3>\d{2}))?(?: годин\w+)?" + _PART.replace("half", "half3").replace("part", "part3") +  # noqa: E501
    r"|(?<!\w)(?:о|об|at) (?P<hour4>\d{1,2})(?: годин\w+| o'clock)?(?![\d.:/])",
    re.IGNORECASE,
)  # fmt: skip
_UK_WORDS = re.compile(
    rf"(?<!\w)(?:(?P<past>пів) (?:на|до) |(?P<at>о|об) )?(?P<hour>{'|'.join(_UK_HOURS)})(?:а|я|ої|ій|у|ю|ьої|ьому)"
    rf"(?: годин\w+)?(?!\w){_PART}?",
    re.IGNORECASE,
)
_EN_WORDS = re.compile(
    rf"(?<!\w)(?:(?P<past>half past|half|quarter past|quarter to) |(?P<at>at) )?(?P<hour>{'|'.join(_EN_HOURS)})"
    rf"(?P<clock> o'clock)?(?!\w){_PART}?",
    re.IGNORECASE,
)
_NAMED = re.compile(r"(?<!\w)(?:(noon|midday|опівдні)|(midnight|опівночі))(?!\w)", re.IGNORECASE)
_DATE = re.compile(
    r"(?<!\d)(?:\d{4})-(\d{1,2})-(\d{1,2})(?!\d)|(?<![\d.])(\d{1,2})[./](\d{1,2})(?:[./]\d{2,4})?(?![\d/]|\.\d)"
)


def without_times(text: str, clock: set[int], dates: set[tuple[int, int]]) -> str:
    """Take times and numeric dates out of the text, so that no part of them counts as a number.

    Args:
        clock: Gets minutes after midnight; both halves of the day where "at seven" does not tell which.
        dates: Gets (month, day).
    """
    text = _DIGITS.sub(_taking(clock, _digits), text)
    text = _DATE.sub(lambda match: _take_date(match, dates), text)
    return text


def without_spoken_times(text: str, clock: set[int]) -> str:
    """Likewise for times in words."""
    for pattern, hours in ((_UK_WORDS, _UK_HOURS), (_EN_WORDS, _EN_HOURS)):
        text = pattern.sub(_taking(clock, lambda match, hours=hours: _spoken(match, hours)), text)
    return _NAMED.sub(lambda match: clock.add(_NOON * _HOUR if match.group(1) else 0) or " ", text)


def _taking(clock: set[int], minutes_of: Callable[[re.Match[str]], set[int]]) -> Callable[[re.Match[str]], str]:
    def take(match: re.Match[str]) -> str:
        minutes = minutes_of(match)
        clock.update(minutes)
        return " " if minutes else match.group()

    return take


def _digits(match: re.Match[str]) -> set[int]:
    said = match.groupdict()
    hour = next(int(said[name]) for name in ("hour", "hour2", "hour3", "hour4") if said[name])
    minute = int(said["minute"] or said["minute2"] or said["minute3"] or 0)
    half = said["half"] or said["half2"] or said["half3"] or said["part"] or said["part2"] or said["part3"]
    if said["part3"] and hour > _NOON:
        return set()  # "14 дня" is no time
    return _minutes(hour, minute, half, sure=bool(said["minute"] or said["minute2"]))


def _spoken(match: re.Match[str], hours: tuple[str, ...]) -> set[int]:
    said = match.groupdict()
    past, half = (said["past"] or "").casefold(), said["half"] or said["part"]
    if not (past or half or (said["at"] and said["hour"] != "one") or said.get("clock")):
        return set()
    hour = hours.index(said["hour"].casefold()) + 1
    if past == "пів":
        hour, minute = hour - 1 or _NOON, _HALF
    elif past == "quarter to":
        hour, minute = hour - 1 or _NOON, _HOUR - _QUARTER
    else:
        minute = _HALF if past.startswith("half") else _QUARTER if past else 0
    return _minutes(hour, minute, half, sure=False)


def _minutes(hour: int, minute: int, half: str | None, *, sure: bool) -> set[int]:
    if hour > _DAY or minute >= _HOUR:
        return set()
    if half is not None:
        return {_HOUR * (hour % _NOON + (_NOON if _is_afternoon(half.casefold(), hour) else 0)) + minute}
    if sure or hour >= _NOON or hour == 0:
        return {_HOUR * hour + minute}
    return {_HOUR * hour + minute, _HOUR * (hour + _NOON) + minute}


def _is_afternoon(half: str, hour: int) -> bool:
    if half in ("ночі", "at night"):
        return _LATE <= hour < _NOON
    return (
        half[0] == "p"
        or half in ("вечора", "вечером", "дня", "вдень", "пополудні", "ввечері", "увечері")
        or half.endswith(("evening", "afternoon"))
    )  # noqa: E501


def _take_date(match: re.Match[str], dates: set[tuple[int, int]]) -> str:
    month, day = (match.group(1), match.group(2)) if match.group(1) else (match.group(4), match.group(3))
    if not (1 <= int(month) <= _MONTHS and 1 <= int(day) <= _DAYS_OF_MONTH):
        return match.group()
    dates.add((int(month), int(day)))
    return " "
