"""The DocumentStore port on Firestore (native mode).

The client is built by the first call: functions-framework imports modules before it forks, and a gRPC channel does
not survive a fork. Every call is bounded by a timeout without progress, so a dead server is an error, not a hang.
A write is repeated after a broken connection only when doing it twice is the same as doing it once.
"""

from __future__ import annotations

import asyncio
import math
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator, Mapping, Sequence
from contextlib import asynccontextmanager, contextmanager, suppress
from functools import cached_property
from typing import Any, TypeVar

from google.api_core.exceptions import Aborted, AlreadyExists, GoogleAPIError, InvalidArgument, NotFound
from google.api_core.gapic_v1.method import DEFAULT as DEFAULT_RETRY
from google.auth.credentials import AnonymousCredentials
from google.auth.exceptions import DefaultCredentialsError, GoogleAuthError
from google.cloud import firestore
from google.cloud.firestore_v1.base_query import FieldFilter
from google.cloud.firestore_v1.base_vector_query import DistanceMeasure
from google.cloud.firestore_v1.field_path import FieldPath
from google.cloud.firestore_v1.vector import Vector as FirestoreVector
from grpc import RpcError

from infra.firestore.codec import check_text, cursor_value, document_of, encode, encode_change, field_path
from shared.application.ports.limits import FIRESTORE, Limits, check_document
from shared.application.ports.store import (
    MAX_BATCH_WRITES,
    Create,
    Delete,
    Document,
    Filter,
    Increment,
    Order,
    Set,
    StoreUsage,
    Transaction,
    Upsert,
    Write,
)
from shared.domain.errors import Contention, SettingsError, StoreUnavailable, UnstorableDocument

T = TypeVar("T")

