"""What a command, a reply to a question of the bot, or a pressed button is given."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from shared.application.app import App
from shared.application.chats.chat_codec import ChatState
from shared.application.conversation.reply_codec import ReplyContext
from shared.application.delivery.answer import SILENCE, Answer
from shared.application.ports.chat import OutgoingText
from shared.domain.conversation.messages import Message
from shared.domain.intake.updates import ButtonPressed, MessageReceived
from shared.domain.text.language import Language

if TYPE_CHECKING:
    from shared.application.commands.table import CommandSpec

LINKED = "export_"
"""What `/start` is told by the link that `export` gives, before the id of a chat."""


@dataclass(frozen=True, slots=True)
class CommandCall:
    """A command that its caller may use here, or a reply to a question of the bot.

    Attributes:
        command: The command's row; of a reply to a question that of the command that asked.
        state: Of the chat as it is now (after a migration the supergroup's).
        message: What the caller sent, under the chat's current id; stored unless they opted out.
        args: What stands after the command's name, or the whole text of a reply; without surrounding white space.
        language: To answer in.
    """

    command: CommandSpec
    state: ChatState
    update: MessageReceived
    message: Message
    args: str
    language: Language

    @property
    def user_id(self) -> int:
        """Return who calls; negative for an anonymous admin (the chat's own id) or a channel."""
        return self.message.user_id


@dataclass(frozen=True, slots=True)
class ButtonPress:
    """A button of ours, pressed by somebody who may.

    Attributes:
        args: Those that it was sealed with.
        owner: Whose button it is, or None.
        message_id: The message under which it stands.
    """

    state: ChatState
    update: ButtonPressed
    args: tuple[str, ...]
    owner: int | None
    message_id: int
    language: Language

    @property
    def user_id(self) -> int:
        """Return who presses: always a person, also an admin who is anonymous otherwise."""
        return self.update.user_id


@dataclass(frozen=True, slots=True)
class Pressed:
    """What pressing did.

    Attributes:
        notice: Shown to who pressed for a moment, plain text of at most 200 characters; "" for nothing.
        shows: What the message with the button says now, or None when it stays.
        answer: Said in the chat besides.
    """

    notice: str = ""
    shows: OutgoingText | None = None
    answer: Answer = SILENCE


CommandFunction = Callable[[App, CommandCall], Awaitable[Answer]]
"""Carries out a command; `table` has checked who may."""

ButtonFunction = Callable[[App, ButtonPress], Awaitable[Pressed]]
"""Does what a button says; `callbacks` has checked the button and who may."""

ReplyFunction = Callable[[App, CommandCall, ReplyContext], Awaitable[Answer | None]]
"""Takes a reply to a question of the bot, with the question's `asks`; None when the reply is talk like any other."""
