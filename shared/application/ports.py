"""What the use cases need of the world. The docstrings are the contract.

Every adapter of a port passes the same contract suite (`tests/contract`). Documents are JSON-like:
None, bool, int, float, str, aware UTC datetimes (microsecond precision), lists (not directly nested)
and dicts with str keys.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, Literal, NamedTuple, Protocol, TypeVar

T = TypeVar("T")

MAX_BATCH_WRITES = 500
"""Most writes in one batch or transaction (Firestore's limit)."""


# --- Documents ---------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Document:
    """One stored document: its path (`collection/id/collection/id`) and its fields."""

    path: str
    data: dict[str, Any]

    @property
    def id(self) -> str:
        """The last part of the path."""
        return self.path.rsplit("/", 1)[-1]


class Filter(NamedTuple):
    """A condition on one top-level field (or dotted path into a map).

    Documents without the field never match. `==` with None matches an explicit null.
    """

    field: str
    op: Literal["==", "<", "<=", ">", ">=", "array_contains", "in"]
    value: Any


class Order(NamedTuple):
    """Sort key of a query. Documents without the field are left out. Ties go by document id."""

    field: str
    descending: bool = False


class Increment(NamedTuple):
    """In `update` and `upsert`: add `by` to the number in the field (absent counts as 0)."""

    by: int | float


class ArrayUnion(NamedTuple):
    """In `update` and `upsert`: append the values that the list does not hold yet; an absent list becomes one."""

    values: tuple[Any, ...]


class _DeleteField:
    """In `update` and `upsert`: remove the field."""

    __slots__ = ()

    def __repr__(self) -> str:
        return "DELETE_FIELD"


DELETE_FIELD = _DeleteField()


class Create(NamedTuple):
    """A write that fails the whole batch with `Contention` when the path exists."""

    path: str
    data: Mapping[str, Any]


class Set(NamedTuple):
    """A write that replaces the whole document, or makes it."""

    path: str
    data: Mapping[str, Any]


class Upsert(NamedTuple):
    """A write that replaces the named top-level fields, keeps the others, makes the document if absent."""

    path: str
    changes: Mapping[str, Any]


class Delete(NamedTuple):
    """A write that removes the document (not what lies under it). Absent is fine."""

    path: str


Write = Create | Set | Upsert | Delete


@dataclass(slots=True)
class StoreUsage:
    """Running totals of one store: documents read (a query that finds nothing is one read) and written."""

    reads: int = 0
    writes: int = 0


class Transaction(Protocol):
    """The view of one attempt. All reads come before the first write; writes are applied together at the end."""

    async def get(self, path: str) -> Document | None: ...

    async def get_many(self, paths: Sequence[str]) -> list[Document | None]: ...

    def write(self, write: Write) -> None:
        """Buffer a write; it takes effect only if nothing read by this attempt has changed since."""
        ...


class DocumentStore(Protocol):
    """Firestore-shaped storage, deliberately narrow.

    Paths are `collection/id` pairs; ids hold no "/" and are not empty. Every method raises
    `StoreUnavailable` when the store cannot be reached: an outage is never an empty result.
    """

    usage: StoreUsage

    async def get(self, path: str) -> Document | None:
        """The document at `path`, or None when there is none."""
        ...

    async def get_many(self, paths: Sequence[str]) -> list[Document | None]:
        """The documents in the order of `paths`, None where there is none."""
        ...

    async def create(self, path: str, data: Mapping[str, Any]) -> bool:
        """Insert unless `path` exists; False on a repeat. Atomic between processes."""
        ...

    async def set(self, path: str, data: Mapping[str, Any]) -> None:
        """Replace the whole document, or make it."""
        ...

    async def upsert(self, path: str, changes: Mapping[str, Any]) -> None:
        """Replace the named top-level fields (values may be Increment, ArrayUnion, DELETE_FIELD), keep the
        others, make the document if absent. A dict value replaces the whole field: no deep merge."""
        ...

    async def update(self, path: str, changes: Mapping[str, Any]) -> bool:
        """As `upsert`, but False and no effect when the document is absent."""
        ...

    async def delete(self, path: str) -> None:
        """Remove the document; absent is fine. Documents under it stay."""
        ...

    async def query(
        self,
        collection: str,
        *,
        where: Sequence[Filter] = (),
        order_by: Sequence[Order] = (),
        limit: int | None = None,
        after: Document | None = None,
    ) -> list[Document]:
        """Documents directly in `collection` that pass every filter, in order, ties by id ascending
        (descending when the last order is).

        Without `order_by` they come by id. `after` is the last document of the previous page (only its id and its
        order fields matter; it need not exist any more).
        """
        ...

    async def count(self, collection: str, *, where: Sequence[Filter] = ()) -> int:
        """How many documents `query` would return without a limit."""
        ...

    def subtree(self, path: str) -> AsyncIterator[Document]:
        """Every document strictly below the document `path`, at any depth, in no promised order, streamed.

        Documents written or removed meanwhile may or may not be seen; removing those already seen is safe.
        """
        ...

    async def batch(self, writes: Sequence[Write]) -> None:
        """Apply all writes or none.

        Raises:
            ValueError: More than `MAX_BATCH_WRITES`.
            Contention: A `Create` found its path taken.
        """
        ...

    async def transaction(self, body: Callable[[Transaction], Awaitable[T]]) -> T:
        """Run `body` until it commits on unchanged reads, at most 5 times; its return value.

        `body` may run several times: no side effects in it. An exception of its own aborts and passes through.

        Raises:
            Contention: Every attempt lost its race, or a `Create` found its path taken.
        """
        ...

    async def nearest(
        self, collection: str, field: str, vector: Sequence[float], *, limit: int, where: Sequence[Filter] = ()
    ) -> list[tuple[Document, float]]:
        """The documents whose vector in `field` is closest to `vector` by cosine, with the distance in [0, 2],
        nearest first. Vectors are stored as `Vector`. Documents with another dimension are left out.

        Raises:
            ValueError: `vector` is empty or all zeros.
        """
        ...

    async def aclose(self) -> None:
        """Release connections."""
        ...


class Vector(tuple[float, ...]):
    """A field value for `nearest`: at most 2,048 dimensions. Reads back as an equal `Vector`."""

    __slots__ = ()


# --- Tasks -------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Task:
    """Work for later. `name` is the idempotency key: two tasks of one name run once.

    Attributes:
        name: Readable, any characters, at most 400; adapters hash it.
        target: The function that runs it: its URL path is `/extract` or `/maintenance/<job>`.
        payload: A small JSON object of ids (under 100 KB encoded).
        run_at: Not before this instant; None means now.
    """

    name: str
    target: str
    payload: Mapping[str, Any]
    run_at: datetime | None = None


class TaskQueue(Protocol):
    """At-least-once, unordered delivery by HTTP-like targets."""

    async def enqueue(self, task: Task) -> bool:
        """Schedule durably; False when a task of this name is scheduled or was run recently (that is a success).

        Raises:
            QueueUnavailable: The task may not have been scheduled.
            ValueError: The payload is too large or the name too long.
        """
        ...

    async def aclose(self) -> None:
        """Release connections."""
        ...


# --- Language model ----------------------------------------------------------------------------


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


@dataclass(frozen=True, slots=True)
class Turn:
    """One entry of the conversation sent to the model; `parts` are separate text parts, `[meta]` first."""

    role: Literal["user", "model"]
    parts: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Grounding:
    """The same context as plain data, for a model that quotes instead of composing.

    Attributes:
        question: What was asked, without the bot's name.
        language: "uk" or "en": the asker's.
        facts: Human-readable facts, best first, as (description, verbatim quote, name of who said it).
        talk: Recent messages, oldest first, as (speaker, text).
    """

    question: str
    language: Literal["uk", "en"]
    facts: tuple[tuple[str, str, str], ...] = ()
    talk: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True, slots=True)
