"""Words and phrases by which regular customs and coming events are told, in both languages."""

from __future__ import annotations

import re
from collections.abc import Mapping

from shared.domain.reading.matching.marks import read_marks
from shared.domain.text.data_files import Words, word_lists


def _lists() -> Mapping[str, Words]:
    lists = word_lists(__package__, "calendar_lists")
    persons = {f"gather_{person}": tuple(f"{verb}#{person}" for verb in lists["gather"]) for person in ("we", "they")}
    return {**lists, **persons}


LISTS = _lists()
_MARKS = read_marks(__package__, "calendar_marks", LISTS)

RECURS = _MARKS["recurs"]
AS_ALWAYS = _MARKS["as_always"]
TRADITION = _MARKS["tradition"]
NO_TRADITION = _MARKS["no_tradition"]
KEPT = _MARKS["kept"]
"""What is said of something kept up for long; it stands apart, by a comma or as a sentence of its own."""
ROLE = _MARKS["role"]
"""Who does what by custom: the loser buys, the one whose birthday it is brings cake."""
WE = _MARKS["we"]
MINE = _MARKS["mine"]
GROUP_VERB = _MARKS["group_verb"]
NOT_DONE = _MARKS["not_done"]
DAILY = _MARKS["daily"]
DATE = _MARKS["date"]
GATHER = _MARKS["gather"]
OCCASION = _MARKS["occasion"]
OWN_OCCASION = _MARKS["own_occasion"]
SHARED = _MARKS["shared"]
ANNOUNCES = _MARKS["announces"]
DUE = _MARKS["due"]
PAST = _MARKS["past"]
MOVED = _MARKS["moved"]
CANCELLED = _MARKS["cancelled"]
SCRAPPED = _MARKS["scrapped"]
HOLIDAY = _MARKS["holiday"]
PUT_OFF = _MARKS["put_off"]
"""How another date is offered for what is called off."""

OPENERS = re.compile(
    r"^(?:as always|as usual|як завжди|як зазвичай|reminder|нагадую|і|а|та|ну|so|and|well|ok|guys|народ|хлопці|друзі)"
    r"(?!\w)[,:]? ?",
    re.IGNORECASE,
)
AGREED = re.compile(r"^(?:так|ага|угу|yes|yeah|yep)[,!]\s+", re.IGNORECASE)
"""What a sentence begins with that says nothing of its matter."""
NUMERIC_DATE = re.compile(
    r"(?<![\w.,/:-])(?!24/7)(?:(?:0?[1-9]|1[0-2])/(?:1[3-9]|2\d|3[01])(?:/(?:20)?\d\d)?"
    r"|[0-3]?\d(?:\.(?:0\d|1[0-2])|/[01]?\d)(?:[./](?:20)?\d\d)?|[0-3]?\d(?:st|nd|rd|th)|\d{4}-\d\d-\d\d)"
    r"(?![\w/:-]|\.\d)"
)
TIME = re.compile(
    r"(?<!\w)(?:\d{1,2}[:.][0-5]\d|(?:о|об|after|at) \d{1,2}(?:-?(?:й|ій))?|(?:з|від) \d{1,2}-?(?:ї|ої)"
    r"|\d{1,2} ?(?:am|pm)|at (?:noon|midnight)|"
    r"(?:о|об|з) (?:першій|другій|третій|четвертій|п'ятій|шостій|сьомій|восьмій|дев'ятій|десятій|"
    r"одинадцятій|дванадцятій|"
    r"п'ятої|шостої|сьомої|восьмої|десятої))(?!\w)",
    re.IGNORECASE,
)
