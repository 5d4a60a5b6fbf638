"""What a statement says, taken apart: what it is about, with which sign, when, how often and how many.

Only the beginning of each field is read, every pass over it is linear, and readings are cached.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable, Set
from dataclasses import dataclass
from functools import lru_cache

from shared.domain.facts.dedup.fields import FieldReading, read_field
from shared.domain.facts.dedup.lexicon import generic_keys
from shared.domain.facts.dedup.slots import slot_of
from shared.domain.text.language import fold, unify_apostrophes
from shared.domain.text.names import sound

MAX_KEY, MAX_VALUE, MAX_DESCRIPTION = 80, 240, 400
"""Characters read of each field (longer than any value or description that the extractor writes)."""

_NAMED_IN = 2  # words that name one thing


@dataclass(frozen=True, slots=True, eq=False)
class Reading:
    """A statement taken apart; see `FieldReading` for its fields.

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
    key: FieldReading
    value: FieldReading
    description: FieldReading
    topic: frozenset[str]
    object: frozenset[str]
    about: frozenset[str]
    terms: frozenset[str]
    by_sound: dict[str, list[str]]
    proper: frozenset[str]
    levels: frozenset[str]
    strong: bool
    grams: frozenset[str]

    @property
    def lists(self) -> bool:
        """Return whether the value names one thing after another, or a single one ("spam, flood")."""
        return all(len(item.split()) <= _NAMED_IN for item in self.text[2].split(","))

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
    def often(self) -> set[str]:
        """Periods: how often it happens."""
        return self.value.periods or self.description.periods

    @property
    def former(self) -> set[str]:
        """Terms told as past."""
        return self.value.former | self.description.former

    @property
    def changes(self) -> bool:
        """Return whether it is said to be new ("now", "moved")."""
        return self.value.changes or self.description.changes

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


@lru_cache(maxsize=8_192)
def read(category: str, key: str, value: str, description: str) -> Reading:
    """Take a statement apart; the fields have to be cut already (`cut`)."""
    folded_key = fold(unify_apostrophes(key)).replace("_", " ")
    in_key, told = _part_of_key(key, category), read_field(description, category)
    slot = slot_of(category, folded_key, fold(unify_apostrophes(description)))
    in_value = read_field(value, category, sentence=False)
    topic = frozenset(term for term in in_key.signs if term not in generic_keys())
    proper = in_value.proper | told.proper
    about = frozenset(in_value.signs) or topic or frozenset(told.signs)
    terms = frozenset().union(in_key.signs, in_value.signs, told.signs)
    return Reading(
        text=(category, folded_key, fold(value), fold(description)),
        category=category,
        slot="spouse" if slot == "marital_status" and in_value.proper else slot,
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


@lru_cache(maxsize=4_096)
def _part_of_key(key: str, category: str) -> FieldReading:
    return read_field(key.replace("_", " "), category)


def likeness(old: Reading, new: Reading) -> float:
    """0 to 1, symmetric: half shared terms, half shared trigrams of the values (Dice); 1.0 for the same statement."""
    if old.text == new.text:
        return 1.0
    return round((_dice(old.terms, new.terms) + _dice(old.grams, new.grams)) / 2, 4)


def _dice(one: Set[str], other: Set[str]) -> float:
    return 2 * len(one & other) / (len(one) + len(other)) if one or other else 1.0