class ModelRequest:
    """One call.

    Attributes:
        purpose: "answer", "facts", "summary" or "episodes": what usage is booked under.
        system: System instruction.
        turns: The conversation; the last one is the user's.
        tier: Which configured model answers: "chat" or "extraction".
        temperature: 0 to 2.
        max_output_tokens: Upper bound on the reply.
        response_schema: JSON schema of the reply (then the reply's text is JSON), or None for free text.
        grounding: Only for "answer".
    """

    purpose: Literal["answer", "facts", "summary", "episodes"]
    system: str
    turns: tuple[Turn, ...]
    tier: Literal["chat", "extraction"] = "chat"
    temperature: float = 0.7
    max_output_tokens: int = 1024
    response_schema: Mapping[str, Any] | None = None
    grounding: Grounding | None = None


@dataclass(frozen=True, slots=True)
class ModelReply:
    """What came back: non-empty text, the model's name and what it cost."""

    text: str
    model: str
    usage: TokenUsage = field(default_factory=TokenUsage)


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
        """One normalised vector a text. `query` is True for a question, False for what is searched.

        Raises:
            ModelUnavailable: As for `LanguageModel.generate`.
        """
        ...


# --- The chat ----------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Button:
    """An inline button: its label and the data that comes back (1-64 bytes of UTF-8)."""

    label: str
    data: str


@dataclass(frozen=True, slots=True)
class OutgoingText:
    """A message to send: Telegram HTML and the same as plain text for when the markup is refused."""

    html: str
    plain: str
    buttons: tuple[tuple[Button, ...], ...] = ()


@dataclass(frozen=True, slots=True)
class SentMessage:
    """What the chat service made of it."""

    message_id: int
    sent_at: datetime


class ChatGateway(Protocol):
    """The way back into the chat.

    Every method raises `ChatUnavailable` (with `retry_after` on 429) when the request definitely had no effect,
    `SendUncertain` when it may have had, `ChatForbidden` when the bot is not (any more) in the chat,
    `ChatMigrated` when the group goes on under another id, and `MessageRejected` for other refusals.
    """

    async def send(
        self, chat_id: int, text: OutgoingText, *, reply_to: int | None = None, thread_id: int | None = None
    ) -> SentMessage:
        """Send one message of at most 4,096 UTF-16 units; plain text is sent when the HTML is refused. A vanished
        `reply_to` is ignored."""
        ...

    async def edit(self, chat_id: int, message_id: int, text: OutgoingText) -> None:
        """Replace a message of the bot; "not modified" is a success."""
        ...

    async def answer_callback(self, callback_id: str, text: str) -> None:
        """Stop the spinner of a pressed button and show up to 200 characters; an expired one is ignored."""
        ...

    async def show_typing(self, chat_id: int, *, thread_id: int | None = None) -> None:
        """Show "typing…" for about five seconds."""
        ...

    async def administrators(self, chat_id: int) -> frozenset[int]:
        """User ids of the chat's current administrators and owner, bots included; empty in a private chat."""
        ...

    async def aclose(self) -> None:
        """Release connections."""
        ...


# --- Time and chance ---------------------------------------------------------------------------


class Clock(Protocol):
    """Where "now" comes from."""

    def now(self) -> datetime:
        """The current instant, aware, UTC."""
        ...


class Ids(Protocol):
    """Where chance comes from."""

    def token(self) -> str:
        """A fresh unguessable string of 22 URL-safe characters."""
        ...
