"""A chat that is exported, archived or filled from its past."""

import pytest

from shared.application.archive.exporting import export_chat
from tests.support.exports import CHAT, app_on, contents, fill, whole, wipe
from tests.support.faults import DyingStore
from tests.support.gemini.server import FakeGemini
from tests.unit.application.reading.test_model_pass import memory_of


@pytest.fixture
async def export(sqlite_store):
    """A small chat, exported; the store is empty again."""
    await fill(sqlite_store, 20)
    content = await whole(export_chat(sqlite_store, app_on(sqlite_store).clock, CHAT))
    before = await contents(sqlite_store)
    await wipe(sqlite_store)
    return content, before


@pytest.fixture
async def app(store, tmp_path):
    await fill(store, 10)
    return app_on(DyingStore(store), folder=tmp_path / "archive")


@pytest.fixture
async def local(sqlite_store, tmp_path):
    """As `app`, on SQLite only."""
    await fill(sqlite_store, 10)
    return app_on(DyingStore(sqlite_store), folder=tmp_path / "archive")


@pytest.fixture
async def gemini():
    async with FakeGemini("test-key") as server:
        server.reply_with(memory_of)
        yield server
