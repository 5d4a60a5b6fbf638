"""Vectors of messages: small, of one text each, compared with their own kind only, and in their rows however laid."""

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from shared.domain.recall.index.corpus import Corpus
from shared.domain.recall.index.segment import Segment
from shared.domain.recall.index.talk import IndexedTalk
from shared.domain.recall.index.vectors import (
    MOST_COMPONENTS,
    AskedVector,
    TextVector,
    VectorKind,
    Vectors,
    embedded_text,
    find_vectors,
    pack_steps,
    pack_vectors,
)
from shared.domain.recall.similarity import nearness
from tests.support.builders import at, message

KIND = VectorKind("m/2", 2)


def talk(vectors, *, first=1):
    """Messages a minute apart, with these vectors; None is none."""
    said = [message(f"слово {n}", message_id=n, sent_at=at(n)) for n in range(first, first + len(vectors))]
    packed = {n: TextVector("m/2", pack_steps(v)) for n, v in enumerate(vectors, start=first) if v}
    return Segment.build(said, vectors=packed)


def unit(*values):
    return np.array(values, np.float32) / math.hypot(*values)


def rows_with(corpus, kind):
    """Return which rows have a vector of a kind."""
    return np.flatnonzero(corpus.vectors.stack.scales[kind][corpus.vectors.places]).tolist()


def plain_nearness(vectors, asked):
    """Return what `nearness` counts, one message after the other."""
    steps = [np.frombuffer(pack_steps(vector), np.int8).astype(float) for vector in vectors if vector]
    units = [each / np.linalg.norm(each) for each in steps]
    middle = np.mean(units, axis=0)
    meant = asked - middle
    meant /= max(np.linalg.norm(meant), 1e-9)
    near = [float((each - middle) @ meant) / max(float(np.linalg.norm(each - middle)), 1e-4) for each in units]
    spread = float(np.std(near))
    each = iter([(one - np.mean(near)) / spread if spread > 1e-3 else None for one in near])
    return [next(each) if vector else 0 for vector in vectors]


@given(st.lists(st.floats(-1, 1, width=32), min_size=2, max_size=768).filter(lambda v: max(map(abs, v[:256])) > 1e-6))
def test_a_vector_of_any_size_takes_at_most_260_bytes_and_keeps_its_direction(values):
    (vector,) = find_vectors(pack_vectors({"так": values}), {1: "так"}, "m").values()
    steps = np.frombuffer(vector.steps, np.int8)
    assert len(steps) == min(len(values), MOST_COMPONENTS) <= 260
    kept = np.array(values[:MOST_COMPONENTS])
    assert steps @ kept / (np.linalg.norm(steps.astype(float)) * np.linalg.norm(kept)) > 0.99


@pytest.mark.parametrize("values", [(), (0.0, 0.0), (math.nan, 1.0), (math.inf, 1.0)])
def test_what_has_no_direction_has_no_vector(values):
    assert pack_steps(values) == b""


def test_what_is_embedded_is_who_says_what_and_nothing_of_bots_commands_or_empty_messages():
    assert embedded_text(message("йду", name="Оля", media_text="[photo: ліс]")) == "Оля: йду\n[photo: ліс]"
    assert len(embedded_text(message("о" * 9_000))) == 2_000
    nothing = [message("йду", is_bot=True), message("/gryadhelp", kind="command"), message(" \n")]
    assert [embedded_text(each) for each in nothing] == ["", "", ""]


def test_a_text_finds_its_own_vector_and_none_once_it_has_changed():
    packed = pack_vectors({"Оля: так": (1.0, 0.0), "Оля: ні": (0.0, 1.0), "Оля: ?": (0.0, 0.0)})
    texts = {1: "Оля: ні", 2: "Оля: ні.", 3: "Оля: ні", 4: "", 5: "Оля: ?"}
    known = find_vectors(packed, texts, "m/2")
    assert known == dict.fromkeys((1, 3), TextVector("m/2", pack_steps((0.0, 1.0))))
    assert pack_vectors({"так": (0.0, 0.0)}) == ()


