"""Talk as roles and parts: a `[meta]` part first that says who speaks, then the text (conversation pattern seed).

What is written can be read back. Strings are JSON strings without a raw `[` or `<`:
nothing a member types or is called can look like a part of ours (law 12).
"""

from collections.abc import Mapping
from datetime import UTC, datetime

from shared.domain.answering.context.escaping import format_body
from shared.domain.conversation.messages import Message
from shared.domain.text.plain import quote_inline

EXCERPT = 80
"""Characters of the message replied to: enough to recognise it."""


def parts(message: Message, by_id: Mapping[int, Message]) -> tuple[str, str]:
    """Both parts of one turn; `by_id` holds the messages that may have been replied to."""
    replied = by_id.get(message.reply_to) if message.reply_to is not None else None
    return format_meta(message, replied), format_body(message, keep="\n\t")


def format_meta(message: Message, replied: Message | None) -> str:
    """One line: `[meta] chat_id=-100 message_id=12 user_id=7 name="Оля" time=2026-03-06T18:20Z`.

    A bot has no `user_id`; time is UTC, to the minute.

    Args:
        replied: The message that it replies to, when that is at hand.
    """
    fields: dict[str, int | str | datetime | None] = {
        "chat_id": message.chat_id,
        "thread_id": message.thread_id,
        "message_id": message.message_id,
        "user_id": None if message.is_bot else message.user_id,
        "name": message.name,
        "username": message.username or None,
        "time": message.sent_at.astimezone(UTC),
        "reply_to_message_id": message.reply_to,
        "reply_to_user_id": None if replied is None or replied.is_bot else replied.user_id,
        "reply_to_name": None if replied is None else replied.name,
        "reply_excerpt": None if replied is None else replied.text[:EXCERPT],
    }
    told = (f"{name}={_format_value(value)}" for name, value in fields.items() if value is not None)
    return f"[meta] {' '.join(told)}"


def _format_value(value: int | str | datetime) -> str:
    if isinstance(value, datetime):
        return f"{value:%Y-%m-%dT%H:%MZ}"
    return quote_inline(_join_surrogates(value)) if isinstance(value, str) else str(value)


def _join_surrogates(text: str) -> str:
    """Halves of one character beside each other become that character, as every reader of JSON takes them."""
    return text.encode("utf-16", "surrogatepass").decode("utf-16", "surrogatepass") if not text.isprintable() else text
