"""How it is kept what is in a sticker or an animation, once for all messages that carry it (`documents.media_path`)."""

from __future__ import annotations

from datetime import datetime
from typing import Any, NamedTuple

from shared.application.ports.store import Document
from shared.domain.conversation.messages import SCHEMA


class MediaDescription(NamedTuple):
    """What is in a file that is sent over and over.

    Attributes:
        text: What a model saw in it.
        kind: "sticker" or "animation".
        user_id, message_id: Whose it was when it was described, and in which message.
        made_at, expire_at: When it was described, and when that goes.
    """

    text: str
    kind: str
    user_id: int
    message_id: int
    made_at: datetime
    expire_at: datetime


def read_media_description(document: Document) -> MediaDescription:
    """Return what is kept of a file."""
    data = document.data
    return MediaDescription(
        text=data["text"],
        kind=data["kind"],
        user_id=data["user_id"],
        message_id=data["message_id"],
        made_at=data["made_at"],
        expire_at=data["expire_at"],
    )


def media_description_fields(description: MediaDescription) -> dict[str, Any]:
    """Inverse of `read_media_description`."""
    return {"schema": SCHEMA, **description._asdict()}
