"""Each message is in one segment, and no segment is empty."""

from dataclasses import replace
from datetime import timedelta

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from shared.application.chats.chat_codec import read_chat
from shared.application.documents import chat_path, chunks_path, index_head_path, index_segment_path, message_path
from shared.application.recall.head_codec import entry_of, head_of, head_write, segment_write
from shared.application.recall.loading import load_corpus
from shared.application.recall.placing import IndexChange, forget_in_index
from shared.application.recall.upkeep import index_chat
from shared.domain.recall.index.segment import Segment
from shared.domain.recall.index.vectors import TextVector, embedded_text, pack_vectors
from tests.support.archive import START, archive, chunk_document, group_state, said
from tests.support.builders import message
from tests.support.exports import CHAT as HERE
from tests.support.exports import app_on
from tests.support.group import CHAT
from tests.unit.application.recall.indexed import STATE, apply, found, ids, index_documents, noted, talk


@settings(max_examples=15, deadline=None, database=None)
@given(st.lists(st.tuples(st.integers(-1500, 3000).filter(bool), st.integers(1, 700)), max_size=5))
def test_in_whatever_order_messages_come_each_is_in_its_one_segment(stretches):
    documents, head, expected = {}, head_of(None), set()
    for first, count in stretches:
        batch = tuple(message("так", message_id=n) for n in range(first, first + count) if n)
        documents, head = apply(documents, head, IndexChange(batch))
        expected |= {m.message_id for m in batch}
    held = {number: [m.message_id for m in segment.messages()] for number, segment in documents.items()}
    assert sorted(message_id for ids in held.values() for message_id in ids) == sorted(expected)
    assert all(head.home(message_id).number == number for number, ids in held.items() for message_id in ids)
    assert [entry.messages for entry in head.entries] == [len(held[entry.number]) for entry in head.entries]
    assert max(map(len, held.values()), default=0) <= 1000


def test_what_goes_leaves_no_empty_segment():
    messages = tuple(message("так", message_id=n) for n in range(1, 1500))
    documents, head = apply({}, head_of(None), IndexChange(messages))
    assert sorted(documents) == [1, 2]
    documents, head = apply(documents, head, IndexChange(without=frozenset(range(1, 1001))))
    assert (sorted(documents), [entry.number for entry in head.entries]) == ([2], [2])
    documents, head = apply(documents, head, IndexChange((message("знов", message_id=5),)))
    assert [m.message_id for m in documents[2].messages()][:2] == [5, 1001]


async def test_an_edited_message_is_found_by_its_new_words_only(laptop, app):
    await archive(laptop.store, talk(1, 1200))
    await index_chat(app, STATE)
    await load_corpus(app, STATE)
    await laptop.store.update(message_path(CHAT, 5), {"text": "борщ"})
    await laptop.store.update(f"{chunks_path(CHAT)}/1-10", {"indexed": False, "summary": "переписано"})
    await index_chat(app, STATE)
    corpus = await load_corpus(app, STATE)
    assert found(corpus, "слово5") == []
    assert found(corpus, "борщ") == [5]
    assert noted(corpus.notes, "переписано") == ["1-10"]
    assert corpus.size == 1200


async def test_commands_private_words_and_those_of_who_opted_out_are_not_indexed(laptop, app):
    messages = talk(1, 20)
    messages[2] = replace(messages[2], kind="command")
    await archive(laptop.store, messages)
    await laptop.store.update(message_path(CHAT, 4), {"chunk": "private"})
    await app.chats.change(CHAT, {"opted_out": [101]})
    await index_chat(app, STATE)
    by_others = [m.message_id for m in messages if m.user_id != 101 and m.message_id not in (3, 4)]
    assert ids(await load_corpus(app, STATE)) == by_others


async def test_a_private_chat_is_not_indexed(laptop, app):
    await archive(laptop.store, talk(1, 20))
    assert await index_chat(app, group_state(CHAT, private_mode=True)) == 0
    assert await index_documents(laptop.store) == {}


