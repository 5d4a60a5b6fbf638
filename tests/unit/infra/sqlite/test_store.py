"""What only the SQLite file does: it survives, is shared by two stores, and refuses what is no file of ours."""

from __future__ import annotations

import asyncio
import signal
import sys
from pathlib import Path
from typing import Any

import pytest

from infra.sqlite import SqliteStore
from shared.application.ports.store import Document, Set, Transaction
from shared.domain.errors import Contention, PathTaken, SettingsError, StoreUnavailable
from tests.support.stores.documents import EVERY_CALL, data_of


async def test_a_closed_sqlite_store_is_an_error_and_never_an_empty_result(tmp_path: Path) -> None:
    closed = SqliteStore(tmp_path / "documents.db")
    await closed.aclose()

    for call in EVERY_CALL:
        with pytest.raises(StoreUnavailable):
            await call(closed)


async def test_documents_survive_closing_and_opening(tmp_path: Path) -> None:
    before = SqliteStore(tmp_path / "documents.db")
    await before.set("chats/1", {"text": "спомин"})
    await before.aclose()

    after = SqliteStore(str(tmp_path / "documents.db"))
    assert await data_of(after, "chats/1") == {"text": "спомин"}
    await after.aclose()


async def test_what_was_written_outlasts_the_death_of_its_process(tmp_path: Path) -> None:
    """A commit waits for no disk, but the system has it."""
    file = tmp_path / "documents.db"
    process = await asyncio.create_subprocess_exec(sys.executable, "-c", _WRITE_AND_DIE, str(file))
    assert await process.wait() == -signal.SIGKILL
    store = SqliteStore(file)
    assert len(await store.query("chats")) == 50
    await store.aclose()


_WRITE_AND_DIE = """
import asyncio, os, signal, sys
from infra.sqlite import SqliteStore

async def write():
    store = SqliteStore(sys.argv[1])
    for number in range(50):
        await store.create(f"chats/{number}", {"n": number})
    os.kill(os.getpid(), signal.SIGKILL)

asyncio.run(write())
"""


@pytest.mark.parametrize("path", ["", ":memory:"])
async def test_a_private_database_is_seen_by_its_own_store_only(path: str) -> None:
    one, other = SqliteStore(path), SqliteStore(path)
    await one.set("chats/1", {"n": 1})

    assert await data_of(one, "chats/1") == {"n": 1}
    assert await other.get("chats/1") is None
    await one.aclose()
    await other.aclose()


async def test_two_stores_on_one_file_see_each_other_and_lose_no_increment(tmp_path: Path) -> None:
    stores = [SqliteStore(tmp_path / "documents.db") for _ in range(2)]
    both_have_read = asyncio.Barrier(2)
    runs = 0

    async def body(transaction: Transaction) -> None:
        nonlocal runs
        counter = await transaction.get("things/counter")
        runs += 1
        if runs <= 2:
            await both_have_read.wait()
        transaction.write(Set("things/counter", {"n": (counter.data["n"] if counter else 0) + 1}))

    await asyncio.gather(*(store.transaction(body) for store in stores * 10))

    assert [await data_of(store, "things/counter") for store in stores] == [{"n": 20}, {"n": 20}]
    assert runs == 21
    for store in stores:
        await store.aclose()


def test_a_file_that_is_not_a_database_is_a_settings_error(tmp_path: Path) -> None:
    (tmp_path / "notes.txt").write_text("not a database, but long enough to be looked at " * 40)

    with pytest.raises(SettingsError, match=r"notes\.txt.*database"):
        SqliteStore(tmp_path / "notes.txt")


def test_a_folder_that_does_not_exist_is_a_settings_error(tmp_path: Path) -> None:
    with pytest.raises(SettingsError, match="absent"):
        SqliteStore(tmp_path / "absent" / "documents.db")


async def test_scrubbing_leaves_every_document_as_it_is(store):
    await store.set("chats/1", {"schema": 1, "text": "тут"})
    await store.set("chats/2", {"schema": 1, "text": "там"})
    await store.delete("chats/2")
    await store.scrub()
    await store.scrub()
    assert [document.data["text"] for document in await store.query("chats")] == ["тут"]


@pytest.mark.parametrize("before", [None, {"n": 0}])
async def test_a_transaction_that_always_loses_gives_up_after_five_attempts(
    sqlite_store: SqliteStore, before: dict[str, Any] | None
) -> None:
    if before is not None:
        await sqlite_store.set("things/a", before)
    runs = 0

    async def body(transaction: Transaction) -> None:
        nonlocal runs
        runs += 1
        await transaction.get("things/a")
        await sqlite_store.delete("things/a")
        await sqlite_store.set("things/a", {"n": 0})
        transaction.write(Set("things/b", {}))

    with pytest.raises(Contention) as lost:
        await sqlite_store.transaction(body)

    assert not isinstance(lost.value, PathTaken)
    assert runs == 5
    assert await sqlite_store.get("things/b") is None


async def test_a_document_that_appears_after_it_was_read_as_absent_is_a_conflict(sqlite_store: SqliteStore) -> None:
    seen = []

    async def body(transaction: Transaction) -> None:
        seen.append(await transaction.get("things/a"))
        if len(seen) == 1:
            await sqlite_store.set("things/a", {"by": "another"})
        transaction.write(Set("things/b", {}))

    await sqlite_store.transaction(body)

    assert seen == [None, Document("things/a", {"by": "another"})]