_ATTEMPTS = 5
_PAGE = 300
_DISTANCE = "nearest_distance"
_RANGES = frozenset({"<", "<=", ">", ">="})
_MAX_ALTERNATIVES = 30


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
        batch, reference = self._client.batch(), self._at(path)
        with _refusals((path,)):
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

    async def batch(self, writes: Sequence[Write]) -> None:
        try:
            await self._commit(writes)
        except AlreadyExists as error:
            raise Contention("A document to create exists already") from error

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
        if limit == 0 or _matches_nothing(where):
            return []
        query = self._filter(collection, where)
        if fields is not None:
            query = query.select([FieldPath(field).to_api_repr() for field in fields])  # names, no paths into maps
        if not order_by and any(each.op in _RANGES for each in where):
            return await self._range_by_id(query, limit, after)
        for order in order_by:
            query = query.order_by(field_path(order.field), direction=_direction(order))
        query = query.order_by("__name__", direction=_direction(order_by[-1]) if order_by else "ASCENDING")
        if after:
            query = query.start_after((*(cursor_value(after, each.field) for each in order_by), self._at(after.path)))
        return await self._rows(query if limit is None else query.limit(limit))

    async def _range_by_id(self, query: Any, limit: int | None, after: Document | None) -> list[Document]:
        # Firestore walks a range in its own order only: by id means reading all of it. Callers that page name an order.
        found = await self._rows(query)
        found.sort(key=lambda document: document.id)
        return [document for document in found if after is None or document.id > after.id][:limit]

    async def count(self, collection: str, *, where: Sequence[Filter] = ()) -> int:
        if _matches_nothing(where):
            return 0
        async with self._calling():
            [[found]] = await self._filter(collection, where).count().get()
        self.usage.reads += max(1, math.ceil(found.value / 1000))
        return int(found.value)

    async def subtree(self, path: str) -> AsyncIterator[Document]:
        async with self._calling():
            collections = [each async for each in self._at(path).collections()]
        for collection in collections:
            # One query over everything below, whatever the names, documents under missing parents too.
            query = page = collection.recursive().limit(_PAGE)
            full = True
            while full:
                rows = await self._rows(page)
                for document in rows:
                    yield document
                full = len(rows) == _PAGE
                page = query.start_after((self._at(rows[-1].path),)) if full else page

    async def nearest(
        self, collection: str, field: str, vector: Sequence[float], *, limit: int, where: Sequence[Filter] = ()
    ) -> list[tuple[Document, float]]:
        if not any(vector):
            raise ValueError("The vector to compare with is empty or all zeros")
        if _matches_nothing(where):
            return []
        query = self._filter(collection, where).find_nearest(
            field_path(field),
            FirestoreVector(vector),
            limit,
            DistanceMeasure.COSINE,
            distance_result_field=_DISTANCE,
        )
        found = [(document, document.data.pop(_DISTANCE)) for document in await self._rows(query)]
        # A stored vector of zeros has no direction.
        return [(document, distance) for document, distance in found if not math.isnan(distance)]

    async def transaction(self, body: Callable[[Transaction], Awaitable[T]]) -> T:
        first_id: bytes | None = None
        for _ in range(_ATTEMPTS):
            sdk = self._client.transaction()
            try:
                async with self._calling():
                    # Naming the first attempt keeps this transaction's place in the server's queue.
                    await sdk._begin(retry_id=first_id)
                first_id = first_id or sdk.id
                return await self._attempt(sdk, body)
            except _LostRace as error:
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
        credentials = AnonymousCredentials() if self._emulator_host else None  # type: ignore[no-untyped-call]
        try:
            client = firestore.AsyncClient(self._project, credentials, self._database)
        except DefaultCredentialsError as error:
            raise SettingsError("No Google credentials: run `gcloud auth application-default login`") from error
        if self._emulator_host:
            # What the SDK does for FIRESTORE_EMULATOR_HOST, without changing the environment of the process.
            client._emulator_host = self._emulator_host
        return client

    def _at(self, path: str) -> firestore.AsyncDocumentReference:
        parts = path.split("/")
        if len(parts) % 2 or not all(parts):
            raise ValueError(f"Not the path of a document: {path!r}")
        check_text(path, path)
        return self._client.document(*parts)

    def _filter(self, collection: str, where: Sequence[Filter]) -> Any:
        parts = collection.split("/")
        if len(parts) % 2 == 0 or not all(parts):
            raise ValueError(f"Not the path of a collection: {collection!r}")
        query = self._client.collection(*parts)._query()
        for each in where:
            if each.op == "in" and len(each.value) > _MAX_ALTERNATIVES:
                raise ValueError(f"`in` takes at most {_MAX_ALTERNATIVES} values, not {len(each.value)}")
            value = encode(each.value, each.field)
            query = query.where(filter=FieldFilter(field_path(each.field), each.op, value))
        return query

    async def _rows(self, query: Any) -> list[Document]:
        rows = []
        async with self._calling() as deadline:
            async for row in query.stream():
                rows.append(document_of(row))
                deadline.reschedule(asyncio.get_running_loop().time() + self._timeout)
        self.usage.reads += max(1, len(rows))
        return rows

    async def _read(self, paths: Sequence[str], sdk: firestore.AsyncTransaction | None) -> list[Document | None]:
        references = [self._at(path) for path in paths]
        if not references:
            return []
        async with self._calling():
            rows = [row async for row in self._client.get_all(references, transaction=sdk)]
        self.usage.reads += len(paths)
        found = {row.reference.path: document_of(row) for row in rows if row.exists}
        return [found.get(path) for path in paths]

    async def _commit(self, writes: Sequence[Write]) -> None:
        batch = self._client.batch()
        self._add(writes, batch)
        if writes:
            await self._send(batch, writes)
        self.usage.writes += len(writes)

    async def _send(self, batch: firestore.AsyncWriteBatch, writes: Sequence[Write]) -> None:
        retry = DEFAULT_RETRY if all(map(_repeatable, writes)) else None
        for _ in range(_ATTEMPTS):
            try:
                with _refusals(_paths(writes)):
                    async with self._calling(expected=(AlreadyExists, NotFound)):
                        await batch.commit(retry=retry)
            except _LostRace as error:
                lost = error
            else:
                return
        raise Contention("Transactions kept a document locked") from lost

    def _add(self, writes: Sequence[Write], batch: firestore.AsyncWriteBatch) -> None:
        if len(writes) > MAX_BATCH_WRITES:
            raise ValueError(f"At most {MAX_BATCH_WRITES} writes go together, not {len(writes)}")
        for write in writes:
            reference = self._at(write.path)
            with _refusals((write.path,)):
                _add_write(write, reference, batch)
            if not isinstance(write, Delete):
                # Of an upsert these are not all fields: what it makes too large, the server refuses.
                check_document(write.path, write[1], self._limits)

    async def _attempt(self, sdk: firestore.AsyncTransaction, body: Callable[[Transaction], Awaitable[T]]) -> T:
        attempt = _FirestoreAttempt(self, sdk)
        try:
            result = await body(attempt)
            self._add(attempt.writes, sdk)
            with _refusals(_paths(attempt.writes)):
                async with self._calling(expected=(AlreadyExists,)):
                    await sdk._commit()
        except AlreadyExists as error:
            await self._roll_back(sdk)
            raise Contention("A document to create exists already") from error
        except BaseException:
            await self._roll_back(sdk)
            raise
        self.usage.writes += len(attempt.writes)
        return result

    async def _roll_back(self, sdk: firestore.AsyncTransaction) -> None:
        # Frees the locks early; if it fails, the server does so a little later.
        with suppress(StoreUnavailable, Contention, ValueError):
            async with self._calling():
                await sdk._rollback()

    @asynccontextmanager
    async def _calling(self, expected: tuple[type[GoogleAPIError], ...] = ()) -> AsyncIterator[asyncio.Timeout]:
        try:
            async with asyncio.timeout(self._timeout) as deadline:
                yield deadline
        except expected:
            raise
        except InvalidArgument as error:
            # A transaction that took too long expires; anything else the server finds invalid stays so.
            raise (_LostRace if "transaction has expired" in str(error) else ValueError)(str(error)) from error
        except Aborted as error:
            raise _LostRace(str(error)) from error
        except TimeoutError as error:
            raise StoreUnavailable(f"Firestore did not answer within {self._timeout:g} s") from error
        except (GoogleAPIError, GoogleAuthError, RpcError) as error:
            raise StoreUnavailable(f"Firestore: {error}") from error


