"""The similarity of a question's embedding to those of messages, and to those of notes and so of their messages."""

from weakref import WeakKeyDictionary

import numpy as np

from shared.domain.recall.index.corpus import Corpus
from shared.domain.recall.index.notes import NoteCorpus
from shared.domain.recall.index.vectors import MOST_COMPONENTS, AskedVector, Floats

_NOTES = 20
"""Notes whose messages count as similar."""


def nearness(corpus: Corpus, vector: AskedVector | None) -> Floats:
    """Return how near each message is to a question, in standard deviations above what is usual in this talk.

    It is 0 where there is no vector that compares with the question's, and for all where nothing stands out. Vectors of
    one talk lie in one corner; seen from their middle they differ.
    """
    stack, places = corpus.vectors.stack, corpus.vectors.places
    compared = vector and vector.direction_in(stack.kinds, MOST_COMPONENTS)
    if not compared:
        return np.zeros(corpus.size, np.float32)
    kind, (middle, distances) = compared[0], stack.middles[compared[0]]
    asked = compared[1] - middle
    asked /= max(float(np.linalg.norm(asked)), 1e-9)
    near = ((stack.cosines(kind, asked) - middle @ asked) / distances)[places]
    held = stack.scales[kind][places] > 0
    usual, spread = (near[held].mean(), near[held].std()) if held.any() else (0.0, 0.0)
    return np.where(held & (spread > 0), (near - usual) / max(spread, 1e-9), 0).astype(np.float32)


def cosines(notes: NoteCorpus, vector: AskedVector | None) -> Floats | None:
    """Cosine of each note's vector with this one, 0 where a note has none of its kind; None when no note has."""
    compared = vector and vector.direction_in(notes.vectors.stack.kinds)
    if not compared:
        return None
    last = _LAST.get(notes)
    if last is None or last[0] is not vector:  # messages and notes are ranked by the same question
        last = _LAST[notes] = vector, notes.vectors.stack.cosines(*compared)[notes.vectors.places]
    return last[1]


_LAST: WeakKeyDictionary[NoteCorpus, tuple[AskedVector | None, Floats]] = WeakKeyDictionary()


def relative(near: Floats) -> Floats:
    """Cosines as 0 (the middle one, and below) to 1 (the nearest): embedders differ in what counts as near."""
    middle, best = float(np.median(near)), float(near.max(initial=0))
    if len(near) == 1 or best <= middle:
        return np.where(near >= best, 1, 0).astype(np.float32) * (best > 0)
    return np.asarray(np.clip((near - middle) / (best - middle), 0, 1), np.float32)


def note_similarity(corpus: Corpus, vector: AskedVector | None) -> Floats:
    """Return how near the nearest of the `_NOTES` best notes about it is, for each message; in [0, 1]."""
    similar = np.zeros(corpus.size, np.float32)
    near = cosines(corpus.notes, vector)
    if near is None:
        return similar
    near = relative(near)
    for note in np.argsort(-near, kind="stable")[:_NOTES]:
        if near[note] > 0:
            about = corpus.rows_between(corpus.notes.firsts[note], corpus.notes.lasts[note])
            similar[about] = np.maximum(similar[about], near[note])
    return similar
