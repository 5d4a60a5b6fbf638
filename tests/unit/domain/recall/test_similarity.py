"""How near a question is to the notes, and so to what they are about."""

import numpy as np
import pytest

from shared.domain.recall.index.corpus import Corpus
from shared.domain.recall.index.notes import NoteCorpus
from shared.domain.recall.index.segment import Segment
from shared.domain.recall.index.vectors import AskedVector
from shared.domain.recall.similarity import cosines, note_similarity, relative
from tests.support.builders import at, message
from tests.unit.domain.recall.index.stretches import note


@pytest.mark.parametrize(
    ("near", "expected"),
    [
        ([0.2, 0.4, 0.6], [0, 0, 1]),
        ([0.2, 0.4, 0.5, 0.6, 0.4], [0, 0, 0.5, 1, 0]),
        ([0.3], [1]),
        ([0.0], [0]),
        ([-0.3], [0]),
        ([0.5, 0.5], [1, 1]),
        ([0.0, 0.0], [0, 0]),
    ],
)
def test_the_middle_cosine_counts_as_nothing_and_the_nearest_as_all(near, expected):
    assert relative(np.array(near, np.float32)).tolist() == pytest.approx(expected)


def test_vectors_compare_only_when_their_size_and_model_fit():
    made = note(1, 10, embedding=(0.6, 0.8), embedding_model="m/2")
    notes = NoteCorpus([Segment.build(notes=[made, note(11, 20)]).memory])
    near = cosines(notes, AskedVector("m/2", (3.0, 4.0)))
    assert near is not None
    assert near.tolist() == pytest.approx([1, 0], abs=0.01)
    assert cosines(notes, AskedVector("other/2", (3.0, 4.0))) is None
    assert cosines(notes, AskedVector("m/2", (3.0, 4.0, 0.0))) is None
    assert cosines(notes, None) is None
    assert cosines(NoteCorpus(), AskedVector("m/2", (3.0, 4.0))) is None


def test_another_question_is_compared_anew():
    notes = NoteCorpus([Segment.build(notes=[note(1, 10, embedding=(0.6, 0.8), embedding_model="m/2")]).memory])
    one, other = cosines(notes, AskedVector("m/2", (0.6, 0.8))), cosines(notes, AskedVector("m/2", (0.8, -0.6)))
    assert one is not None
    assert other is not None
    assert [*one, *other] == pytest.approx([1, 0], abs=0.01)


def test_a_message_is_as_near_as_the_nearest_note_about_it():
    about = [
        ((1, 2), (1.0, 0.0)),
        ((2, 4), (0.6, 0.8)),
        ((5, 6), (0.0, 1.0)),
        ((7, 7), (0.0, -1.0)),
        ((8, 8), (0.0, -1.0)),
    ]
    notes = [note(*ids, embedding=vector, embedding_model="m/2") for ids, vector in about]
    corpus = Corpus.of([message("кава", message_id=n, sent_at=at(n)) for n in range(1, 9)], notes)
    assert note_similarity(corpus, AskedVector("m/2", (1.0, 0.0))).tolist() == pytest.approx(
        [1, 1, 0.6, 0.6, 0, 0, 0, 0], abs=0.02
    )
    assert note_similarity(corpus, AskedVector("other/2", (1.0, 0.0))).tolist() == [0] * 8
    assert note_similarity(corpus, None).tolist() == [0] * 8
