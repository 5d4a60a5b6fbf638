"""The messenger knows which buttons are shown now."""

from __future__ import annotations

import pytest

from infra.local.events import LineEdited
from shared.application.ports.chat import OutgoingText
from tests.unit.infra.local.chat.terminals import rows

pytestmark = [pytest.mark.usefixtures("logging_restored"), pytest.mark.wall_clock]


async def test_buttons_are_those_that_are_shown_now(terminal):
    gateway = terminal.gateway
    await gateway.send(-1001, rows("a", "b"))
    await gateway.send(-1001, rows("c"))
    assert terminal.messenger.keyboard({-1001}, None)[:2] == (-1001, 6)
    await gateway.edit(-1001, 5, rows("d"))
    chat_id, message_id, [button] = terminal.messenger.keyboard({-1001}, None)
    assert (chat_id, message_id, button.data) == (-1001, 5, "data-d")
    assert terminal.told[-1] == LineEdited(-1001, 5, "?", (("d",),))
    await gateway.edit(-1001, 5, OutgoingText("done", "done"))
    assert terminal.messenger.keyboard({-1001}, 5) is None
    assert terminal.messenger.keyboard({-1001}, None)[1] == 6
    assert terminal.messenger.keyboard({101}, None) is None
