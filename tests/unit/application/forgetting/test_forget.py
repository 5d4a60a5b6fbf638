"""A member goes: by a few queries where only commands are stored, and not the message that tells of it."""

from dataclasses import replace
from datetime import timedelta

import pytest

from shared.application.conversation.tombstones import chat_tombstone
from shared.application.delivery.lease import memory_of
from shared.application.documents import (
    chat_path,
)
from shared.application.forgetting.forget import erase_member, forget_chat
from shared.application.forgetting.steps import SECOND_LOOK
from shared.application.recall.loading import load_corpus
from shared.application.recall.upkeep import index_chat
from tests.support.archive import archive, said
from tests.support.exports import NOW
from tests.support.forgetting.small_group import (
    BOT,
    CHAT,
    HANNA,
    HOUR,
    NEW,
    TARAS,
    Died,
    Dying,
    begun,
    left,
    put,
    state,
)


async def test_the_message_that_tells_how_it_goes_stays_in_telegram(app, sqlite_store):
    await begun(sqlite_store)
    await put(sqlite_store, 1)
    for number in (7, 8):
        await put(sqlite_store, number, user_id=BOT, is_bot=True, reply_to=1)
    await erase_member(app, CHAT, HANNA, shown=7)
    unsaid = [task.payload["message_ids"] for task in app.queue.tasks if "message_ids" in task.payload]
    assert unsaid == [[8]]
    assert await left(sqlite_store) == set()


@pytest.mark.parametrize(("minutes", "goes"), [(0, True), (1, False)])
async def test_who_only_gave_commands_is_forgotten_with_the_replies_and_their_choices(app, sqlite_store, minutes, goes):
    """By a few questions: so whoever chose something is named nowhere else."""
    chosen = [{"user_id": user_id, "row": "language", "at": NOW} for user_id in (HANNA, TARAS)]
    await begun(sqlite_store, settings_log=chosen)
    sent = NOW + timedelta(minutes=minutes)
    await put(sqlite_store, 1, "/gryadhelp", kind="command", sent_at=sent)
    await put(sqlite_store, 2, "told", user_id=BOT, is_bot=True, reply_to=1, sent_at=NOW + HOUR)
    erased = await erase_member(app, CHAT, HANNA, until=NOW)
    assert await left(sqlite_store) == (set() if goes else {1})
    assert erased.counts["messages"] == int(goes)
    assert erased.counts["answers_of_the_bot"] == 1
    assert (erased.looked_at, erased.scope.message_ids) == (3, frozenset({1} if goes else ()))
    assert (await sqlite_store.get(chat_path(CHAT))).data["settings_log"] == chosen[1:]
    assert (await memory_of(sqlite_store, CHAT)).erased_at == NOW


async def test_of_a_chat_nothing_is_left_but_who_opted_out(app, sqlite_store):
    await begun(sqlite_store, opted_out=[TARAS], opted_out_names=[f"{TARAS}:x"], culture_summary="x")
    for number in range(3):
        await put(sqlite_store, number)
    assert (await forget_chat(app, CHAT))["documents"] == 4
    assert (await sqlite_store.get(chat_path(CHAT))).data == {
        "schema": 1,
        "chat_id": CHAT,
        "opted_out": [TARAS],
        "opted_out_names": [f"{TARAS}:x"],
        "forgotten": True,
    }
    assert await left(sqlite_store) == set()
    assert (await sqlite_store.get(chat_tombstone(CHAT))).data["until"] == NOW
    (look,) = app.queue.tasks
    assert (look.payload["chat_id"], look.run_at) == (CHAT, NOW + SECOND_LOOK)


async def test_of_a_chat_in_which_nobody_opted_out_not_even_a_document_is_left(app, sqlite_store):
    await begun(sqlite_store)
    await app.chats.state(CHAT)
    await forget_chat(app, CHAT)
    assert await sqlite_store.get(chat_path(CHAT)) is None
    assert not (await app.chats.state(CHAT)).known


async def test_of_a_chat_that_moved_both_ids_are_forgotten(app, sqlite_store):
    await begun(sqlite_store, CHAT, migrated_to=NEW)
    await begun(sqlite_store, NEW, migrated_from=CHAT)
    for chat_id in (CHAT, NEW):
        await put(sqlite_store, 1, chat_id=chat_id)
        waits = {"chat_id": chat_id, "state": "waiting", "outbox": [{"text": "x"}]}
        await sqlite_store.set(f"updates/{chat_id}", waits)
    counts = await forget_chat(app, CHAT)
    assert (counts["documents"], counts["answers"]) == (4, 2)
    assert await left(sqlite_store) | await left(sqlite_store, NEW) == set()
    assert None not in await sqlite_store.get_many([chat_tombstone(CHAT), chat_tombstone(NEW)])
    assert {task.payload["chat_id"] for task in app.queue.tasks} == {CHAT, NEW}


async def test_of_a_chat_in_which_somebody_was_forgotten_their_hashes_are_left(app, sqlite_store):
    hearsay = [{"salt": "s", "people": []}]
    await begun(sqlite_store, hearsay=hearsay, culture_summary="x")
    await forget_chat(app, CHAT)
    left_of_it = (await sqlite_store.get(chat_path(CHAT))).data
    assert (left_of_it["hearsay"], left_of_it["forgotten"], left_of_it["opted_out"]) == (hearsay, True, [])
    assert "culture_summary" not in left_of_it


async def test_this_instance_holds_nothing_of_the_index_of_a_chat_that_was_forgotten(app, sqlite_store):
    await begun(sqlite_store, chunks=1)
    await archive(sqlite_store, [said(n, f"слово{n}", HANNA, chat_id=CHAT) for n in range(1, 11)])
    await index_chat(app, await state(sqlite_store))
    await load_corpus(app, await state(sqlite_store))
    assert app.indexes.get(CHAT) is not None
    await forget_chat(app, CHAT)
    assert app.indexes.get(CHAT) is None


async def test_letters_and_answers_of_a_chat_go_with_it_and_are_counted(app, sqlite_store):
    await begun(sqlite_store)
    for number in range(3):
        await sqlite_store.set(f"dead_letters/{number}", {"body": f'{{"chat": {{"id": {CHAT - number}}}}}'})
    counts = await forget_chat(app, CHAT)
    assert (counts["dead_letters"], counts["documents"]) == (1, 1)
    assert [letter.id for letter in await sqlite_store.query("dead_letters")] == ["1", "2"]


async def test_a_chat_that_is_being_forgotten_is_private_and_inactive_from_the_first_moment(app, sqlite_store):
    await begun(sqlite_store, active=True)
    await app.chats.state(CHAT)
    dying = replace(app, store=Dying(sqlite_store))
    with pytest.raises(Died):
        await forget_chat(dying, CHAT)
    chat = (await sqlite_store.get(chat_path(CHAT))).data
    assert (chat["private_mode"], chat["active"], chat["forgotten_at"]) == (True, False, NOW)
    assert (await app.chats.state(CHAT)).forgotten_at == NOW
