"""Takes one field of a statement apart: terms with their sign, days and times, how often and how many.

A field is read clause by clause, as words with their meanings; words that mean one thing together are one.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import takewhile
from typing import NamedTuple

from shared.domain.facts.dedup.lexicon import Kind, is_strong, meaning, phrase_at
from shared.domain.facts.dedup.moments import without_spoken_times, without_times
from shared.domain.text.data_files import word_tables
from shared.domain.text.names import is_cyrillic

_PIECE = re.compile(r"[^\W_]+(?:'[^\W_]+)*|@\w+|[.,;!?()—–]")
_ENDS_CLAUSE = frozenset(".,;!?()—–") | {"but", "але", "проте", "however", "а", "натомість"}
_TENS, _ONES = frozenset(map(str, range(20, 100, 10))), frozenset(map(str, range(1, 10)))
_ARTICLES = frozenset({"a", "an", "the"})

_ORDINAL = re.compile(r"(?<=\d)(?:(?:st|nd|rd|th)(?: of)?|-го|-е|-ше|-те|го)(?!\w)")
_DIGIT = re.compile(r"\d")
_RANGE = re.compile(r"(?<=\d) ?[–—-] ?(?=\d)")
_ACTING = frozenset({"experience", "goal"})
_RULING = frozenset({"rule", "norm"})
_BOTH = {("brother", "sister"): "sibling", ("mother", "father"): "parents", ("son", "daughter"): "child"}
"""Both of a pair are their common name: "no brothers or sisters" is "no siblings"."""

_LEFT_OUT = {"drink": "alcohol", "read": "book"}
"""The thing that a verb is about where nothing is said ("does not drink")."""

_DAYS_OF_MONTH = 31
_FROM, _TO = frozenset({"from", "з", "із", "зі"}), frozenset({"to", "на", "до"})
_TURNS = _FROM | _TO | {"over"}
_CONTENT = (Kind.CONTENT, Kind.WORD, Kind.PLACE)

_MEASURES = word_tables(__package__, "measures")
_STEMS, _COUNTED = (
    {word: int(size) for size, told in _MEASURES[of].items() for word in told} for of in ("stems", "words")
)
_DURATION = re.compile(rf"({'|'.join(_STEMS)})\w*|({'|'.join(_COUNTED)})s?")


class _Word(NamedTuple):
    """A word or phrase: `raw` as folded text, `capital` not at the beginning of a sentence."""

    kind: Kind
    name: str
    raw: str
    capital: bool
    strong: bool


@dataclass(slots=True)
class FieldReading:
    """The reading of one field.

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

    def add(self, term: str, sign: int, *, proper: bool = False, former: bool = False) -> None:
        """Add a content term; the first sign that is told of it counts."""
        if former:
            self.former.add(term)
        self.signs.setdefault(term, sign)
        if proper:
            self.proper.add(term)


def read_field(text: str, category: str, *, sentence: bool = True) -> FieldReading:
    """Read a field; the capital that begins a sentence says nothing, that of a bare value does."""
    part = FieldReading()
    if _DIGIT.search(text):
        text = without_times(_RANGE.sub(" ", _ORDINAL.sub("", text)), part.clock, part.dates)
    text = without_spoken_times(text, part.clock)
    for clause in _clauses(text, sentence=sentence):
        _read_clause(clause, part, category)
    for (one, other), both in _BOTH.items():
        if one in part.signs and other in part.signs:
            part.signs[both] = part.signs.pop(one)
            del part.signs[other]
    return part


def _clauses(text: str, *, sentence: bool) -> Iterator[list[_Word]]:
    clause: list[_Word] = []
    first = sentence
    for piece in _PIECE.findall(text):
        folded = piece.casefold()
        if folded in _ARTICLES:
            continue
        if folded in _ENDS_CLAUSE:
            first = first or (sentence and piece in ".!?")
            if clause:
                yield _join_terms(clause)
            clause = []
            continue
        clause.append(_word(piece, first, sentence))
        first = False
    if clause:
        yield _join_terms(clause)


@lru_cache(maxsize=40_000)
def _word(piece: str, begins: bool, inflected: bool) -> _Word:
    raw = piece.casefold()
    kind, name = (Kind.NUMBER, raw) if raw.isdecimal() else meaning(raw)
    capital = piece[0].isupper() and not begins
    if kind is Kind.WORD and capital and not (inflected and is_cyrillic(raw)):
        # It stands in its dictionary form, and a lemmatiser may take it for another word ("Taras").
        name = raw.removesuffix("'s")
    return _Word(kind, name, raw, capital, is_strong(raw) or name == "hate")


def _join_terms(words: list[_Word]) -> list[_Word]:
    """Words that mean one thing together become one, also "twenty seven"."""
    raw = [word.raw for word in words]
    joined: list[_Word] = []
    at = 0
    while at < len(words):
        word, size = words[at], 1
        last = joined[-1] if joined else word
        if (found := phrase_at(raw, at)) is not None:
            size, (kind, name) = found
            joined.append(word._replace(kind=kind, name=name, capital=False, strong=name == "hate"))
        elif last.kind is word.kind is Kind.NUMBER and (
            last.name in _TENS and word.name in _ONES and not last.raw.isdecimal()
        ):
            joined[-1] = last._replace(name=str(int(last.name) + int(word.name)))
        else:
            joined.append(word)
        at += size
    return joined


