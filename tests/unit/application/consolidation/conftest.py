"""A chat over either store, and one over the embedded store for what does not depend on it."""

import pytest

from tests.support.nights import Nights


@pytest.fixture
async def nights(store):
    return await Nights(store).begin()


@pytest.fixture
async def chat(sqlite_store):
    return await Nights(sqlite_store).begin()
