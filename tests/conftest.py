"""Stores that every suite may ask for: the embedded one, Firestore's emulator, or both in turn."""

from __future__ import annotations

import gc
import hashlib
import logging
import os
import shutil
from collections.abc import AsyncIterator, Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import hypothesis
import pytest

from infra.sqlite import SqliteStore
from shared.application.ports.store import DocumentStore
from tests.support import hour
from tests.support.google.emulator import EmulatorMissing, running_emulator
from tests.support.google.indexes import IndexedQueries
from tests.support.google.limits import ServerLimits

if TYPE_CHECKING:
    from infra.firestore import FirestoreStore
    from tests.support.gemini.server import FakeGemini
    from tests.support.group import Group
    from tests.support.reading.talks import Talk


# Before any module of the tests is imported.
hour.begin()

# How long an example takes, or is drawn, says how busy the machine is and not whether the law holds.
hypothesis.settings.register_profile("spomyn", deadline=None, suppress_health_check=[hypothesis.HealthCheck.too_slow])
hypothesis.settings.load_profile("spomyn")

_WAITING = ("tests/terraform/test_aws_archive.py", "tests/scenarios/whole/test_load.py")
"""Files whose tests wait for most of two minutes, and leave a core idle unless something is to be done beside them."""

_UNITS, _OF_ALL, _SHORT = "tests/unit/", "tests/unit/test_", "tests/unit/domain/"
"""Tests of units: those of no layer start make and Terraform, those of the domain take milliseconds."""

_IN_MEMORY = Path("/dev/shm")
_ENOUGH_BYTES = 2**30


