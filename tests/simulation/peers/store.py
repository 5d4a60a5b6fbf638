"""A document store in memory, with Firestore's semantics as the port describes them.

It never waits. A transaction is optimistic: it commits only if all it read is unchanged, and is run again otherwise, as
often as the real adapters do.
"""

from __future__ import annotations

import heapq
import math
from bisect import bisect_left, insort
from collections.abc import AsyncIterator, Callable, Iterable, Mapping, Sequence
from functools import lru_cache
from typing import Any, NamedTuple, TypeVar

from infra.sqlite.attempts import Changed, OptimisticStore, Row, check_batch, keep_fields
from infra.sqlite.changes import apply_changes, sums_of
from infra.sqlite.queries import check_collection, split_path
from shared.application.ports.limits import FIRESTORE, Limits, check_document
from shared.application.ports.store import (
    Create,
    Delete,
    Document,
    Filter,
    Order,
    Set,
    Sums,
    Upsert,
    Vector,
    Write,
)
from shared.domain.errors import PathTaken, UnstorableDocument
from tests.simulation.peers.matching import matcher, ordered
from tests.simulation.peers.values import copied, take_in

T = TypeVar("T")

_split_path = lru_cache(maxsize=20_000)(split_path)
_check_collection = lru_cache(maxsize=20_000)(check_collection)
_PAGE = 300
_RETRY_SECONDS = 0.05


class Stored(NamedTuple):
    """A document: what it holds, of which each reader gets a copy, and which write made it."""

    data: Mapping[str, Any]
    version: int

    def copy(self, path: str) -> Document:
        return Document(path, copied(self.data))


