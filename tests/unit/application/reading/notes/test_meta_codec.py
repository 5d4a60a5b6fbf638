"""A meta summary is read as it was written."""

from hypothesis import given
from hypothesis import strategies as st

from shared.application.ports.store import Document
from shared.application.reading.notes.meta_codec import (
    AWAITS_META,
    MetaSummary,
    held_fields,
    meta_to_fields,
    new_meta_path,
    read_meta_summary,
)
from tests.support.builders import at
from tests.unit.application.reading.notes.stored import common_fields

PATH = new_meta_path(1, 2, 1, 100)
NODES = st.lists(st.sampled_from(["1-10", "11-20", "21-30"])).map(tuple)
METAS = st.builds(
    MetaSummary,
    path=st.just(PATH),
    **common_fields("meta"),
    level=st.integers(1, 5),
    nodes=NODES,
    meta_id=st.none() | st.just("3-1-1000"),
)


@given(METAS)
def test_a_meta_summary_is_read_as_it_was_written(meta):
    assert read_meta_summary(Document(PATH, meta_to_fields(meta))) == meta


def test_a_meta_summary_waits_until_one_above_holds_it():
    old = {"first": 1, "last": 100, "first_at": at(1), "last_at": at(100), "level": 1}
    waiting = read_meta_summary(Document(PATH, old | {AWAITS_META.field: AWAITS_META.value}))
    held = read_meta_summary(Document(PATH, old | held_fields("2-1-1000")))
    assert (waiting.meta_id, held.meta_id) == (None, "2-1-1000")
    assert (waiting.nodes, waiting.id) == ((), "2-1-100")
