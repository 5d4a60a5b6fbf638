"""Stores that every suite may ask for: the embedded one, Firestore's emulator, or both in turn."""

from __future__ import annotations

import hashlib
import os
from collections.abc import AsyncIterator, Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from infra.sqlite import SqliteStore
from shared.application.ports.store import DocumentStore
from tests.support.emulator import EmulatorMissing, running_emulator

if TYPE_CHECKING:
    from infra.firestore import FirestoreStore


@pytest.fixture(scope="session")
def firestore_emulator() -> Iterator[str]:
    """host:port of a Firestore emulator; in CI its absence is a failure, elsewhere a skip that names the remedy."""
    given = os.environ.get("FIRESTORE_EMULATOR_HOST")
    if given:
        yield given
        return
    try:
        with running_emulator() as host:
            yield host
    except EmulatorMissing as missing:
        (pytest.fail if os.environ.get("CI") == "true" else pytest.skip)(str(missing))


@pytest.fixture
async def sqlite_store(tmp_path: Path) -> AsyncIterator[SqliteStore]:
    store = SqliteStore(tmp_path / "documents.db")
    yield store
    await store.aclose()


@pytest.fixture
async def firestore_store(firestore_emulator: str, tmp_path: Path) -> AsyncIterator[FirestoreStore]:
    # Imported here: half a second that only these tests should pay.
    from infra.firestore import FirestoreStore

    # A project of its own isolates each test, also on an emulator that outlives the run.
    project = "test-" + hashlib.sha256(f"{tmp_path} {os.getpid()}".encode()).hexdigest()[:20]
    store = FirestoreStore(project, emulator_host=firestore_emulator)
    yield store
    await store.aclose()


@pytest.fixture(params=["sqlite", "firestore"])
def store(request: pytest.FixtureRequest) -> DocumentStore:
    """Both adapters in turn."""
    return request.getfixturevalue(f"{request.param}_store")
