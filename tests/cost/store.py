"""A store that counts what Firestore would bill, document by document."""

from __future__ import annotations

from collections import Counter
from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from infra.sqlite import SqliteStore
from shared.application.ports.store import Delete, Document, Sums, Write
from tests.support.google.indexes import IndexedQueries


def kind_of(path: str) -> str:
    """The collections of a document's path: `chats/-1/facts/f/versions/2` is of `chats/facts/versions`."""
    return "/".join(path.split("/")[::2])


@dataclass(slots=True)
class Operations:
    """What was done, by kind of document.

    Attributes:
        reads: Documents read; a query that finds nothing is one, a count one a thousand.
        writes, deletes: Documents.
        documents: Writes of each single document, by its path.
        trips: Calls that wait for the store.
    """

    reads: Counter[str] = field(default_factory=Counter)
    writes: Counter[str] = field(default_factory=Counter)
    deletes: Counter[str] = field(default_factory=Counter)
    documents: Counter[str] = field(default_factory=Counter)
    trips: int = 0


class CountingStore(IndexedQueries, SqliteStore):
    """SQLite, counting. `done` is replaced by whoever wants to begin anew."""

    def __init__(self, path: Any) -> None:
        super().__init__(path)
        self.done = Operations()

    def read(self, path: str) -> Any:
        self.done.reads[kind_of(path)] += 1
        return super().read(path)

    async def get(self, path: str) -> Document | None:
        self.done.trips += 1
        return await super().get(path)

    async def get_many(self, paths: Sequence[str]) -> list[Document | None]:
        self.done.trips += 1
        return await super().get_many(paths)

    async def query(self, collection: str, **options: Any) -> list[Document]:
        found = await super().query(collection, **options)
        self.done.trips += 1
        self.done.reads[kind_of(f"{collection}/any")] += max(1, len(found))
        return found

    async def count(self, collection: str, **options: Any) -> int:
        before = self.usage.reads
        found = await super().count(collection, **options)
        self.done.trips += 1
        self.done.reads[kind_of(f"{collection}/any")] += self.usage.reads - before
        return found

    async def subtree(self, path: str) -> AsyncIterator[Document]:
        async for document in super().subtree(path):
            self.done.reads[kind_of(document.path)] += 1
            yield document

    async def update(self, path: str, changes: Mapping[str, Any]) -> bool:
        self.done.trips += 1
        found = await super().update(path, changes)
        if found:
            self._note_write(path)
        return found

    async def transaction(self, body: Callable[[Any], Any]) -> Any:
        self.done.trips += 1  # to begin it; its reads and its end count themselves
        return await super().transaction(body)

    def commit(self, writes: Sequence[Write], seen: Mapping[str, int | None]) -> list[Sums]:
        sums = super().commit(writes, seen)
        self.done.trips += 1 + len(seen)
        for write in writes:
            if isinstance(write, Delete):
                self.done.deletes[kind_of(write.path)] += 1
            else:
                self._note_write(write.path)
        return sums

    def _note_write(self, path: str) -> None:
        self.done.writes[kind_of(path)] += 1
        self.done.documents[path] += 1
