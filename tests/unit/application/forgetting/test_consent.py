"""Opting out and in, in a store alone: what of the chat is taken away, put out of sight, or brought back."""

from dataclasses import replace
from datetime import timedelta

import pytest

from shared.application.chats.chat_codec import read_chat
from shared.application.chats.context_codec import context_path
from shared.application.consolidation.context_file_codec import ContextFile, context_file_fields
from shared.application.conversation.message_codec import ChunkState
from shared.application.documents import answer_path, chat_path, learning_path, message_path, messages_path
from shared.application.forgetting.consent import apply_consent, opt_in, opt_out
from shared.application.forgetting.steps import SECOND_LOOK
from shared.application.ports.store import Vector
from shared.application.reading.notes.embeddings import embed_missing, embed_range
from shared.application.recall.upkeep import index_chat
from shared.domain.conversation.messages import name_mark
from shared.domain.recall.index.segment import Segment
from tests.support.archive import chunk_document
from tests.support.builders import message
from tests.support.exports import CHAT, NOW, app_on
from tests.support.stores.messages import new_message_fields
from tests.unit.domain.consolidation.item_lists import item, quote

HANNA, TARAS, BOT = 104, 102, 1
HOUR, SECOND = timedelta(hours=1), timedelta(seconds=1)
PAYLOAD = {"chat_id": CHAT, "user_id": HANNA, "since": NOW.isoformat()}
SECRET = "quasars dance all night"
SPAN = {"first": 101, "last": 110, "first_at": NOW, "last_at": NOW}


class Asked:
    """Notes what is asked of the queue and of the schedule."""

    def __init__(self):
        self.tasks, self.extractions = [], []

    async def enqueue(self, task):
        self.tasks.append(task)
        return True

    async def extraction_later(self, chat_id, *, mark, run_at):
        self.extractions.append((chat_id, mark, run_at))


@pytest.fixture
async def app(sqlite_store):
    asked = Asked()
    await sqlite_store.set(chat_path(CHAT), {"schema": 1, "chat_id": CHAT, "type": "group", "title": "", "chunks": 1})
    return replace(app_on(sqlite_store), schedule=asked, queue=asked)


async def put(store, message_id, text="so it is", *, user_id=HANNA, fields=None, **more):
    more = {"sent_at": NOW - HOUR, "name": f"Член {user_id}"} | more
    said = message(text, message_id=message_id, user_id=user_id, chat_id=CHAT, **more)
    stored = new_message_fields(said, now=more["sent_at"], retention=timedelta(days=90))
    await store.set(message_path(CHAT, message_id), stored | (fields or {}))
    return said


async def left(store):
    return {document.data["message_id"] for document in await store.query(messages_path(CHAT))}


async def state(store):
    return read_chat(CHAT, await store.get(chat_path(CHAT)))


async def context_file_of(store, user_id):
    """CONTEXT.md with a line that rests on what somebody said."""
    line = item("dance at night", quotes=(quote("dance at night", user_id=user_id),), started_by=None, starter="")
    await store.set(context_path(CHAT), context_file_fields(ContextFile(1, "dance at night", (line,), updated_at=NOW)))


# --- the choice ------------------------------------------------------------------------------------


async def test_who_opts_out_is_noted_with_what_they_are_called_and_looked_after_twice(app, sqlite_store):
    assert await opt_out(app, CHAT, HANNA, name="Ганна")
    assert await opt_out(app, CHAT, TARAS)
    known = await state(sqlite_store)
    assert known.opted_out == {HANNA, TARAS}
    names = (await sqlite_store.get(chat_path(CHAT))).data["opted_out_names"]
    assert [(name.split(":")[0], name_mark("Ганна") in name) for name in names] == [(str(HANNA), True)]
    hers = [task for task in app.queue.tasks if task.payload["user_id"] == HANNA]
    assert [task.run_at - NOW for task in hers] == [5 * SECOND, SECOND_LOOK]
    assert len({task.name for task in app.queue.tasks}) == 4


async def test_context_md_loses_what_they_said_at_once_and_nothing_else(app, sqlite_store):
    for user_id, items in ((HANNA, 0), (TARAS, 1)):
        await context_file_of(sqlite_store, user_id)
        await opt_in(app, CHAT, HANNA)
        await opt_out(app, CHAT, HANNA)
        assert len((await sqlite_store.get(context_path(CHAT))).data["items"]) == items


