"""A store that sees to it that no fact's document is written without what must be written beside it."""

from __future__ import annotations

import re
from typing import Any

from shared.application.documents import learning_path, profile_path
from shared.application.ports.store import Create, Delete, Set, Transaction, Upsert, Write

_FACT = re.compile(r"chats/(-?\d+)/facts/\w+")


class Unguarded(AssertionError):
    """A fact's document was written, and its subject's revision was not raised or its profile not removed."""


class GuardedStore:
    """Forwards to a real store and raises `Unguarded` at such a write.

    Attributes:
        moved: Chats that moved away: there a profile must go with its facts, but nothing counts any more.
        seen: How many writes of facts were looked at.
    """

    def __init__(self, store: Any, *, moved: frozenset[int] = frozenset()) -> None:
        self._store, self.moved, self.seen = store, moved, 0

    def __getattr__(self, name: str) -> Any:
        return getattr(self._store, name)

    async def create(self, path: str, data: Any) -> bool:
        await self._check([Create(path, data)])
        return await self._store.create(path, data)

    async def set(self, path: str, data: Any) -> None:
        await self._check([Set(path, data)])
        await self._store.set(path, data)

    async def upsert(self, path: str, changes: Any) -> None:
        await self._check([Upsert(path, changes)])
        await self._store.upsert(path, changes)

    async def update(self, path: str, changes: Any) -> bool:
        await self._check([Upsert(path, changes)])
        return await self._store.update(path, changes)

    async def delete(self, path: str) -> None:
        await self._check([Delete(path)])
        await self._store.delete(path)

    async def batch(self, writes: Any) -> Any:
        await self._check(writes)
        return await self._store.batch(writes)

    async def transaction(self, body: Any) -> Any:
        async def watched(tx: Transaction) -> Any:
            recording = _Recording(tx)
            result = await body(recording)
            await self._check(recording.writes)
            return result

        return await self._store.transaction(watched)

    async def _check(self, writes: list[Write]) -> None:
        for write in writes:
            if found := _FACT.fullmatch(write.path):
                self.seen += 1
                chat_id = int(found[1])
                self._check_one(writes, chat_id, await self._subject(write))

    async def _subject(self, write: Write) -> str:
        if not isinstance(write, Delete):
            return (write.data if isinstance(write, Create | Set) else write.changes)["subject"]
        known = await self._store.get(write.path)
        return "chat" if known is None else known.data["subject"]

    def _check_one(self, writes: list[Write], chat_id: int, subject: str) -> None:
        raised = any(
            isinstance(w, Upsert) and w.path == learning_path(chat_id, subject) and w.changes["revision"].by == 1
            for w in writes
        )
        removed = Delete(profile_path(chat_id, subject)) in writes
        if not removed or not (raised or chat_id in self.moved):
            raise Unguarded(f"facts about {subject} of chat {chat_id}: revision {raised}, profile {removed}")


class _Recording:
    """One attempt's view, and what it writes."""

    def __init__(self, tx: Transaction) -> None:
        self._tx, self.writes = tx, list[Write]()

    def __getattr__(self, name: str) -> Any:
        return getattr(self._tx, name)

    def write(self, write: Write) -> None:
        self.writes.append(write)
        self._tx.write(write)
