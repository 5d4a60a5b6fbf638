"""The events of a local run, as they are told to whatever shows or records them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from shared.domain.facts.fact import Fact


@dataclass(frozen=True, slots=True)
class Line:
    """A message stands in the chat.

    Attributes:
        buttons: Labels of the choices under it, row by row; the first is pressed by `/1`.
        file: Where the file is that came with it, or its name when it is not here; "" for none.
        private_to: The other one of a private chat with the bot; "" for a line that all see.
        is_own: The bot itself says it.
    """

    chat_id: int
    message_id: int
    author: str
    text: str
    reply_to: int | None = None
    is_bot: bool = False
    is_admin: bool = False
    buttons: tuple[tuple[str, ...], ...] = ()
    file: str = ""
    private_to: str = ""
    is_own: bool = False


@dataclass(frozen=True, slots=True)
class LineEdited:
    """An edit of a message by its author, the bot when none is named. `buttons` are those of `Line`."""

    chat_id: int
    message_id: int
    text: str
    buttons: tuple[tuple[str, ...], ...] = ()
    author: str = ""


@dataclass(frozen=True, slots=True)
class Deleted:
    """The bot deleted a message of its own."""

    chat_id: int
    message_id: int


@dataclass(frozen=True, slots=True)
class FactLearnt:
    """A fact changed: `change` is the kind of `shared.domain.facts.change.FactChange`, the quote is the newest one."""

    change: str
    fact: Fact
    quote: str
    author: str


@dataclass(frozen=True, slots=True)
class ButtonNotice:
    """Telegram shows a few words to the user who pressed a button."""

    text: str


@dataclass(frozen=True, slots=True)
class Notice:
    """Something that the person at the terminal should know."""

    text: str


@dataclass(frozen=True, slots=True)
class Done:
    """The outcome of something that somebody did.

    Attributes:
        outcome: As the webhook logs it, or of what asks something the function that answers.
        chat_id, message_id: The message that was said, edited, reacted to, or whose button was pressed, if any.
        night: Of a night: what each job counted.
    """

    outcome: str
    chat_id: int
    message_id: int | None = None
    night: Mapping[str, Mapping[str, int]] | None = None


Event = Line | LineEdited | Deleted | FactLearnt | ButtonNotice | Notice
Listener = Callable[[Event], None]
