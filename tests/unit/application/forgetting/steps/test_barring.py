"""What is forgotten is neither stored again nor read by any task, from the first moment on."""

from dataclasses import replace

import pytest

from shared.application.conversation.message_codec import ChunkState
from shared.application.conversation.tombstones import member_tombstone, message_tombstone
from shared.application.delivery.pace_codec import pace_from, pace_path
from shared.application.documents import (
    chat_path,
    message_path,
)
from shared.application.forgetting.forget import forget_member, forget_messages
from tests.support.exports import NOW
from tests.support.forgetting.small_group import (
    BOT,
    CHAT,
    HANNA,
    HOUR,
    TARAS,
    Died,
    Dying,
    begun,
    left,
    put,
    state,
)


async def test_marks_are_laid_first_of_a_member_one_and_of_messages_each(app, sqlite_store):
    await begun(sqlite_store)
    await put(sqlite_store, 1)
    await put(sqlite_store, 2, user_id=TARAS)
    await put(sqlite_store, 3, "so it is told", user_id=BOT, is_bot=True, reply_to=1)
    await forget_member(app, CHAT, HANNA)
    marks = [member_tombstone(CHAT, HANNA), message_tombstone(CHAT, 3), message_tombstone(CHAT, 1)]
    member, reply, own = await sqlite_store.get_many(marks)
    assert (member.data["until"], reply is not None, own) == (NOW, True, None)
    assert (await state(sqlite_store)).forgotten_at == NOW
    await forget_messages(app, CHAT, [2])
    assert await sqlite_store.get(message_tombstone(CHAT, 2)) is not None
    assert await left(sqlite_store) == set()


async def test_that_something_was_forgotten_is_told_by_its_latest_instant(app, sqlite_store):
    await begun(sqlite_store, forgotten_at=NOW + HOUR)
    await put(sqlite_store, 1)
    await app.chats.state(CHAT)
    await forget_member(app, CHAT, HANNA)
    assert (await state(sqlite_store)).forgotten_at == NOW + HOUR
    await begun(sqlite_store, forgotten_at=NOW - HOUR)
    await put(sqlite_store, 2)
    await forget_member(app, CHAT, HANNA)
    assert (await app.chats.state(CHAT)).forgotten_at == NOW
    assert pace_from(await sqlite_store.get(pace_path(CHAT))).erased_at == NOW


async def test_a_chat_that_is_not_known_does_not_begin_by_being_forgotten_in(app, sqlite_store):
    await put(sqlite_store, 1)
    await forget_member(app, CHAT, HANNA)
    assert await sqlite_store.get(chat_path(CHAT)) is None
    assert await left(sqlite_store) == set()


async def test_from_the_first_moment_no_task_reads_what_is_being_forgotten(app, sqlite_store):
    await begun(sqlite_store)
    await put(sqlite_store, 1, fields={"chunk": "1-10", "rederive": True})
    await put(sqlite_store, 2, user_id=TARAS, fields={"chunk": "1-10", "rederive": True})
    with pytest.raises(Died):
        await forget_member(replace(app, store=Dying(sqlite_store)), CHAT, HANNA)
    hers, his = await sqlite_store.get_many([message_path(CHAT, 1), message_path(CHAT, 2)])
    assert (hers.data["chunk"], hers.data["rederive"]) == (ChunkState.PRIVATE.value, False)
    assert (his.data["chunk"], his.data["rederive"]) == ("1-10", True)
