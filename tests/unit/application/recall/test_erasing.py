"""Taking words out of the index: whose notes and messages go, what stays, and that an instance holds none of it."""

from dataclasses import replace
from datetime import timedelta

import pytest

from shared.application.chats.chat_codec import read_chat
from shared.application.documents import chat_path, index_head_path, index_segment_path
from shared.application.recall.erasing import forget_in_index
from shared.application.recall.head_codec import entry_of, head_of, head_write, segment_write
from shared.application.recall.loading import load_corpus
from shared.application.recall.upkeep import index_chat
from shared.domain.recall.index.segment import Segment
from tests.support.archive import START, archive, said
from tests.support.exports import CHAT, app_on

HANNA, TARAS = 104, 102
MINUTE = timedelta(minutes=1)


@pytest.fixture
async def app(sqlite_store):
    """Thirty messages in three chunks; those of the second ten are all hers."""
    app = app_on(sqlite_store)
    await sqlite_store.set(chat_path(CHAT), {"schema": 1, "chat_id": CHAT, "type": "group", "title": "", "chunks": 3})
    talk = [said(n, f"слово{n} розмова", HANNA if 10 < n <= 20 else TARAS, chat_id=CHAT) for n in range(1, 31)]
    await archive(sqlite_store, talk)
    await index_chat(app, await state_of(app))
    return app


async def state_of(app):
    return read_chat(CHAT, await app.store.get(chat_path(CHAT)))


async def held(app):
    """Ids of messages and notes in all segments."""
    documents = [d async for d in app.store.subtree(chat_path(CHAT)) if "payload" in d.data]
    segments = [Segment.decode(document.data["payload"]) for document in documents]
    messages = {m.message_id for segment in segments for m in segment.messages()}
    return messages, {note.id for segment in segments for note in segment.notes()}


ALL, NOTES = set(range(1, 31)), {"1-10", "11-20", "21-30"}
NIGHT = START + 15 * MINUTE


@pytest.mark.parametrize(
    ("what", "gone", "notes"),
    [
        ({}, set(), set()),
        ({"message_ids": {15}}, {15}, {"11-20"}),
        ({"message_ids": {10, 11}}, {10, 11}, {"1-10", "11-20"}),
        ({"message_ids": {31}}, set(), set()),
        ({"user_id": HANNA}, set(range(11, 21)), {"11-20"}),
        ({"user_id": HANNA, "until": NIGHT}, set(range(11, 16)), {"11-20"}),
        ({"user_id": HANNA, "until": START}, set(), set()),
        ({"before": NIGHT}, set(range(1, 15)), {"1-10", "11-20"}),
        ({"expired": NIGHT}, set(range(1, 15)), {"1-10"}),
        ({"expired": START + 20 * MINUTE}, set(range(1, 20)), {"1-10"}),
        ({"expired": START + 21 * MINUTE}, set(range(1, 21)), {"1-10", "11-20"}),
        ({"notes": {("chunk", "21-30")}}, set(), {"21-30"}),
        ({"notes": {("meta", "21-30")}}, set(), set()),
    ],
)
async def test_what_is_meant_goes_with_the_notes_about_it_and_nothing_else(app, what, gone, notes):
    await forget_in_index(app.store, app.indexes, CHAT, **what)
    assert await held(app) == (ALL - gone, NOTES - notes)


async def test_a_note_goes_also_when_their_messages_are_in_the_next_segment(app, sqlite_store):
    """A note is where the first message is that it is about, and that may be somebody else's."""
    segment = Segment.decode((await sqlite_store.get(index_segment_path(CHAT, 1))).data["payload"])
    talk = [replace(m, user_id=TARAS) if m.message_id == 11 else m for m in segment.messages()]
    older = Segment.build(talk[:11], [note for note in segment.notes() if note.first <= 11])
    newer = Segment.build(talk[11:], [note for note in segment.notes() if note.first > 11])
    head = head_of(await sqlite_store.get(index_head_path(CHAT)))
    parts = [(1, head.entries[0].start, older), (2, 12, newer)]
    written = head.with_entries(1, [entry_of(n, start, part, part.encode()) for n, start, part in parts])
    writes = [segment_write(CHAT, n, part.encode()) for n, _, part in parts]
    await sqlite_store.batch([*writes, head_write(CHAT, written)])
    await forget_in_index(app.store, app.indexes, CHAT, user_id=HANNA)
    assert await held(app) == (ALL - set(range(12, 21)), NOTES - {"11-20"})


async def test_this_instance_holds_nothing_of_a_chat_in_which_words_were_forgotten(app):
    await load_corpus(app, await state_of(app))
    assert app.indexes.nbytes > 0
    await forget_in_index(app.store, app.indexes, CHAT, message_ids={15})
    assert app.indexes.get(CHAT) is None


async def test_what_is_not_in_the_index_costs_no_writing(app, sqlite_store):
    before = sqlite_store.usage.writes
    await forget_in_index(app.store, app.indexes, CHAT, message_ids={31}, user_id=999)
    assert sqlite_store.usage.writes == before


@pytest.mark.parametrize("what", [{"message_ids": {15}}, {"expired": NIGHT}])
async def test_a_segment_that_cannot_be_read_is_emptied_and_marked(app, sqlite_store, what):
    await sqlite_store.update(index_segment_path(CHAT, 1), {"payload": b"spoilt"})
    await forget_in_index(app.store, app.indexes, CHAT, **what)
    assert await held(app) == (set(), set())
    assert head_of(await sqlite_store.get(index_head_path(CHAT))).broken == {1}


async def test_where_nothing_is_old_yet_the_oldest_segment_alone_is_looked_at(app, sqlite_store):
    before = sqlite_store.usage.reads
    await forget_in_index(app.store, app.indexes, CHAT, expired=START)
    assert sqlite_store.usage.reads - before == 2  # the head, and that one
    assert await held(app) == (ALL, NOTES)


async def test_a_note_that_is_over_goes_from_a_segment_that_holds_none_of_its_messages(app, sqlite_store):
    """A note is indexed when it is made: its messages may be in an older segment."""
    path = index_segment_path(CHAT, 1)
    segment = Segment.decode((await sqlite_store.get(path)).data["payload"])
    later = Segment.build([m for m in segment.messages() if m.message_id > 20], segment.notes())
    await sqlite_store.update(path, {"payload": later.encode()})
    await forget_in_index(app.store, app.indexes, CHAT, expired=START + 15 * MINUTE)
    assert await held(app) == (set(range(21, 31)), NOTES - {"1-10"})
