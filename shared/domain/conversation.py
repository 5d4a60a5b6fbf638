"""The conversation as the model sees it: roles, a `[meta]` part first, then the text (conversation pattern seed).

Nothing a member types can look like a meta part: names are JSON strings without a raw `[`, and every `[` of a text is
escaped (law 12).
"""

from __future__ import annotations

import re
from collections.abc import Mapping

from shared.domain.messages import Message
from shared.domain.text import inert, quoted

_META = re.compile(r"\[meta\].*$", re.MULTILINE | re.IGNORECASE)
_MARKERS = re.compile(r"\[(?:/?respond|meta|end)\]", re.IGNORECASE)


def meta_part(message: Message, *, replied: Message | None = None) -> str:
    """One line that says where, when and by whom a message was said."""
    fields = [f"chat_id={message.chat_id}"]
    if message.thread_id is not None:
        fields.append(f"thread_id={message.thread_id}")
    fields.append(f"message_id={message.message_id}")
    if not message.is_bot:
        fields.append(f"user_id={message.user_id}")
    fields.append(f"name={quoted(message.name)}")
    if message.username:
        fields.append(f"username={quoted(message.username)}")
    fields.append(f"time={message.sent_at:%Y-%m-%dT%H:%MZ}")
    fields += _reply_fields(message, replied)
    return "[meta] " + " ".join(fields)


def _reply_fields(message: Message, replied: Message | None) -> list[str]:
    if message.reply_to is None:
        return []
    fields = [f"reply_to_message_id={message.reply_to}"]
    if replied is not None:
        if not replied.is_bot:
            fields.append(f"reply_to_user_id={replied.user_id}")
        fields.append(f"reply_to_name={quoted(replied.name)}")
        fields.append(f"reply_excerpt={quoted(replied.text[:80])}")
    return fields


def text_part(message: Message) -> str:
    """The text with our markers made inert; media without words is named by kind."""
    if message.text:
        body = inert(message.text)
        return body if message.kind == "text" else f"[{message.kind}] {body}"
    return f"[{message.kind}]"


def parts(message: Message, by_id: Mapping[int, Message]) -> tuple[str, str]:
    """Both parts of one turn; `by_id` holds the messages that may have been replied to."""
    replied = by_id.get(message.reply_to) if message.reply_to is not None else None
    return meta_part(message, replied=replied), text_part(message)


def transcript(messages: list[Message]) -> str:
    """Messages as lines for an extraction prompt: `#id user:<id> "name": text`, one line each."""
    return "\n".join(
        f"#{m.message_id} {'bot' if m.is_bot else f'user:{m.user_id}'} {quoted(m.name)}: {quoted(m.text)}"
        for m in messages
    )


def clean_answer(text: str, *, bot_names: tuple[str, ...]) -> str:
    """What may be sent of a model's answer: no meta lines, no markers, no leading "name:"; may be empty."""
    body = _MARKERS.sub("", _META.sub("", text))
    names = "|".join(re.escape(name) for name in bot_names)
    body = re.sub(rf"\A\s*(?:{names})\s*:\s*", "", body, flags=re.IGNORECASE)
    return re.sub(r"\n{3,}", "\n\n", body).strip()
