"""The DocumentStore port for a function that starts often: single documents go over Firestore's REST API, which needs
no SDK and no gRPC; all else (transactions, queries) goes through a store that is loaded when it is needed.

Importing the SDK takes twice as long as all else that an ordinary message needs.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping, Sequence
from functools import cached_property
from http.client import HTTPException
from typing import Any, TypeVar
from urllib.parse import quote

from infra.rest.access import Access
from infra.rest.documents import check_text, is_repeatable, paths_of, refusals
from infra.rest.http import HttpPool, HttpReply
from infra.rest.refusals import error_of
from infra.rest.values import document_of, path_of, sums_of, write_of
from shared.application.ports.limits import FIRESTORE, Limits, check_document
from shared.application.ports.store import (
    MAX_BATCH_WRITES,
    Create,
    Delete,
    Document,
    DocumentStore,
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

_SERVICE = "https://firestore.googleapis.com"
_ATTEMPTS = 5
_FIRST_PAUSE = 0.1
_BRIEF = frozenset({"UNAVAILABLE", "RESOURCE_EXHAUSTED", "INTERNAL", "DEADLINE_EXCEEDED"})


class RestStore:
    """DocumentStore in one Firestore database; the arguments are those of `FirestoreStore`, and

    Args:
        sdk: Makes that of the same database, when it is needed.
    """

    def __init__(
        self,
        project: str,
        database: str = "(default)",
        *,
        sdk: Callable[[], DocumentStore],
        emulator_host: str | None = None,
        timeout: float = 10.0,
        limits: Limits = FIRESTORE,
    ) -> None:
        self.usage = StoreUsage()
        self._make_sdk, self._timeout, self._limits = sdk, timeout, limits
        self._root = f"projects/{project}/databases/{database}/documents"
        self._pool = HttpPool(f"http://{emulator_host}" if emulator_host else _SERVICE, timeout=timeout)
        self._access = Access(emulated=emulator_host is not None)

    # --- over REST ---

    async def get(self, path: str) -> Document | None:
        return (await self.get_many([path]))[0]

    async def get_many(self, paths: Sequence[str]) -> list[Document | None]:
        names = [self._name(path) for path in paths]
        if not names:
            return []
        told = json.loads(await self._call("batchGet", {"documents": list(dict.fromkeys(names))}, repeatable=True))
        self.usage.reads += len(paths)
        found = {path_of(each["found"]["name"]): document_of(each["found"]) for each in told if "found" in each}
        return [found.get(path) for path in paths]

    async def create(self, path: str, data: Mapping[str, Any]) -> bool:
        try:
            await self._commit([Create(path, data)])
        except _Exists:
            return False
        return True

    async def set(self, path: str, data: Mapping[str, Any]) -> None:
        await self._commit([Set(path, data)])

    async def upsert(self, path: str, changes: Mapping[str, Any]) -> None:
        await self._commit([Upsert(path, changes)])

    async def delete(self, path: str) -> None:
        await self._commit([Delete(path)])

    async def batch(self, writes: Sequence[Write]) -> list[Sums]:
        try:
            told = json.loads(await self._commit(writes))
        except _Exists as error:
            raise PathTaken("A document to create exists already") from error
        return [sums_of(write, each) for write, each in zip(writes, told.get("writeResults", ()), strict=True)]

    # --- through the SDK ---

    async def update(self, path: str, changes: Mapping[str, Any]) -> bool:
        return await self._sdk.update(path, changes)

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
        return await self._sdk.query(
            collection, where=where, order_by=order_by, limit=limit, after=after, fields=fields
        )

    async def count(self, collection: str, *, where: Sequence[Filter] = ()) -> int:
        return await self._sdk.count(collection, where=where)

    async def subtree(self, path: str) -> AsyncIterator[Document]:
        async for document in self._sdk.subtree(path):
            yield document

    async def transaction(self, body: Callable[[Transaction], Awaitable[T]]) -> T:
        return await self._sdk.transaction(body)

    async def scrub(self) -> None:
        """Google's own matter: nothing is kept here."""

    async def aclose(self) -> None:
        await self._pool.aclose()
        sdk = self.__dict__.pop("_sdk", None)
        if sdk is not None:
            await sdk.aclose()

    @cached_property
    def _sdk(self) -> DocumentStore:
        store = self._make_sdk()
        store.usage = self.usage
        return store

    # --- calls ---

    def _name(self, path: str) -> str:
        parts = path.split("/")
        if len(parts) % 2 or not all(parts):
            raise ValueError(f"Not the path of a document: {path!r}")
        check_text(path, path)
        return f"{self._root}/{path}"

    async def _commit(self, writes: Sequence[Write]) -> bytes:
        if len(writes) > MAX_BATCH_WRITES:
            raise ValueError(f"At most {MAX_BATCH_WRITES} writes go together, not {len(writes)}")
        encoded = []
        for write in writes:
            name = self._name(write.path)
            with refusals((write.path,)):
                encoded.append(write_of(write, name))
            if not isinstance(write, Delete):
                # Of an upsert these are not all fields: what it makes too large, the server refuses.
                check_document(write.path, write[1], self._limits)
        told = b"{}"
        if encoded:
            with refusals(paths_of(writes)):
                told = await self._call("commit", {"writes": encoded}, repeatable=all(map(is_repeatable, writes)))
        self.usage.writes += len(writes)
        return told

    async def _call(self, method: str, said: Mapping[str, Any], *, repeatable: bool) -> bytes:
        """Make a call; once more after a brief fault when doing it twice is the same as doing it once."""
        body, path = json.dumps(said, allow_nan=False).encode(), f"/v1/{quote(self._root, safe='/()')}:{method}"
        try:
            async with asyncio.timeout(self._timeout):
                return await self._repeat_call(path, body, repeatable=repeatable)
        except TimeoutError as error:
            raise StoreUnavailable(f"Firestore did not answer within {self._timeout:g} s") from error

    async def _repeat_call(self, path: str, body: bytes, *, repeatable: bool) -> bytes:
        pause = _FIRST_PAUSE
        for attempt in range(1, _ATTEMPTS + 1):
            try:
                headers = {**await self._access.headers(), "content-type": "application/json"}
                return _body_of(await self._pool.request("POST", path, headers=headers, body=body))
            except _Unknown as error:
                self._access.forget()
                raise StoreUnavailable(f"Firestore does not know this account: {error}") from error
            except _Lost as error:
                if attempt == _ATTEMPTS:
                    raise Contention("Transactions kept a document locked") from error
            except (OSError, HTTPException, _Brief) as error:
                if attempt == _ATTEMPTS or not repeatable:
                    raise StoreUnavailable(f"Firestore: {error!r}") from error
            await asyncio.sleep(pause)
            pause *= 2
        raise AssertionError("the last attempt returns or raises")


class _Exists(Exception):
    """A document to create is there."""


class _Lost(Exception):
    """A transaction kept a document locked; nothing was written."""


class _Unknown(Exception):
    """The token is not taken (any more)."""


class _Brief(Exception):
    """The server is away, or has too much to do."""


def _body_of(reply: HttpReply) -> bytes:
    if reply.status == 200:
        return reply.body
    status, message = error_of(reply)
    if status == "ALREADY_EXISTS":
        raise _Exists(message)
    if status == "ABORTED":
        raise _Lost(message)
    if status == "INVALID_ARGUMENT":
        raise ValueError(message)
    if reply.status == 401:
        raise _Unknown(message)
    if status in _BRIEF or reply.status >= 500:
        raise _Brief(message)
    raise StoreUnavailable(f"Firestore: {status} {message}")
