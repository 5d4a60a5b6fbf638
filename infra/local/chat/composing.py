"""A member's message as the Bot API delivers it; what Telegram lets nobody write is refused."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import Any

from infra.local.chat.media import media_fields
from infra.local.chat.messenger import CHANGEABLE_FOR, Impossible, Messenger
from infra.local.chat.raw_updates import LocalChat, Person, speaker_json, text_json, units
from infra.local.script.steps import Origin, Say

_LONGEST = {"text": 4096, "caption": 1024}  # UTF-16 units
_INLINE_BOT = 7_000_000_000  # ids of inline bots, which nobody else has


def compose(
    messenger: Messenger, chat: LocalChat, said: Say, message_id: int, at: datetime, *, is_excerpt: bool
) -> dict[str, Any]:
    """Return a new `Message`.

    Args:
        is_excerpt: A reply may be to a message that is not there.

    Raises:
        Impossible: It replies to or quotes what is not there, or is too long.
    """
    replied = _compose_reply(messenger, chat, said, is_excerpt=is_excerpt)
    speaker = said.person if said.sender_chat is None else Person(said.sender_chat, said.person.name)
    message = {
        "message_id": message_id,
        "date": int(at.timestamp()),
        "chat": chat.to_json(),
        **speaker_json(speaker, chat),
        **_topic(chat, said.topic or (replied or {}).get("message_thread_id"), replied),
        **({} if said.media is None else media_fields(said.media, message_id)),
        **text_json(_check_text(said.text, "caption" if said.media else "text"), caption=said.media is not None),
    }
    if said.forwarded is not None:
        message["forward_origin"] = _origin(chat, said.forwarded, at)
    if said.external_reply is not None:
        message["external_reply"] = _external_reply(messenger, chat, said.external_reply, at)
    if said.quote is not None:
        message["quote"] = _quote(messenger, chat, said, replied)
    if said.via_bot is not None:
        message["via_bot"] = _inline_bot(said.via_bot).to_json()
    return message


def edit_message(message: Mapping[str, Any], person: Person, text: str, at: datetime) -> dict[str, Any]:
    """Return a `Message` as it stands once somebody changed its text or caption.

    Raises:
        Impossible: It is somebody else's, forwarded, too old, not changed, or has no words to change.
    """
    author, number = _author(message), message["message_id"]
    if author["id"] != person.user_id:
        raise Impossible(f"message {number} is {_name_of(author)}'s, and nobody edits what somebody else wrote")
    if "forward_origin" in message or "via_bot" in message:
        raise Impossible(f"message {number} is forwarded or of an inline bot, and cannot be edited")
    if "sticker" in message or "video_note" in message:
        raise Impossible(f"message {number} has neither text nor caption")
    if at.timestamp() - message["date"] > CHANGEABLE_FOR.total_seconds():
        raise Impossible(f"message {number} is older than 48 hours, and cannot be edited any more")
    words = "text" if "text" in message else "caption"
    if message.get(words, "") == text:
        raise Impossible(f"message {number} says this already")
    kept = {name: value for name, value in message.items() if name not in ("caption", "caption_entities")}
    new = text_json(_check_text(text, words), caption=words == "caption")
    return kept | new | {"edit_date": int(at.timestamp())}


def _check_text(text: str, kind: str) -> str:
    """Return a text that Telegram takes, as it takes it: without white space around it."""
    text = text.strip()
    if not text and kind == "text":
        raise Impossible("nobody sends an empty message")
    if units(text) > _LONGEST[kind]:
        raise Impossible(f"a {kind} has at most {_LONGEST[kind]} characters (UTF-16 units), this has {units(text)}")
    return text


def _compose_reply(messenger: Messenger, chat: LocalChat, said: Say, *, is_excerpt: bool) -> Mapping[str, Any] | None:
    if said.reply_to is None:
        return None
    replied = messenger.message(chat.chat_id, said.reply_to)
    if replied is None:
        if is_excerpt:
            return {"message_id": said.reply_to, "chat": chat.to_json()}
        raise Impossible(f"there is no message {said.reply_to} to reply to")
    thread = replied.get("message_thread_id")
    if said.topic is not None and thread != said.topic:
        where = "no topic" if thread is None else f"topic {thread}"
        raise Impossible(f'message {said.reply_to} stands in {where}; from another one it is an "external_reply"')
    return replied


def _topic(chat: LocalChat, topic: int | None, replied: Mapping[str, Any] | None) -> dict[str, Any]:
    """Return what tells the topic and the reply. What replies to nothing "replies" to what opened its topic."""
    reply = {} if replied is None else {"reply_to_message": _strip_reply(replied)}
    if topic is None:
        return reply
    opened = {"message_id": topic, "chat": chat.to_json(), "date": 0, "message_thread_id": topic}
    opened |= {"forum_topic_created": {"name": f"Topic {topic}", "icon_color": 7322096}, "is_topic_message": True}
    return {"message_thread_id": topic, "is_topic_message": True, "reply_to_message": opened, **reply}


def _strip_reply(message: Mapping[str, Any]) -> dict[str, Any]:
    """Return a message as it stands inside another one: without what it replies to itself."""
    inner = ("reply_to_message", "external_reply", "quote")
    return {name: value for name, value in message.items() if name not in inner}


def _quote(messenger: Messenger, chat: LocalChat, said: Say, replied: Mapping[str, Any] | None) -> dict[str, Any]:
    words, external = said.quote or "", said.external_reply
    if external is not None and external.chat_id is None and external.message_id is not None:
        replied = messenger.message(chat.chat_id, external.message_id)
    if replied is None:  # of another chat
        return {"text": words, "position": 0, "is_manual": True}
    text = replied.get("text") or replied.get("caption") or ""
    before, found, _ = text.partition(words)
    if not found:
        raise Impossible(f'message {replied["message_id"]} does not say "{words[:60]}", so it cannot be quoted')
    return {"text": words, "position": units(before), "is_manual": True}


def _external_reply(messenger: Messenger, chat: LocalChat, origin: Origin, at: datetime) -> dict[str, Any]:
    told: dict[str, Any] = {}
    if origin.message_id is not None:
        where = chat if origin.chat_id in (None, chat.chat_id) else LocalChat(origin.chat_id or 0, "supergroup", "?")
        told = {"chat": where.to_json(), "message_id": origin.message_id}
    return {"origin": _origin(chat, _name_author(messenger, chat, origin), at), **told}


def _name_author(messenger: Messenger, chat: LocalChat, origin: Origin) -> Origin:
    """Return an origin with its author, where it names a message of this chat alone."""
    if origin.hidden or origin.message_id is None or origin.chat_id not in (None, chat.chat_id):
        return origin
    message = messenger.message(chat.chat_id, origin.message_id)
    if message is None:
        raise Impossible(f"there is no message {origin.message_id} to reply to")
    author = _author(message)
    person = Person(author["id"], _name_of(author), author.get("username"), author.get("is_bot", False))
    if origin.person is not None and origin.person.user_id != person.user_id:
        raise Impossible(f"message {origin.message_id} is {person.name}'s, not {origin.person.name}'s")
    return Origin(person, origin.hidden, origin.message_id, date=origin.date)


def _origin(chat: LocalChat, origin: Origin, at: datetime) -> dict[str, Any]:
    """Return a `MessageOrigin`."""
    person, date = origin.person, {"date": int((origin.date or at).timestamp())}
    if person is None:
        raise Impossible("nobody is named whose words they are")
    if origin.hidden:
        return {"type": "hidden_user", "sender_user_name": person.name, **date}
    if person.user_id > 0:
        return {"type": "user", "sender_user": person.to_json(), **date}
    if person.user_id == chat.chat_id:
        return {"type": "chat", "sender_chat": chat.to_json(), **date}
    channel = {"id": person.user_id, "type": "channel", "title": person.name}
    return {"type": "channel", "chat": channel, "message_id": origin.message_id or 1, **date}


def _inline_bot(username: str) -> Person:
    number = int.from_bytes(username.lower().encode()[:4].ljust(4), "big")
    return Person(_INLINE_BOT + number, username, username, is_bot=True)


def _author(message: Mapping[str, Any]) -> Mapping[str, Any]:
    """Return the `Chat` that a message is spoken for, else the `User`."""
    author: Mapping[str, Any] = message.get("sender_chat") or message["from"]
    return author


def _name_of(author: Mapping[str, Any]) -> str:
    return str(author.get("first_name") or author.get("title") or author["id"])
