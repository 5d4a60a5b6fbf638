"""Hundreds of valid, odd and broken updates over HTTP: never a 5xx, and each of them is accounted for."""

import asyncio
import hashlib

from infra.telegram.updates import decode_update, parse_update
from shared.application.documents import chat_path, message_path
from shared.domain.errors import UnparseableUpdate
from shared.domain.intake.updates import (
    ButtonPressed,
    ChatMigratedTo,
    MembershipChanged,
    MessageEdited,
    MessageReceived,
)
from tests.support.group import running_group
from tests.support.updates import generate_updates

SEED, COUNT, AT_ONCE = 20261121, 3000, 6
"""Three thousand reach no further line of the product; the parser alone is given thousands in its own tests."""


def meaning(body):
    try:
        return parse_update(decode_update(body))
    except UnparseableUpdate:
        return None


async def post_all(group, bodies):
    """The statuses that came."""
    gate = asyncio.Semaphore(AT_ONCE)

    async def post(body):
        async with gate:
            return await group.deliver(body)

    return set(await asyncio.gather(*map(post, bodies)))


async def everything(store):
    """Every document by its path."""
    chats = await store.query("chats")
    top = [*chats, *await store.query("updates"), *await store.query("dead_letters")]
    below = [document for chat in chats async for document in store.subtree(chat.path)]
    return {document.path: document.data for document in [*top, *below]}


async def test_whatever_comes_is_stored_ignored_or_recorded_and_never_fails(sqlite_store):
    bodies = generate_updates(SEED, COUNT)
    updates = [meaning(body) for body in bodies]
    said = [u for u in updates if isinstance(u, MessageReceived | MessageEdited)]
    async with running_group(sqlite_store) as group:
        for update in updates:
            if isinstance(update, MessageReceived | MessageEdited | MembershipChanged):
                group.api.add_chat(update.chat.chat_id, update.chat.type)
        assert await post_all(group, bodies) == {200}

        unread = {hashlib.sha256(b).hexdigest()[:32] for b, u in zip(bodies, updates, strict=True) if u is None}
        assert len(unread) > COUNT // 10
        found = await everything(sqlite_store)
        assert dead_letters(found) == {f"dead_letters/update-{digest}" for digest in unread}
        own = {message_path(sent.chat_id, sent.message_id) for sent in group.api.sent}
        assert own
        assert messages(found) == own | {message_path(u.message.chat_id, u.message.message_id) for u in said}
        pressed = {u.callback_id for u in updates if isinstance(u, ButtonPressed)}
        calls = {c.params["callback_query_id"] for c in group.api.calls if c.method == "answerCallbackQuery"}
        assert calls == pressed
        moved = {u.old_chat_id: u.new_chat_id for u in updates if isinstance(u, ChatMigratedTo)}
        assert {old: found[chat_path(old)]["migrated_to"] for old in moved} == moved

        sent = len(group.api.sent)
        assert await post_all(group, bodies) == {200}
        assert await everything(sqlite_store) == found
        assert len(group.api.sent) == sent


def dead_letters(found):
    return {path for path in found if path.startswith("dead_letters/")}


def messages(found):
    return {path for path in found if "/messages/" in path}
