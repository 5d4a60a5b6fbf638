"""With a token, real groups are polled and answered."""

from __future__ import annotations

import pytest

from tests.support.telegram.bot_api import FakeBotApi
from tests.support.updates import message_update
from tests.unit.infra.local.processes import line_with, serving

pytestmark = [pytest.mark.usefixtures("logging_restored"), pytest.mark.wall_clock]


async def test_with_a_token_real_groups_are_polled_and_answered(tmp_path):
    async with FakeBotApi("123456:fake-token-for-a-local-run") as api:
        api.add_chat(-1_001_000_000_001)
        api.fail_next("getUpdates", status=502)
        api.push({"update_id": 6, "message": {"message_id": "broken"}})
        api.push(message_update("@spomyn_bot що ти знаєш?", update_id=7, message_id=5))
        settings = {"TELEGRAM_BOT_TOKEN": api.token, "TELEGRAM_API_URL": api.url}
        async with serving(tmp_path, **settings) as (_, output):
            await line_with(output, "що ти знаєш?")
            await line_with(output, "↩ 5")
    assert len(api.sent) == 1
    assert api.menus.of("all_group_chats", "uk")
    assert "deleteWebhook" in [call.method for call in api.calls]
