"""Notes as columns: their vectors are rounded once, and found again by key."""

import numpy as np

from shared.domain.recall.index.segment import Segment
from tests.unit.domain.recall.index.stretches import note


def test_a_vector_keeps_its_direction_and_is_exact_when_packed_again():
    vector = tuple(np.random.default_rng(7).normal(0, 0.04, 768).tolist())
    once = Segment.build(notes=[note(embedding=vector, embedding_model="m/768")]).notes()[0]
    dot = sum(a * b for a, b in zip(vector, once.embedding, strict=True))
    lengths = sum(a * a for a in vector) * sum(b * b for b in once.embedding)
    assert dot / lengths**0.5 > 0.999
    assert Segment.build(notes=[once]).notes()[0].embedding == once.embedding
