"""What comes in late although it was forgotten: which of it goes, which stays, and what the look costs."""

from dataclasses import replace
from datetime import timedelta

import pytest

from shared.application.chats.chat_codec import ChatState
from shared.application.conversation.message_codec import new_message_fields
from shared.application.conversation.tombstones import chat_tombstone, lay
from shared.application.delivery.ledger_codec import LEASE
from shared.application.delivery.pace_codec import pace_write
from shared.application.documents import answer_path, chat_path, message_path, messages_path
from shared.application.forgetting.second_look import forget_again, forget_leftovers
from shared.domain.delivery.pace import Pace
from tests.support.builders import at, message
from tests.support.exports import app_on

CHAT, BOT, SECOND = -1001, 1, timedelta(seconds=1)
FORGOTTEN = at(100)


async def put(store, message_id, *, received=None, **more):
    said = message("so", message_id=message_id, **{"sent_at": at(1), "chat_id": CHAT} | more)
    fields = new_message_fields(said, now=received or said.sent_at, retention=timedelta(days=90))
    await store.set(message_path(CHAT, message_id), fields)


async def forgotten_chat(store, *, until=FORGOTTEN):
    await lay(store, [chat_tombstone(CHAT)], until=until)


async def ids(store):
    return {document.data["message_id"] for document in await store.query(messages_path(CHAT))}


async def test_of_a_chat_that_is_not_known_anew_what_is_older_goes_and_what_is_newer_stays(sqlite_store):
    await forgotten_chat(sqlite_store)
    await put(sqlite_store, 1, sent_at=FORGOTTEN)
    await put(sqlite_store, 2, sent_at=FORGOTTEN + SECOND)
    await sqlite_store.set(f"{chat_path(CHAT)}/facts/f", {"value": "x"})
    assert await forget_leftovers(sqlite_store, CHAT) == 1
    assert await ids(sqlite_store) == {2}
    assert await sqlite_store.get(f"{chat_path(CHAT)}/facts/f") is not None


async def test_where_no_message_is_left_all_that_was_made_goes_too(sqlite_store):
    await forgotten_chat(sqlite_store)
    await put(sqlite_store, 1, sent_at=FORGOTTEN)
    for name in ("facts/f", "facts/f/versions/1", "members/1"):
        await sqlite_store.set(f"{chat_path(CHAT)}/{name}", {"value": "x"})
    assert await forget_leftovers(sqlite_store, CHAT) == 4
    assert [document async for document in sqlite_store.subtree(chat_path(CHAT))] == []


async def test_a_chat_without_a_mark_or_known_anew_is_left_alone(sqlite_store):
    app = app_on(sqlite_store)
    await put(sqlite_store, 1)
    assert await forget_leftovers(app.store, CHAT) == 0
    await forgotten_chat(sqlite_store)
    await sqlite_store.set(chat_path(CHAT), {"schema": 1, "chat_id": CHAT, "type": "group", "title": ""})
    assert await forget_leftovers(app.store, CHAT) == 0
    assert await ids(sqlite_store) == {1}


async def test_that_a_new_memory_has_begun_is_told_by_one_message(sqlite_store):
    await forgotten_chat(sqlite_store)
    for number in range(1, 60):
        await put(sqlite_store, number, sent_at=FORGOTTEN + SECOND)
    before = sqlite_store.usage.reads
    await forget_leftovers(sqlite_store, CHAT)
    assert sqlite_store.usage.reads - before <= 5


def state(**more):
    return ChatState(CHAT, known=True, **{"forgotten_at": FORGOTTEN} | more)


@pytest.mark.parametrize(
    ("received", "goes"),
    [
        (FORGOTTEN, False),
        (FORGOTTEN + SECOND, True),
        (FORGOTTEN + LEASE, True),
        (FORGOTTEN + LEASE + SECOND, False),
    ],
)
@pytest.mark.parametrize("late", [timedelta(0), timedelta(minutes=10)], ids=["at once", "late"])
async def test_what_the_bot_said_while_it_was_erased_goes(sqlite_store, received, goes, late):
    app = unasked(sqlite_store)
    await sqlite_store.set(*pace_write(CHAT, Pace(erased_at=FORGOTTEN + late), now=FORGOTTEN))
    received = received + late if received > FORGOTTEN else received
    await put(sqlite_store, 5, received=received, sent_at=received, user_id=BOT, is_bot=True)
    await put(sqlite_store, 6, received=received, sent_at=received)
    assert await forget_again(app, state()) == int(goes)
    assert await ids(sqlite_store) == ({6} if goes else {5, 6})


def unasked(store):
    return replace(app_on(store), schedule=_Nobody(), queue=_Nobody())


class _Nobody:
    """Whom nobody need ask: what they would do is not looked at here."""

    async def enqueue(self, task):
        return True

    async def extraction_later(self, *args, **kwargs):
        return None


async def test_what_answers_under_way_were_given_goes_unless_it_was_said_before(sqlite_store):
    app = unasked(sqlite_store)
    made = {
        "1": FORGOTTEN - LEASE - SECOND,
        "2": FORGOTTEN - LEASE,
        "3": FORGOTTEN,
        "4": FORGOTTEN + LEASE,
        "5": FORGOTTEN + LEASE + SECOND,
        "6": FORGOTTEN,
        "say-7": FORGOTTEN,
        "8": FORGOTTEN,
    }
    for name, when in made.items():
        await sqlite_store.set(answer_path(CHAT, name), {"made_at": when, "facts": []})
    for number, answer, received in ((60, 6, FORGOTTEN), (70, "say-7", FORGOTTEN), (80, 8, FORGOTTEN + SECOND)):
        await put(sqlite_store, number, sent_at=received, user_id=BOT, is_bot=False)
        await sqlite_store.update(message_path(CHAT, number), {"answer": answer, "received_at": received})
    await forget_again(app, state())
    left = {document.id for document in await sqlite_store.query(f"{chat_path(CHAT)}/answers")}
    assert left == {"1", "5", "6", "say-7"}


async def test_where_nothing_was_forgotten_nothing_is_looked_at(sqlite_store):
    before = sqlite_store.usage.reads
    assert await forget_again(app_on(sqlite_store), state(forgotten_at=None)) == 0
    assert sqlite_store.usage.reads == before
