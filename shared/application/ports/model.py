"""The language model and the embedder."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal, Protocol

from shared.application.ports.store import Vector
from shared.domain.answering.offline_answer import Saying, Subject


@dataclass(frozen=True, slots=True)
class TokenUsage:
    """Tokens that one call was billed for; `cached` is the part of `input` served from the prefix cache."""

    input: int = 0
    output: int = 0
    cached: int = 0

    @property
    def total(self) -> int:
        """Input and output together."""
        return self.input + self.output

    def __add__(self, other: TokenUsage) -> TokenUsage:
        """Add the usage of two calls."""
        return TokenUsage(self.input + other.input, self.output + other.output, self.cached + other.cached)


@dataclass(frozen=True, slots=True)
class Media:
    """A file for the model to look at or listen to: its bytes, its MIME type, a name for the log."""

    mime_type: str
    data: bytes
    name: str = ""


@dataclass(frozen=True, slots=True)
class Tool:
    """A function that the model may call.

    Attributes:
        name: `[a-z_]+`.
        about: What it does and when to call it, for the model.
        parameters: JSON schema of the arguments, an object.
    """

    name: str
    about: str
    parameters: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class ToolCall:
    """A tool call by the model; `signature` is opaque and goes back with the call in the next request."""

    name: str
    arguments: Mapping[str, Any]
    call_id: str = ""
    signature: bytes | None = None


@dataclass(frozen=True, slots=True)
class ToolResult:
    """The result of a tool call: JSON-like data, never an instruction."""

    name: str
    response: Mapping[str, Any]
    call_id: str = ""


Part = str | Media | ToolCall | ToolResult


@dataclass(frozen=True, slots=True)
class ModelTurn:
    """One entry of the conversation sent to the model; `parts` are separate parts, `[meta]` first.

    Calls stand in a turn of the model, their results in the turn of the user that follows it, in the same order.
    """

    role: Literal["user", "model"]
    parts: tuple[Part, ...]


@dataclass(frozen=True, slots=True)
class Grounding:
    """The context of an answer as plain data, for a model that quotes instead of composing.

    Attributes:
        question: What was asked, without the bot's name.
        language: "uk" or "en": the asker's.
        facts: With the quote each stands on, best first.
        found: Messages that a search of the whole memory found, best first.
        meant: Whom the question is about.
        small_talk: What is to be said instead, for the question needs no memory; else "".
    """

    question: str
    language: Literal["uk", "en"]
    facts: tuple[Saying, ...] = ()
    found: tuple[Saying, ...] = ()
    meant: Subject = "chat"
    small_talk: str = ""


Purpose = Literal["answer", "reading", "meta", "media", "search", "culture"]


@dataclass(frozen=True, slots=True)
class ModelRequest:
    """One call.

    Attributes:
        purpose: What usage is booked under.
        turns: The conversation; the last one is the user's.
        tier: Which configured model answers: "chat" or "extraction".
        temperature: 0 to 2.
        max_output_tokens: Upper bound on the reply.
        response_schema: JSON schema of the reply (then the reply's text is JSON), or None for free text.
        grounding: Only for "answer".
        tools: Functions that it may call instead of answering.
        may_call: False when the tools are there only to explain the calls already in `turns`: the model must answer.
        web_search: Let the model search the web by itself; not together with `tools`.
        on_text: Told the text so far whenever there is more of it, by a model that writes it bit by bit; of each round
            anew. The reply is what counts.
        on_given_up: Told of a call that is given up while the model works what it is billed for, as far as that is
            known: the request as estimated, and what was written until then.
    """

    purpose: Purpose
    system: str
    turns: tuple[ModelTurn, ...]
    tier: Literal["chat", "extraction"] = "chat"
    temperature: float = 0.7
    max_output_tokens: int = 1024
    response_schema: Mapping[str, Any] | None = None
    grounding: Grounding | None = None
    tools: tuple[Tool, ...] = ()
    may_call: bool = True
    web_search: bool = False
    on_text: Callable[[str], None] | None = field(default=None, compare=False)
    on_given_up: Callable[[ModelReply], None] | None = field(default=None, compare=False)


@dataclass(frozen=True, slots=True)
class WebSource:
    """A page that a searched answer leans on."""

    title: str
    url: str


@dataclass(frozen=True, slots=True)
class ModelReply:
    """The model's reply: text, or calls of tools (then the text may be ""), the model's name and what it cost.

    The text holds no control characters but white space, and none that turns the direction of writing.

    Attributes:
        flex: Whether the flex tier answered, which is cheaper.
    """

    text: str
    model: str
    usage: TokenUsage = field(default_factory=TokenUsage)
    calls: tuple[ToolCall, ...] = ()
    sources: tuple[WebSource, ...] = ()
    flex: bool = False


class LanguageModel(Protocol):
    """A text model."""

    async def generate(self, request: ModelRequest) -> ModelReply:
        """One reply; retries transient faults itself, within a bounded time.

        Raises:
            ModelUnavailable: No answer in time, quota, 5xx, broken connection.
            ModelRefused: Blocked by safety, or no candidate, or an empty one.
        """
        ...


class Embedder(Protocol):
    """Turns texts into unit vectors."""

    @property
    def name(self) -> str:
        """Model and dimension, e.g. `gemini-embedding-001/768`: stored with every vector, never mixed."""
        ...

    async def embed(self, texts: Sequence[str], *, query: bool = False) -> list[Vector]:
        """One normalised vector a text, of which none is empty: the service may refuse every other one with it.

        Args:
            query: True for a question, False for what is searched.

        Raises:
            ModelUnavailable: As for `LanguageModel.generate`.
        """
        ...
