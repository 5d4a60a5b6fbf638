"""Which slot a key names, whatever it is called, and whether the slot holds one value at a time."""

from __future__ import annotations

import re
from functools import cache, lru_cache

from shared.domain.text.data_files import read_data

_FAVOURITE = re.compile(r"(?:favou?rite|fav|улюблен\w+) (\w.*)")
_MANY = frozenset({"education"})
_ONLY_OF_CHAT = frozenset({"language_preference"})
_WITHOUT_SLOTS = frozenset({"skill", "goal", "experience", "topic", "event", "tradition"})

_SAYS_SLOT = (
    ("hometown", re.compile(r"\b(?:from|born in|grew up|hails)\b|\b(?:родом|народи|виріс|виросла)")),
    ("location", re.compile(r"\b(?:lives?|living|resides?|based|moved to)\b|\b(?:живе|мешка|прожива|переїха)")),
    ("job", re.compile(r"\b(?:works?|working|job|occupation|profession)\b|\b(?:працю|професія|посада)")),
    ("marital_status", re.compile(r"\b(?:married|divorced|single|engaged|widow)|\b(?:одруж|заміж|розлуч)")),
    ("age", re.compile(r"\byears old\b|\b\d+ (?:років|роки|рік)\b")),
    ("name", re.compile(r"\bname is\b|\b(?:звати|звуть)\b")),
)
_UNTOLD = frozenset(
    {"", "info", "information", "personal info", "personal", "fact", "about", "about user", "bio", "status", "detail",
     "details", "інфо", "інформація", "про себе", "факт", "статус", "особисте", "life", "life event", "background"}
)  # fmt: skip
_COMPARABLE = frozenset(
    {
        frozenset({"rule", "norm"}),
        frozenset({"preference", "culture"}),
        frozenset({"norm", "culture"}),
        frozenset({"rule", "preference"}),
        frozenset({"personal_info", "relationship"}),
        frozenset({"personal_info", "preference"}),
        frozenset({"personal_info", "skill"}),
        frozenset({"tradition", "norm"}),
    }
)


def slot_of(category: str, key: str, description: str) -> str | None:
    """The slot a folded key names, or, where the key says nothing, the one its folded description is about."""
    if key in _UNTOLD and category in ("personal_info", "relationship"):
        return next((name for name, says in _SAYS_SLOT if says.search(description)), None)
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
