"""Local updates in the shape of the Bot API, so that they go through the same parser as Telegram's."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

_MARKED = re.compile(r"(?P<bot_command>\A/[A-Za-z0-9_]+(?:@[A-Za-z0-9_]+)?)|(?P<mention>(?<!\w)@[A-Za-z0-9_]{3,})")


@dataclass(frozen=True, slots=True)
class Person:
    """A speaker; a negative id is a chat that somebody speaks as."""

    user_id: int
    name: str
    username: str | None = None
    is_bot: bool = False

    def to_json(self) -> dict[str, Any]:
        """Return the Bot API's `User`."""
        user = {"id": self.user_id, "is_bot": self.is_bot, "first_name": self.name}
        return user if self.username is None else user | {"username": self.username}


@dataclass(frozen=True, slots=True)
class LocalChat:
    """A chat as the Bot API describes it."""

    chat_id: int
    type: str
    title: str
    is_forum: bool = False

    def to_json(self) -> dict[str, Any]:
        """Return the Bot API's `Chat`."""
        name = "first_name" if self.type == "private" else "title"
        chat = {"id": self.chat_id, "type": self.type, name: self.title}
        return chat | {"is_forum": True} if self.is_forum else chat


LOCAL_CHAT = LocalChat(-1001, "supergroup", "Spomyn")
"""The chat of typed and scripted messages."""

ANONYMOUS_ADMIN = Person(1087968824, "Group", "GroupAnonymousBot", is_bot=True)
CHANNEL_BOT = Person(136817688, "Channel", "Channel_Bot", is_bot=True)
"""The person whom the Bot API names as the sender where a chat is spoken for."""


def speaker_json(person: Person, chat: LocalChat) -> dict[str, Any]:
    """Return the fields of a `Message` that say who sent it."""
    if person.user_id >= 0:
        return {"from": person.to_json()}
    own = person.user_id == chat.chat_id
    sender = chat.to_json() if own else {"id": person.user_id, "type": "channel", "title": person.name}
    return {"from": (ANONYMOUS_ADMIN if own else CHANNEL_BOT).to_json(), "sender_chat": sender}


def text_json(text: str, *, caption: bool) -> dict[str, Any]:
    """Return a text with its command and mentions marked, or a caption; {} for no caption."""
    if caption:
        return {"caption": text, "caption_entities": _entities(text)} if text else {}
    return {"text": text, "entities": _entities(text)}


def button_update(update_id: int, person: Person, shown: Mapping[str, Any], data: str) -> dict[str, Any]:
    """Return an `Update` with a pressed button of the bot's message `shown`."""
    query = {"id": str(update_id), "from": person.to_json(), "chat_instance": str(shown["chat"]["id"])}
    return {"update_id": update_id, "callback_query": query | {"message": shown, "data": data}}


def reaction_update(
    update_id: int, chat: LocalChat, person: Person, message_id: int, at: datetime, old: str, new: str
) -> dict[str, Any]:
    """Return an `Update` with somebody's reaction; "" stands for none."""
    reaction = {
        "chat": chat.to_json(),
        "message_id": message_id,
        "user": person.to_json(),
        "date": int(at.timestamp()),
        "old_reaction": _reactions(old),
        "new_reaction": _reactions(new),
    }
    return {"update_id": update_id, "message_reaction": reaction}


def _reactions(emoji: str) -> list[dict[str, str]]:
    return [{"type": "emoji", "emoji": emoji}] if emoji else []


def member_update(update_id: int, chat: LocalChat, person: Person, at: datetime, old: str, new: str) -> dict[str, Any]:
    """Return an `Update` in which somebody's status in a group goes from `old` to `new`.

    Who comes or leaves does it themself; else it was an administrator who shows no name.
    """
    user = person.to_json()
    by = user if {old, new} == {"left", "member"} else ANONYMOUS_ADMIN.to_json()
    change = {"chat": chat.to_json(), "from": by, "date": int(at.timestamp())}
    change |= {"old_chat_member": _member(old, user), "new_chat_member": _member(new, user)}
    return {"update_id": update_id, "chat_member": change}


def _member(status: str, user: Mapping[str, Any]) -> dict[str, Any]:
    member = {"status": status, "user": user}
    if status == "kicked":
        return member | {"until_date": 0}
    if status == "administrator":
        return member | {"can_be_edited": False, "is_anonymous": False, "can_manage_chat": True}
    return member


def units(text: str) -> int:
    """Return a text's length as Telegram counts it, in UTF-16 units."""
    return len(text.encode("utf-16-le", "surrogatepass")) // 2


def _entities(text: str) -> list[dict[str, Any]]:
    """Return the command at the start and the mentions."""
    return [
        {"type": found.lastgroup, "offset": units(text[: found.start()]), "length": units(found[0])}
        for found in _MARKED.finditer(text)
    ]
