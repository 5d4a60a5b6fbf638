"""Which rows of an index hold which words of a question, and how strongly."""

from __future__ import annotations

from typing import NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

from shared.domain.recall.question import Question
from shared.domain.recall.related import related_terms

Floats = NDArray[np.float32]
Ints = NDArray[np.intp]
Mask = NDArray[np.bool_]

_K1, _B = 1.0, 0.4
"""BM25: how soon repetition stops to count, and how much length matters (flat around here: messages are short)."""

_LIGHT = 0.1
"""Of a word that only says whose words or which time is meant: speaker and date tell that better."""

_RELATED = 0.4
"""Of a related word beside the one that was asked for (flat between 0.3 and 0.6)."""


class Searchable(Protocol):
    """Rows found by term: messages or notes."""

    @property
    def lengths(self) -> NDArray[np.int32]:
        """Terms in each row."""
        ...

    def postings(self, term: str) -> tuple[NDArray[np.int32], Floats]:
        """The rows that hold a term, each once, and how often."""
        ...


class Match(NamedTuple):
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


def match(index: Searchable, question: Question, heard: Mask | None = None) -> list[Match]:
    """Look every word of a question, and its relatives, up.

    Args:
        heard: Which rows count; None: all.
    """
    lengths = index.lengths
    norms = (_K1 * (1 - _B + _B * lengths / max(float(lengths.mean()), 1.0)) if len(lengths) else lengths).astype("f4")
    found = []
    for term in question.terms:
        strengths, held = _strengths(index, term, norms)
        if heard is not None:
            strengths *= heard
        if held:
            light = term in question.light_terms
            rows = np.flatnonzero(strengths)
            found.append(Match(rows, strengths[rows], (_LIGHT if light else 1.0) * _telling(held, len(norms)), light))
    whole = sum(known.weight for known in found) / (_LIGHT if all(known.light for known in found) else 1.0)
    return [known._replace(weight=known.weight / whole) for known in found]


def totals(matches: list[Match], size: int) -> Floats:
    """The weighted strengths of each row, together; in [0, 1)."""
    summed = np.zeros(size, np.float32)
    for known in matches:
        summed[known.rows] += known.weight * known.strengths
    return summed


def _strengths(index: Searchable, term: str, norms: Floats) -> tuple[Floats, int]:
    """Of one word in every row; and how many rows hold it, or a relative when none does."""
    strengths = np.zeros(len(norms), np.float32)
    rows, counts = index.postings(term)
    strengths[rows] = counts / (counts + norms[rows])
    held = len(rows)
    for relative in sorted(related_terms().get(term, ())):
        others, counts = index.postings(relative)
        weaker = _RELATED * counts / (counts + norms[others])
        strengths[others] = np.maximum(strengths[others], weaker)
        held += 0 if len(rows) else len(others)
    return strengths, held


def _telling(held: int, size: int) -> float:
    """The rarer, the more telling: ln(1 + (N - n + 0.5) / (n + 0.5)), never negative."""
    return float(np.log1p((max(size - held, 0) + 0.5) / (held + 0.5)))
