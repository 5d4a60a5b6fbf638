"""Takes a statement apart: its slot, what it is about, with which sign, when, how often and how many.

Only the beginning of each field is read, every pass over it is linear, and readings are cached.
"""

import re
import unicodedata
from collections.abc import Set
from dataclasses import dataclass
from functools import cache, lru_cache

from shared.domain.facts.dedup.fields import FieldReading, read_field
from shared.domain.facts.dedup.lexicon import term_group
from shared.domain.facts.fact import Candidate, Fact
from shared.domain.text.data_files import expressions, read_data
from shared.domain.text.language import fold, unify_apostrophes
from shared.domain.text.names import sound

_MAX_KEY, _MAX_VALUE, _MAX_DESCRIPTION = 80, 240, 400
"""Characters read of each field (longer than any value or description that the extractor writes)."""

_NAMED_IN = 2  # words that name one thing

_FAVOURITE = re.compile(r"(?:favou?rite|fav|улюблен\w+) (\w.*)")
_MANY = frozenset({"education", "diet"})
_ONLY_OF_CHAT = frozenset({"language_preference"})
_WITHOUT_SLOTS = frozenset({"skill", "goal", "experience", "topic", "event", "tradition"})

_SAYS_SLOT = expressions(__package__, "statements", flags=0)
_KEYS = read_data(__package__, "statements")["keys"]
_EMPTY, _COMPARABLE = frozenset(_KEYS["empty"]), frozenset(frozenset(pair.split("/")) for pair in _KEYS["comparable"])


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
        days, clock, dates, numbers: What the value tells, else the description.
        often: Periods: how often it happens.
        former: Terms told as past.
        changes: Whether it is said to be new ("now", "moved").
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
    days: set[str]
    clock: set[int]
    dates: set[tuple[int, int]]
    numbers: set[tuple[str, str]]
    often: set[str]
    former: set[str]
    changes: bool
    grams: frozenset[str]

    @property
    def lists(self) -> bool:
        """Return whether the value names one thing after another, or a single one ("spam, flood")."""
        return all(len(item.split()) <= _NAMED_IN for item in self.text[2].split(","))

    def sign(self, term: str) -> int:
        """+1 or -1: whether the term is stated or denied; the value says so before the key, then the description."""
        of_key = self.value.sign if not self.value.signs or term in self.key.signs else 0
        told = self.value.signs.get(term, 0) or of_key or min(self.key.sign, 0) or min(self.key.signs.get(term, 0), 0)
        elsewhere = self.description.sign if self.object.isdisjoint(self.description.signs) else 0
        return told or self.description.signs.get(term, elsewhere) or 1


def read_statement(statement: Candidate | Fact) -> Reading:
    """Take a statement apart; cached by its texts, NFC and with apostrophes unified."""
    fields = ((statement.key, _MAX_KEY), (statement.value, _MAX_VALUE), (statement.description, _MAX_DESCRIPTION))
    return read(
        statement.category, *(unicodedata.normalize("NFC", unify_apostrophes(text[:most])) for text, most in fields)
    )


@lru_cache(maxsize=8_192)
def read(category: str, key: str, value: str, description: str) -> Reading:
    """Take the fields of a statement apart, which are cut already."""
    folded_key = fold(unify_apostrophes(key)).replace("_", " ")
    in_key, told = _part_of_key(key, category), read_field(description, category)
    slot = slot_of(category, folded_key, fold(unify_apostrophes(description)))
    in_value = read_field(value, category, sentence=False)
    topic = frozenset(term for term in in_key.signs if term not in term_group("generic_keys"))
    about = frozenset(in_value.signs) or topic or frozenset(told.signs)
    terms = frozenset().union(in_key.signs, in_value.signs, told.signs)
    by_sound: dict[str, list[str]] = {}
    for term in sorted(terms):
        by_sound.setdefault(sound(term)[:1], []).append(term)
    padded = f" {fold(value)} "
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
        by_sound=by_sound,
        proper=frozenset(in_value.proper | told.proper),
        levels=frozenset(in_value.levels or told.levels),
        strong=in_value.strong or told.strong,
        days=in_value.days or told.days or told.former_days,
        clock=in_value.clock or told.clock,
        dates=in_value.dates or told.dates,
        numbers=in_value.numbers or told.numbers,
        often=in_value.periods or told.periods,
        former=in_value.former | told.former,
        changes=in_value.changes or told.changes,
        grams=frozenset(padded[at : at + 3] for at in range(len(padded) - 2)),
    )


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


def slot_of(category: str, key: str, description: str) -> str | None:
    """The slot a folded key names, or, where the key says nothing, the one its folded description is about."""
    if key in _EMPTY and category in ("personal_info", "relationship"):
        return next((name for name, says in _SAYS_SLOT.items() if says.search(description)), None)
    return _slot_of_key(category, key)


@cache
def _slot_patterns() -> tuple[tuple[str, re.Pattern[str]], ...]:
    slots = read_data(__package__, "slots")
    return tuple((slot, re.compile(f"(?:{'|'.join(alternatives)})")) for slot, alternatives in slots.items())


@lru_cache(maxsize=10_000)
def _slot_of_key(category: str, key: str) -> str | None:
    if category in _WITHOUT_SLOTS:
        return None
    if (favourite := _FAVOURITE.fullmatch(key)) is not None:
        return f"favourite {favourite.group(1)}"
    for name, pattern in _slot_patterns():
        if pattern.fullmatch(key) and (name not in _ONLY_OF_CHAT or category in ("preference", "rule", "norm")):
            return name
    return None


def holds_one(slot: str | None) -> bool:
    """Return whether a new value of the slot replaces the old one."""
    return slot is not None and slot not in _MANY


def comparable(category: str, other: str) -> bool:
    """Return whether facts of two categories can say the same thing at all ("visited Japan" and "wants to" cannot)."""
    return category == other or frozenset({category, other}) in _COMPARABLE
