"""What Firestore's server refuses and its emulator takes: a document that an upsert has made too large.

The adapter counts what it sends, which is all of a document that is created or set, and only a part of one that is
changed. In production the server counts the whole; here this does, before the emulator is asked.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from typing import Any

from infra.sqlite.changes import apply_changes
from shared.application.ports.limits import check_document, value_bytes
from shared.application.ports.store import Transaction, Upsert, Write

_LOOKED_AT = 50_000
"""Bytes of changes from which on the whole is counted: a read for each small one would slow every test."""


class ServerLimits:
    """Before `FirestoreStore` in the order of classes."""

    async def _send(self: Any, batch: Any, writes: Sequence[Write]) -> None:
        await self._refuse_what_grew(writes)
        await super()._send(batch, writes)  # type: ignore[misc]

    async def transaction(self: Any, body: Callable[[Transaction], Awaitable[Any]]) -> Any:
        async def checked(tx: Any) -> Any:
            result = await body(tx)
            await self._refuse_what_grew(tx.writes)
            return result

        return await super().transaction(checked)  # type: ignore[misc]

    async def _refuse_what_grew(self: Any, writes: Sequence[Write]) -> None:
        for write in writes:
            if not isinstance(write, Upsert) or value_bytes(write.changes) < min(_LOOKED_AT, self._limits.bytes // 4):
                continue
            reads = self.usage.reads
            known = (await self.get_many([write.path]))[0]
            self.usage.reads = reads
            check_document(write.path, apply_changes(known.data if known else {}, write.changes), self._limits)
