"""The index holds what may be found, in its newest words, and nothing else."""

from dataclasses import replace

import pytest

from shared.application.documents import chat_path, chunks_path, message_path
from shared.application.recall.loading import load_corpus
from shared.application.recall.upkeep import index_chat
from tests.support.archive import archive, chunk_document, group_state
from tests.support.group import CHAT
from tests.unit.application.recall.indexed import STATE, found, ids, index_documents, noted, talk


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
