"""The interface of a tool: the context it is called in, its arguments and its result."""

from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import timedelta
from typing import Any

from shared.application.app import App
from shared.application.chats.chat_codec import ChatState
from shared.application.conversation.history import Topic
from shared.application.ports.model import Tool, WebSource
from shared.domain.conversation.messages import Message
from shared.domain.errors import ToolRefused
from shared.domain.facts.profile import ProfileFact
from shared.domain.recall.index.note import Note
from shared.domain.text.data_files import read_data
from shared.domain.text.language import Language
from shared.domain.text.plain import one_line


@dataclass(frozen=True, slots=True)
class ToolContext:
    """The asker, the chat and the message of a call: all that a tool may see of the memory.

    Attributes:
        state: Of the chat in which the bot is asked.
        message: The message that asks; its author is the asker.
        topic: The forum's topic that it stands in, or None outside of forums.
        language: The asker's.
    """

    state: ChatState
    message: Message
    topic: Topic | None
    language: Language


@dataclass(frozen=True, slots=True)
class ToolOutcome:
    """The result of a tool: what it found or did.

    Attributes:
        response: JSON-like data for the model. Texts of people are as they were typed: they are escaped on the way.
        messages, facts, notes: The memories that are in it, for the answer's provenance.
        pages: Pages that it leans on.
        links: Where messages can be seen from which facts and notes were made, by id.
    """

    response: Mapping[str, Any]
    messages: tuple[Message, ...] = ()
    facts: tuple[ProfileFact, ...] = ()
    notes: tuple[Note, ...] = ()
    pages: tuple[WebSource, ...] = ()
    links: Mapping[int, str] = field(default_factory=dict)


ToolRunner = Callable[[App, ToolContext, Mapping[str, Any]], Awaitable[ToolOutcome]]
"""Carries out one call. Raises `ToolRefused` when the arguments are none that it takes or it must not be done."""


@dataclass(frozen=True, slots=True)
class ToolBinding:
    """A tool and how it is run; `patience` is the time after which a call is given up."""

    tool: Tool
    run: ToolRunner
    patience: timedelta


def bind(name: str, run: ToolRunner, *, patience: timedelta = timedelta(seconds=5)) -> ToolBinding:
    """Return a tool as `tools.toml` tells the model of it, with how it is run."""
    told = read_data(__package__, "tools")[name]
    parameters: dict[str, Any] = {name: dict(schema) for name, schema in told["parameters"].items()}
    required = [name for name in parameters if name not in told["optional"]]
    schema = {"type": "object", "properties": parameters} | ({"required": required} if required else {})
    return ToolBinding(Tool(name, told["about"], schema), run, patience)


# --- arguments as a model writes them, read by name and type; everything else in them is ignored ----


def text_of(arguments: Mapping[str, Any], name: str, *, most: int) -> str:
    """A text on one line of 1 to `most` characters.

    Raises:
        ToolRefused: It is missing, no text, blank or too long.
    """
    given = arguments.get(name)
    line = one_line(given, len(given)) if isinstance(given, str) else ""
    if not line or len(line) > most:
        raise ToolRefused(f"{name} must be a text of 1 to {most} characters")
    return line


def choice_of(arguments: Mapping[str, Any], name: str, choices: Sequence[str]) -> str:
    """One of the choices.

    Raises:
        ToolRefused: It is none.
    """
    given = arguments.get(name)
    if given not in choices:
        raise ToolRefused(f"{name} must be one of: {', '.join(choices)}")
    return str(given)


def number_of(arguments: Mapping[str, Any], name: str, *, low: int, high: int, default: int) -> int:
    """A whole number from `low` to `high`; what lies beyond is brought to the nearer of them.

    Raises:
        ToolRefused: It is no whole number.
    """
    given = arguments.get(name, default)
    if isinstance(given, bool) or not isinstance(given, int | float) or given != given // 1:
        raise ToolRefused(f"{name} must be a whole number from {low} to {high}")
    return max(low, min(high, int(given)))
