"""A member goes: by a few queries where only commands are stored, and not the message that tells of it."""

from datetime import timedelta

import pytest

from shared.application.delivery.lease import memory_of
from shared.application.documents import (
    chat_path,
)
from shared.application.forgetting.forget import erase_member
from tests.support.exports import NOW
from tests.support.forgetting.small_group import BOT, CHAT, HANNA, HOUR, TARAS, begun, left, put


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
