"""Run a transaction's body once: with what it saw and what it would write."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

from shared.application.ports.store import (
    Document,
    Write,
)
from shared.domain.errors import Contention


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
