"""Messages are numbered as Telegram does it: a group's by itself, private chats' together."""

from __future__ import annotations

import asyncio

import pytest

from infra.local.chat.raw_updates import Person

pytestmark = [pytest.mark.usefixtures("logging_restored"), pytest.mark.wall_clock]


def test_private_chats_share_the_bots_own_sequence(terminal):
    async def numbered():
        terminal.messenger.meet(Person(101, "Оля"), writes=True)
        terminal.messenger.meet(Person(102, "Тарас"), writes=True)
        return [await terminal.messenger.next_id(chat_id) for chat_id in (101, 102, 101, -1001)]

    assert asyncio.run(numbered()) == [1, 2, 3, 5]
