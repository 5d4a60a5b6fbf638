"""The share of a question that a message answers at all: ranking only says which message fits best, however badly."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from shared.domain.recall.index.corpus import Corpus
from shared.domain.recall.layout import layout_of
from shared.domain.recall.matching import find_word, weigh_rarity
from shared.domain.recall.question import SearchQuery

_TURNS = 2
"""Messages each way in the same talk that help to understand one."""


def coverage(corpus: Corpus, question: SearchQuery, rows: Sequence[int]) -> list[float]:
    """Return the share of a question that each row holds, with what stands right around it and what it replies to.

    In [0, 1]: a word counts the more the rarer it is here, and most when nobody ever said it. Words that only say whose
    words or which time is meant do not count; where there are no others, everything fits. A row is worth nothing that
    is not of whom the question means: the asker's own words for "me"; else the words of whom it names, answers to
    these, and words that name them.
    """
    asked = [term for term in question.terms if term not in question.light_terms]
    talks, shares, whole = layout_of(corpus).talk_of, np.zeros(len(rows)), 0.0
    around = [_rows_around(corpus, talks, row) for row in rows]
    for term in asked:
        holding, _, held = find_word(corpus, question, term, 1.0)
        weight = weigh_rarity(question, term, held, corpus.size)
        shares += weight * np.array([bool(np.isin(near, holding).any()) for near in around])
        whole += weight
    fits = shares / whole if whole else shares + 1.0
    return [float(fit) * meant for fit, meant in zip(fits, _mark_meant(corpus, question, rows), strict=True)]


def _mark_meant(corpus: Corpus, question: SearchQuery, rows: Sequence[int]) -> list[bool]:
    if not question.speakers:
        return [True] * len(rows)
    naming = set() if question.by_asker else set(_rows_naming(corpus, question))
    users, answered = question.speakers, corpus.replies
    return [
        int(corpus.speakers[row]) in users
        or row in naming
        or (not question.by_asker and answered[row] >= 0 and int(corpus.speakers[answered[row]]) in users)
        for row in rows
    ]


def _rows_naming(corpus: Corpus, question: SearchQuery) -> list[int]:
    names = question.name_terms.intersection(question.terms)
    return [int(row) for term in names for row in find_word(corpus, question, term, 1.0)[0]]


def _rows_around(corpus: Corpus, talks: NDArray[np.int32], row: int) -> list[int]:
    beside = range(max(0, row - _TURNS), min(corpus.size, row + _TURNS + 1))
    near = [other for other in beside if talks[other] == talks[row]]
    replied = int(corpus.replies[row])
    return [*near, *([replied] if replied >= 0 else []), *map(int, np.flatnonzero(corpus.replies == row))]
