"""The input of a command, of a reply to a question of the bot, and of a pressed button, and how each speaks.

Who may use it is decided by what Telegram says, never by what a message or a button claims.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from datetime import datetime, timedelta, tzinfo
from typing import TYPE_CHECKING, Literal, NamedTuple

from shared.application.app import App
from shared.application.chats.chat_codec import ChatState
from shared.application.chats.choices import choices_for
from shared.application.conversation.reply_codec import ReplyContext
from shared.application.delivery import wording
from shared.application.delivery.answer import SILENCE, Answer
from shared.application.delivery.wording import Rows, localized_text
from shared.application.people.admins import chat_admins, go_on_elsewhere
from shared.application.policy import Policy
from shared.application.ports.chat import Button, OutgoingText
from shared.domain.conversation.messages import Message, message_link
from shared.domain.delivery.markup import escape
from shared.domain.errors import ChatForbidden, ChatMigrated, MessageRejected
from shared.domain.intake.updates import ButtonPressed, MessageReceived
from shared.domain.text.language import Language
from shared.locales import say, say_plainly

if TYPE_CHECKING:
    from shared.application.commands.table import CommandSpec


Who = Literal["everybody", "people", "members", "admins"]
"""`everybody`: also a channel or an anonymous caller; `people`: those who show who they are, for what is theirs alone;
`members`: people who are in the chat now, as Telegram says; `admins`: its administrators now, as Telegram says,
anonymously or not, and everybody in their own private chat."""

FRESH = timedelta(minutes=5)
"""Telegram's word on who administrates is believed for this long, but for what is destructive."""


async def is_admin(app: App, state: ChatState, user_id: int, *, proven: bool = False, fresh: bool = False) -> bool:
    """Return whether somebody administrates this very chat; in their private chat with the bot everybody does.

    Args:
        proven: The update itself proves it (an anonymous admin speaks as the chat).
        fresh: Telegram is asked now, and what it said minutes ago does not count.

    Raises:
        ChatUnavailable: Telegram is out of reach and nothing is known that would do.
    """
    if proven or user_id == state.chat_id:
        return True
    if state.chat_id > 0:
        return False
    return user_id in await chat_admins(app, state, within=timedelta(0) if fresh else FRESH)


async def is_member(app: App, state: ChatState, user_id: int) -> bool:
    """Return whether somebody is in the chat now.

    Raises:
        ChatUnavailable: Telegram is out of reach.
    """
    if state.chat_id > 0:
        return user_id == state.chat_id
    try:
        return await app.gateway.is_member(state.chat_id, user_id)
    except ChatMigrated as error:
        await go_on_elsewhere(app, state.chat_id, error)
    except (ChatForbidden, MessageRejected):
        return False


async def refusal(
    app: App, state: ChatState, user_id: int, who: Who, *, proven: bool = False, fresh: bool = False
) -> str | None:
    """Return why somebody may not, as the name of a text of the locales; None when they may.

    Raises:
        ChatUnavailable: Telegram is out of reach and nothing is known that would do.
    """
    if who == "admins":
        return None if await is_admin(app, state, user_id, proven=proven, fresh=fresh) else "admins_only"
    if who != "everybody" and user_id < 0:
        return "people_only"
    if who == "members" and not await is_member(app, state, user_id):
        return "members_only"
    return None


LINKED = "export_"
"""Begins what `/start` is given by the link that `export` gives, before the id of a chat."""


class Scene(NamedTuple):
    """The place and the reader of what is said, on which its words, days, links and buttons depend.

    Attributes:
        viewer: User id of the asker; negative for an anonymous admin or a channel, 0 for nobody.
    """

    policy: Policy
    state: ChatState
    language: Language
    viewer: int = 0

    def say(self, key: str, **values: str) -> str:
        """Return a text of the locales as markup."""
        return say(self.language, key, **values)

    def word(self, key: str, **values: str) -> str:
        """Return a text of the locales without markup."""
        return wording.word(self.language, key, **values)

    def text(self, key: str, rows: Rows = (), **values: str) -> OutgoingText:
        """Return a text of the locales as a message."""
        return localized_text(self.language, key, rows, **values)

    def button(self, label: str, action: str, *args: str | int, owner: int | None = None) -> Button:
        """Return a sealed button of this chat, labelled with plain text."""
        return wording.button(self.policy, self.state.chat_id, label, action, *args, owner=owner)

    def option(self, key: str, action: str, *args: str | int, owner: int | None = None) -> Button:
        """Return a sealed button of this chat, labelled with a text of the locales."""
        return self.button(self.word(key), action, *args, owner=owner)

    @property
    def zone(self) -> tzinfo:
        """Return the chat's time zone."""
        return choices_for(self.policy, self.state).timezone

    def day(self, at: datetime) -> str:
        """Return a day as the chat counts it."""
        return f"{at.astimezone(self.zone):%d.%m.%Y}"

    def link(self, message_id: int, thread_id: int | None = None) -> str | None:
        """Return the address of a message where Telegram has one."""
        return message_link(self.state.chat_id, message_id, username=self.state.username, thread_id=thread_id)

    def arrow(self, message_id: int) -> str:
        """Return an arrow that leads to a message, as markup to stand behind a line; "" where Telegram has no link."""
        link = self.link(message_id)
        return f' <a href="{escape(link)}">→</a>' if link else ""


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

    def scene(self, policy: Policy) -> Scene:
        """Return where it is answered."""
        return Scene(policy, self.state, self.language, self.user_id)


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

    def scene(self, policy: Policy) -> Scene:
        """Return where it is pressed."""
        return Scene(policy, self.state, self.language, self.user_id)


@dataclass(frozen=True, slots=True)
class Pressed:
    """The result of pressing a button.

    Attributes:
        notice: The outcome, plain text of at most 200 characters; "" for nothing. The presser is told it where they see
            nothing else of it, or `is_done` is False.
        shows: What the message with the button says now, or None when it stays.
        answer: Said in the chat besides.
        is_done: Whether what was pressed for was done; else the notice says why it was not.
    """

    notice: str = ""
    shows: OutgoingText | None = None
    answer: Answer = SILENCE
    is_done: bool = True


CommandFunction = Callable[[App, CommandCall], Awaitable[Answer]]
"""Carries out a command; `table` has checked who may."""

ButtonFunction = Callable[[App, ButtonPress], Awaitable[Pressed]]
"""Does what a button says; `callbacks` has checked the button and who may."""

ReplyFunction = Callable[[App, CommandCall, ReplyContext], Awaitable[Answer | None]]
"""Takes a reply to a question of the bot, with the question's `asks`; None when the reply is talk like any other."""


def answer(call: CommandCall, key: str, rows: Rows = (), **values: str) -> Answer:
    """Return a text of the locales as the whole answer."""
    return Answer.of(localized_text(call.language, key, rows, **values))


def usage(call: CommandCall) -> Answer:
    """Return how the command is written, with an example: for a caller who wrote it otherwise."""
    return answer(call, f"usage_{call.command.name}")


def notice(language: Language, key: str, **values: str) -> Pressed:
    """Return a text of the locales shown to the member who pressed a button."""
    return Pressed(say_plainly(language, key, **values))


def group_digits(number: int) -> str:
    """`1 234 567`, with spaces at which no line breaks."""
    return f"{number:,}".replace(",", "\u00a0")


async def leave(_: App, press: ButtonPress) -> Pressed:
    """Leave everything as it is: what a question's other button says."""
    return Pressed(shows=localized_text(press.language, "left_as_it_is"))
