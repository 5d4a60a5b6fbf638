"""Vectors of chunks and their messages: made together, later, or not at all, and never of what has changed."""

from dataclasses import replace

import pytest

from shared.application.documents import chat_path, chunks_path, message_path
from shared.application.ports.store import Vector
from shared.application.reading.notes.embeddings import embed_chunks, embed_missing, embed_range
from shared.application.recall.note_codec import read_stored_note
from shared.application.spending.asking import Embedded
from shared.domain.errors import ModelUnavailable
from shared.domain.recall.index.vectors import find_vectors, pack_vectors
from tests.support.archive import archive, group_state, said
from tests.support.builders import message
from tests.support.exports import CHAT, app_on

STATE = group_state(CHAT)


class Counting:
    """An embedder that gives a text the vector of its length; `meanwhile` happens while it does."""

    name = "counting/2"

    def __init__(self, *, meanwhile=None, away=False):
        self.texts, self.meanwhile, self.away = [], meanwhile, away

    async def embed(self, texts, *, query=False):
        if self.away:
            raise ModelUnavailable("away")
        self.texts += texts
        if self.meanwhile is not None:
            await self.meanwhile()
        return [Vector((1.0, len(text) / 100)) for text in texts]


async def test_chunks_are_embedded_with_their_messages_in_one_request_and_equal_texts_once():
    embedder = Counting()
    parts = [[message("так", name="Оля"), message("так", name="Оля")], [message("так", name="Оля"), message(" ")]]
    first, second = await embed_chunks(embedder, ["підсумок", ""], parts)
    assert embedder.texts == ["підсумок", "Оля: так"]
    assert first.messages == second.messages == pack_vectors({"Оля: так": (1.0, 0.08)})
    assert (second.embedding, second.embedding_model) == (None, "counting/2")


@pytest.mark.parametrize("embedder", [None, Counting(away=True)], ids=["none", "away"])
async def test_without_an_embedder_vectors_are_due_later(embedder):
    made = await embed_chunks(embedder, ["підсумок"], [[message("так")]])
    assert made == [Embedded(None, None, ())]


@pytest.fixture
async def app(sqlite_store):
    """Twenty messages in two chunks without vectors."""
    app = app_on(sqlite_store)
    await sqlite_store.set(chat_path(CHAT), {"schema": 1, "chat_id": CHAT, "type": "group", "title": ""})
    await archive(sqlite_store, [said(n, f"слово{n} розмова", chat_id=CHAT) for n in range(1, 21)])
    return app


async def vectors_of(app, chunk):
    """Return which messages of a chunk have a vector in its document."""
    document = await app.store.get(f"{chunks_path(CHAT)}/{chunk}")
    note = read_stored_note(document)
    texts = {n: f"Член 101: слово{n} розмова" for n in note.message_ids}
    return sorted(find_vectors(note.embedded.messages, texts, "counting/2"))


async def test_what_has_no_vectors_gets_them_later_and_is_indexed_again(app):
    assert not await embed_missing(replace(app, embedder=Counting()), STATE, all_models=False)
    assert await vectors_of(app, "11-20") == list(range(11, 21))
    assert (await app.store.get(f"{chunks_path(CHAT)}/1-10")).data["indexed"] is False
    assert await embed_missing(replace(app, embedder=Counting()), STATE, all_models=False) is False


async def test_what_one_request_could_not_give_is_all_that_is_asked_for_again(app):
    await archive(app.store, [said(n, f"слово{n} розмова", chat_id=CHAT) for n in range(21, 121)])
    embedder = Counting()

    async def refuse_the_next():
        embedder.away = True

    embedder.meanwhile = refuse_the_next
    assert await embed_missing(replace(app, embedder=embedder), STATE, all_models=False) is True
    assert len(embedder.texts) == 9 * (1 + 10)
    embedder.away, embedder.meanwhile = False, None
    assert not await embed_missing(replace(app, embedder=embedder), STATE, all_models=False)
    assert len(embedder.texts) == 12 * (1 + 10)


async def test_what_is_regenerated_has_the_vectors_of_its_messages_of_whom_may_be_heard(app):
    await app.store.update(message_path(CHAT, 3), {"user_id": 104})
    heard = group_state(CHAT, opted_out=frozenset({104}))
    await app.chats.change(CHAT, {"opted_out": [104]})
    embedder = Counting()
    assert await embed_range(app.store, embedder, heard, first=None, last=10) == 1
    assert await vectors_of(app, "1-10") == [1, 2, *range(4, 11)]
    assert not any("слово3 " in text for text in embedder.texts if text.startswith("Член"))
    assert await vectors_of(app, "11-20") == []


async def test_vectors_of_what_was_forgotten_while_they_were_made_are_not_written(app):
    async def forget():
        await app.store.update(f"{chunks_path(CHAT)}/1-10", {"outdated": 1, "summary": ""})

    await app.store.update(f"{chunks_path(CHAT)}/1-10", {"summary": ""})
    await embed_range(app.store, Counting(meanwhile=forget), STATE, first=None, last=10)
    assert await vectors_of(app, "1-10") == []
