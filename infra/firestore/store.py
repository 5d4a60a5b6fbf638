"""The DocumentStore port on Firestore (native mode).

The client is built by the first call: functions-framework imports modules before it forks, and a gRPC channel does
not survive a fork. Every call is bounded by a timeout without progress, so a dead server is an error, not a hang.
A write is repeated after a broken connection only when doing it twice is the same as doing it once.
"""

from __future__ import annotations

import asyncio
import math
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping, Sequence
from contextlib import suppress
from functools import cached_property
from typing import Any, TypeVar

from google.api_core.exceptions import AlreadyExists, NotFound
from google.api_core.gapic_v1.method import DEFAULT as DEFAULT_RETRY
from google.cloud import firestore
from google.cloud.firestore_v1.field_path import FieldPath

from infra.firestore.attempts import FirestoreAttempt
from infra.firestore.calls import LostRace, calling, connect
from infra.firestore.codec import cursor_value, document_of, encode_change, field_path
from infra.firestore.queries import direction, matches_nothing, query_where
from infra.firestore.writes import add_write, sums_of
from infra.rest.documents import check_text, is_repeatable, paths_of, refusals
from shared.application.ports.limits import FIRESTORE, Limits, check_document
from shared.application.ports.store import (
    MAX_BATCH_WRITES,
    Create,
    Delete,
    Document,
    Filter,
    Order,
    Set,
    StoreUsage,
    Sums,
    Transaction,
    Upsert,
    Write,
)
from shared.domain.errors import Contention, PathTaken, StoreUnavailable

T = TypeVar("T")

_ATTEMPTS = 5
_PAGE = 300
_RANGES = frozenset({"<", "<=", ">", ">="})


