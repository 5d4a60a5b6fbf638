"""What people call one another: a given name, its short and tender forms, and how the other language writes it."""

from __future__ import annotations

from functools import cache

from shared.domain.text.data_files import Words, word_rows
from shared.domain.text.names import phonetic_key


@cache
def _names() -> tuple[Words, ...]:
    """Return the forms of each name; a name's number is its place here."""
    rows = word_rows(__package__, "short_names")
    return (*rows["ukrainian"], *rows["english"])


@cache
def _numbers_by_sound() -> dict[str, frozenset[int]]:
    found: dict[str, set[int]] = {}
    for number, forms in enumerate(_names()):
        for form in forms:
            found.setdefault(phonetic_key(form), set()).add(number)
    return {key: frozenset(numbers) for key, numbers in found.items()}


def families_of(bare_sound: str) -> frozenset[int]:
    """Return which names a name can stand for, as numbers; by its sound without a case ending."""
    return _numbers_by_sound().get(bare_sound, frozenset())


def forms_of(bare_sound: str) -> frozenset[str]:
    """Return all forms of the names that a name can stand for."""
    return frozenset(form for number in families_of(bare_sound) for form in _names()[number])
