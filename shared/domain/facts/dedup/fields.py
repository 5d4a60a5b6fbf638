"""What one field of a statement says, taken apart: terms with their sign, days and times, how often and how many."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, field

from shared.domain.facts.dedup.clauses import ClauseWord, clauses
from shared.domain.facts.dedup.kinds import Kind
from shared.domain.facts.dedup.moments import without_spoken_times, without_times

_ORDINAL = re.compile(r"(?<=\d)(?:(?:st|nd|rd|th)(?: of)?|-го|-е|-ше|-те|го)(?!\w)")
_DIGIT = re.compile(r"\d")
_RANGE = re.compile(r"(?<=\d) ?[–—-] ?(?=\d)")
_ACTING = frozenset({"experience", "goal"})
_RULING = frozenset({"rule", "norm"})
_BOTH = {("brother", "sister"): "sibling", ("mother", "father"): "parents", ("son", "daughter"): "child"}

_LEFT_OUT = {"drink": "alcohol", "read": "book"}
"""What a verb is about where nothing is said ("does not drink")."""

_DAYS_OF_MONTH = 31
_FROM, _TO = frozenset({"from", "з", "із", "зі"}), frozenset({"to", "на", "до"})
_TURNS = _FROM | _TO | {"over"}
_CONTENT = (Kind.CONTENT, Kind.WORD, Kind.PLACE)


@dataclass(slots=True)
class FieldReading:
    """What one field says.

    Attributes:
        signs: Canonical content terms in order, with +1 (stated), -1 (negated) or 0 (nothing said about the sign).
        proper: Those of `signs` that are names of people or places.
        sign: The sign of the first clause that has one, else 0.
        former: Terms told as past ("quit the bank"); `former_days` likewise ("moved from Thursday").
        clock: Minutes after midnight.
        dates: (month, day), day 0 where only the month is told.
        numbers: (number, the term that follows or "").
    """

    signs: dict[str, int] = field(default_factory=dict)
    proper: set[str] = field(default_factory=set)
    sign: int = 0
    former: set[str] = field(default_factory=set)
    former_days: set[str] = field(default_factory=set)
    days: set[str] = field(default_factory=set)
    clock: set[int] = field(default_factory=set)
    dates: set[tuple[int, int]] = field(default_factory=set)
    numbers: set[tuple[str, str]] = field(default_factory=set)
    periods: set[str] = field(default_factory=set)
    levels: set[str] = field(default_factory=set)
    frames: set[str] = field(default_factory=set)
    strong: bool = False
    changes: bool = False


def read_field(text: str, category: str, *, sentence: bool = True) -> FieldReading:
    part = FieldReading()
    if _DIGIT.search(text):
        text = without_times(_RANGE.sub(" ", _ORDINAL.sub("", text)), part.clock, part.dates)
    text = without_spoken_times(text, part.clock)
    for clause in clauses(text, sentence=sentence):
        _read_clause(clause, part, category)
    _generalise(part.signs)
    return part


def _generalise(signs: dict[str, int]) -> None:
    """Both of a pair are their common name: "no brothers or sisters" is "no siblings"."""
    for (one, other), both in _BOTH.items():
        if one in signs and other in signs:
            signs[both] = signs.pop(one)
            del signs[other]


def _read_clause(words: list[ClauseWord], part: FieldReading, category: str) -> None:
    kinds = {word.kind for word in words}
    against = Kind.AGAINST in kinds or (Kind.PENALTY in kinds and category in _RULING)
    base = -1 if against else 1 if Kind.FOR in kinds else 0
    turned = Kind.NEGATION in kinds
    lost = _lost_until(words) if Kind.LOSS in kinds and category not in _ACTING else 0
    denied = former = False  # what follows is denied ("no ads"), was once ("quit the bank")
    for at, word in enumerate(words):
        if word.kind is Kind.STOP and word.raw not in _TURNS:
            continue
        denied = denied or word.kind is Kind.NEGATION_AHEAD
        former = category != "experience" and _is_former(words, at, former=former)
        sign = -(base or 1) if turned or denied else base
        gone = former or at < lost
        _take(word, words, at, part, sign=-1 if gone else sign, former=gone, category=category)
    part.strong = part.strong or any(word.strong for word in words)
    part.changes = part.changes or Kind.CHANGE in kinds
    ends = turned or lost > 0 or Kind.NEGATION_AHEAD in kinds or Kind.GIVEN_UP in kinds
    part.sign = part.sign or (-(base or 1) if ends else base)
    _add_left_out(words, kinds, part, sign=-1 if ends else 1)


def _lost_until(words: list[ClauseWord]) -> int:
    """Return where what is told as lost ends: "sold the house | and bought a boat"."""
    at = next(at for at, word in enumerate(words) if word.kind is Kind.LOSS)
    return next((end for end in range(at, len(words)) if words[end].kind is Kind.AND), len(words))


def _add_left_out(words: list[ClauseWord], kinds: set[Kind], part: FieldReading, *, sign: int) -> None:
    if Kind.FRAME in kinds and kinds.isdisjoint(_CONTENT):
        for word in words:
            if word.kind is Kind.FRAME and word.name in _LEFT_OUT:
                _add_term(part, _LEFT_OUT[word.name], sign, proper=False, former=False)


def _is_former(words: list[ClauseWord], at: int, *, former: bool) -> bool:
    """Return whether the word at `at` tells of something past: after "quit" to the next "and", after "moved from" to
    "to"."""
    word = words[at]
    if word.kind is Kind.GIVEN_UP:
        return not (at + 1 < len(words) and words[at + 1].kind is Kind.NUMBER)  # "no more than 3"
    if word.raw == "left" and word.kind is Kind.WORD and all(other.kind is Kind.STOP for other in words[:at]):
        return True
    if word.raw == "over":
        return former or any(other.raw.startswith("prefer") for other in words[:at])
    if word.raw in _FROM:
        return former or any(other.kind is Kind.CHANGE for other in words)
    return former and word.kind is not Kind.AND and word.raw not in _TO


def _take(
    word: ClauseWord, words: list[ClauseWord], at: int, part: FieldReading, *, sign: int, former: bool, category: str
) -> None:
    kind, name = word.kind, word.name
    if kind is Kind.CONTENT:
        for term in name.split("+"):
            own = term.removeprefix("-")
            _add_term(part, own, -(sign or 1) if own != term else sign, proper=False, former=former)
    elif kind in _CONTENT or _is_act(word, category):
        _add_term(part, name, sign, proper=kind is Kind.PLACE or (kind is Kind.WORD and word.capital), former=former)
    elif kind is Kind.FRAME:
        part.frames.add(name)
    elif kind is Kind.DAY:
        retold = former or words[0].kind is Kind.NEGATION
        (part.former_days if retold else part.days).add(name)
    elif kind is Kind.LEVEL:
        part.levels.add(_turn_level(name) if sign < 0 else name)
    elif kind is Kind.PERIOD and not (at and words[at - 1].kind is Kind.NUMBER):
        part.periods.add(name)
    elif kind is Kind.MONTH:
        part.dates.update(_days_of_month(int(name), word, words, at))
    elif kind is Kind.NUMBER and not _belongs_to_month(words, at):
        part.numbers.add((name, "calendar") if _is_year(name) else _measure(name, words[at + 1 :]))


def _is_act(word: ClauseWord, category: str) -> bool:
    """Verbs that elsewhere only carry their object."""
    if word.kind is Kind.PENALTY:
        return category not in _RULING
    return word.kind is Kind.FRAME and category in _ACTING and word.name not in ("want", "plan")


def _add_term(part: FieldReading, name: str, sign: int, *, proper: bool, former: bool) -> None:
    if former:
        part.former.add(name)
    part.signs.setdefault(name, sign)
    if proper:
        part.proper.add(name)


def _turn_level(level: str) -> str:
    return "low" if level == "high" else "high"


def _numbers_around(words: list[ClauseWord], at: int) -> Iterable[int]:
    for step in (-1, 1):
        beside = at + step
        while 0 <= beside < len(words) and words[beside].kind is Kind.NUMBER and words[beside].name.isdecimal():
            if len(words[beside].name) <= 2:
                yield int(words[beside].name)
            beside += step


def _days_of_month(month: int, word: ClauseWord, words: list[ClauseWord], at: int) -> set[tuple[int, int]]:
    days = {(month, day) for day in _numbers_around(words, at) if 1 <= day <= _DAYS_OF_MONTH}
    if not days and word.raw in ("may", "march") and not word.capital:
        return set()  # a verb
    return days or {(month, 0)}


def _belongs_to_month(words: list[ClauseWord], at: int) -> bool:
    if not words[at].name.isdecimal() or len(words[at].name) > 2:
        return False
    for step in (-1, 1):
        beside = at + step
        while 0 <= beside < len(words) and words[beside].kind is Kind.NUMBER:
            beside += step
        if 0 <= beside < len(words) and words[beside].kind is Kind.MONTH:
            return True
    return False


_UNITS = {"year": "year", "рік": "year", "роки": "year", "років": "year", "року": "year", "yrs": "year", "yo": "year"}
_DURATIONS = {
    "second": 1, "sec": 1, "секунд": 1, "minute": 60, "min": 60, "mins": 60, "хв": 60, "хвилин": 60, "hour": 3600,
    "годин": 3600, "day": 86_400, "день": 86_400, "дні": 86_400, "днів": 86_400, "доба": 86_400, "добу": 86_400,
    "week": 604_800, "тижд": 604_800, "тижн": 604_800,
}  # fmt: skip
_DURATION = re.compile(
    r"(second|секунд|minute|хвилин|hour|годин|week|тиж[дн])\w*|(day|днів|дні|день|доб[ауи]|хв|mins?|sec)s?"
)


def _measure(number: str, following: list[ClauseWord]) -> tuple[str, str]:
    """The number with its unit; durations in seconds, so that 60 minutes are an hour."""
    found = _DURATION.fullmatch(following[0].raw) if following else None
    if found is None or not number.isdecimal() or not number.isascii():
        return number, _unit(following)
    return str(int(number) * _DURATIONS.get(found.group(1) or found.group(2), 86_400)), "seconds"


def _is_year(number: str) -> bool:
    return len(number) == 4 and number[:2] in ("19", "20")


def _unit(following: list[ClauseWord]) -> str:
    for word in following[:2]:
        if word.raw in _UNITS or word.raw.startswith("year"):
            return "year"
        if word.kind in (*_CONTENT, Kind.PERIOD, Kind.UNIT):
            return word.name
    return ""