async def test_who_opts_in_takes_along_their_own_names_alone(app, sqlite_store):
    for user_id, name in ((HANNA, "Ганна"), (TARAS, "Тарас")):
        await opt_out(app, CHAT, user_id, name=name)
    app.queue.tasks.clear()
    assert await opt_in(app, CHAT, HANNA)
    data = (await sqlite_store.get(chat_path(CHAT))).data
    assert data["opted_out"] == [TARAS]
    assert [name.split(":")[0] for name in data["opted_out_names"]] == [str(TARAS)]
    assert [task.run_at - NOW for task in app.queue.tasks] == [5 * SECOND]
    assert (await app.chats.state(CHAT)).opted_out == {TARAS}
    assert not await opt_in(app, CHAT, HANNA)


# --- what is taken away ----------------------------------------------------------------------------


async def test_what_was_stored_since_goes_and_what_was_said_before_stays(app, sqlite_store):
    await sqlite_store.update(chat_path(CHAT), {"opted_out": [HANNA]})
    await put(sqlite_store, 1)
    await put(sqlite_store, 2, sent_at=NOW)
    await put(sqlite_store, 3, sent_at=NOW + SECOND)
    await put(sqlite_store, 4, sent_at=NOW + SECOND, user_id=TARAS)
    assert await apply_consent(app, PAYLOAD) == {"taken_away": 1}
    assert await left(sqlite_store) == {1, 2, 4}
    assert await apply_consent(app, PAYLOAD) == {"taken_away": 0}
    assert (await sqlite_store.get(chat_path(CHAT))).data["last_active_at"] == NOW


async def test_an_instance_that_does_not_know_of_the_choice_reads_it_anew(app, sqlite_store):
    await put(sqlite_store, 3, sent_at=NOW + SECOND)
    await app.chats.state(CHAT)
    await sqlite_store.update(chat_path(CHAT), {"opted_out": [HANNA]})
    assert await apply_consent(app, PAYLOAD) == {"taken_away": 1}
    await sqlite_store.update(chat_path(CHAT), {"opted_out": []})
    assert await apply_consent(app, PAYLOAD) == {"brought_back": 0}


async def test_what_the_bot_retold_goes_with_what_it_was_made_from_but_not_what_they_were_told(app, sqlite_store):
    await sqlite_store.update(chat_path(CHAT), {"opted_out": [HANNA]})
    await put(sqlite_store, 1, SECRET)
    for number, text in ((7, SECRET), (8, "nothing at all"), (9, "you were told")):
        fields = {"answer": str(number)}
        await put(
            sqlite_store, number, text, user_id=BOT, is_bot=True, fields=fields, reply_to=1 if number == 9 else None
        )
        given = {"question": {"message_id": 5, "user_id": TARAS, "sent_at": NOW}, "made_at": NOW, "left_out": 0}
        given |= {"facts": [], "messages": [], "notes": [], "people": [TARAS]}
        await sqlite_store.set(answer_path(CHAT, number), given)
    for name, text, to in (("a", "they dance", 5), ("b", "they dance", 1), ("c", "they walk", 5)):
        waits = {"chat_id": CHAT, "state": "waiting", "outbox": [{"text": text}], "reply_to": to}
        await sqlite_store.set(f"updates/{name}", waits)
    await context_file_of(sqlite_store, HANNA)
    assert await apply_consent(app, PAYLOAD) == {"taken_away": 1}
    assert await left(sqlite_store) == {1, 8, 9}
    assert {d.id for d in await sqlite_store.query(f"{chat_path(CHAT)}/answers")} == {"8", "9"}
    assert (await sqlite_store.get(context_path(CHAT))).data["items"] == []


