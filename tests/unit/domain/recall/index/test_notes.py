"""Notes as columns: their vectors are rounded once, and found again by key."""

from dataclasses import replace

import numpy as np
import pytest

from shared.domain.recall.index.notes import NoteCorpus
from shared.domain.recall.index.segment import Segment
from shared.domain.recall.index.vectors import AskedVector
from shared.domain.recall.similarity import cosines
from shared.domain.text.terms import words_of
from tests.unit.domain.recall.index.stretches import note


def test_a_vector_keeps_its_direction_and_is_exact_when_packed_again():
    vector = tuple(np.random.default_rng(7).normal(0, 0.04, 768).tolist())
    once = Segment.build(notes=[note(embedding=vector, embedding_model="m/768")]).notes()[0]
    kept = np.frombuffer(once.vector.steps, np.int8).tolist()
    dot = sum(a * b for a, b in zip(vector, kept, strict=True))
    lengths = sum(a * a for a in vector) * sum(b * b for b in kept)
    assert dot / lengths**0.5 > 0.999
    assert Segment.build(notes=[once]).notes() == [once]


def test_a_note_made_again_replaces_the_old_one_and_finds_by_its_own_words():
    old, new = (Segment.build(notes=[note(text=text), note(11, 20, "чай")]).memory for text in ("кава", "борщ"))
    notes = NoteCorpus([old, new])
    assert notes.size == 2
    assert notes.postings(words_of("кава")[0])[0].tolist() == []
    assert [notes.note(row).id for row in notes.postings(words_of("борщ")[0])[0]] == ["1-10"]
    assert (notes.firsts.tolist(), notes.lasts.tolist()) == ([1, 11], [10, 20])


def test_vectors_of_another_model_or_size_are_zeros_until_they_are_made_again():
    a = note(1, 10, embedding=(0.5, 0.5), embedding_model="m/2")
    b = note(11, 20, embedding=(1.0, 0.0, 0.0), embedding_model="m/3")
    c, d = (note(n, n + 9, embedding=(0.0, 1.0), embedding_model="n/2") for n in (21, 31))
    none = note(41, 50)
    layers = [Segment.build(notes=[a, b, c]).memory, Segment.build(notes=[d, none]).memory]
    notes = NoteCorpus(layers)
    assert notes.vectors.stack.kinds == {("m/2", 2), ("m/3", 3), ("n/2", 2)}
    assert vectors(notes, "n/2") == [[0, 0], [0, 0], [0, 1], [0, 1], [0, 0]]
    assert vectors(notes, "m/2") == [[pytest.approx(0.5**0.5)] * 2, [0, 0], [0, 0], [0, 0], [0, 0]]
    assert cosines(notes, AskedVector("other/9", (1.0,) * 9)) is None
    over = NoteCorpus(
        [NoteCorpus(layers, in_one_piece=True), Segment.build(notes=[replace(none, vector=d.vector)]).memory]
    )
    assert vectors(over, "n/2") == [[0, 0], [0, 0], [0, 1], [0, 1], [0, 1]]


def vectors(notes, model):
    """Component by component, as a question sees them."""
    return np.stack([cosines(notes, AskedVector(model, unit)) for unit in ((1.0, 0.0), (0.0, 1.0))], axis=1).tolist()
