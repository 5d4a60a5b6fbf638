"""The document store.

Documents are JSON-like: None, bool, int, float, str, bytes (never filtered or sorted by), aware UTC datetimes
(microsecond precision), `Vector`, lists (not directly nested) and dicts with str keys.
"""

from collections.abc import AsyncIterator, Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Generic, Literal, NamedTuple, Protocol, TypeVar

T = TypeVar("T")
Comparison = Literal["==", "<", "<=", ">", ">=", "array_contains", "in"]

MAX_BATCH_WRITES = 500
"""Most writes in one batch or transaction (Firestore's limit)."""


class Document(NamedTuple):
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
    op: Comparison
    value: Any


class OpenFilter(NamedTuple, Generic[T]):
    """A filter of which only the value is open: what is called with a value is the filter for it."""

    field: str
    op: Comparison

    def __call__(self, value: T) -> Filter:
        """Return the filter for a value."""
        return Filter(self.field, self.op, value)


class Order(NamedTuple):
    """Sort key of a query. Documents without the field are left out. Ties go by document id."""

    field: str
    descending: bool = False


class Increment(NamedTuple):
    """Makes `update` and `upsert` add `by` to the number in the field (absent counts as 0)."""

    by: int | float


Sums = dict[str, int | float]
"""The new values of the fields that one write incremented, by field."""


class ArrayUnion(NamedTuple):
    """Makes `update` and `upsert` append the values that the list does not hold yet; an absent list becomes one."""

    values: tuple[Any, ...]


class _DeleteField:
    """Makes `update` and `upsert` remove the field."""

    __slots__ = ()

    def __repr__(self) -> str:
        return "DELETE_FIELD"


DELETE_FIELD = _DeleteField()


class Create(NamedTuple):
    """A write that fails the whole batch with `PathTaken` when the path exists."""

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
    `StoreUnavailable` when the store cannot be reached: an outage is never an empty result. Every method that writes
    raises `UnstorableDocument`, and writes nothing, when one of the documents is refused: it is over 1 MiB, or holds
    what no document can.
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
        """Change a document as `upsert` does; return False, with no effect, when it is absent."""
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
        fields: Sequence[str] | None = None,
    ) -> list[Document]:
        """Documents directly in `collection` that pass every filter, in order, ties by id ascending
        (descending when the last order is).

        Without `order_by` they come by id. `after` is the last document of the previous page (only its id and its
        order fields matter; it need not exist any more). With `fields` only these top-level fields are brought, those
        that a document has: what is read costs the same, what comes over the line is less.
        """
        ...

    async def count(self, collection: str, *, where: Sequence[Filter] = ()) -> int:
        """Return how many documents `query` would return without a limit."""
        ...

    def subtree(self, path: str) -> AsyncIterator[Document]:
        """Every document strictly below the document `path`, at any depth, in no promised order, streamed.

        Documents written or removed meanwhile may or may not be seen; removing those already seen is safe.
        """
        ...

    async def batch(self, writes: Sequence[Write]) -> list[Sums]:
        """Apply all writes or none, and return for each of them what its increments came to: of several that add to
        one number at once, each is told another sum, in the order in which they took effect.

        Raises:
            ValueError: More than `MAX_BATCH_WRITES`.
            Contention: Transactions kept a document locked; `PathTaken` when a `Create` found its path taken.
        """
        ...

    async def transaction(self, body: Callable[[Transaction], Awaitable[T]]) -> T:
        """Run `body` until it commits on unchanged reads, at most 5 times; its return value.

        `body` may run several times: no side effects in it. An exception of its own aborts and passes through.

        Raises:
            Contention: Every attempt lost its race; `PathTaken` when a `Create` found its path taken.
        """
        ...

    async def scrub(self) -> None:
        """Have what was deleted or replaced leave the bytes of the store's own files at once, its log among them, as
        far as nobody is reading there. Of a service that keeps no files of ours nothing is to be done."""
        ...

    async def aclose(self) -> None:
        """Release connections."""
        ...


class Vector(tuple[float, ...]):
    """A field value: at most 2,048 dimensions. Reads back as an equal `Vector`."""

    __slots__ = ()