async def test_what_waits_and_retells_is_taken_back_unless_it_answers_them(app, sqlite_store):
    await sqlite_store.update(chat_path(CHAT), {"opted_out": [HANNA]})
    await put(sqlite_store, 1, SECRET)
    await put(sqlite_store, 2, "lasers shine all day")
    await put(sqlite_store, 3, "we say lasers shine, too", user_id=TARAS)
    waiting = (("a", "they dance", 5), ("b", "they dance", 1), ("c", "they walk", 5), ("d", "lasers shine", 5))
    for name, text, to in waiting:
        waits = {"chat_id": CHAT, "state": "waiting", "outbox": [{"text": text}], "reply_to": to}
        await sqlite_store.set(f"updates/{name}", waits)
    await apply_consent(app, PAYLOAD)
    assert {d.id for d in await sqlite_store.query("updates") if d.data.get("outbox")} == {"b", "c", "d"}


async def chunk(store, first, speakers, *, summary="nothing", **more):
    said = [
        await put(
            store, n, f"word{n} said", user_id=speakers[n % len(speakers)], fields={"chunk": f"{first}-{first + 9}"}
        )
        for n in range(first, first + 10)
    ]
    document = chunk_document(said, summary=summary, speakers=sorted(set(speakers)), **more)
    await store.set(document.path, document.data)
    return document.path


async def indexed(store):
    documents = [document async for document in store.subtree(chat_path(CHAT)) if "payload" in document.data]
    segments = [Segment.decode(document.data["payload"]) for document in documents]
    return {m.message_id for s in segments for m in s.messages()}, {note.id for s in segments for note in s.notes()}


async def test_notes_in_which_they_speak_leave_the_index_and_those_that_retell_are_emptied(app, sqlite_store):
    hers = await chunk(sqlite_store, 101, [HANNA, TARAS], summary="of both")
    retelling = await chunk(sqlite_store, 201, [TARAS], summary="word102 said word104")
    other = await chunk(sqlite_store, 301, [TARAS], summary="of Taras")
    far = await chunk(sqlite_store, 401, [TARAS], summary="far away")
    await put(sqlite_store, 305, "so", user_id=TARAS, reply_to=102, fields={"chunk": "301-310"})
    await index_chat(app, await state(sqlite_store))
    assert (await indexed(sqlite_store))[1] == {"101-110", "201-210", "301-310", "401-410"}
    await sqlite_store.update(chat_path(CHAT), {"opted_out": [HANNA]})
    await apply_consent(app, PAYLOAD)
    messages, notes = await indexed(sqlite_store)
    assert notes == set()
    assert 305 not in messages, "it quotes them, and is taken up again without"
    assert {101, 304, 306, 401} <= messages
    texts = [(await sqlite_store.get(path)).data["summary"] for path in (hers, retelling, other, far)]
    assert texts == ["of both", "", "", ""]  # of each later one the messages before its own are looked at
    assert [(chat_id, run_at) for chat_id, _, run_at in app.schedule.extractions] == [(CHAT, None)]


async def test_where_no_note_is_touched_nothing_is_read_anew(app, sqlite_store):
    await sqlite_store.update(chat_path(CHAT), {"opted_out": [HANNA]})
    await put(sqlite_store, 1)
    await apply_consent(app, PAYLOAD)
    assert app.schedule.extractions == []


# --- what is brought back --------------------------------------------------------------------------


