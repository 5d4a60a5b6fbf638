"""Messages as they are first stored."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Any

from shared.application.conversation.message_codec import message_fields, new_message
from shared.domain.conversation.messages import Message


def new_message_fields(
    message: Message, *, now: datetime, retention: timedelta, is_private: bool = False
) -> dict[str, Any]:
    """Return the document of a message as first stored (`new_message`)."""
    return message_fields(new_message(message, now=now, retention=retention, is_private=is_private))
