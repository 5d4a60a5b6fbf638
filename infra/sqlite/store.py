"""The DocumentStore port on one SQLite file (WAL).

Every call runs to its end without giving way to the event loop, so a write lock is never held across an await;
between processes SQLite's own lock decides. Each write stamps its documents with a number that is never used twice:
a transaction commits only if all it read still carries the numbers it saw.
"""

from __future__ import annotations

import math
import sqlite3
from collections.abc import AsyncIterator, Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, TypeVar

from infra.sqlite.attempts import Changed, OptimisticStore, Row, check_batch, keep_fields
from infra.sqlite.changes import apply_changes, sums_of
from infra.sqlite.codec import decode, encode
from infra.sqlite.queries import (
    filter_conditions,
    index_of,
    indexes_for,
    order_clause,
    present,
    sort_after,
    split_path,
    statement,
)
from infra.sqlite.schema import open_database
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
    Write,
)
from shared.domain.errors import PathTaken, StoreUnavailable, UnstorableDocument

T = TypeVar("T")

_PAGE = 500
_STEP_SECONDS = 0.005

_GET = "SELECT data, version FROM documents WHERE parent = ? AND id = ?"
_CREATE = "INSERT INTO documents (parent, id, data, version) VALUES (?, ?, ?, ?) ON CONFLICT DO NOTHING"
_SET = (
    "INSERT INTO documents (parent, id, data, version) VALUES (?, ?, ?, ?)"
    " ON CONFLICT DO UPDATE SET data = excluded.data, version = excluded.version"
)
_DELETE = "DELETE FROM documents WHERE parent = ? AND id = ?"
_NEXT_VERSION = "UPDATE documents_meta SET last_version = last_version + 1 RETURNING last_version"
_SUBTREE = (
    "SELECT parent, id, data FROM documents"
    " WHERE parent >= ? AND parent < ? AND (parent, id) > (?, ?) ORDER BY parent, id LIMIT ?"
)


class SqliteStore(OptimisticStore):
    """DocumentStore in one file; "" or ":memory:" is private to this object.

    Args:
        limits: Of one document; Firestore's, so that what is kept here can be taken there.

    Raises:
        SettingsError: The file is not a database, or of another schema version.
    """

    def __init__(self, path: str | Path, *, limits: Limits = FIRESTORE) -> None:
        super().__init__(step_seconds=_STEP_SECONDS)
        self._limits = limits
        self._db = open_database(path)
        self._indexed: set[tuple[str, ...]] = set()

    async def update(self, path: str, changes: Mapping[str, Any]) -> bool:
        with self._writing() as version:
            if self._row(path) is None:
                return False
            self._apply(Upsert(path, changes), version)
        self.usage.writes += 1
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
        self._index(indexes_for(where, order_by))
        conditions = [*filter_conditions(where), *present(order_by), *([sort_after(after, order_by)] if after else [])]
        sql, values = statement("parent, id, data", collection, conditions, f"{order_clause(order_by)} LIMIT ?")
        rows = self._fetch(sql, [*values, -1 if limit is None else limit])
        self.usage.reads += max(1, len(rows))
        found = [_document(*row) for row in rows]
        return [keep_fields(document, fields) for document in found]

    async def count(self, collection: str, *, where: Sequence[Filter] = ()) -> int:
        self._index(indexes_for(where, ()))
        [(found,)] = self._fetch(*statement("count(*)", collection, filter_conditions(where)))
        self.usage.reads += max(1, math.ceil(found / 1000))
        return int(found)

    async def subtree(self, path: str) -> AsyncIterator[Document]:
        parent, name = split_path(path)
        # "0" follows "/" in ASCII: the range holds exactly the collections below the document.
        low, high = f"{parent}/{name}/", f"{parent}/{name}0"
        last = (low, "")
        while rows := self._fetch(_SUBTREE, (low, high, *last, _PAGE)):
            self.usage.reads += len(rows)
            for row in rows:
                yield _document(*row)
            last = rows[-1][:2]

    async def scrub(self) -> None:
        self._fetch("PRAGMA wal_checkpoint(TRUNCATE)", ())

    async def aclose(self) -> None:
        self._db.close()

    def read(self, path: str) -> Row:
        row = self._row(path)
        self.usage.reads += 1
        return Row(None, None) if row is None else Row(Document(path, decode(row[0])), row[1])

    def commit(self, writes: Sequence[Write], seen: Mapping[str, int | None]) -> list[Sums]:
        check_batch(writes)
        with self._writing() as version:
            for path, at in seen.items():
                row = self._row(path)
                if (row and row[1]) != at:
                    raise Changed(f"{path!r} has changed since it was read")
            sums = [self._apply(write, version) for write in writes]
        self.usage.writes += len(writes)
        return sums

    def _apply(self, write: Write, version: int) -> Sums:
        parent, name = split_path(write.path)
        match write:
            case Create(_, data):
                if not self._db.execute(_CREATE, (parent, name, self._encode(write.path, data), version)).rowcount:
                    raise PathTaken(f"{write.path!r} exists already")
            case Set(_, data):
                self._db.execute(_SET, (parent, name, self._encode(write.path, data), version))
            case Upsert(_, changes):
                row = self._row(write.path)
                changed = apply_changes(decode(row[0]) if row else {}, changes)
                self._db.execute(_SET, (parent, name, self._encode(write.path, changed), version))
                return sums_of(changes, changed)
            case Delete():
                self._db.execute(_DELETE, (parent, name))
        return {}

    def _encode(self, path: str, data: Mapping[str, Any]) -> str:
        try:
            text = encode(data, "")
        except ValueError as error:
            raise UnstorableDocument(str(error), paths=(path,)) from error
        check_document(path, data, self._limits)
        return text

    def _row(self, path: str) -> tuple[str, int] | None:
        return next(iter(self._fetch(_GET, split_path(path))), None)

    def _fetch(self, sql: str, parameters: Sequence[Any]) -> list[Any]:
        with _translate_errors():
            return self._db.execute(sql, parameters).fetchall()

    def _index(self, wanted: Collection[tuple[str, ...]]) -> None:
        for fields in [each for each in wanted if each not in self._indexed]:
            with _translate_errors():
                self._db.execute(index_of(fields))
            self._indexed.add(fields)

    @contextmanager
    def _writing(self) -> Iterator[int]:
        with _translate_errors():
            self._db.execute("BEGIN IMMEDIATE")
            try:
                [(version,)] = self._db.execute(_NEXT_VERSION).fetchall()
                yield version
                self._db.execute("COMMIT")
            finally:
                if self._db.in_transaction:
                    self._db.execute("ROLLBACK")


@contextmanager
def _translate_errors() -> Iterator[None]:
    try:
        yield
    except sqlite3.Error as error:
        raise StoreUnavailable(f"SQLite: {error}") from error


def _document(parent: str, name: str, text: str) -> Document:
    return Document(f"{parent}/{name}", decode(text))
