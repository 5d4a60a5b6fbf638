"""Opening the file: pragmas, tables, and a clear word when it is not ours."""

from __future__ import annotations

import sqlite3
from pathlib import Path

from shared.domain.errors import SettingsError, StoreUnavailable

SCHEMA = 1
_BUSY_SECONDS = 5.0
_LOCKED = frozenset({sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED})

_TABLES = (
    """CREATE TABLE documents (
        parent TEXT NOT NULL,  -- path of the collection
        id TEXT NOT NULL,
        data TEXT NOT NULL,    -- JSON, see the codec
        version INTEGER NOT NULL,
        PRIMARY KEY (parent, id)
    )""",
    "CREATE TABLE documents_meta (schema INTEGER NOT NULL, last_version INTEGER NOT NULL)",
)


def open_database(path: str | Path) -> sqlite3.Connection:
    """A connection to the store's file, made when absent; "" and ":memory:" are private and vanish on close.

    Raises:
        SettingsError: The file cannot be opened, is not a database, or holds another schema.
        StoreUnavailable: Another process keeps it locked.
    """
    try:
        db = sqlite3.connect(path, timeout=_BUSY_SECONDS, isolation_level=None, check_same_thread=False)
    except sqlite3.Error as error:
        raise _refusal(path, error) from error
    try:
        _prepare(db, path)
    except sqlite3.Error as error:
        db.close()
        raise _refusal(path, error) from error
    except SettingsError:
        db.close()
        raise
    return db


def _prepare(db: sqlite3.Connection, path: str | Path) -> None:
    db.execute("PRAGMA journal_mode = WAL")
    # A commit waits for no disk: a crash of the process loses nothing, one of the machine the last moments, and neither
    # leaves half a write (sqlite.org/pragma.html#pragma_synchronous). `scrub` waits.
    db.execute("PRAGMA synchronous = NORMAL")
    # What is deleted is overwritten, in the file and, once it was copied there, in the log (law 7).
    db.execute("PRAGMA secure_delete = ON")
    db.execute("PRAGMA journal_size_limit = 0")
    if not _tables(db):
        db.execute("BEGIN IMMEDIATE")
        _create(db)
        db.execute("COMMIT")
    schema = _schema(db)
    if schema != SCHEMA:
        raise SettingsError(
            f"{str(path)!r} holds documents of schema {schema}, this version reads schema {SCHEMA}: choose another file"
        )


def _create(db: sqlite3.Connection) -> None:
    # Asked again under the lock: another process may have been first.
    if not _tables(db):
        for statement in _TABLES:
            db.execute(statement)
        db.execute("INSERT INTO documents_meta VALUES (?, 0)", (SCHEMA,))


def _tables(db: sqlite3.Connection) -> set[str]:
    found = db.execute("SELECT name FROM sqlite_schema WHERE name IN ('documents', 'documents_meta')")
    return {name for (name,) in found}


def _schema(db: sqlite3.Connection) -> int | None:
    if "documents_meta" not in _tables(db):
        return None
    row = db.execute("SELECT schema FROM documents_meta").fetchone()
    return row[0] if row else None


def _refusal(path: str | Path, error: sqlite3.Error) -> Exception:
    if getattr(error, "sqlite_errorcode", None) in _LOCKED:
        return StoreUnavailable(f"{str(path)!r} is locked by another process")
    return SettingsError(f"{str(path)!r} cannot be opened as a SQLite database ({error}): choose another file")
