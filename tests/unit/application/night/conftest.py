"""Chats that are tended at night, without a network and with."""

import pytest

from tests.support.group import CHAT, running_group
from tests.support.reading.talks import Talk
from tests.unit.application.night.test_fan_out import night_of


@pytest.fixture
async def app(in_memory):
    made = night_of(in_memory)
    await made.chats.change(CHAT, {"active": True})
    return made


@pytest.fixture
async def talk(in_memory):
    async with running_group(in_memory) as group:
        await group.runtime.app.chats.change(CHAT, {"active": True, "type": "supergroup"})
        yield Talk(group)
