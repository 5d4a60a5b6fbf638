"""The SQLite file of the local queue: its table, its connection, and the times that it holds."""

from __future__ import annotations

import asyncio
import contextlib
import json
import sqlite3
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any, TypeVar

from shared.application.ports.tasks import Task
from shared.domain.errors import QueueUnavailable, SettingsError

MAX_NAME = 400
"""Most characters in a task's name."""
MAX_PAYLOAD_BYTES = 100_000
"""Most bytes of a payload, encoded as JSON in UTF-8."""

T = TypeVar("T")
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)

# `claim` is the name while it is taken, NULL once it is free again; times are microseconds since 1970.
_SCHEMA = """
CREATE TABLE IF NOT EXISTS tasks (
  seq INTEGER PRIMARY KEY AUTOINCREMENT, claim TEXT UNIQUE, name TEXT NOT NULL, target TEXT NOT NULL,
  payload TEXT NOT NULL, run_at INTEGER, due INTEGER NOT NULL, state TEXT NOT NULL DEFAULT 'waiting',
  attempts INTEGER NOT NULL DEFAULT 0, leased_until INTEGER, finished_at INTEGER, error TEXT);
CREATE INDEX IF NOT EXISTS tasks_by_due ON tasks (state, due, seq);
CREATE INDEX IF NOT EXISTS tasks_by_end ON tasks (state, finished_at);
"""
_INSERT = "INSERT OR IGNORE INTO tasks (claim, name, target, payload, run_at, due) VALUES (?, ?, ?, ?, ?, ?)"


class TaskFile:
    """The SQLite file, written by one thread so that waiting for another writer never blocks the event loop."""

    def __init__(self, path: Path, busy_timeout: timedelta) -> None:
        self._path = path
        self._busy_timeout = busy_timeout.total_seconds()
        self._thread = ThreadPoolExecutor(1, thread_name_prefix="tasks")
        self._db: sqlite3.Connection | None = None

    async def call(self, work: Callable[[sqlite3.Connection], T]) -> T:
        """Return what `work` returns for the connection; SQLite's errors come out as ours."""
        return await asyncio.get_running_loop().run_in_executor(self._thread, self._work, work)

    def read(self, sql: str) -> list[Any]:
        """Rows of a query, on a connection of its own: in WAL mode a reader waits for nobody."""
        with self._translate_errors(), contextlib.closing(self._open()) as db:
            return db.execute(sql).fetchall()

    async def aclose(self) -> None:
        db, self._db = self._db, None
        if db is not None:
            await asyncio.get_running_loop().run_in_executor(self._thread, db.close)
        self._thread.shutdown()

    def _work(self, work: Callable[[sqlite3.Connection], T]) -> T:
        with self._translate_errors():
            if self._db is None:
                self._db = self._open()
            return work(self._db)

    def _open(self) -> sqlite3.Connection:
        db = sqlite3.connect(self._path, timeout=self._busy_timeout, isolation_level=None, check_same_thread=False)
        try:
            # The switch waits for no lock; when it fails, whoever holds the lock has switched, or the next open does.
            with contextlib.suppress(sqlite3.OperationalError):
                db.execute("PRAGMA journal_mode = WAL")
            db.execute("PRAGMA synchronous = NORMAL")  # as of the store (`infra.sqlite.schema`)
            db.executescript(_SCHEMA)
        except sqlite3.Error:
            db.close()
            raise
        return db

    @contextlib.contextmanager
    def _translate_errors(self) -> Iterator[None]:
        try:
            yield
        except sqlite3.OperationalError as error:
            if error.sqlite_errorcode in (sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_READONLY):
                raise SettingsError(f"Cannot use the task file {self._path} ({error}): make it writable") from error
            raise QueueUnavailable(f"The task file {self._path} is not available: {error}") from error


def insert(db: sqlite3.Connection, row: tuple[object, ...], free: int, forget: int) -> bool:
    """Add a row unless its name is taken, after dropping what ended before `free` (names) and `forget` (dead)."""
    with db:
        db.execute("BEGIN IMMEDIATE")
        db.execute("DELETE FROM tasks WHERE state = 'done' AND finished_at <= ?", (free,))
        db.execute("DELETE FROM tasks WHERE state = 'dead' AND finished_at <= ?", (forget,))
        db.execute("UPDATE tasks SET claim = NULL WHERE state = 'dead' AND finished_at <= ?", (free,))
        return db.execute(_INSERT, row).rowcount > 0


def payload_of(task: Task) -> str:
    """Return a task's payload as JSON.

    Raises:
        ValueError: It is too large or not JSON, the name too long, or `run_at` naive.
    """
    if len(task.name) > MAX_NAME:
        raise ValueError(f"A task's name has at most {MAX_NAME} characters, not {len(task.name)}: {task.name[:40]!r}…")
    if task.run_at is not None and task.run_at.tzinfo is None:
        raise ValueError(f"run_at of task {task.name!r} has no time zone")
    payload = json.dumps(dict(task.payload), ensure_ascii=False, allow_nan=False, separators=(",", ":"))
    size = len(payload.encode())
    if size > MAX_PAYLOAD_BYTES:
        raise ValueError(f"The payload of {task.name!r} has {size} bytes, {MAX_PAYLOAD_BYTES} at most: pass ids")
    return payload


def task_from(name: str, target: str, payload: str, run_at: int | None) -> Task:
    """Return the task of a row."""
    return Task(name, target, json.loads(payload), None if run_at is None else instant(run_at))


def micros(moment: datetime) -> int:
    """Return an aware time as microseconds since 1970."""
    return (moment - _EPOCH) // timedelta(microseconds=1)


def instant(micros: int) -> datetime:
    """Return the time that is so many microseconds after 1970, in UTC."""
    return _EPOCH + timedelta(microseconds=micros)
