"""A group that remembers long ago."""

import pytest

from tests.support.gemini.server import FakeGemini
from tests.support.group import running_group


@pytest.fixture
async def gemini():
    async with FakeGemini("test-key") as server:
        server.reply_with(lambda request: {} if request.schema else "так")  # says of no facts, so patterns find them
        yield server


@pytest.fixture
async def minded(sqlite_store, gemini):
    """A group with a model."""
    async with running_group(sqlite_store, **gemini.environment) as running:
        yield running