async def test_metas_and_episodes_are_notes_too(laptop, app):
    await archive(laptop.store, talk(1, 20))
    chunk = chunk_document(talk(1, 20)).data
    more = {"summary": "мета про борщ", "embedding": (0.6, 0.8), "embedding_model": "m/2"}
    await laptop.store.set(f"{chat_path(CHAT)}/metas/1-1-20", chunk | more)
    episode = {"summary": "епізод", "themes": ["кава", "сніданок"], "tone": "теплий"}
    await laptop.store.set(f"{chat_path(CHAT)}/episodes/1-20", chunk | episode)
    await index_chat(app, STATE)
    notes = (await load_corpus(app, STATE)).notes
    by_kind = {note.kind: note for note in map(notes.note, range(notes.size))}
    assert set(by_kind) == {"chunk", "meta", "episode"}
    assert by_kind["episode"].text == "епізод\nкава, сніданок\nтеплий"
    assert by_kind["meta"].vector == TextVector.of("m/2", (0.6, 0.8))
    assert notes.vectors.stack.kinds == {("m/2", 2)}


async def vectors_in(app, chat_id=CHAT):
    """Return the ids of the messages whose vectors the segments hold."""
    documents = [d async for d in app.store.subtree(chat_path(chat_id)) if "payload" in d.data]
    talks = [Segment.decode(document.data["payload"]).talk for document in documents]
    return sorted(int(message_id) for t in talks for message_id in t.columns.message_ids[t.own_vectors.numbers > 0])


async def with_vectors(app, messages, chat_id=CHAT):
    """Give the chunks of ten messages each the vectors of their messages, and index them."""
    for at in range(0, len(messages), 10):
        texts = {embedded_text(m): (1.0, at / 10) for m in messages[at : at + 10]}
        fields = {"embedding_model": "m/2", "message_vectors": pack_vectors(texts), "indexed": False}
        await app.store.update(chunk_document(messages[at : at + 10]).path, fields)
    await index_chat(app, group_state(chat_id))


async def test_a_vector_goes_with_the_words_that_it_was_made_of(laptop, app):
    messages = talk(1, 20)
    await archive(laptop.store, messages)
    await with_vectors(app, messages)
    assert await vectors_in(app) == list(range(1, 21))
    await laptop.store.update(message_path(CHAT, 5), {"text": "борщ"})
    await laptop.store.update(f"{chunks_path(CHAT)}/1-10", {"indexed": False})
    await index_chat(app, STATE)
    assert await vectors_in(app) == [n for n in range(1, 21) if n != 5]


async def test_a_segment_that_is_made_again_has_the_vectors_of_its_chunks(laptop, app):
    messages = talk(1, 20)
    await archive(laptop.store, messages)
    await with_vectors(app, messages)
    await laptop.store.update(index_segment_path(CHAT, 1), {"payload": b"spoilt"})
    await laptop.store.update(index_head_path(CHAT), {"broken": [1]})
    await index_chat(app, STATE)
    assert await vectors_in(app) == list(range(1, 21))


async def test_new_talk_and_forgetting_leave_the_vectors_of_the_rest(laptop, app):
    messages = talk(1, 20)
    await archive(laptop.store, messages)
    await with_vectors(app, messages)
    await archive(laptop.store, talk(21, 30))
    await index_chat(app, STATE)
    assert await vectors_in(app) == list(range(1, 21))
    await forget_in_index(app.store, app.indexes, CHAT, user_id=102)
    assert await vectors_in(app) == [m.message_id for m in messages if m.user_id != 102]


HANNA, TARAS = 104, 102
MINUTE = timedelta(minutes=1)


@pytest.fixture
async def app(sqlite_store):
    """Thirty messages in three chunks; those of the second ten are all hers."""
    app = app_on(sqlite_store)
    await sqlite_store.set(chat_path(HERE), {"schema": 1, "chat_id": HERE, "type": "group", "title": "", "chunks": 3})
    talk = [said(n, f"слово{n} розмова", HANNA if 10 < n <= 20 else TARAS, chat_id=HERE) for n in range(1, 31)]
    await archive(sqlite_store, talk)
    await index_chat(app, await state_of(app))
    return app


async def state_of(app):
    return read_chat(HERE, await app.store.get(chat_path(HERE)))


