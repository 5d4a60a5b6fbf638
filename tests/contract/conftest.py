"""The suites of the adapters ask for what the port promises, whatever the product's indexes are."""

import hashlib
import os
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from infra.firestore import FirestoreStore
from infra.rest.store import RestStore
from shared.application.ports.store import DocumentStore
from tests.simulation.peers.store import MemoryStore
from tests.support.gemini.fixtures import connect, gemini, model
from tests.support.google.fixtures import cloud
from tests.support.servers.fixtures import bucket, inside, server
from tests.support.telegram.fixtures import api, gateway

__all__ = ["any_query", "api", "bucket", "cloud", "connect", "gateway", "gemini", "inside", "model", "server"]


@pytest.fixture
def any_query() -> bool:
    return True


@pytest.fixture
def memory_store() -> MemoryStore:
    return MemoryStore()


@pytest.fixture
async def rest_store(firestore_emulator: str, tmp_path: Path) -> AsyncIterator[RestStore]:
    project = "rest-" + hashlib.sha256(f"{tmp_path} {os.getpid()}".encode()).hexdigest()[:20]
    where = {"emulator_host": firestore_emulator, "timeout": 60}
    store = RestStore(project, sdk=lambda: FirestoreStore(project, **where), **where)
    yield store
    await store.aclose()


@pytest.fixture(params=["sqlite", "memory", "firestore", "rest"])
def store(request: pytest.FixtureRequest) -> DocumentStore:
    """Both adapters in turn, and the store of the simulation, which must not be kinder than they are."""
    return request.getfixturevalue(f"{request.param}_store")
