"""Forgets what came in although it was forgotten.

An instance that did not know yet may have stored it, an import may have brought it, or the bot sent it meanwhile.
"""

from __future__ import annotations

from collections.abc import Collection
from datetime import datetime, timedelta

from shared.application.answering.answer_codec import made_between
from shared.application.app import App
from shared.application.chats.chat_codec import ChatState, read_chat
from shared.application.conversation.message_codec import StoredMessage, read_message
from shared.application.conversation.message_queries import BY_RECEIVED_AT, received_since, sent_for, sent_until
from shared.application.conversation.tombstone_codec import read_tombstone
from shared.application.conversation.tombstones import chat_tombstone, forgotten_among, member_tombstone
from shared.application.delivery.ledger_codec import LEASE
from shared.application.delivery.pace_codec import pace_from, pace_path
from shared.application.documents import chat_path, messages_path
from shared.application.forgetting.bulk import delete_all, each_document
from shared.application.forgetting.forget import forget_member, forget_messages
from shared.application.forgetting.traces.walk import collection_of
from shared.application.ports.store import DocumentStore

_BEFORE = timedelta(minutes=5)
"""Clocks of instances differ by less."""

_AT_ONCE = 300


async def forget_again(app: App, state: ChatState, *, since: datetime | None = None) -> int:
    """Forget what is stored and should not be, and return how many messages that were.

    Those are messages with a tombstone, and what the bot said while something was being forgotten.

    Args:
        since: Only what was stored after this (less some minutes, as clocks differ); None looks at everything, as after
            an import.
    """
    if state.forgotten_at is None:
        return 0
    ended = await _end_of_forgetting(app.store, state.chat_id, state.forgotten_at)
    await _forget_what_was_given(app.store, state.chat_id, state.forgotten_at, ended)
    where = [] if since is None else [received_since(since - _BEFORE)]
    gone: dict[int, int] = {}
    page: list[StoredMessage] = []
    stored = each_document(app.store, messages_path(state.chat_id), where=where, order_by=[BY_RECEIVED_AT])
    async for document in stored:
        page.append(read_message(document))
        if len(page) == _AT_ONCE:
            gone |= await _find_forgotten(app.store, page, state.forgotten_at, ended)
            page = []
    gone |= await _find_forgotten(app.store, page, state.forgotten_at, ended)
    if gone:
        await forget_messages(app, state.chat_id, gone)
        await _forget_members(
            app, state.chat_id, {user_id for user_id in gone.values() if user_id != app.policy.bot_id}
        )
    return len(gone)


async def _end_of_forgetting(store: DocumentStore, chat_id: int, at: datetime) -> datetime:
    """Return when what was to be forgotten at an instant was erased: the task may come late, or again."""
    erased_at = pace_from(await store.get(pace_path(chat_id))).erased_at
    return at if erased_at is None else max(at, erased_at)


async def _forget_what_was_given(store: DocumentStore, chat_id: int, at: datetime, ended: datetime) -> None:
    """Delete what those answers were made from that were under way while something was forgotten, sent or not.

    Of answers that were sent before, the forgetting itself judged what they were made from.
    """
    found = await store.query(f"{chat_path(chat_id)}/answers", where=made_between(at - LEASE, ended + LEASE))
    await delete_all(store, [d.path for d in found if not await _was_sent(store, chat_id, d.id, before=at)])


async def _was_sent(store: DocumentStore, chat_id: int, answer: str, *, before: datetime) -> bool:
    said = await store.query(messages_path(chat_id), where=[sent_for(answer)])
    return any(read_message(document).received_at <= before for document in said)


async def forget_leftovers(store: DocumentStore, chat_id: int) -> int:
    """Delete what came into a chat that was forgotten as a whole and is not known anew; return how many documents.

    What was said since the forgetting is the beginning of a new memory and stays.
    """
    mark = await store.get(chat_tombstone(chat_id))
    if mark is None or read_chat(chat_id, await store.get(chat_path(chat_id))).known:
        return 0
    late = [sent_until(read_tombstone(mark).until)]
    gone = await delete_all(store, [d.path for d in await store.query(messages_path(chat_id), where=late)])
    if await store.query(messages_path(chat_id), limit=1):
        return gone
    made = [d.path async for d in store.subtree(chat_path(chat_id)) if collection_of(d) != "messages"]
    return gone + await delete_all(store, made)


async def _find_forgotten(
    store: DocumentStore, page: Collection[StoredMessage], at: datetime, ended: datetime
) -> dict[int, int]:
    """Return the ids of messages that must go, with those of their authors."""
    old = [stored.message for stored in page if stored.message.sent_at <= at]
    # What the bot said in answer to what it still knew.
    meanwhile = {s.message.message_id for s in page if s.message.is_bot and at < s.received_at <= ended + LEASE}
    gone = meanwhile | (await forgotten_among(store, old) if old else set())
    return {s.message.message_id: s.message.user_id for s in page if s.message.message_id in gone}


async def _forget_members(app: App, chat_id: int, user_ids: Collection[int]) -> None:
    """Forget again what tasks may have noted of those whose messages came back, alone or with the whole chat."""
    paths = [member_tombstone(chat_id, user_id) for user_id in user_ids]
    *marks, whole = await app.store.get_many([*paths, chat_tombstone(chat_id)])
    for user_id, mark in zip(user_ids, marks, strict=True):
        if until := max((read_tombstone(each).until for each in (mark, whole) if each is not None), default=None):
            await forget_member(app, chat_id, user_id, until=until)