class MemoryStore(OptimisticStore):
    """`DocumentStore` in a dictionary.

    Args:
        limits: Of one document.
        on_commit: Told of each document that was written, with what it holds now (None: nothing).
    """

    def __init__(
        self, *, limits: Limits = FIRESTORE, on_commit: Callable[[str, Mapping[str, Any] | None], None] | None = None
    ) -> None:
        super().__init__(step_seconds=_RETRY_SECONDS)
        self._limits = limits
        self._on_commit = on_commit
        self._collections: dict[str, dict[str, Stored]] = {}
        self._names: list[str] = []
        self._version = 0

    async def update(self, path: str, changes: Mapping[str, Any]) -> bool:
        if self._at(path) is None:
            return False
        await self.upsert(path, changes)
        return True

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
        if limit is not None and limit < 0:
            raise ValueError(f"A limit is not negative: {limit}")
        found = ordered(self._matching(collection, where), order_by, after)[:limit]
        self.usage.reads += max(1, len(found))
        documents = [stored.copy(f"{collection}/{name}") for name, stored in found]
        return [keep_fields(document, fields) for document in documents]

    async def count(self, collection: str, *, where: Sequence[Filter] = ()) -> int:
        found = len(self._matching(collection, where))
        self.usage.reads += max(1, math.ceil(found / 1000))
        return found

    async def subtree(self, path: str) -> AsyncIterator[Document]:
        _split_path(path)
        low, high = f"{path}/", f"{path}0"  # "0" follows "/" in ASCII
        last = (low, "")
        while page := self._page(low, high, last):
            self.usage.reads += len(page)
            for collection, name, stored in page:
                yield stored.copy(f"{collection}/{name}")
            last = page[-1][:2]

    def _page(self, low: str, high: str, last: tuple[str, str]) -> list[tuple[str, str, Stored]]:
        page: list[tuple[str, str, Stored]] = []
        for collection in self._names[bisect_left(self._names, max(low, last[0])) : bisect_left(self._names, high)]:
            of = self._collections[collection]
            page += [(collection, name, of[name]) for name in sorted(of) if (collection, name) > last]
            if len(page) >= _PAGE:
                break
        return page

    async def nearest(
        self, collection: str, field: str, vector: Sequence[float], *, limit: int, where: Sequence[Filter] = ()
    ) -> list[tuple[Document, float]]:
        if not any(vector):
            raise ValueError("The vector to compare with is empty or all zeros")
        best = heapq.nsmallest(limit, _distances(vector, field, self._matching(collection, where)))
        self.usage.reads += max(1, len(best))
        of = self._collections.get(collection, {})
        return [(of[name].copy(f"{collection}/{name}"), distance) for distance, name in best]

    async def scrub(self) -> None:
        """There are no files."""

    async def aclose(self) -> None:
        """There is nothing to release."""

    def read(self, path: str) -> Row:
        stored = self._at(path)
        self.usage.reads += 1
        return Row(None, None) if stored is None else Row(stored.copy(path), stored.version)

    def dump(self) -> str:
        """Return all that is stored, for comparing."""
        return repr([(name, sorted(self._collections[name].items())) for name in self._names])

    def commit(self, writes: Sequence[Write], seen: Mapping[str, int | None]) -> list[Sums]:
        check_batch(writes)
        for path, version in seen.items():
            if (stored := self._at(path)) is not version and (stored and stored.version) != version:
                raise Changed(f"{path!r} has changed since it was read")
        self._version += 1
        changed: dict[str, Stored | None] = {}
        sums: list[Sums] = []
        for write in writes:
            before = changed[write.path] if write.path in changed else self._at(write.path)
            changed[write.path] = stored = self._written(write, before)
            sums.append(sums_of(write.changes, stored.data) if isinstance(write, Upsert) and stored is not None else {})
        for path, stored in changed.items():
            self._put(path, stored)
        self.usage.writes += len(writes)
        return sums

    def _written(self, write: Write, before: Stored | None) -> Stored | None:
        match write:
            case Delete():
                return None
            case Create(path, _) if before is not None:
                raise PathTaken(f"{path!r} exists already")
            case Upsert(path, changes):
                data: Mapping[str, Any] = apply_changes({} if before is None else before.data, changes)
            case Create(path, data) | Set(path, data):
                pass
        try:
            taken = take_in(data) if not isinstance(write, Upsert) else {**data, **take_in(_changed(write, data))}
        except ValueError as error:
            raise UnstorableDocument(str(error), paths=(path,)) from error
        check_document(path, data, self._limits)
        return Stored(taken, self._version)

    def _put(self, path: str, stored: Stored | None) -> None:
        collection, name = _split_path(path)
        of = self._collections.get(collection)
        if of is None:
            if stored is None:
                return
            of = self._collections[collection] = {}
            insort(self._names, collection)
        if stored is None:
            of.pop(name, None)
        else:
            of[name] = stored
        if self._on_commit is not None:
            self._on_commit(path, None if stored is None else stored.data)

    def _at(self, path: str) -> Stored | None:
        collection, name = _split_path(path)
        of = self._collections.get(collection)
        return None if of is None else of.get(name)

    def _matching(self, collection: str, where: Sequence[Filter]) -> list[tuple[str, Stored]]:
        matches = [matcher(each) for each in where]
        found: Iterable[tuple[str, Stored]] = self._collections.get(_check_collection(collection), {}).items()
        for match in matches:
            found = [each for each in found if match(each[1].data)]
        return [*found]


def _changed(write: Upsert, data: Mapping[str, Any]) -> dict[str, Any]:
    """Return the fields that a write changed: the others were taken in before."""
    return {field: data[field] for field in write.changes if field in data}


def _distances(
    vector: Sequence[float], field: str, documents: Iterable[tuple[str, Stored]]
) -> Iterable[tuple[float, str]]:
    length = math.hypot(*vector)
    for name, stored in documents:
        other = stored.data.get(field)
        if isinstance(other, Vector) and len(other) == len(vector) and any(other):
            cosine = sum(a * b for a, b in zip(vector, other, strict=True)) / (length * math.hypot(*other))
            yield min(2.0, max(0.0, 1.0 - cosine)), name
