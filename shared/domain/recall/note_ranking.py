"""Which notes answer a question best: by their words, by the time that is named, and by meaning where vectors exist."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from shared.domain.recall.index.corpus import Corpus
from shared.domain.recall.matching import match, totals
from shared.domain.recall.question import SearchQuery
from shared.domain.recall.ranking import Ranked
from shared.domain.recall.similarity import cosines, relative

_IN_TIME, _SIMILAR = 0.2, 0.5
"""Of a note about the time that is named, and of the one nearest in meaning, beside words in [0, 1)."""


def rank_notes(
    corpus: Corpus,
    question: SearchQuery,
    *,
    limit: int,
    allowed: NDArray[np.bool_] | None = None,
    vector: Sequence[float] | None = None,
    model: str | None = None,
) -> list[Ranked]:
    """The notes that answer best, best first, rows of `corpus.notes`; of equals the newest first.

    Args:
        limit: At most so many.
        allowed: Which rows may be found; None: all.
        vector, model: The question's embedding and who made it; ignored when it does not compare with the notes'.
    """
    notes = corpus.notes
    scored = totals(match(notes, question), notes.size)
    for span in question.spans:
        since, until = span.since.timestamp(), span.until.timestamp()
        scored += _IN_TIME * ((notes.sent_at >= since) & (notes.sent_at < until))
    near = cosines(notes, vector, model)
    if near is not None and len(near):
        scored += _SIMILAR * relative(near)
    if allowed is not None:
        scored = np.where(allowed, scored, 0)
    best = np.lexsort((notes.lasts, scored))[::-1][: max(limit, 0)]
    return [Ranked(int(row), float(scored[row])) for row in best if scored[row] > 0]
