"""Fixtures for tests over the strict fake Bot API: its server, and a gateway that is connected to it."""

from __future__ import annotations

import pytest

from tests.support.telegram.bot_api import FakeBotApi
from tests.support.telegram.gateways import (
    CHAT,
    IMPATIENT,
    PRIVATE,
    TOKEN,
    connected,
)


@pytest.fixture
async def api():
    async with FakeBotApi(TOKEN) as server:
        server.add_chat(CHAT, admins={7, 9}, admin_bots={55, 123456})
        server.add_chat(PRIVATE, "private")
        server.files.add("photo", b"not really a photo")
        yield server


@pytest.fixture
async def gateway(request, api):
    """Impatient only where the answer is to be late: on a busy machine any may take a quarter of a second."""
    late = hasattr(request.node, "callspec") and "delay" in request.node.callspec.params.get("fault", {})
    async with connected(api, IMPATIENT if late else 5.0) as gateway:
        yield gateway
