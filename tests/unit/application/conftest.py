"""A chat without a network."""

import pytest

from tests.support.tool_chat import Chat


@pytest.fixture
def chat(sqlite_store):
    return Chat(sqlite_store)
