"""Times of day and numeric dates as people write them, in digits and in words."""

import re

from shared.domain.text.data_files import expressions, put_together, read_data
from shared.domain.text.dates import IN_DIGITS

_NOON, _DAY, _HOUR, _HALF, _QUARTER = 12, 24, 60, 30, 15
_MONTHS, _DAYS_OF_MONTH = 12, 31
_LATE = 6
"""Hours "of the night" (ночі) from which they are before midnight."""

_FILE = read_data(__package__, "moments")
_DIGITS = [re.compile(put_together(text, _FILE["parts"]), re.IGNORECASE) for text in _FILE["digits"].values()]
_SPOKEN, _SAYS = _FILE["hints"]["spoken"], expressions(__package__, "moments")
_UK_HOURS, _EN_HOURS = (tuple(_FILE["parts"][name].split("|")) for name in ("UK_HOURS", "EN_HOURS"))


def without_times(text: str, clock: set[int], dates: set[tuple[int, int]]) -> str:
    """Take times and numeric dates out of the text, so that no part of them counts as a number.

    Args:
        clock: Gets minutes after midnight; both halves of the day where "at seven" does not tell which.
        dates: Gets (month, day).
    """
    for pattern in _DIGITS:
        text = pattern.sub(lambda match: _consume_time(match, _digits(match), clock), text)
    for pattern in IN_DIGITS:
        text = pattern.sub(lambda match: _take_date(match, dates), text)
    return text


def without_spoken_times(text: str, clock: set[int]) -> str:
    """Likewise for times in words."""
    folded = text.casefold()
    if not any(hint in folded for hint in _SPOKEN):
        return text
    text = _SAYS["uk"].sub(lambda match: _consume_time(match, _minutes_of_match(match, _UK_HOURS), clock), text)
    text = _SAYS["en"].sub(lambda match: _consume_time(match, _minutes_of_match(match, _EN_HOURS), clock), text)
    return _SAYS["named"].sub(lambda match: _consume_time(match, {_NOON * _HOUR if match.group(1) else 0}, clock), text)


def _consume_time(match: re.Match[str], minutes: set[int], clock: set[int]) -> str:
    clock.update(minutes)
    return " " if minutes else match.group()


def _digits(match: re.Match[str]) -> set[int]:
    said = match.groupdict()
    hour, part = int(said["hour"]), said.get("part")
    if part and hour > _NOON and said.get("minute") is None:
        return set()  # "14 дня" is no time
    return _minutes(hour, int(said.get("minute") or 0), said.get("half") or part, sure=bool(said.get("minute")))


def _minutes_of_match(match: re.Match[str], hours: tuple[str, ...]) -> set[int]:
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
    )


def _take_date(match: re.Match[str], dates: set[tuple[int, int]]) -> str:
    month, day = int(match["month"]), int(match["day"])
    if not (1 <= month <= _MONTHS and 1 <= day <= _DAYS_OF_MONTH):
        return match.group()
    dates.add((month, day))
    return " "
