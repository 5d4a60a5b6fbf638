"""The part of a chat's document that operators see when they list chats, just as it is stored."""

from datetime import datetime
from typing import NamedTuple

from shared.application.chats.chat_codec import LAST_ACTIVE_AT
from shared.application.ports.store import Document, Filter, Order

ACTIVE = Filter("active", "==", value=True)
"""Chats that the bot is in."""

LATEST_FIRST = Order(LAST_ACTIVE_AT, descending=True)
"""The chats whose memory changed last first; those of which nothing was learnt yet are left out."""


class ChatAbout(NamedTuple):
    """A chat as it is listed; each field is None where the document has none.

    Attributes:
        language: What is spoken; the admins' choice is not looked at.
        active: Whether the bot is in the chat; one of which nothing is noted counts as active.
        inactive_reason: Why it is not.
    """

    title: str | None
    type: str | None
    language: str | None
    active: bool | None
    migrated_to: int | None
    last_active_at: datetime | None
    inactive_reason: str | None


def read_about(document: Document) -> ChatAbout:
    """Read what is listed of a chat."""
    return ChatAbout(*(document.data.get(name) for name in ChatAbout._fields))


def read_schema(document: Document) -> int | None:
    """Return the number of the schema that a document is of, or None."""
    schema: int | None = document.data.get("schema")
    return schema
