"""The share of a question that a message answers at all: ranking only says which message fits best, however badly."""

from collections.abc import Sequence

import numpy as np

from shared.domain.recall.index.corpus import Corpus
from shared.domain.recall.layout import surroundings
from shared.domain.recall.matching import Ints, Mask, find_word, weigh_rarity
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
    looked_at = np.array(rows, np.intp)
    whose, beside = _pair_with_around(corpus, looked_at)
    shares, whole = np.zeros(len(looked_at)), 0.0
    for term in (term for term in question.terms if term not in question.light_terms):
        holding, _, held = find_word(corpus, question, term, 1.0)
        weight = weigh_rarity(question, term, held, corpus.size)
        holds = np.bincount(holding, minlength=corpus.size) > 0
        shares[whose[holds[beside]]] += weight  # once, however often it stands there
        whole += weight
    fits = shares / whole if whole else shares + 1.0
    return [float(fit) for fit in fits * _mark_meant(corpus, question, looked_at)]


def _mark_meant(corpus: Corpus, question: SearchQuery, rows: Ints) -> Mask:
    if not question.speakers:
        return np.ones(len(rows), np.bool_)
    users, answered = list(question.speakers), corpus.replies[rows]
    meant = np.isin(corpus.speakers[rows], users)
    if not question.by_asker:
        meant |= (answered >= 0) & np.isin(corpus.speakers[answered], users)
        for term in question.name_terms.intersection(question.terms):
            meant |= np.bincount(find_word(corpus, question, term, 1.0)[0], minlength=corpus.size)[rows] > 0
    return meant


def _pair_with_around(corpus: Corpus, rows: Ints) -> tuple[Ints, Ints]:
    """Pair the number of each row with the rows that help to understand it: itself, what stands right around it, what
    it replies to and what replies to it."""
    at, inside = surroundings(corpus, rows, _TURNS)
    numbers = np.full(corpus.size + 1, -1, np.intp)  # the last one is where "no reply", -1, leads
    numbers[rows] = np.arange(len(rows))
    answered = numbers[corpus.replies]
    replying = np.flatnonzero(answered >= 0)
    return np.concatenate((inside.nonzero()[0], answered[replying])), np.concatenate((at[inside], replying))
