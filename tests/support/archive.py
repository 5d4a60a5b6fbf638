"""A chat's past, written as extraction leaves it: messages with their chunks, not indexed yet."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from typing import Any

from shared.application.chats.chat_codec import ChatState
from shared.application.documents import chunks_path, message_path
from shared.application.ports.store import Document, DocumentStore, Set
from shared.domain.conversation.messages import SCHEMA, Message
from tests.support.stores.messages import new_message_fields

START = datetime(2026, 11, 1, 9, 0, tzinfo=UTC)
RETENTION = timedelta(days=90)
SIZE = 10


def said(message_id: int, text: str, user_id: int = 101, *, chat_id: int, **more: Any) -> Message:
    """A message a minute after the one before."""
    more = {"sent_at": START + timedelta(minutes=message_id), "name": f"Член {user_id}", **more}
    return Message(chat_id, message_id, user_id=user_id, text=text, **more)


def chunk_document(messages: Sequence[Message], **more: Any) -> Document:
    """The chunk of some messages; its summary repeats their first words."""
    first, last = messages[0], messages[-1]
    fields = {
        "schema": SCHEMA,
        "first": first.message_id,
        "last": last.message_id,
        "first_at": first.sent_at,
        "last_at": last.sent_at,
        "message_ids": [message.message_id for message in messages],
        "summary": " ".join(message.text.split()[0] for message in messages if message.text.split()),
        "episodic": "",
        "embedding": None,
        "embedding_model": None,
        "indexed": False,
        **more,
    }
    return Document(f"{chunks_path(first.chat_id)}/{first.message_id}-{last.message_id}", fields)


async def archive(store: DocumentStore, messages: Sequence[Message], **more: Any) -> None:
    """Store messages in chunks of ten, in order."""
    for start in range(0, len(messages), SIZE * 40):
        writes: list[Set] = []
        for at in range(start, min(start + SIZE * 40, len(messages)), SIZE):
            chunk = chunk_document(messages[at : at + SIZE], **more)
            writes.append(Set(*chunk))
            for message in messages[at : at + SIZE]:
                fields = new_message_fields(message, now=message.sent_at, retention=RETENTION) | {"chunk": chunk.id}
                writes.append(Set(message_path(message.chat_id, message.message_id), fields))
        await store.batch(writes)


async def leave(store: DocumentStore, messages: Sequence[Message]) -> None:
    """Store messages that are in no chunk yet."""
    for message in messages:
        fields = new_message_fields(message, now=message.sent_at, retention=RETENTION)
        await store.set(message_path(message.chat_id, message.message_id), fields)


def group_state(chat_id: int, **more: Any) -> ChatState:
    """A known group."""
    return ChatState(chat_id, known=True, type="supergroup", **more)
