"""Telling by a few questions that only commands are stored of somebody: each trace alone says otherwise."""

from datetime import timedelta

import pytest

from shared.application.conversation.message_codec import ChunkState
from shared.application.documents import chat_path, member_path, message_path
from shared.application.forgetting.traces.presence import MOST_COMMANDS, begin_forgetting, end_forgetting, only_commands
from shared.application.forgetting.traces.scope import Scope
from tests.support.builders import at, message
from tests.support.exports import app_on
from tests.support.stores.messages import new_message_fields

CHAT, HANNA, BOT, OTHER = -1001, 104, 1, -1002
SCOPE = Scope(CHAT, HANNA, frozenset(), at(100))


async def put(store, message_id, *, fields=None, user_id=HANNA, **more):
    said = message("/gryadhelp", message_id=message_id, user_id=user_id, chat_id=CHAT, **{"kind": "command"} | more)
    stored = new_message_fields(said, now=at(1), retention=timedelta(days=90))
    await store.set(message_path(CHAT, message_id), stored | (fields or {}))


async def reply(store, message_id, to, *, fields=None, **more):
    more = {"user_id": BOT, "is_bot": True, "kind": "text"} | more
    await put(store, message_id, reply_to=to, fields=fields, **more)


async def found(store, scope=SCOPE):
    messages = await only_commands(store, scope)
    return None if messages is None else {message.message_id for message in messages.values()}


async def test_commands_and_what_the_bot_replied_are_all_that_there_is(sqlite_store):
    assert await found(sqlite_store) == set()
    for number in range(1, MOST_COMMANDS + 1):
        await put(sqlite_store, number, fields={"chunk": ChunkState.PRIVATE.value} if number == 1 else None)
        await reply(sqlite_store, 100 + number, number)
    assert await found(sqlite_store) == {1, 2, 3, 101, 102, 103}
    assert await found(sqlite_store, SCOPE._replace(user_id=None)) is None
    await put(sqlite_store, MOST_COMMANDS + 1)
    assert await found(sqlite_store) is None


SPEAKING, HERE = {"speakers": [HANNA], "first": 1}, f"chats/{CHAT}"
TRACES = {
    f"{HERE}/chunks/1-2": SPEAKING,
    f"{HERE}/metas/1-1-2": SPEAKING,
    f"{HERE}/episodes/1-2": SPEAKING,
    f"{HERE}/facts/f": {"people": [HANNA]},
    f"{HERE}/messages/200": {"people": [HANNA], "user_id": BOT},
    f"{HERE}/messages/201": {"reacted_by": [HANNA], "user_id": BOT},
    f"{HERE}/messages/202": {"origin_ids": [HANNA], "user_id": BOT},
    f"{HERE}/answers/1": {"people": [HANNA]},
    f"{HERE}/spending/x": {"user_id": HANNA},
    "dead_letters/1": {"people": [HANNA]},
    member_path(CHAT, HANNA): {"user_id": HANNA},
}


@pytest.mark.parametrize("path", TRACES)
async def test_any_trace_elsewhere_says_that_there_is_more(sqlite_store, path):
    await put(sqlite_store, 1)
    await sqlite_store.set(path, TRACES[path])
    assert await found(sqlite_store) is None
    assert await found(sqlite_store, SCOPE._replace(chat_id=OTHER)) == (None if path.startswith("dead") else set())


@pytest.mark.parametrize(
    "more", [{"kind": "text"}, {"fields": {"chunk": "1-10"}}, {"fields": {"answer": "7"}}], ids=["talk", "read", "made"]
)
async def test_a_message_that_is_no_unread_command_says_so_too(sqlite_store, more):
    await put(sqlite_store, 1)
    await put(sqlite_store, 2, **more)
    assert await found(sqlite_store) is None


@pytest.mark.parametrize(
    ("replies", "expected"),
    [
        ([{}], {1, 50}),
        ([{}, {}], {1, 50, 51}),
        ([{}, {}, {}], None),
        ([{"user_id": 102, "is_bot": False}], None),
        ([{"fields": {"answer": "7"}}], None),
    ],
)
async def test_of_replies_a_few_of_the_bots_that_no_memory_made_are_nothing_more(sqlite_store, replies, expected):
    await put(sqlite_store, 1)
    for number, more in enumerate(replies):
        await reply(sqlite_store, 50 + number, 1, **more)
    assert await found(sqlite_store) == expected


async def test_while_an_erasure_is_under_way_everything_is_searched(sqlite_store):
    app = app_on(sqlite_store)
    await put(sqlite_store, 1)
    await begin_forgetting(app.store, app.clock, CHAT, HANNA)
    await begin_forgetting(app.store, app.clock, CHAT, HANNA)  # once more, by the next run
    assert await only_commands(app.store, SCOPE) is None
    assert await only_commands(app.store, SCOPE._replace(user_id=HANNA + 1)) == {}
    await end_forgetting(app.store, CHAT, HANNA)
    assert await only_commands(app.store, SCOPE) is not None
    assert await sqlite_store.query("updates") == []


async def test_that_it_has_begun_is_known_for_longer_than_any_queue_tries(sqlite_store):
    app = app_on(sqlite_store)
    await begin_forgetting(app.store, app.clock, CHAT, HANNA)
    (mark,) = await sqlite_store.query("updates")
    assert mark.data["expire_at"] - app.clock.now() >= timedelta(days=14)
    assert str(HANNA) not in mark.id
    assert chat_path(CHAT) not in repr(mark)
