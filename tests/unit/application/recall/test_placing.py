"""Each message is in one segment, and no segment is empty."""

from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from shared.application.documents import chat_path, chunks_path, message_path
from shared.application.recall.head_codec import head_of
from shared.application.recall.loading import load_corpus
from shared.application.recall.placing import IndexChange
from shared.application.recall.upkeep import index_chat
from tests.support.archive import archive, chunk_document, group_state
from tests.support.builders import message
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
    assert by_kind["meta"].embedding == pytest.approx((0.6, 0.8), abs=0.01)
    assert notes.vector_model == "m/2"