class FirestoreStore:
    """DocumentStore in one Firestore database.

    Args:
        project: Google Cloud project id.
        database: Database id.
        emulator_host: host:port of an emulator, spoken to in plain text without credentials. None means the real
            service, or the emulator that FIRESTORE_EMULATOR_HOST names (the SDK reads it).
        timeout: Seconds that a call may go without progress before it is `StoreUnavailable`.
        limits: Of one document; the server's own hold beside them.
    """

    def __init__(
        self,
        project: str,
        database: str = "(default)",
        *,
        emulator_host: str | None = None,
        timeout: float = 10.0,
        limits: Limits = FIRESTORE,
    ) -> None:
        self.usage = StoreUsage()
        self._limits = limits
        self._project = project
        self._database = database
        self._emulator_host = emulator_host
        self._timeout = timeout

    async def get(self, path: str) -> Document | None:
        return (await self.get_many([path]))[0]

    async def get_many(self, paths: Sequence[str]) -> list[Document | None]:
        return await self._read(paths, None)

    async def create(self, path: str, data: Mapping[str, Any]) -> bool:
        try:
            await self._commit([Create(path, data)])
        except AlreadyExists:
            return False
        return True

    async def set(self, path: str, data: Mapping[str, Any]) -> None:
        await self._commit([Set(path, data)])

    async def upsert(self, path: str, changes: Mapping[str, Any]) -> None:
        await self._commit([Upsert(path, changes)])

    async def update(self, path: str, changes: Mapping[str, Any]) -> bool:
        if not changes:
            return await self.get(path) is not None
        batch, reference = self._client.batch(), self._reference(path)
        with refusals((path,)):
            named = {FieldPath(field).to_api_repr(): encode_change(change, field) for field, change in changes.items()}
            batch.update(reference, named)
        check_document(path, changes, self._limits)
        try:
            await self._send(batch, [Upsert(path, changes)])
        except NotFound:
            return False
        self.usage.writes += 1
        return True

    async def delete(self, path: str) -> None:
        await self._commit([Delete(path)])

    async def batch(self, writes: Sequence[Write]) -> list[Sums]:
        try:
            return await self._commit(writes)
        except AlreadyExists as error:
            raise PathTaken("A document to create exists already") from error

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
        if limit == 0 or matches_nothing(where):
            return []
        query = query_where(self._client, collection, where)
        if fields is not None:
            query = query.select([FieldPath(field).to_api_repr() for field in fields])  # names, no paths into maps
        if not order_by and any(each.op in _RANGES for each in where):
            return await self._range_by_id(query, limit, after)
        for order in order_by:
            query = query.order_by(field_path(order.field), direction=direction(order))
        query = query.order_by("__name__", direction=direction(order_by[-1]) if order_by else "ASCENDING")
        if after:
            query = query.start_after(
                (*(cursor_value(after, each.field) for each in order_by), self._reference(after.path))
            )
        return await self._rows(query if limit is None else query.limit(limit))

    async def _range_by_id(self, query: Any, limit: int | None, after: Document | None) -> list[Document]:
        # Firestore walks a range in its own order only: by id means reading all of it. Callers that page name an order.
        found = await self._rows(query)
        found.sort(key=lambda document: document.id)
        return [document for document in found if after is None or document.id > after.id][:limit]

    async def count(self, collection: str, *, where: Sequence[Filter] = ()) -> int:
        if matches_nothing(where):
            return 0
        async with calling(self._timeout):
            [[found]] = await query_where(self._client, collection, where).count().get()
        self.usage.reads += max(1, math.ceil(found.value / 1000))
        return int(found.value)

    async def subtree(self, path: str) -> AsyncIterator[Document]:
        async with calling(self._timeout):
            collections = [each async for each in self._reference(path).collections()]
        for collection in collections:
            # One query over everything below, whatever the names, documents under missing parents too.
            query = page = collection.recursive().limit(_PAGE)
            full = True
            while full:
                rows = await self._rows(page)
                for document in rows:
                    yield document
                full = len(rows) == _PAGE
                page = query.start_after((self._reference(rows[-1].path),)) if full else page

    async def transaction(self, body: Callable[[Transaction], Awaitable[T]]) -> T:
        first_id: bytes | None = None
        for _ in range(_ATTEMPTS):
            sdk = self._client.transaction()
            try:
                async with calling(self._timeout):
                    # Naming the first attempt keeps this transaction's place in the server's queue.
                    await sdk._begin(retry_id=first_id)
                first_id = first_id or sdk.id
                return await self._attempt(sdk, body)
            except LostRace as error:
                lost = error
        raise Contention(f"The transaction lost its race {_ATTEMPTS} times") from lost

    async def scrub(self) -> None:
        """Google's own matter: nothing is kept here."""

    async def aclose(self) -> None:
        # Looked up in the instance: asking the property would build a client only to close it.
        client = self.__dict__.pop("_client", None)
        if client is not None:
            await client._firestore_api.transport.close()

    @cached_property
    def _client(self) -> firestore.AsyncClient:
        return connect(self._project, self._database, self._emulator_host)

    def _reference(self, path: str) -> firestore.AsyncDocumentReference:
        parts = path.split("/")
        if len(parts) % 2 or not all(parts):
            raise ValueError(f"Not the path of a document: {path!r}")
        check_text(path, path)
        return self._client.document(*parts)

    async def _rows(self, query: Any) -> list[Document]:
        rows = []
        async with calling(self._timeout) as deadline:
            async for row in query.stream():
                rows.append(document_of(row))
                deadline.reschedule(asyncio.get_running_loop().time() + self._timeout)
        self.usage.reads += max(1, len(rows))
        return rows

    async def _read(self, paths: Sequence[str], sdk: firestore.AsyncTransaction | None) -> list[Document | None]:
        references = [self._reference(path) for path in paths]
        if not references:
            return []
        async with calling(self._timeout):
            rows = [row async for row in self._client.get_all(references, transaction=sdk)]
        self.usage.reads += len(paths)
        found = {row.reference.path: document_of(row) for row in rows if row.exists}
        return [found.get(path) for path in paths]

    async def _commit(self, writes: Sequence[Write]) -> list[Sums]:
        batch = self._client.batch()
        self._add(writes, batch)
        if writes:
            await self._send(batch, writes)
        self.usage.writes += len(writes)
        return [sums_of(write, result) for write, result in zip(writes, batch.write_results or (), strict=True)]

    async def _send(self, batch: firestore.AsyncWriteBatch, writes: Sequence[Write]) -> None:
        retry = DEFAULT_RETRY if all(map(is_repeatable, writes)) else None
        for _ in range(_ATTEMPTS):
            try:
                with refusals(paths_of(writes)):
                    async with calling(self._timeout, expected=(AlreadyExists, NotFound)):
                        await batch.commit(retry=retry)
            except LostRace as error:
                lost = error
            else:
                return
        raise Contention("Transactions kept a document locked") from lost

    def _add(self, writes: Sequence[Write], batch: firestore.AsyncWriteBatch) -> None:
        if len(writes) > MAX_BATCH_WRITES:
            raise ValueError(f"At most {MAX_BATCH_WRITES} writes go together, not {len(writes)}")
        for write in writes:
            reference = self._reference(write.path)
            with refusals((write.path,)):
                add_write(write, reference, batch)
            if not isinstance(write, Delete):
                # Of an upsert these are not all fields: what it makes too large, the server refuses.
                check_document(write.path, write[1], self._limits)

    async def _attempt(self, sdk: firestore.AsyncTransaction, body: Callable[[Transaction], Awaitable[T]]) -> T:
        attempt = FirestoreAttempt(self._read, sdk)
        try:
            result = await body(attempt)
            self._add(attempt.writes, sdk)
            with refusals(paths_of(attempt.writes)):
                async with calling(self._timeout, expected=(AlreadyExists,)):
                    await sdk._commit()
        except AlreadyExists as error:
            await self._roll_back(sdk)
            raise PathTaken("A document to create exists already") from error
        except BaseException:
            await self._roll_back(sdk)
            raise
        self.usage.writes += len(attempt.writes)
        return result

    async def _roll_back(self, sdk: firestore.AsyncTransaction) -> None:
        # Frees the locks early; if it fails, the server does so a little later.
        with suppress(StoreUnavailable, Contention, ValueError):
            async with calling(self._timeout):
                await sdk._rollback()
