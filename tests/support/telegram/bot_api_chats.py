"""The chats of the fake Bot API: who is in them, and what the bot said there."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, field
from typing import Any

from tests.support.telegram.bot_api_files import SentFile
from tests.support.telegram.bot_api_rules import Buttons, bad, description

FIRST_DATE = 1_790_000_000


@dataclass(slots=True)
class Numbering:
    """One sequence of message ids: of a supergroup for members and bots, or the bot's own for all its other chats."""

    next_id: int = 1

    def take(self) -> int:
        """The id of the next message."""
        self.keep(self.next_id)
        return self.next_id - 1

    def keep(self, message_id: int) -> None:
        """Go on behind an id that a message has already."""
        self.next_id = max(self.next_id, message_id + 1)


@dataclass(frozen=True, slots=True)
class Sent:
    """A message as people see it; `raw` is the text with its markup. Of a file both are the caption's, maybe ""."""

    chat_id: int
    message_id: int
    text: str
    raw: str
    parse_mode: str | None
    reply_to: int | None
    thread_id: int | None
    buttons: Buttons
    date: int
    file: SentFile | None = None


@dataclass(slots=True)
class Chat:
    """A chat that the bot is in.

    Attributes:
        ids: What numbers its messages, the members' and the bot's.
        members: Who is in it besides the administrators; None: whoever is asked about.
        left, banned: Who is not in it any more, administrators too.
        restricted: Whether they are in it, of who may do less than others.
        vanished: Ids of messages that cannot be replied to any more.
        own: Messages of the bot, as they stand now.
    """

    id: int
    type: str
    title: str
    admins: list[int]
    admin_bots: list[int]
    is_forum: bool
    ids: Numbering
    members: Collection[int] | None = None
    kicked: bool = False
    migrated_to: int | None = None
    left: set[int] = field(default_factory=set)
    banned: set[int] = field(default_factory=set)
    restricted: dict[int, bool] = field(default_factory=dict)
    vanished: set[int] = field(default_factory=set)
    own: dict[int, Sent] = field(default_factory=dict)

    def json(self) -> dict[str, Any]:
        if self.type == "private":
            return {"id": self.id, "type": self.type, "first_name": self.title}
        return {"id": self.id, "type": self.type, "title": self.title, **({"is_forum": True} if self.is_forum else {})}

    def reply_to(self, reply: dict[str, Any] | None) -> int | None:
        """The message that is replied to in the end."""
        if reply is None:
            return None
        known = 0 < reply["message_id"] < self.ids.next_id and reply["message_id"] not in self.vanished
        if not known and not reply.get("allow_sending_without_reply"):
            raise bad("message to be replied not found")
        return reply["message_id"] if known else None

    def message(self, sent: Sent, bot: dict[str, Any]) -> dict[str, Any]:
        """A message of the bot as the Bot API's `Message`."""
        message: dict[str, Any] = {
            "message_id": sent.message_id,
            "from": bot,
            "chat": self.json(),
            "date": sent.date,
        }
        if sent.file is None:
            message["text"] = sent.text
        else:
            message |= sent.file.json() | ({"caption": sent.text} if sent.text else {})
        if sent.thread_id is not None:
            message |= {"message_thread_id": sent.thread_id, "is_topic_message": True}
        if sent.reply_to is not None:
            replied = {"message_id": sent.reply_to, "chat": self.json(), "date": sent.date, "text": "…"}
            message["reply_to_message"] = replied
        if sent.buttons:
            rows = [[{"text": text, "callback_data": data} for text, data in row] for row in sent.buttons]
            message["reply_markup"] = {"inline_keyboard": rows}
        return message

    def administrators(self, bot_id: int, *, with_bots: bool) -> list[dict[str, Any]]:
        """The members that getChatAdministrators tells; of bots only this one unless others are asked for."""
        bots = [bot for bot in self.admin_bots if with_bots or bot == bot_id]
        gone = self.left | self.banned
        return [self.member(user_id, bot_id) for user_id in (*self.admins, *bots) if user_id not in gone]

    def member(self, user_id: int, bot_id: int) -> dict[str, Any]:
        """Somebody as the Bot API's `ChatMember`; refuses whom the chat never saw."""
        user = {"id": user_id, "is_bot": user_id in (*self.admin_bots, bot_id), "first_name": f"User {user_id}"}
        if user_id <= 0:
            raise bad("invalid user_id specified")
        if user_id in self.left:
            return {"status": "left", "user": user}
        if user_id in self.banned:
            return {"status": "kicked", "user": user, "until_date": 0}
        if user_id in self.admins[:1]:
            return {"status": "creator", "user": user, "is_anonymous": False}
        if user_id in (*self.admins, *self.admin_bots):
            return {"status": "administrator", "user": user, **_no_rights("ChatMemberAdministrator")}
        if user_id in self.restricted:
            rights = _no_rights("ChatMemberRestricted") | {"is_member": self.restricted[user_id], "until_date": 0}
            return {"status": "restricted", "user": user, **rights}
        if self.members is not None and user_id not in (*self.members, bot_id):
            raise bad("user not found" if self.type == "group" else "PARTICIPANT_ID_INVALID")
        return {"status": "member", "user": user}


def _no_rights(type_name: str) -> dict[str, bool]:
    fields = description()["types"][type_name]["fields"]
    return {each["name"]: False for each in fields if each["required"] and each["types"] == ["Boolean"]}
