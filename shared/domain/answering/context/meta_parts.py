"""Talk as roles and parts: a `[meta]` part first that says who speaks, then the text (conversation pattern seed).

What is written can be read back. Strings are JSON strings without a raw `[` or `<`:
nothing a member types or is called can look like a part of ours (law 12).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime

from shared.domain.answering.context.body import body_of, format_body
from shared.domain.conversation.messages import Message
from shared.domain.text.plain import quote_inline

EXCERPT = 80
"""Characters of the message replied to: enough to recognise it."""

_PREFIX = "[meta] "
_MINUTE = "%Y-%m-%dT%H:%MZ"


@dataclass(frozen=True, slots=True)
class Meta:
    """Where, when and by whom a message was said.

    Attributes:
        user_id: None for the bot itself and other bots.
        time: UTC, to the minute.
        reply_to_user_id, reply_to_name, reply_excerpt: None when the message replied to is not at hand.
    """

    chat_id: int
    message_id: int
    name: str
    time: datetime
    thread_id: int | None = None
    user_id: int | None = None
    username: str | None = None
    reply_to_message_id: int | None = None
    reply_to_user_id: int | None = None
    reply_to_name: str | None = None
    reply_excerpt: str | None = None


_ORDER = ("chat_id", "thread_id", "message_id", "user_id", "name", "username", "time")
_REPLY = ("reply_to_message_id", "reply_to_user_id", "reply_to_name", "reply_excerpt")


def meta_of(message: Message, *, replied: Message | None = None) -> Meta:
    """Return what is told of a message; `replied` is the one it replies to, when it is at hand."""
    return Meta(
        chat_id=message.chat_id,
        message_id=message.message_id,
        name=_whole(message.name),
        time=message.sent_at.astimezone(UTC).replace(second=0, microsecond=0),
        thread_id=message.thread_id,
        user_id=None if message.is_bot else message.user_id,
        username=_whole(message.username or "") or None,
        reply_to_message_id=message.reply_to,
        reply_to_user_id=None if replied is None or replied.is_bot else replied.user_id,
        reply_to_name=None if replied is None else _whole(replied.name),
        reply_excerpt=None if replied is None else _whole(replied.text[:EXCERPT]),
    )


def format_meta(meta: Meta) -> str:
    """One line: `[meta] chat_id=-100 message_id=12 user_id=7 name="Оля" time=2026-03-06T18:20Z`."""
    values = ((name, getattr(meta, name)) for name in (*_ORDER, *_REPLY))
    return _PREFIX + " ".join(f"{name}={_format_value(value)}" for name, value in values if value is not None)


def parts(message: Message, by_id: Mapping[int, Message]) -> tuple[str, str]:
    """Both parts of one turn; `by_id` holds the messages that may have been replied to."""
    replied = by_id.get(message.reply_to) if message.reply_to is not None else None
    return format_meta(meta_of(message, replied=replied)), text_part(message)


def text_part(message: Message) -> str:
    """Return what was said as data, in as many lines as it was; never empty."""
    return format_body(body_of(message), keep="\n\t")


def _whole(text: str) -> str:
    """Halves of one character beside each other become that character, as every reader of JSON takes them."""
    return text.encode("utf-16", "surrogatepass").decode("utf-16", "surrogatepass") if not text.isprintable() else text


def _format_value(value: int | str | datetime) -> str:
    if isinstance(value, datetime):
        return value.strftime(_MINUTE)
    return quote_inline(value) if isinstance(value, str) else str(value)