def pytest_configure(config: pytest.Config) -> None:
    """Watch who asks for the hour, and keep the tests' files in memory where there is room.

    SQLite mostly waits for the disk, at every commit.
    """
    if _IN_MEMORY.is_dir() and shutil.disk_usage(_IN_MEMORY).free > _ENOUGH_BYTES:
        os.environ.setdefault("PYTEST_DEBUG_TEMPROOT", str(_IN_MEMORY))
    config.pluginmanager.register(hour.Watch())


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Begin with those that wait, and end with short ones, of which both workers have as many as they can do: a test of
    half a minute among the last is waited for by an idle core."""
    items.sort(key=lambda item: _turn(item.nodeid))


def _turn(name: str) -> tuple[bool, bool, bool]:
    is_of_folder = name.startswith(_UNITS) and not name.startswith(_OF_ALL)
    return not name.startswith(_WAITING), is_of_folder, name.startswith(_SHORT)


@pytest.hookimpl(wrapper=True)
def pytest_collection() -> Iterator[None]:
    """Collect without looking for garbage, and never again look through what was collected.

    The tests and all they import are half a million objects, which every full collection went through.
    """
    gc.disable()
    try:
        return (yield)
    finally:
        gc.collect()
        gc.freeze()
        gc.set_threshold(10_000, 20, 50)  # after each 700 new objects it takes a twentieth of the run
        gc.enable()


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


class IndexedSqliteStore(IndexedQueries, SqliteStore):
    """Serves only what production Firestore would serve."""


@pytest.fixture
def any_query() -> bool:
    """Whether the stores serve queries that Firestore has no index for: where adapters are tested, not the product."""
    return False


@pytest.fixture
async def sqlite_store(tmp_path: Path, any_query: bool) -> AsyncIterator[SqliteStore]:
    store = (SqliteStore if any_query else IndexedSqliteStore)(tmp_path / "documents.db")
    yield store
    await store.aclose()


@pytest.fixture
async def firestore_store(firestore_emulator: str, tmp_path: Path, any_query: bool) -> AsyncIterator[FirestoreStore]:
    # Imported here: half a second that only these tests should pay.
    from infra.firestore import FirestoreStore

    class LimitedFirestoreStore(ServerLimits, FirestoreStore):
        """The emulator takes documents of any size."""

    class IndexedFirestoreStore(IndexedQueries, LimitedFirestoreStore):
        """The emulator asks for no index."""

    # A project of its own isolates each test, also on an emulator that outlives the run.
    project = "test-" + hashlib.sha256(f"{tmp_path} {os.getpid()}".encode()).hexdigest()[:20]
    # The emulator shares the machine with the tests, which may keep it from answering for a while.
    of = LimitedFirestoreStore if any_query else IndexedFirestoreStore
    store = of(project, emulator_host=firestore_emulator, timeout=60)
    yield store
    await store.aclose()


@pytest.fixture(params=["sqlite", "firestore"])
def store(request: pytest.FixtureRequest) -> DocumentStore:
    """Both adapters in turn."""
    return request.getfixturevalue(f"{request.param}_store")


@pytest.fixture
async def in_memory() -> AsyncIterator[SqliteStore]:
    """A store without a file: for what is done many times over."""
    store = SqliteStore(":memory:")
    yield store
    await store.aclose()


@pytest.fixture
async def gemini() -> AsyncIterator[FakeGemini]:
    """A model that says nothing yet."""
    from tests.support.gemini.server import FakeGemini

    async with FakeGemini("test-key") as server:
        yield server


@pytest.fixture
async def group(store: DocumentStore) -> AsyncIterator[Group]:
    """A running group over either store."""
    from tests.support.group import running_group  # all of the product: half a second that only these tests should pay

    async with running_group(store) as running:
        yield running


@pytest.fixture
async def talk(sqlite_store: DocumentStore) -> AsyncIterator[Talk]:
    """A talk on one store, without a model."""
    from tests.support.group import running_group
    from tests.support.reading.talks import Talk

    async with running_group(sqlite_store) as running:
        yield Talk(running)


@pytest.fixture
async def modelled(sqlite_store: DocumentStore, gemini: FakeGemini) -> AsyncIterator[Talk]:
    """A talk on one store, with a model that sums up whatever it is given."""
    from tests.support.group import running_group
    from tests.support.reading.talks import Talk, remembering

    gemini.reply_with(remembering)
    async with running_group(sqlite_store, **gemini.environment) as running:
        yield Talk(running)


@pytest.fixture
async def gallery(sqlite_store: DocumentStore, gemini: FakeGemini) -> AsyncIterator[Group]:
    """A group on one store in which files are sent, and a model that says what is in them."""
    from tests.support.media import answer_of, group_with_files

    gemini.reply_with(answer_of)
    async with group_with_files(sqlite_store, gemini) as running:
        yield running


@pytest.fixture
async def either_gallery(store: DocumentStore, gemini: FakeGemini) -> AsyncIterator[Group]:
    """The same over either store."""
    from tests.support.media import answer_of, group_with_files

    gemini.reply_with(answer_of)
    async with group_with_files(store, gemini) as running:
        yield running


@pytest.fixture
async def laptop(sqlite_store: DocumentStore) -> AsyncIterator[Group]:
    """A running group on one store: what both do alike is tested with `group`."""
    from tests.support.group import running_group

    async with running_group(sqlite_store) as running:
        yield running


@pytest.fixture
def logging_restored() -> Iterator[None]:
    """For tests of entry points, which set up the logs of their process: here that is the process of all tests."""
    before = {logger: (logger.level, logger.handlers[:], logger.propagate) for logger in _loggers()}
    disabled = logging.root.manager.disable
    yield
    logging.disable(disabled)
    for logger in _loggers():  # also those that a library made meanwhile
        level, logger.handlers, logger.propagate = before.get(logger, (logging.NOTSET, [], True))
        if logger.level != level:  # else every cache of the hundreds of loggers would be emptied for nothing
            logger.setLevel(level)
    logging.captureWarnings(capture=False)


def _loggers() -> list[logging.Logger]:
    return [
        logging.root,
        *(each for each in logging.root.manager.loggerDict.values() if isinstance(each, logging.Logger)),
    ]
