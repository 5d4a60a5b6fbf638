"""Changing what a chat chose. Each change is one field, made in a transaction beside the others, so that two admins at
once lose nothing; what is a change is noted with who made it, what is none is not, so repetition changes nothing."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from shared.application.app import App
from shared.application.chats.chat_codec import begun_fields, read_chat
from shared.application.chats.choice_codec import ChoiceLocation, Chosen, read_settings_log, settings_log_fields
from shared.application.documents import chat_path
from shared.application.ports.store import Document, DocumentStore, Transaction, Upsert
from shared.domain.errors import Contention

LOGGED = 20
"""Changes that are remembered."""


async def choose(app: App, chat_id: int, row: str, place: ChoiceLocation, value: Any, *, user_id: int) -> bool:
    """Store a choice, or (None) take it back; False when it was so already.

    It holds at once in this instance, and within a minute in others.

    Raises:
        Contention: The chat goes on under another id; the same update finds it there.
    """
    now = app.clock.now()

    async def apply(tx: Transaction) -> bool:
        document = await tx.get(chat_path(chat_id))
        chat, state = {} if document is None else document.data, read_chat(chat_id, document)
        if state.migrated_to is not None:
            raise Contention(f"chat {chat_id} goes on as {state.migrated_to}")
        stored = place.read(chat)
        if type(stored) is type(value) and stored == value:  # of another type it may be equal, and is no choice
            return False
        log = [*read_settings_log(chat), Chosen(user_id, row, now)][-LOGGED:]
        changes = {**place.changes(chat, value), **settings_log_fields(log)}
        tx.write(Upsert(chat_path(chat_id), {**begun_fields(chat_id), **changes}))
        return True

    try:
        return await app.store.transaction(apply)
    finally:
        app.chats.forget(chat_id)


def changes_of(chat: Mapping[str, Any]) -> list[Chosen]:
    """Return who changed what, the newest first."""
    return read_settings_log(chat)[::-1]


async def forget_chooser(store: DocumentStore, chat_id: int, user_id: int) -> bool:
    """Take a member out of what is remembered of changes; False when they were not there. Repeats harmlessly."""

    async def apply(tx: Transaction) -> bool:
        document = await tx.get(chat_path(chat_id))
        log = read_settings_log(document.data) if document is not None else []
        kept = [each for each in log if each.user_id != user_id]
        if len(kept) < len(log):
            tx.write(Upsert(chat_path(chat_id), settings_log_fields(kept)))
        return len(kept) < len(log)

    return await store.transaction(apply)


def choosers_in(chat: Document | None) -> frozenset[int]:
    """Return who is remembered of changes of a chat's settings."""
    return frozenset() if chat is None else frozenset(each.user_id for each in read_settings_log(chat.data))
