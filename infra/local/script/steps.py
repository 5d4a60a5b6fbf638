"""The steps of a script: what a line has somebody do."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Literal

from infra.local.chat.raw_updates import Person

Standing = Literal["joined", "left", "banned", "administrator", "member"]
"""The status that somebody may come to have in the group; "member" is who was an administrator and is none any more."""


@dataclass(frozen=True, slots=True)
class Origin:
    """The origin of words that stand in somebody else's message.

    Attributes:
        person: Who said them; a negative id is a channel or a group; None: whoever wrote the message of that id.
        hidden: They let nobody see their account in forwards: only the name is told.
        message_id, chat_id: Which message it was; without a chat one of this group.
        date: When it was said; None: with the message that carries it.
    """

    person: Person | None
    hidden: bool = False
    message_id: int | None = None
    chat_id: int | None = None
    date: datetime | None = None


@dataclass(frozen=True, slots=True)
class Say:
    """A message that a person sends.

    Attributes:
        text: The text, or the caption of `media`.
        message_id: None: the chat's next.
        is_admin: The script says that they are an administrator now.
        quote: Words of the message replied to, as Telegram's "quote" takes them.
        topic: Id of the forum topic; None: that of the message replied to, or none.
        via_bot: Username of the inline bot through which it came.
        sender_chat: The chat as which they speak: the group's own id (an anonymous admin) or a channel's.
        private: It is written to the bot alone.
    """

    person: Person
    text: str
    message_id: int | None = None
    is_admin: bool = False
    reply_to: int | None = None
    quote: str | None = None
    external_reply: Origin | None = None
    forwarded: Origin | None = None
    topic: int | None = None
    via_bot: str | None = None
    sender_chat: int | None = None
    media: str | None = None
    private: bool = False


@dataclass(frozen=True, slots=True)
class Edit:
    """An edit of the text or caption of a person's own message."""

    person: Person
    message_id: int
    text: str
    private: bool = False


@dataclass(frozen=True, slots=True)
class PressButton:
    """A press of the button of this number, from 1; without a message of the one that was shown to them last."""

    person: Person
    number: int
    message_id: int | None = None
    private: bool = False


@dataclass(frozen=True, slots=True)
class React:
    """A person's reaction to a message of the group, as an emoji; "" takes it back."""

    person: Person
    message_id: int
    emoji: str


@dataclass(frozen=True, slots=True)
class Member:
    """A person's coming or going, or their being given or losing the rights of an administrator."""

    person: Person
    standing: Standing


@dataclass(frozen=True, slots=True)
class Night:
    """All jobs of the night run now."""


@dataclass(frozen=True, slots=True)
class Comment:
    """Nobody does anything; the text is for readers."""

    text: str


Action = Say | Edit | PressButton | React | Member | Night | Comment


@dataclass(frozen=True, slots=True)
class ScriptStep:
    """One line.

    Attributes:
        where: The file and line (of an export: the message), for errors.
        line: Its number.
        date: When it is done; None: a little after the one before.
    """

    where: str
    line: int
    date: datetime | None
    action: Action
