"""Run a transaction's body once: with reads that lock and writes that wait."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence

from google.cloud import firestore

from shared.application.ports.store import Document, Write

Read = Callable[[Sequence[str], firestore.AsyncTransaction], Awaitable[list[Document | None]]]


class FirestoreAttempt:
    """One run of a transaction's body: reads lock on the server, writes wait for the commit."""

    def __init__(self, read: Read, sdk: firestore.AsyncTransaction) -> None:
        self._read = read
        self._sdk = sdk
        self.writes: list[Write] = []

    async def get(self, path: str) -> Document | None:
        return (await self.get_many([path]))[0]

    async def get_many(self, paths: Sequence[str]) -> list[Document | None]:
        if self.writes:
            raise ValueError("A transaction reads before its first write")
        return await self._read(paths, self._sdk)

    def write(self, write: Write) -> None:
        self.writes.append(write)
