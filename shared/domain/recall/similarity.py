"""The similarity of a question's embedding to those of the notes, and so to the messages that the notes are about."""

from collections.abc import Sequence
from weakref import WeakKeyDictionary

import numpy as np
from numpy.typing import NDArray

from shared.domain.recall.index.corpus import Corpus
from shared.domain.recall.index.notes import NoteCorpus

_NOTES = 20
"""Notes whose messages count as similar."""


def cosines(notes: NoteCorpus, vector: Sequence[float] | None, model: str | None) -> NDArray[np.float32] | None:
    """Cosine of each note's vector with this one, 0 where a note has none; None when they do not compare.

    Vectors compare when they are of one size and, where both are named, of one model.
    """
    if vector is None or not notes.vector_size or notes.vector_size != len(vector):
        return None
    if model is not None and model != notes.vector_model:
        return None
    last = _LAST.get(notes)
    if last is None or last[0] is not vector:  # messages and notes are ranked by the same question
        last = _LAST[notes] = vector, _cosines(notes, np.asarray(vector, np.float32))
    return last[1]


def _cosines(notes: NoteCorpus, asked: NDArray[np.float32]) -> NDArray[np.float32] | None:
    lengths = notes.norms() * np.linalg.norm(asked)
    products = notes.products(asked)
    near = np.divide(products, lengths, out=np.zeros_like(products), where=lengths > 0)
    return near if np.isfinite(near).all() else None


_LAST: WeakKeyDictionary[NoteCorpus, tuple[Sequence[float], NDArray[np.float32] | None]] = WeakKeyDictionary()


def relative(near: NDArray[np.float32]) -> NDArray[np.float32]:
    """Cosines as 0 (the middle one, and below) to 1 (the nearest): embedders differ in what counts as near."""
    middle, best = float(np.median(near)), float(near.max(initial=0))
    if len(near) == 1 or best <= middle:
        return np.where(near >= best, 1, 0).astype(np.float32) * (best > 0)
    return np.asarray(np.clip((near - middle) / (best - middle), 0, 1), np.float32)


def note_similarity(corpus: Corpus, vector: Sequence[float] | None, model: str | None) -> NDArray[np.float32]:
    """Return how near the nearest of the `_NOTES` best notes about it is, for each message; in [0, 1]."""
    similar = np.zeros(corpus.size, np.float32)
    near = cosines(corpus.notes, vector, model)
    if near is None or not len(near):
        return similar
    near = relative(near)
    for note in np.argsort(-near, kind="stable")[:_NOTES]:
        if near[note] > 0:
            about = corpus.rows_between(corpus.notes.firsts[note], corpus.notes.lasts[note])
            similar[about] = np.maximum(similar[about], near[note])
    return similar