def _read_clause(words: list[_Word], part: FieldReading, category: str) -> None:
    kinds = {word.kind for word in words}
    against = Kind.AGAINST in kinds or (Kind.PENALTY in kinds and category in _RULING)
    base = -1 if against else 1 if Kind.FOR in kinds else 0
    turned = Kind.NEGATION in kinds
    lost = _find_loss_end(words) if Kind.LOSS in kinds and category not in _ACTING else 0
    denied = former = False  # what follows is denied ("no ads"), was once ("quit the bank")
    for at, word in enumerate(words):
        if word.kind is Kind.STOP and word.raw not in _TURNS:
            continue
        denied = denied or word.kind is Kind.NEGATION_AHEAD
        former = category != "experience" and _is_former(words, at, former=former)
        sign = -(base or 1) if turned or denied else base
        gone = former or at < lost
        _take(words, at, part, sign=-1 if gone else sign, former=gone, category=category)
    part.strong = part.strong or any(word.strong for word in words)
    part.changes = part.changes or Kind.CHANGE in kinds
    ends = turned or lost > 0 or Kind.NEGATION_AHEAD in kinds or Kind.GIVEN_UP in kinds
    part.sign = part.sign or (-(base or 1) if ends else base)
    if kinds.isdisjoint(_CONTENT):
        for word in words:
            if word.kind is Kind.FRAME and word.name in _LEFT_OUT:
                part.add(_LEFT_OUT[word.name], -1 if ends else 1)


def _find_loss_end(words: list[_Word]) -> int:
    """Return where what is told as lost ends: "sold the house | and bought a boat"."""
    at = next(at for at, word in enumerate(words) if word.kind is Kind.LOSS)
    return next((end for end in range(at, len(words)) if words[end].kind is Kind.AND), len(words))


def _is_former(words: list[_Word], at: int, *, former: bool) -> bool:
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


def _take(words: list[_Word], at: int, part: FieldReading, *, sign: int, former: bool, category: str) -> None:
    word = words[at]
    kind, name = word.kind, word.name
    if kind is Kind.CONTENT:
        for term in name.split("+"):
            own = term.removeprefix("-")
            part.add(own, -(sign or 1) if own != term else sign, former=former)
    elif kind in _CONTENT or _is_act(word, category):
        part.add(name, sign, proper=kind is Kind.PLACE or (kind is Kind.WORD and word.capital), former=former)
    elif kind is Kind.FRAME:
        part.frames.add(name)
    elif kind is Kind.DAY:
        retold = former or words[0].kind is Kind.NEGATION
        (part.former_days if retold else part.days).add(name)
    elif kind is Kind.LEVEL:
        part.levels.add({"high": "low"}.get(name, "high") if sign < 0 else name)
    elif kind is Kind.PERIOD and not (at and words[at - 1].kind is Kind.NUMBER):
        part.periods.add(name)
    elif kind is Kind.MONTH:
        part.dates.update(_days_of_month(words, at))
    elif kind is Kind.NUMBER and not _belongs_to_month(words, at):
        is_year = len(name) == 4 and name[:2] in ("19", "20")
        part.numbers.add((name, "calendar") if is_year else _measure(name, words[at + 1 :]))


def _is_act(word: _Word, category: str) -> bool:
    """Verbs that elsewhere only carry their object."""
    if word.kind is Kind.PENALTY:
        return category not in _RULING
    return word.kind is Kind.FRAME and category in _ACTING and word.name not in ("want", "plan")


def _numbers_beside(words: list[_Word], at: int) -> tuple[list[_Word], list[_Word]]:
    """The numbers that stand in a row right before a word, and right after it."""
    before = takewhile(lambda word: word.kind is Kind.NUMBER, reversed(words[:at]))
    return list(before), list(takewhile(lambda word: word.kind is Kind.NUMBER, words[at + 1 :]))


def _days_of_month(words: list[_Word], at: int) -> set[tuple[int, int]]:
    month, numbers = int(words[at].name), [each for beside in _numbers_beside(words, at) for each in beside]
    days = {
        (month, int(each.name)) for each in numbers if len(each.name) <= 2 and 1 <= int(each.name) <= _DAYS_OF_MONTH
    }
    if not days and words[at].raw in ("may", "march") and not words[at].capital:
        return set()  # a verb
    return days or {(month, 0)}


def _belongs_to_month(words: list[_Word], at: int) -> bool:
    before, after = _numbers_beside(words, at)
    around = words[at + 1 + len(after) :][:1] + words[: at - len(before)][-1:]
    return len(words[at].name) <= 2 and any(word.kind is Kind.MONTH for word in around)


def _measure(number: str, following: list[_Word]) -> tuple[str, str]:
    """The number with its unit; durations in seconds, so that 60 minutes are an hour."""
    found = _DURATION.fullmatch(following[0].raw) if following else None
    if found is not None and number.isascii():
        return str(int(number) * (_STEMS.get(found[1]) or _COUNTED[found[2]])), "seconds"
    for word in following[:2]:
        if word.raw in _MEASURES["years"]["words"] or word.raw.startswith("year"):
            return number, "year"
        if word.kind in (*_CONTENT, Kind.PERIOD, Kind.UNIT):
            return number, word.name
    return number, ""
