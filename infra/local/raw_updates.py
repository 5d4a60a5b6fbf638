"""Local messages in the shape of the Bot API, so that they go through the same parser as Telegram's."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from typing import Any

_MARKED = re.compile(r"(?P<bot_command>\A/[A-Za-z0-9_]+(?:@[A-Za-z0-9_]+)?)|(?P<mention>(?<!\w)@[A-Za-z0-9_]{3,})")


@dataclass(frozen=True, slots=True)
class Person:
    """Who speaks; a negative id is a chat that somebody speaks as."""

    user_id: int
    name: str
    username: str | None = None
    is_bot: bool = False


@dataclass(frozen=True, slots=True)
class LocalChat:
    """A chat as the Bot API describes it."""

    chat_id: int
    type: str
    title: str

    def to_json(self) -> dict[str, Any]:
        """The Bot API's `Chat`."""
        name = "first_name" if self.type == "private" else "title"
        return {"id": self.chat_id, "type": self.type, name: self.title}


@dataclass(frozen=True, slots=True)
class Entry:
    """One message to deliver; without an id of its own it gets the chat's next."""

    message_id: int | None
    date: datetime
    person: Person
    text: str
    is_admin: bool = False
    reply_to: int | None = None
    forwarded: bool = False


def message_update(
    update_id: int, chat: LocalChat, message_id: int, entry: Entry, replied: Person | None
) -> dict[str, Any]:
    """An `Update` with a new message; `replied` wrote the message that it replies to, None when that is unknown."""
    message: dict[str, Any] = {
        "message_id": message_id,
        "date": int(entry.date.timestamp()),
        "chat": chat.to_json(),
        "text": entry.text,
        "entities": _entities(entry.text),
        **_speaker(entry.person, chat),
    }
    if entry.reply_to is not None:
        author = {} if replied is None else _speaker(replied, chat)
        message["reply_to_message"] = {"message_id": entry.reply_to, "chat": chat.to_json(), **author}
    if entry.forwarded:
        message["forward_origin"] = {"type": "hidden_user", "date": message["date"], "sender_user_name": "?"}
    return {"update_id": update_id, "message": message}


def button_update(
    update_id: int, chat: LocalChat, person: Person, message_id: int, data: str, at: datetime, *, offered: Iterable[str]
) -> dict[str, Any]:
    """An `Update` with a pressed button under a message of the bot that offers buttons with these data."""
    keyboard = [[{"text": "?", "callback_data": each} for each in offered]]
    message = {"message_id": message_id, "date": int(at.timestamp()), "chat": chat.to_json()}
    message["reply_markup"] = {"inline_keyboard": keyboard}
    query = {"id": str(update_id), "from": _user(person), "message": message, "data": data}
    return {"update_id": update_id, "callback_query": query}


def _speaker(person: Person, chat: LocalChat) -> dict[str, Any]:
    if person.user_id >= 0:
        return {"from": _user(person)}
    kind = chat.type if person.user_id == chat.chat_id else "channel"
    return {"sender_chat": {"id": person.user_id, "type": kind, "title": person.name}}


def _user(person: Person) -> dict[str, Any]:
    user = {"id": person.user_id, "is_bot": person.is_bot, "first_name": person.name}
    return user if person.username is None else user | {"username": person.username}


def _entities(text: str) -> list[dict[str, Any]]:
    """The command at the start and the mentions, measured in UTF-16 units."""
    return [
        {"type": found.lastgroup, "offset": _units(text[: found.start()]), "length": _units(found[0])}
        for found in _MARKED.finditer(text)
    ]


def _units(text: str) -> int:
    return len(text.encode("utf-16-le", "surrogatepass")) // 2
