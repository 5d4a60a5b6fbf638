"""What else people say for a word, Ukrainian and English: a question's word finds its relatives, too.

The concepts are data beside this module: `related` (the same thing or nearly so) and `word_families` (one root).
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from itertools import chain
from types import MappingProxyType

from shared.domain.text.data_files import Words, word_rows
from shared.domain.text.terms import stem

_RELATED, _SAME_FAMILY = 0.4, 0.6
"""Of a related word, and of one of the same root, beside the one that was asked for (flat between 0.3 and 0.6; own
choice)."""


def relatives_of(term: str) -> dict[str, float]:
    """The terms that mean what a term means, or nearly so, and how much each counts beside it."""
    related, family = related_terms().get(term, ()), word_family_terms().get(term, ())
    return dict.fromkeys(related, _RELATED) | dict.fromkeys(family, _SAME_FAMILY)


@lru_cache(maxsize=1)
def related_terms() -> Mapping[str, frozenset[str]]:
    """Return, for each term, the other terms of its concepts."""
    return _families(word_rows(__package__, "related"))


@lru_cache(maxsize=1)
def word_family_terms() -> Mapping[str, frozenset[str]]:
    """Return, for each term, the other terms of its root."""
    return _families(word_rows(__package__, "word_families"))


def _families(concepts: Mapping[str, tuple[Words, ...]]) -> Mapping[str, frozenset[str]]:
    related: dict[str, set[str]] = {}
    for words in chain.from_iterable(concepts.values()):
        terms = {stem(word) for word in words}
        for term in terms:
            related.setdefault(term, set()).update(terms - {term})
    return MappingProxyType({term: frozenset(others) for term, others in related.items()})