async def held(app):
    """Ids of messages and notes in all segments."""
    documents = [d async for d in app.store.subtree(chat_path(HERE)) if "payload" in d.data]
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
        ({"expired": NIGHT}, set(range(1, 15)), {"1-10"}),
        ({"expired": START + 20 * MINUTE}, set(range(1, 20)), {"1-10"}),
        ({"expired": START + 21 * MINUTE}, set(range(1, 21)), {"1-10", "11-20"}),
        ({"notes": {("chunk", "21-30")}}, set(), {"21-30"}),
        ({"notes": {("meta", "21-30")}}, set(), set()),
    ],
)
async def test_what_is_meant_goes_with_the_notes_about_it_and_nothing_else(app, what, gone, notes):
    await forget_in_index(app.store, app.indexes, HERE, **what)
    assert await held(app) == (ALL - gone, NOTES - notes)


async def test_a_note_goes_also_when_their_messages_are_in_the_next_segment(app, sqlite_store):
    """A note is where the first message is that it is about, and that may be somebody else's."""
    segment = Segment.decode((await sqlite_store.get(index_segment_path(HERE, 1))).data["payload"])
    talk = [replace(m, user_id=TARAS) if m.message_id == 11 else m for m in segment.messages()]
    older = Segment.build(talk[:11], [note for note in segment.notes() if note.first <= 11])
    newer = Segment.build(talk[11:], [note for note in segment.notes() if note.first > 11])
    head = head_of(await sqlite_store.get(index_head_path(HERE)))
    parts = [(1, head.entries[0].start, older), (2, 12, newer)]
    written = head.with_entries(1, [entry_of(n, start, part, part.encode()) for n, start, part in parts])
    writes = [segment_write(HERE, n, part.encode()) for n, _, part in parts]
    await sqlite_store.batch([*writes, head_write(HERE, written)])
    await forget_in_index(app.store, app.indexes, HERE, user_id=HANNA)
    assert await held(app) == (ALL - set(range(12, 21)), NOTES - {"11-20"})


async def test_this_instance_holds_nothing_of_a_chat_in_which_words_were_forgotten(app):
    await load_corpus(app, await state_of(app))
    assert app.indexes.nbytes > 0
    await forget_in_index(app.store, app.indexes, HERE, message_ids={15})
    assert app.indexes.get(HERE) is None


async def test_what_is_not_in_the_index_costs_no_writing(app, sqlite_store):
    before = sqlite_store.usage.writes
    await forget_in_index(app.store, app.indexes, HERE, message_ids={31}, user_id=999)
    assert sqlite_store.usage.writes == before


@pytest.mark.parametrize("what", [{"message_ids": {15}}, {"expired": NIGHT}])
async def test_a_segment_that_cannot_be_read_is_emptied_and_marked(app, sqlite_store, what):
    await sqlite_store.update(index_segment_path(HERE, 1), {"payload": b"spoilt"})
    await forget_in_index(app.store, app.indexes, HERE, **what)
    assert await held(app) == (set(), set())
    assert head_of(await sqlite_store.get(index_head_path(HERE))).broken == {1}


async def test_where_nothing_is_old_yet_the_oldest_segment_alone_is_looked_at(app, sqlite_store):
    before = sqlite_store.usage.reads
    await forget_in_index(app.store, app.indexes, HERE, expired=START)
    assert sqlite_store.usage.reads - before == 2  # the head, and that one
    assert await held(app) == (ALL, NOTES)


async def test_a_note_that_is_over_goes_from_a_segment_that_holds_none_of_its_messages(app, sqlite_store):
    """A note is indexed when it is made: its messages may be in an older segment."""
    path = index_segment_path(HERE, 1)
    segment = Segment.decode((await sqlite_store.get(path)).data["payload"])
    later = Segment.build([m for m in segment.messages() if m.message_id > 20], segment.notes())
    await sqlite_store.update(path, {"payload": later.encode()})
    await forget_in_index(app.store, app.indexes, HERE, expired=START + 15 * MINUTE)
    assert await held(app) == (set(range(21, 31)), NOTES - {"1-10"})
