"""A document store by two calls: reading a document with the number of the write that made it, and writing many at once
as long as what was seen is unchanged. Single writes and transactions follow from them."""

from __future__ import annotations

import asyncio
from abc import ABC, abstractmethod
from collections.abc import Awaitable, Callable, Mapping, Sequence
from typing import Any, NamedTuple, TypeVar

from shared.application.derived_codec import picked_fields
from shared.application.ports.store import (
    MAX_BATCH_WRITES,
    Create,
    Delete,
    Document,
    Set,
    StoreUsage,
    Sums,
    Transaction,
    Upsert,
    Write,
)
from shared.domain.errors import Contention, PathTaken

T = TypeVar("T")

_ATTEMPTS = 5
_NOTHING_SEEN: Mapping[str, int | None] = {}


class Row(NamedTuple):
    """A document, or None, with the number of the write that it carries."""

    document: Document | None
    version: int | None


class Changed(Contention):
    """A document read by the transaction is not what it was: worth another attempt."""


class SqliteAttempt:
    """One run of a transaction's body: remembers what it saw, buffers what it writes."""

    def __init__(self, read: Callable[[str], Row]) -> None:
        self._read = read
        self.seen: dict[str, int | None] = {}
        self.writes: list[Write] = []

    async def get(self, path: str) -> Document | None:
        if self.writes:
            raise ValueError("A transaction reads before its first write")
        row = self._read(path)
        # The first sight counts: a second one that differs must fail the commit.
        self.seen.setdefault(path, row.version)
        return row.document

    async def get_many(self, paths: Sequence[str]) -> list[Document | None]:
        return [await self.get(path) for path in paths]

    def write(self, write: Write) -> None:
        self.writes.append(write)


class OptimisticStore(ABC):
    """The calls of `DocumentStore` for single documents, and its transactions.

    Args:
        step_seconds: How long who lost a race waits at least before the next attempt.
    """

    def __init__(self, *, step_seconds: float) -> None:
        self.usage = StoreUsage()
        self._step_seconds = step_seconds
        self._losers = 0

    @abstractmethod
    def read(self, path: str) -> Row:
        """Return a document with the version that a transaction compares; one read."""

    @abstractmethod
    def commit(self, writes: Sequence[Write], seen: Mapping[str, int | None]) -> list[Sums]:
        """Apply all writes, or none: when a document of `seen` changed, or a `Create` found its path taken. Return what
        the increments of each came to.

        Raises:
            ValueError: More than `MAX_BATCH_WRITES`.
            UnstorableDocument: A document is over the limits, or holds what none can.
            Changed, PathTaken: See above.
        """

    async def get(self, path: str) -> Document | None:
        return self.read(path).document

    async def get_many(self, paths: Sequence[str]) -> list[Document | None]:
        return [self.read(path).document for path in paths]

    async def create(self, path: str, data: Mapping[str, Any]) -> bool:
        try:
            self.commit([Create(path, data)], _NOTHING_SEEN)
        except PathTaken:
            return False
        return True

    async def set(self, path: str, data: Mapping[str, Any]) -> None:
        self.commit([Set(path, data)], _NOTHING_SEEN)

    async def upsert(self, path: str, changes: Mapping[str, Any]) -> None:
        self.commit([Upsert(path, changes)], _NOTHING_SEEN)

    async def delete(self, path: str) -> None:
        self.commit([Delete(path)], _NOTHING_SEEN)

    async def batch(self, writes: Sequence[Write]) -> list[Sums]:
        return self.commit(writes, _NOTHING_SEEN)

    async def transaction(self, body: Callable[[Transaction], Awaitable[T]]) -> T:
        for count in range(_ATTEMPTS):
            await self._step_back(count)
            attempt = SqliteAttempt(self.read)
            result = await body(attempt)
            try:
                self.commit(attempt.writes, attempt.seen)
            except Changed as error:
                lost = error
            else:
                return result
        raise Contention(f"The transaction lost its race {_ATTEMPTS} times") from lost

    async def _step_back(self, count: int) -> None:
        if count == 0:
            return
        # Losers of one race wake one after another, so that they do not meet in the next.
        self._losers += 1
        try:
            await asyncio.sleep(self._step_seconds * self._losers * 2**count)
        finally:
            self._losers -= 1


def check_batch(writes: Sequence[Write]) -> None:
    """Do nothing for as many writes as go together.

    Raises:
        ValueError: They are more.
    """
    if len(writes) > MAX_BATCH_WRITES:
        raise ValueError(f"At most {MAX_BATCH_WRITES} writes go together, not {len(writes)}")


def keep_fields(document: Document, fields: Sequence[str] | None) -> Document:
    """Return a document with these fields alone; None: with all."""
    if fields is None:
        return document
    return Document(document.path, picked_fields(document.data, fields))
