"""The inverted index of a stretch of texts, as flat columns: which rows hold which term, and how often.

A term is known by a 64-bit hash of it. Two of a chat's 100,000 terms share one with a chance of 3 in 10,000 million,
and no dictionary of words has to be kept, merged or hidden.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from hashlib import blake2b
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from shared.domain.text.terms import terms_of

Rows = NDArray[np.int32]
Counts = NDArray[np.float32]

_MOST_OFTEN = 65_535
_NOTHING: Mapping[int, int] = {}


@lru_cache(maxsize=100_000)
def term_hash(term: str) -> int:
    """The number that a term is known by; the same in every process."""
    return int.from_bytes(blake2b(term.encode("utf-8", "surrogatepass"), digest_size=8).digest(), "little")


class Postings(NamedTuple):
    """Rows by term, in columns.

    Attributes:
        terms: Hashes of the terms, ascending, each once (uint64).
        starts: Where each term's rows begin in `rows`, and one past the end of the last (int32).
        rows: Rows that hold the term, ascending within a term (unsigned, or int32 when joined).
        counts: How often the term stands there (unsigned 16 bits, at most 65,535).
    """

    terms: NDArray[np.uint64]
    starts: NDArray[np.int32]
    rows: NDArray[Any]
    counts: NDArray[np.uint16]

    @classmethod
    def of(cls, rows: NDArray[Any], terms: NDArray[np.uint64], counts: NDArray[np.uint16]) -> Postings:
        """Order (row, term, count) triples by term; no pair of row and term may come twice."""
        order = np.lexsort((rows, terms))
        ordered = terms[order]
        first = np.flatnonzero(np.concatenate(([True], ordered[1:] != ordered[:-1]))) if len(ordered) else order[:0]
        return cls(ordered[first], np.append(first, len(ordered)).astype(np.int32), rows[order], counts[order])

    def find(self, term: str) -> tuple[Rows, Counts]:
        """The rows that hold a term, ascending, and how often."""
        sought = np.uint64(term_hash(term))
        at = int(self.terms.searchsorted(sought))
        if at == len(self.terms) or self.terms[at] != sought:
            return np.empty(0, np.int32), np.empty(0, np.float32)
        stretch = slice(int(self.starts[at]), int(self.starts[at + 1]))
        return self.rows[stretch].astype(np.int32), self.counts[stretch].astype(np.float32)

    def move_rows(self, places: NDArray[np.int32]) -> tuple[NDArray[np.int32], NDArray[np.uint64], NDArray[np.uint16]]:
        """The triples with row r at `places[r]`; rows whose place is negative are left out."""
        terms = np.repeat(self.terms, np.diff(self.starts))
        rows = places[self.rows]
        kept = rows >= 0
        return rows[kept], terms[kept], self.counts[kept]


def join_postings(parts: Iterable[tuple[Postings, NDArray[np.int32]]]) -> Postings:
    """The postings of several stretches as one: each with the new places of its rows (negative: dropped)."""
    moved = [part.move_rows(places) for part, places in parts]
    rows = np.concatenate([np.empty(0, np.int32), *(rows for rows, _, _ in moved)])
    terms = np.concatenate([np.empty(0, np.uint64), *(terms for _, terms, _ in moved)])
    return Postings.of(rows, terms, np.concatenate([np.empty(0, np.uint16), *(counts for _, _, counts in moved)]))


@dataclass(frozen=True, slots=True, eq=False)
class Analysis:
    """The postings of texts, and how many terms each has (int32)."""

    index: Postings
    lengths: NDArray[np.int32]

    def postings(self, term: str) -> tuple[Rows, Counts]:
        return self.index.find(term)


def analyse(texts: Sequence[str], earlier: Postings | None = None, same: Mapping[int, int] = _NOTHING) -> Analysis:
    """Read texts, row by row.

    Args:
        earlier: An earlier analysis, used again where nothing changed.
        same: Rows of `earlier` whose text is that of a row here: its row there to the row here.
    """
    known = set(same.values())
    fresh = [
        (row, term_hash(term), min(count, _MOST_OFTEN))
        for row, text in enumerate(texts)
        if row not in known
        for term, count in Counter(terms_of(text)).items()
    ]
    rows, terms, counts = zip(*fresh, strict=True) if fresh else ((), (), ())
    read = Postings.of(np.array(rows, np.int32), np.array(terms, np.uint64), np.array(counts, np.uint16))
    everything = [(read, np.arange(len(texts), dtype=np.int32))]
    if earlier is not None and same:
        places = np.full(1 + max(int(earlier.rows.max(initial=0)), *same), -1, np.int32)
        places[list(same)] = list(same.values())
        everything.append((earlier, places))
    postings = join_postings(everything)
    lengths = np.bincount(postings.rows, weights=postings.counts, minlength=len(texts))
    return Analysis(postings, lengths.astype(np.int32))
