"""Who asks, so that a tool is called."""

import pytest


@pytest.fixture
async def asked(chat):
    return await chat.said("гряг, скажи")
