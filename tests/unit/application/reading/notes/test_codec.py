"""A chunk is read as it was written, whatever holds it."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from shared.application.ports.store import Document, Increment
from shared.application.reading.notes.codec import (
    AWAITS_EPISODE,
    AWAITS_META,
    WORK_KINDS,
    Chunk,
    Episode,
    InMeta,
    MetaSummary,
    chunk_to_fields,
    episode_mark_fields,
    episode_to_fields,
    held_fields,
    in_meta_fields,
    in_meta_for,
    mark_work_due,
    meta_to_fields,
    new_note_path,
    read_chunk,
    read_episode,
    read_meta_summary,
    read_note,
    read_upkeep,
    seen_fields,
)
from shared.application.recall.note_codec import NoteTexts
from tests.support.builders import at
from tests.unit.application.reading.notes.stored import IDS, TIMES, common_fields

CHUNK_PATH = "chats/1/chunks/1-10"
RANGE = {"first": 1, "last": 10, "first_at": at(1), "last_at": at(10)}
PLACES = st.sampled_from([(InMeta.AWAITED, None), (InMeta.LEFT_OUT, None), (InMeta.HELD, "1-1-100")])


@st.composite
def chunks(draw):
    fields = {name: draw(strategy) for name, strategy in common_fields("chunk").items()}
    ids = draw(st.lists(IDS, max_size=4))
    in_meta, meta_id = draw(PLACES)
    return Chunk(
        path=CHUNK_PATH,
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
    assert read_chunk(Document(CHUNK_PATH, chunk_to_fields(chunk))) == chunk


@pytest.mark.parametrize(
    ("stored", "in_meta", "meta_id"),
    [(None, InMeta.AWAITED, None), ("none", InMeta.LEFT_OUT, None), ("1-1-100", InMeta.HELD, "1-1-100")],
)
def test_one_stored_field_says_whether_a_meta_summary_holds_a_chunk_and_which(stored, in_meta, meta_id):
    chunk = read_chunk(Document(CHUNK_PATH, RANGE | {"meta": stored}))
    assert (chunk.in_meta, chunk.meta_id) == (in_meta, meta_id)
    assert in_meta_fields(chunk) == {"meta": stored}


def test_a_chunk_that_a_meta_summary_takes_is_held_by_it():
    waiting = RANGE | {AWAITS_META.field: AWAITS_META.value}
    held = read_chunk(Document(CHUNK_PATH, waiting | held_fields("1-1-100")))
    assert (held.in_meta, held.meta_id) == (InMeta.HELD, "1-1-100")


def test_a_chunk_that_tells_nothing_waits_for_no_meta_summary():
    assert in_meta_for(NoteTexts()) is InMeta.LEFT_OUT
    assert in_meta_for(NoteTexts(episodic="- кава")) is InMeta.AWAITED


def test_a_chunk_awaits_episodes_until_each_of_its_messages_is_in_one():
    some, none = episode_mark_fields([0, 3]), episode_mark_fields([])
    assert read_chunk(Document(CHUNK_PATH, RANGE | some)).awaiting_episode == (0, 3)
    assert [fields[AWAITS_EPISODE.field] == AWAITS_EPISODE.value for fields in (some, none)] == [True, False]


def test_a_chunk_from_before_there_were_episodes_awaits_none():
    chunk = read_chunk(Document(CHUNK_PATH, RANGE | {"meta": None, "summary": "про каву"}))
    assert (chunk.awaiting_episode, chunk.sent_at, chunk.threads) == ((), (), ())


META_PATH = new_note_path(1, "meta", 1, 100, level=2)
NODES = st.lists(st.sampled_from(["1-10", "11-20", "21-30"])).map(tuple)
METAS = st.builds(
    MetaSummary,
    path=st.just(META_PATH),
    **common_fields("meta"),
    level=st.integers(1, 5),
    nodes=NODES,
    meta_id=st.none() | st.just("3-1-1000"),
)


@given(METAS)
def test_a_meta_summary_is_read_as_it_was_written(meta):
    assert read_meta_summary(Document(META_PATH, meta_to_fields(meta))) == meta


def test_a_meta_summary_waits_until_one_above_holds_it():
    old = {"first": 1, "last": 100, "first_at": at(1), "last_at": at(100), "level": 1}
    waiting = read_meta_summary(Document(META_PATH, old | {AWAITS_META.field: AWAITS_META.value}))
    held = read_meta_summary(Document(META_PATH, old | held_fields("2-1-1000")))
    assert (waiting.meta_id, held.meta_id) == (None, "2-1-1000")
    assert (waiting.nodes, waiting.id) == ((), "2-1-100")


EPISODE_PATH = new_note_path(1, "episode", 1, 30)
EPISODES = st.builds(
    Episode,
    path=st.just(EPISODE_PATH),
    **common_fields("episode"),
    message_ids=st.lists(IDS).map(tuple),
    thread_id=st.none() | IDS,
)


@given(EPISODES)
def test_an_episode_is_read_as_it_was_written(episode):
    fields = episode_to_fields(episode)
    assert read_episode(Document(EPISODE_PATH, fields)) == episode
    assert fields["messages"] == len(episode.message_ids)


def test_an_episode_of_old_may_name_nobody():
    episode = read_episode(Document(EPISODE_PATH, {"first": 1, "last": 30, "first_at": at(1), "last_at": at(30)}))
    assert (episode.speakers, episode.thread_id, episode.message_ids) == ((), None, ())


@pytest.mark.parametrize(("collection", "kind"), [("chunks", Chunk), ("metas", MetaSummary), ("episodes", Episode)])
def test_a_note_is_read_as_what_its_path_says(collection, kind):
    fields = {"first": 1, "last": 10, "first_at": at(1), "last_at": at(10), "level": 1}
    assert type(read_note(Document(f"chats/1/{collection}/1-10", fields))) is kind


COUNTS = st.dictionaries(st.sampled_from(WORK_KINDS), st.integers(1, 9))
KINDS = st.sets(st.sampled_from(WORK_KINDS))


def test_what_is_left_to_do_is_counted_up():
    path, changes = mark_work_due(-100, "made", "waits")
    assert path == "chats/-100/upkeep/derived"
    assert (changes["made"], changes["waits"], "stale" in changes) == (Increment(1), Increment(1), False)


@given(left=COUNTS, seen=COUNTS, done=KINDS)
def test_what_was_seen_to_is_no_longer_left_and_the_rest_is(left, seen, done):
    document = Document("chats/-100/upkeep/derived", {**left, "seen": seen})
    before = read_upkeep(document)
    fields = seen_fields(before, done, due_at=at(5), backends="model none")
    after = read_upkeep(Document(document.path, document.data | fields))
    assert after.open_kinds == before.open_kinds - done
    assert after.due_at == at(5)
    assert after.backends == ("model none" if "waits" in done else None)


@given(left=COUNTS)
def test_what_comes_while_it_is_seen_to_is_left(left):
    before = read_upkeep(Document("chats/-100/upkeep/derived", left))
    fields = seen_fields(before, WORK_KINDS, due_at=None, backends="none none")
    more = {kind: left.get(kind, 0) + 1 for kind in WORK_KINDS}
    assert read_upkeep(Document("chats/-100/upkeep/derived", more | fields)).open_kinds == set(WORK_KINDS)


def test_a_chat_of_which_nothing_is_counted_has_nothing_left_to_do():
    ledger = read_upkeep(Document("chats/-100/upkeep/derived", {"schema": 1}))
    assert (ledger.open_kinds, ledger.due_at, ledger.backends) == (set(), None, None)