def test_vectors_of_two_embedders_lie_side_by_side_and_only_those_of_one_compare():
    known = {0: TextVector("m/2", b"\x01\x02"), 1: TextVector("n/3", b"\x01\x02\x03"), 2: TextVector("m/2", b"ab")}
    vectors = Vectors.of(4, known | {3: None})
    assert vectors.kinds == (("m/2", 2), ("n/3", 3))
    assert [vectors.get(row) for row in range(4)] == [*known.values(), None]
    said = [message(f"слово {n}", message_id=n, sent_at=at(n)) for n in range(3)]
    corpus = Corpus.of_segments([Segment.build(said, vectors=known)])
    held = {kind: rows_with(corpus, kind) for kind in vectors.kinds}
    assert held == {("m/2", 2): [0, 2], ("n/3", 3): [1]}
    assert nearness(corpus, AskedVector("other", (1.0, 0.0))).tolist() == [0, 0, 0]
    assert nearness(corpus, AskedVector("m/2", (1.0, 0.0)))[1] == 0


@pytest.mark.parametrize(
    ("model", "components"),
    [("m/2", (1.0,)), ("m/2", (1.0, 0.0, 0.0)), ("other", (1.0, 0.0)), ("m/2", (0.0, math.nan))],
)
def test_a_question_compares_with_vectors_of_its_own_embedder_and_size_alone(model, components):
    assert AskedVector("m/2", (3.0, 4.0)).direction_in({KIND})[1].tolist() == pytest.approx([0.6, 0.8])
    assert AskedVector(model, components).direction_in({KIND}) is None


@settings(max_examples=60, deadline=None, database=None)
@given(
    st.lists(
        st.lists(st.none() | st.tuples(st.integers(-9, 9), st.integers(-9, 9)).filter(any), min_size=1, max_size=5),
        min_size=2,
        max_size=5,
    )
)
def test_however_a_talk_is_laid_together_each_row_has_the_vector_of_its_message(stretches):
    starts = np.cumsum([1, *map(len, stretches)]).tolist()
    segments = [talk(vectors, first=first) for vectors, first in zip(stretches, starts, strict=False)]
    flat = [vector for vectors in stretches for vector in vectors]
    sealed = Corpus.of_segments(segments[:-1])
    corpora = [
        Corpus.of_segments(segments),
        Corpus([sealed, segments[-1].talk]),
        Corpus([Corpus([sealed, segments[-1].talk]), IndexedTalk.of([message("нове", message_id=99, sent_at=at(99))])]),
    ]
    asked = unit(3, 4)
    for corpus in corpora:
        near = nearness(corpus, AskedVector("m/2", tuple(asked.tolist()))).tolist()
        assert len(near) == corpus.size
        expected = plain_nearness(flat, asked) if any(flat) else [0] * len(flat)
        if None not in expected:  # where all are equally near, rounding tells
            assert near == pytest.approx([*expected, *[0] * (corpus.size - len(flat))], abs=0.02)


def test_a_message_that_a_later_layer_has_anew_has_the_vector_that_it_has_there():
    again = message("слово інше", message_id=2, sent_at=at(2))
    before = talk([(1, 0), (1, 0)])
    edited = Corpus([Corpus.of_segments([before]), IndexedTalk.of([again])])
    assert rows_with(edited, KIND) == [0]


def test_what_is_known_of_the_old_vectors_holds_when_a_message_without_one_comes():
    sealed = Corpus.of_segments([talk([(1, 0), (0, 1)]), talk([(1, 1)], first=3)])
    laid = Corpus([sealed, IndexedTalk.of([message("нове", message_id=99, sent_at=at(99))])])
    assert laid.vectors.stack is sealed.vectors.stack
    assert rows_with(laid, KIND) == [0, 1, 2]


def test_nothing_stands_out_where_every_message_with_a_vector_has_changed_since():
    changed = IndexedTalk.of([message("слово інше", message_id=1, sent_at=at(1))])
    edited = Corpus([Corpus.of_segments([talk([(1, 0)])]), changed])
    assert nearness(edited, AskedVector("m/2", (1.0, 0.0))).tolist() == [0]
