"""What a statement says, taken apart: what it is about, with which sign, when, how often and how many.

Only the beginning of each field is read, every pass over it is linear, and readings are cached.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from functools import lru_cache
from typing import NamedTuple

from shared.domain.dedup.lexicon import PHRASES, Kind, is_strong, meaning
from shared.domain.dedup.names import sound
from shared.domain.dedup.slots import GENERIC_KEYS, slot_of
from shared.domain.language import fold, unify_apostrophes

MAX_KEY, MAX_VALUE, MAX_DESCRIPTION = 80, 240, 400
"""Characters read of each field (own choice: longer than any value or description that the extractor writes)."""

_PIECE = re.compile(r"[^\W_]+(?:'[^\W_]+)*|@\w+|[.,;:!?()—–]")
_TIME = re.compile(
    r"(?<!\d)(\d{1,2}):(\d{2})(?!\d)|(?<!\w)(\d{1,2}) ?(am|pm)(?!\w)"
    r"|(?<!\w)(?:о|об|at) (\d{1,2})(?![\d.:/]| ?(?:am|pm))"
)
_DATE = re.compile(
    r"(?<!\d)(?:\d{4})-(\d{1,2})-(\d{1,2})(?!\d)|(?<![\d.])(\d{1,2})[./](\d{1,2})(?:[./]\d{2,4})?(?![\d/]|\.\d)"
)
_ORDINAL = re.compile(r"(?<=\d)(?:st|nd|rd|th|-го|-е|-ше|-те|го)(?!\w)")
_DIGIT = re.compile(r"\d")
_RANGE = re.compile(r"(?<=\d) ?[–—-] ?(?=\d)")
_ENDS_CLAUSE = frozenset(".,;:!?()—–")
_CONTRAST = frozenset({"but", "але", "проте", "however", "а", "натомість"})
_ACTING = frozenset({"experience", "goal"})
_MONTHS, _DAYS_OF_MONTH = 12, 31
_FROM, _TO = frozenset({"from", "з", "із", "зі"}), frozenset({"to", "на", "до"})
_TURNS = _FROM | _TO | {"over"}
_CONTENT = (Kind.CONTENT, Kind.WORD, Kind.PLACE)


@dataclass(slots=True)
class Part:
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


@dataclass(frozen=True, slots=True, eq=False)
class Reading:
    """A statement taken apart; see `Part` for its fields.

    Attributes:
        text: The folded fields: equal texts are the same statement.
        slot: What the key names, whatever it is called, or None.
        topic: Content terms of the key that say more than the category does.
        object: What the statement is about: of the value, else of the key, else of the description.
        about: `object` and `topic`.
        terms: Every content term of all fields; `by_sound`, the same by the first letter of their sound, sorted.
        grams: Character trigrams of the value, for scores.
    """

    text: tuple[str, str, str, str]
    category: str
    slot: str | None
    key: Part
    value: Part
    description: Part
    topic: frozenset[str]
    object: frozenset[str]
    about: frozenset[str]
    terms: frozenset[str]
    by_sound: dict[str, list[str]]
    proper: frozenset[str]
    levels: frozenset[str]
    strong: bool
    grams: frozenset[str]

    def sign(self, term: str) -> int:
        """+1 or -1: whether the term is stated or denied; the value says so before the key, then the description."""
        told = self.value.signs.get(term, 0) or self._sign_of_key(term)
        return told or self._sign_in_description(term) or 1

    def _sign_of_key(self, term: str) -> int:
        about_key = not self.value.signs or term in self.key.signs
        return (self.value.sign if about_key else 0) or min(self.key.sign, 0) or min(self.key.signs.get(term, 0), 0)

    def _sign_in_description(self, term: str) -> int:
        if term in self.description.signs:
            return self.description.signs[term]
        return 0 if self.description.signs.keys() & self.object else self.description.sign

    @property
    def days(self) -> set[str]:
        """Weekdays; what the value says goes before the description."""
        return self.value.days or self.description.days or self.description.former_days

    @property
    def clock(self) -> set[int]:
        """Times of day in minutes."""
        return self.value.clock or self.description.clock

    @property
    def dates(self) -> set[tuple[int, int]]:
        """(month, day) pairs."""
        return self.value.dates or self.description.dates

    @property
    def numbers(self) -> set[tuple[str, str]]:
        """(number, unit) pairs."""
        return self.value.numbers or self.description.numbers


class _Word(NamedTuple):
    kind: Kind
    name: str
    raw: str
    capital: bool
    strong: bool
    head: str


@lru_cache(maxsize=8_192)
def read(category: str, key: str, value: str, description: str) -> Reading:
    """Take a statement apart; the fields have to be cut already (`cut`)."""
    acting = category in _ACTING
    folded_key = fold(unify_apostrophes(key)).replace("_", " ")
    in_key, told = _part(key.replace("_", " "), acting=acting), _part(description, acting=acting)
    in_value = _part(value, acting=acting, sentence=False)
    topic = frozenset(term for term in in_key.signs if term not in GENERIC_KEYS)
    proper = in_value.proper | told.proper
    about = frozenset(in_value.signs) or topic or frozenset(told.signs)
    terms = frozenset().union(in_key.signs, in_value.signs, told.signs)
    return Reading(
        text=(category, folded_key, fold(value), fold(description)),
        category=category,
        slot=slot_of(category, folded_key, fold(unify_apostrophes(description))),
        key=in_key,
        value=in_value,
        description=told,
        topic=topic,
        object=about,
        about=about | topic,
        terms=terms,
        by_sound=_by_sound(terms),
        proper=frozenset(proper),
        levels=frozenset(in_value.levels or told.levels),
        strong=in_value.strong or told.strong,
        grams=_grams(fold(value)),
    )


def cut(text: str, limit: int) -> str:
    """The beginning of a text, apostrophes unified, NFC."""
    return unicodedata.normalize("NFC", unify_apostrophes(text[:limit]))


def _by_sound(terms: Iterable[str]) -> dict[str, list[str]]:
    by_sound: dict[str, list[str]] = {}
    for term in sorted(terms):
        by_sound.setdefault(sound(term)[:1], []).append(term)
    return by_sound


def _grams(text: str) -> frozenset[str]:
    padded = f" {text} "
    return frozenset(padded[at : at + 3] for at in range(len(padded) - 2))


def _part(text: str, *, acting: bool, sentence: bool = True) -> Part:
    part = Part()
    if _DIGIT.search(text):
        text = _RANGE.sub(" ", _without_times(_ORDINAL.sub("", text), part))
    for clause in _clauses(text, sentence=sentence):
        _read_clause(clause, part, acting=acting)
    return part


def _without_times(text: str, part: Part) -> str:
    """Take times and numeric dates out of the text, so that no part of them counts as a number."""
    return _TIME.sub(lambda match: _take_time(match, part), _DATE.sub(lambda match: _take_date(match, part), text))


def _take_time(match: re.Match[str], part: Part) -> str:
    hour, minute, of_twelve, half, bare = match.groups()
    if half is not None:
        part.clock.add(60 * (int(of_twelve) % 12 + (12 if half == "pm" else 0)))
    else:
        part.clock.add(60 * int(hour or bare) + int(minute or 0))
    return " "


def _take_date(match: re.Match[str], part: Part) -> str:
    month, day = (match.group(1), match.group(2)) if match.group(1) else (match.group(4), match.group(3))
    if not (1 <= int(month) <= _MONTHS and 1 <= int(day) <= _DAYS_OF_MONTH):
        return match.group()
    part.dates.add((int(month), int(day)))
    return " "


def _clauses(text: str, *, sentence: bool) -> Iterator[list[_Word]]:
    """The clauses of a text; the capital that begins a sentence says nothing, that of a bare value does."""
    clause: list[_Word] = []
    first = sentence
    for piece in _PIECE.findall(text):
        if piece in _ENDS_CLAUSE or piece.casefold() in _CONTRAST:
            first = first or (sentence and piece in ".!?")
            if clause:
                yield _joined(clause)
            clause = []
            continue
        clause.append(_word(piece, first, sentence))
        first = False
    if clause:
        yield _joined(clause)


@lru_cache(maxsize=40_000)
def _word(piece: str, begins: bool, inflected: bool) -> _Word:
    raw = piece.casefold()
    kind, name = (Kind.NUMBER, raw) if raw.isdecimal() else meaning(raw)
    capital = piece[0].isupper() and not begins
    if kind is Kind.WORD and capital and not inflected:
        name = raw  # a bare name stands in its dictionary form, and a lemmatiser may take it for another word
    return _Word(kind, name, raw, capital, is_strong(raw), raw[:5])


def _joined(words: list[_Word]) -> list[_Word]:
    """Two words that mean one thing together become one."""
    joined: list[_Word] = []
    for word in words:
        pair = PHRASES.get((joined[-1].head, word.head)) if joined else None
        if pair is not None:
            joined[-1] = word._replace(kind=pair.kind, name=pair.name, capital=False)
        else:
            joined.append(word)
    return joined


def _read_clause(words: list[_Word], part: Part, *, acting: bool) -> None:
    kinds = {word.kind for word in words}
    base = -1 if Kind.AGAINST in kinds else 1 if Kind.FOR in kinds else 0
    turned = Kind.NEGATION in kinds
    denied = former = False  # what follows is denied ("no ads"), was once ("quit the bank")
    for at, word in enumerate(words):
        if word.kind is Kind.STOP and word.raw not in _TURNS:
            continue
        denied = denied or word.kind is Kind.NEGATION_AHEAD
        former = _is_former(words, at, former=former)
        sign = -(base or 1) if turned or denied else base
        _take(word, words, at, part, sign=-1 if former else sign, former=former, acting=acting)
    part.strong = part.strong or any(word.strong for word in words)
    part.changes = part.changes or Kind.CHANGE in kinds
    ends = turned or Kind.NEGATION_AHEAD in kinds or Kind.GIVEN_UP in kinds
    part.sign = part.sign or (-(base or 1) if ends else base)


def _is_former(words: list[_Word], at: int, *, former: bool) -> bool:
    """Whether the word at `at` tells of something past: after "quit" to the next "and", after "moved from" to "to"."""
    word = words[at]
    if word.kind is Kind.GIVEN_UP:
        return not (at + 1 < len(words) and words[at + 1].kind is Kind.NUMBER)  # "no more than 3"
    if word.raw == "over":
        return former or any(other.raw.startswith("prefer") for other in words[:at])
    if word.raw in _FROM:
        return former or any(other.kind is Kind.CHANGE for other in words)
    return former and word.kind is not Kind.AND and word.raw not in _TO


def _take(word: _Word, words: list[_Word], at: int, part: Part, *, sign: int, former: bool, acting: bool) -> None:
    kind, name = word.kind, word.name
    if kind in _CONTENT or (kind is Kind.FRAME and acting and name not in ("want", "plan")):
        proper = kind is Kind.PLACE or (kind is Kind.WORD and word.capital)
        _add_term(part, name, sign, proper=proper, former=former)
    elif kind is Kind.FRAME:
        part.frames.add(name)
    elif kind is Kind.DAY:
        retold = former or words[0].kind is Kind.NEGATION
        (part.former_days if retold else part.days).add(name)
    elif kind is Kind.LEVEL:
        part.levels.add(_turned(name) if sign < 0 else name)
    elif kind is Kind.PERIOD:
        part.periods.add(name)
    elif kind is Kind.MONTH:
        part.dates.update(_days_of_month(int(name), word, words, at))
    elif kind is Kind.NUMBER and not _belongs_to_month(words, at):
        part.numbers.add((name, "calendar" if _is_year(name) else _unit(words[at + 1 :])))


def _add_term(part: Part, name: str, sign: int, *, proper: bool, former: bool) -> None:
    if former:
        part.former.add(name)
    part.signs[name] = part.signs.get(name) or sign
    if proper:
        part.proper.add(name)


def _turned(level: str) -> str:
    return "low" if level == "high" else "high"


def _numbers_around(words: list[_Word], at: int) -> Iterable[int]:
    for step in (-1, 1):
        beside = at + step
        while 0 <= beside < len(words) and words[beside].kind is Kind.NUMBER and words[beside].name.isdecimal():
            if len(words[beside].name) <= 2:
                yield int(words[beside].name)
            beside += step


def _days_of_month(month: int, word: _Word, words: list[_Word], at: int) -> set[tuple[int, int]]:
    days = {(month, day) for day in _numbers_around(words, at) if 1 <= day <= _DAYS_OF_MONTH}
    if not days and word.raw in ("may", "march") and not word.capital:
        return set()  # a verb
    return days or {(month, 0)}


def _belongs_to_month(words: list[_Word], at: int) -> bool:
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


def _is_year(number: str) -> bool:
    return len(number) == 4 and number[:2] in ("19", "20")


def _unit(following: list[_Word]) -> str:
    for word in following[:2]:
        if word.raw in _UNITS or word.raw.startswith("year"):
            return "year"
        if word.kind in (*_CONTENT, Kind.PERIOD):
            return word.name
    return ""
