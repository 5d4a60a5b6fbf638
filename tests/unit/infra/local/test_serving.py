"""A run polls its groups also when its menus cannot be set."""

from __future__ import annotations

import pytest

from tests.support.telegram.bot_api import FakeBotApi
from tests.support.updates import message_update
from tests.unit.infra.local.processes import line_with, serving

pytestmark = [pytest.mark.usefixtures("logging_restored"), pytest.mark.wall_clock]


async def test_menus_that_cannot_be_set_do_not_keep_groups_from_being_polled(tmp_path):
    async with FakeBotApi("123456:fake-token-for-a-local-run") as api:
        api.add_chat(-1_001_000_000_001)
        api.fail_next("setMyCommands", status=502)
        api.push(message_update("Привіт", update_id=7, message_id=5))
        settings = {"TELEGRAM_BOT_TOKEN": api.token, "TELEGRAM_API_URL": api.url}
        async with serving(tmp_path, **settings) as (_, output):
            assert "python -m infra.cli menu" in await line_with(output, "menus")
            await line_with(output, "Привіт")
