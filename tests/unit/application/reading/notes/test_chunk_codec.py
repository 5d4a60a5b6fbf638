"""A chunk is read as it was written, whatever holds it."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from shared.application.ports.store import Document
from shared.application.reading.notes.chunk_codec import (
    AWAITS_EPISODE,
    Chunk,
    InMeta,
    chunk_to_fields,
    episode_mark_fields,
    in_meta_fields,
    in_meta_for,
    read_chunk,
)
from shared.application.reading.notes.meta_codec import AWAITS_META, held_fields
from shared.application.recall.note_codec import NoteTexts
from tests.support.builders import at
from tests.unit.application.reading.notes.stored import IDS, TIMES, common_fields

PATH = "chats/1/chunks/1-10"
RANGE = {"first": 1, "last": 10, "first_at": at(1), "last_at": at(10)}
PLACES = st.sampled_from([(InMeta.AWAITED, None), (InMeta.LEFT_OUT, None), (InMeta.HELD, "1-1-100")])


@st.composite
def chunks(draw):
    fields = {name: draw(strategy) for name, strategy in common_fields("chunk").items()}
    ids = draw(st.lists(IDS, max_size=4))
    in_meta, meta_id = draw(PLACES)
    return Chunk(
        path=PATH,
        **fields,
        message_ids=tuple(ids),
        sent_at=tuple(draw(TIMES) for _ in ids),
        threads=tuple(draw(st.integers(0, 5)) for _ in ids),
        awaiting_episode=tuple(at for at in range(len(ids)) if draw(st.booleans())),
        in_meta=in_meta,
        meta_id=meta_id,
    )


@given(chunks())
def test_a_chunk_is_read_as_it_was_written(chunk):
    assert read_chunk(Document(PATH, chunk_to_fields(chunk))) == chunk


@pytest.mark.parametrize(
    ("stored", "in_meta", "meta_id"),
    [(None, InMeta.AWAITED, None), ("none", InMeta.LEFT_OUT, None), ("1-1-100", InMeta.HELD, "1-1-100")],
)
def test_one_stored_field_says_whether_a_meta_summary_holds_a_chunk_and_which(stored, in_meta, meta_id):
    chunk = read_chunk(Document(PATH, RANGE | {"meta": stored}))
    assert (chunk.in_meta, chunk.meta_id) == (in_meta, meta_id)
    assert in_meta_fields(chunk) == {"meta": stored}


def test_a_chunk_that_a_meta_summary_takes_is_held_by_it():
    waiting = RANGE | {AWAITS_META.field: AWAITS_META.value}
    held = read_chunk(Document(PATH, waiting | held_fields("1-1-100")))
    assert (held.in_meta, held.meta_id) == (InMeta.HELD, "1-1-100")


def test_a_chunk_that_tells_nothing_waits_for_no_meta_summary():
    assert in_meta_for(NoteTexts()) is InMeta.LEFT_OUT
    assert in_meta_for(NoteTexts(episodic="- кава")) is InMeta.AWAITED


def test_a_chunk_awaits_episodes_until_each_of_its_messages_is_in_one():
    some, none = episode_mark_fields([0, 3]), episode_mark_fields([])
    assert read_chunk(Document(PATH, RANGE | some)).awaiting_episode == (0, 3)
    assert [fields[AWAITS_EPISODE.field] == AWAITS_EPISODE.value for fields in (some, none)] == [True, False]


def test_a_chunk_from_before_there_were_episodes_awaits_none():
    chunk = read_chunk(Document(PATH, RANGE | {"meta": None, "summary": "про каву"}))
    assert (chunk.awaiting_episode, chunk.sent_at, chunk.threads) == ((), (), ())