class _LostRace(Contention):
    """The server gave another transaction the lock; nothing was written."""


class _FirestoreAttempt:
    """One run of a transaction's body: reads lock on the server, writes wait for the commit."""

    def __init__(self, store: FirestoreStore, sdk: firestore.AsyncTransaction) -> None:
        self._store = store
        self._sdk = sdk
        self.writes: list[Write] = []

    async def get(self, path: str) -> Document | None:
        return (await self.get_many([path]))[0]

    async def get_many(self, paths: Sequence[str]) -> list[Document | None]:
        if self.writes:
            raise ValueError("A transaction reads before its first write")
        return await self._store._read(paths, self._sdk)

    def write(self, write: Write) -> None:
        self.writes.append(write)


def _matches_nothing(where: Sequence[Filter]) -> bool:
    return any(each.op == "in" and not each.value for each in where)


def _add_write(write: Write, reference: firestore.AsyncDocumentReference, batch: firestore.AsyncWriteBatch) -> None:
    match write:
        case Create(_, data):
            batch.create(reference, encode(data, ""))
        case Set(_, data):
            batch.set(reference, encode(data, ""))
        case Upsert(_, changes):
            encoded = {field: encode_change(change, field) for field, change in changes.items()}
            # Naming the fields replaces them whole; `True` would merge into maps.
            batch.set(reference, encoded, merge=[FieldPath(field) for field in changes] or True)
        case Delete():
            batch.delete(reference)


def _paths(writes: Sequence[Write]) -> tuple[str, ...]:
    return tuple(write.path for write in writes)


@contextmanager
def _refusals(paths: tuple[str, ...]) -> Iterator[None]:
    """Name the documents in what the codec, the SDK (TypeError too) or the server says against them."""
    try:
        yield
    except (ValueError, TypeError) as error:
        raise UnstorableDocument(str(error), paths=paths) from error


def _repeatable(write: Write) -> bool:
    """Return whether doing it again after a broken connection is the same as doing it once."""
    match write:
        case Create():
            return False
        case Upsert(_, changes):
            return not any(isinstance(change, Increment) for change in changes.values())
    return True


def _direction(order: Order) -> str:
    return "DESCENDING" if order.descending else "ASCENDING"