async def test_notes_come_back_and_chunks_that_were_made_without_them_are_made_again(app, sqlite_store):
    with_her = await chunk(sqlite_store, 101, [HANNA, TARAS], indexed=True)
    without = await chunk(sqlite_store, 201, [TARAS], indexed=True)
    await put(sqlite_store, 205, "hers after all", fields={"chunk": "201-210"})
    untouched = await chunk(sqlite_store, 301, [TARAS], indexed=True)
    await put(sqlite_store, 305, "/gryadhelp", kind="command", fields={"chunk": "301-310"})
    await put(sqlite_store, 306, "", fields={"chunk": "301-310"})
    await put(sqlite_store, 307, "in private", fields={"chunk": ChunkState.PRIVATE.value})
    await put(sqlite_store, 308, "not read yet")
    await put(sqlite_store, 309, "of a chunk that is gone", fields={"chunk": "1-10"})
    episode = f"{chat_path(CHAT)}/episodes/101-110"
    await sqlite_store.set(episode, SPAN | {"speakers": [HANNA], "indexed": True})
    for subject in ("chat", f"user:{HANNA}", f"user:{TARAS}"):
        await sqlite_store.set(learning_path(CHAT, subject), {"summarized": True, "summary_of": "x"})
    before = {path: (await sqlite_store.get(path)).data for path in (with_her, without, untouched)}
    assert await apply_consent(app, PAYLOAD) == {"brought_back": 3}
    after = {path: (await sqlite_store.get(path)).data for path in (with_her, without, untouched, episode)}
    assert [after[path]["indexed"] for path in after] == [False, False, True, False]
    assert after[untouched] == before[untouched]
    assert after[with_her] == before[with_her] | {"indexed": False}
    assert after[without] != before[without] | {"indexed": False}, "it is marked to be made again"
    marks = [(await sqlite_store.get(learning_path(CHAT, s))).data for s in ("chat", f"user:{HANNA}", f"user:{TARAS}")]
    assert [(mark["summarized"], mark["summary_of"]) for mark in marks] == [(False, None), (False, None), (True, "x")]
    assert (await sqlite_store.get(f"{chat_path(CHAT)}/upkeep/derived")).data["stale"] == 1
    assert [(chat_id, run_at) for chat_id, _, run_at in app.schedule.extractions] == [(CHAT, None)]
    assert (await sqlite_store.get(chat_path(CHAT))).data["last_active_at"] == NOW


class Lengths:
    """An embedder that gives a text the vector of its length."""

    name = "lengths/2"

    async def embed(self, texts, *, query=False):
        return [Vector((1.0, len(text) / 100)) for text in texts]


async def test_vectors_that_were_made_while_they_were_out_are_made_again_with_theirs(store):
    await store.set(chat_path(CHAT), {"schema": 1, "chat_id": CHAT, "type": "group", "title": "", "chunks": 2})
    asked = Asked()
    app = replace(app_on(store), schedule=asked, queue=asked, embedder=Lengths())
    of_both = await chunk(store, 101, [HANNA, TARAS], summary="of both")
    of_taras = await chunk(store, 201, [TARAS], summary="of Taras")
    await embed_missing(app, await state(store), all_models=False)
    before = [note.data for note in await store.get_many([of_both, of_taras])]
    await store.update(chat_path(CHAT), {"opted_out": [HANNA]})
    await embed_range(store, app.embedder, await state(store), first=None, last=None)
    meanwhile = (await store.get(of_both)).data
    assert (meanwhile["embedding"], len(meanwhile["message_vectors"])) == (None, 5)
    await store.update(chat_path(CHAT), {"opted_out": []})
    assert await apply_consent(app, PAYLOAD) == {"brought_back": 1}
    assert (await store.get(of_taras)).data["embedding_model"] == "lengths/2", "what is as it was is not paid for again"
    assert (await store.get(f"{chat_path(CHAT)}/upkeep/derived")).data["waits"] == 1
    assert not await embed_missing(app, await state(store), all_models=False)
    assert [note.data for note in await store.get_many([of_both, of_taras])] == before


async def test_a_chunk_without_what_they_only_showed_is_made_again_too(app, sqlite_store):
    path = await chunk(sqlite_store, 201, [TARAS], indexed=True)
    await put(sqlite_store, 205, "", kind="photo", media_text="a red boat", fields={"chunk": "201-210"})
    assert await apply_consent(app, PAYLOAD) == {"brought_back": 1}
    assert (await sqlite_store.get(path)).data["stale"] is True


async def test_where_no_chunk_was_made_without_them_none_is_left_to_do(app, sqlite_store):
    await chunk(sqlite_store, 101, [HANNA, TARAS], indexed=True)
    assert await apply_consent(app, PAYLOAD) == {"brought_back": 1}
    assert await sqlite_store.get(f"{chat_path(CHAT)}/upkeep/derived") is None


async def test_however_many_notes_there_are_all_come_back(app, sqlite_store):
    for number in range(53):
        path = f"{chat_path(CHAT)}/episodes/{number}-{number}"
        await sqlite_store.set(path, SPAN | {"speakers": [HANNA], "indexed": True})
    assert await apply_consent(app, PAYLOAD) == {"brought_back": 53}
    episodes = await sqlite_store.query(f"{chat_path(CHAT)}/episodes")
    assert [d.data["indexed"] for d in episodes] == [False] * 53
