"""Matches the words of a question with the rows of an index that hold them, and measures how strongly.

A question's word finds its relatives, too: what else people say for it, Ukrainian and English. The concepts are data
beside this module: `related` (the same thing or nearly so) and `word_families` (one root).
"""

from collections.abc import Mapping
from functools import cache
from itertools import chain
from types import MappingProxyType
from typing import NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

from shared.domain.recall.question import SearchQuery
from shared.domain.text.data_files import word_rows
from shared.domain.text.terms import stem

Floats = NDArray[np.float32]
Ints = NDArray[np.intp]
Mask = NDArray[np.bool_]

_K1, _B = 1.0, 0.4
"""BM25: how soon repetition stops to count, and how much length matters (flat around here: messages are short)."""

_LIGHT = 0.1
"""The weight of a word that only says whose words or which time is meant: speaker and date tell that better."""

_NAME = 0.3
"""The weight of a member's name: others speak of them, too."""

_COMMON = 0.7
"""The weight of a word that is in every talk."""

_ALIKE = 0.8
"""The weight of a word that means the very same, beside the one that was asked for (flat between 0.5 and 0.9)."""

_RELATED, _SAME_FAMILY = 0.4, 0.6
"""The weights of a related word and of one of the same root, beside the one asked for (flat from 0.3 to 0.6)."""


class Searchable(Protocol):
    """Rows found by term: messages or notes."""

    @property
    def lengths(self) -> NDArray[np.int32]:
        """Terms in each row."""
        ...

    def postings(self, term: str) -> tuple[NDArray[np.int32], Floats]:
        """The rows that hold a term, each once, and how often."""
        ...


class TermMatch(NamedTuple):
    """A word that is known here.

    Attributes:
        rows: Which hold it or a relative, ascending.
        strengths: Of each of these, in (0, 1): growing with how often the word is there and with the row's brevity.
        weight: How telling the word is; all weights sum up to 1, or to `_LIGHT` when every word is light.
        light: Whether it only says whose words or which time is meant.
    """

    rows: Ints
    strengths: Floats
    weight: float
    light: bool


def match(index: Searchable, question: SearchQuery, allowed: Mask | None = None) -> list[TermMatch]:
    """Look every word of a question, and its relatives, up.

    Args:
        allowed: Which rows count; None: all.
    """
    usual = max(float(index.lengths.mean()), 1.0) if len(index.lengths) else 1.0
    found = []
    for term in question.terms:
        rows, strengths, held = find_word(index, question, term, usual)
        if allowed is not None:
            rows, strengths = rows[allowed[rows]], strengths[allowed[rows]]
        if held:
            light = term in question.light_terms
            found.append(TermMatch(rows, strengths, weigh_rarity(question, term, held, len(index.lengths)), light))
    whole = sum(known.weight for known in found) / (_LIGHT if all(known.light for known in found) else 1.0)
    return [known._replace(weight=known.weight / whole) for known in found]


def weigh_rarity(question: SearchQuery, term: str, held: int, size: int) -> float:
    """Return how telling a word is that so many of all rows hold: ln(1 + (N - n + 0.5) / (n + 0.5)), never negative,
    and less where the word is light or common."""
    if term in question.light_terms:
        share = _NAME if term in question.name_terms else _LIGHT
    else:
        share = _COMMON if term in question.common_terms else 1.0
    return share * float(np.log1p((max(size - held, 0) + 0.5) / (held + 0.5)))


def totals(matches: list[TermMatch], size: int) -> Floats:
    """The weighted strengths of each row, together; in [0, 1)."""
    summed = np.zeros(size, np.float32)
    for known in matches:
        summed[known.rows] += known.weight * known.strengths
    return summed


def find_word(index: Searchable, question: SearchQuery, term: str, usual: float) -> tuple[Ints, Floats, int]:
    """The rows that hold a word or a relative, how strongly, and how many hold it, or a relative when none does."""
    rows, strengths = _find_rows(index, term, usual)
    held = len(rows)
    relatives = relatives_of(term) | dict.fromkeys(question.alike.get(term, ()), _ALIKE)
    others = [_find_rows(index, relative, usual, share) for relative, share in sorted(relatives.items())]
    if not any(len(related) for related, _ in others):
        return rows, strengths, held
    together = np.zeros(len(index.lengths), np.float32)
    together[rows] = strengths
    for related, weaker in others:
        together[related] = np.maximum(together[related], weaker)
    everything = np.flatnonzero(together)
    return everything, together[everything], held or sum(len(related) for related, _ in others)


def _find_rows(index: Searchable, term: str, usual: float, share: float = 1.0) -> tuple[Ints, Floats]:
    """The rows that hold a word, and a share of how strongly, by BM25; `usual`: terms in an average row."""
    rows, counts = index.postings(term)
    if not len(rows):  # most relatives of a word are never said
        return rows.astype(np.intp), counts
    norms = (_K1 * (1 - _B + _B * index.lengths[rows] / usual)).astype(np.float32)
    return rows.astype(np.intp), share * counts / (counts + norms)


def relatives_of(term: str) -> dict[str, float]:
    """The terms that mean what a term means, or nearly so, and how much each counts beside it."""
    related, family = term_relatives("related").get(term, ()), term_relatives("word_families").get(term, ())
    return dict.fromkeys(related, _RELATED) | dict.fromkeys(family, _SAME_FAMILY)


@cache
def term_relatives(name: str) -> Mapping[str, frozenset[str]]:
    """Return, for each term, the other terms of its concepts ("related") or of its root ("word_families")."""
    related: dict[str, set[str]] = {}
    for words in chain.from_iterable(word_rows(__package__, name).values()):
        terms = {stem(word) for word in words}
        for term in terms:
            related.setdefault(term, set()).update(terms - {term})
    return MappingProxyType({term: frozenset(others) for term, others in related.items()})
