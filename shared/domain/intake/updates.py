"""The chat service's updates as we read them, and their outcomes: a word for the log, and constants of the code.

Every update is exactly one of the classes of `Update`; what we do not act upon is `Ignored`, so that it can still be
recorded and acknowledged.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from typing import TYPE_CHECKING, Literal, NamedTuple

from shared.domain.conversation.messages import Message

if TYPE_CHECKING:
    from shared.domain.delivery.outcomes import AnswerOutcome


class ChatInfo(NamedTuple):
    """The chat as the update describes it.

    Attributes:
        type: "private", "group", "supergroup" or "channel".
        title: Its title, in a private chat the person's name; "" when there is none.
    """

    chat_id: int
    type: str
    title: str = ""
    username: str | None = None
    is_forum: bool = False


class TypedCommand(NamedTuple):
    """A bot command at the very start of a text, e.g. `/forget@spomyn_bot last week`.

    Attributes:
        name: Lower case, without the slash.
        target: Lower-case username of the bot it is addressed to, or None when it names none.
        args: What follows, without surrounding white space.
    """

    name: str
    target: str | None = None
    args: str = ""


@dataclass(frozen=True, slots=True)
class MessageUpdate:
    """The fields that a new and an edited message share.

    Attributes:
        language_code: IETF tag of the author's app, or None; also None when speaking as a chat.
        mentions: Usernames mentioned with "@", lower case, without the "@".
        mentioned_ids: Ids of people mentioned by name (they need not have a username).
        reply_to_user_id: Author of the message replied to, or None.
        command: Also set on a forwarded message: look at `message.forwarded` before obeying.
    """

    update_id: int
    message: Message
    chat: ChatInfo
    language_code: str | None = None
    mentions: tuple[str, ...] = ()
    mentioned_ids: tuple[int, ...] = ()
    reply_to_user_id: int | None = None
    command: TypedCommand | None = None


class MessageReceived(MessageUpdate):
    """A new message."""

    __slots__ = ()


class MessageEdited(MessageUpdate):
    """An edit of a message; `message` is the new version."""

    __slots__ = ()


class ButtonPressed(NamedTuple):
    """An inline button of ours was pressed.

    Attributes:
        callback_id: What `ChatGateway.answer_callback` takes.
        chat: None when the message with the button was sent in inline mode; then `message_id` is None too.
        name: Of who pressed, never empty.
        offered: The data of all buttons under that message as Telegram shows it, or None where it shows none: when the
            message is too old, or was deleted.
    """

    update_id: int
    callback_id: str
    chat: ChatInfo | None
    message_id: int | None
    thread_id: int | None
    user_id: int
    name: str
    language_code: str | None
    data: str
    offered: frozenset[str] | None = None


MembershipStatus = Literal["joined", "left", "promoted", "demoted", "changed"]


class MembershipChanged(NamedTuple):
    """The bot's own membership in a chat changed.

    Attributes:
        status: "joined" (also as administrator, or unblocked in private), "left" (also removed or blocked), "promoted"
            and "demoted" (administrator or not any more), "changed" for other changes of its rights.
        by_user_id: Who did it.
        language_code: IETF tag of their app, or None.
    """

    update_id: int
    chat: ChatInfo
    status: MembershipStatus
    by_user_id: int
    language_code: str | None = None


class ChatMigratedTo(NamedTuple):
    """A basic group became a supergroup and goes on under another id. Both chats report it: expect it twice."""

    update_id: int
    old_chat_id: int
    new_chat_id: int


class ReactionChanged(NamedTuple):
    """A change of one person's reactions to a message; told only where the bot is an administrator.

    Attributes:
        user_id: Who reacted; of an anonymous admin or a channel that chat's id, which is negative.
        emojis: All of theirs that are there now, without custom ones and paid stars; () when none is left.
        at: When they changed.
    """

    update_id: int
    chat: ChatInfo
    message_id: int
    user_id: int
    emojis: tuple[str, ...]
    at: datetime


class GenerationStopped(NamedTuple):
    """A press of the button that stops an answer while it grows; `draft_id` is the update that it answers.
    `language_code` is theirs, of whom the press does not tell it, as they asked; None where that is not known."""

    update_id: int
    chat: ChatInfo
    draft_id: int
    language_code: str | None = None


class MemberLeft(NamedTuple):
    """A person is not in the chat any more: left, was removed or banned. May be told twice, with two update ids.

    Attributes:
        was_admin: Whether the update says that they administrated it until then.
    """

    update_id: int
    chat: ChatInfo
    user_id: int
    at: datetime
    was_admin: bool = False


class AdminChanged(NamedTuple):
    """A person became an admin, or is none any more but stays; told only where the bot is an administrator."""

    update_id: int
    chat: ChatInfo
    user_id: int
    at: datetime
    is_admin: bool


class Ignored(NamedTuple):
    """Well formed, but nothing to us; `reason` is one of a few fixed phrases, never content."""

    update_id: int
    reason: str


Update = (
    MessageReceived
    | MessageEdited
    | ButtonPressed
    | MembershipChanged
    | ReactionChanged
    | GenerationStopped
    | MemberLeft
    | AdminChanged
    | ChatMigratedTo
    | Ignored
)


class UpdateResult(StrEnum):
    """The result of an update that was not answered.

    Attributes:
        ASKED: What it asks was taken in, and is dealt with by the function that answers.
    """

    STORED = "stored"
    ASKED = "asked"
    EDITED = "edited"
    IGNORED = "ignored"
    REFUSED = "refused"
    REACTION = "reaction"
    MEMBERSHIP = "membership"
    LEFT = "left"
    ADMIN = "admin"
    MIGRATED = "migrated"
    DEAD_LETTER = "recorded as a dead letter"


class Acknowledgement(NamedTuple):
    """The reply that ends the waiting of somebody who pressed a button.

    Attributes:
        text: Shown to them for a moment, plain text of at most 200 characters; "" for nothing.
    """

    callback_id: str
    text: str = ""


class UpdateOutcome(NamedTuple):
    """The outcome of an update.

    Attributes:
        result: In a word.
        detail: Why, or of which kind; a constant of the code, never words of people; "" for nothing.
        acknowledges: Of a pressed button what Telegram is to be told; else None.
    """

    result: UpdateResult | AnswerOutcome
    detail: str = ""
    acknowledges: Acknowledgement | None = None

    @property
    def log_name(self) -> str:
        """The result as docs/logs.md names it: one word."""
        return self.result.replace(" ", "_")

    def __str__(self) -> str:
        return f"{self.result}: {self.detail}" if self.detail else str(self.result)
