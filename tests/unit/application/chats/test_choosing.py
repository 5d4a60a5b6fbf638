"""A chat's choices are changed one at a time, and it is known who did."""

import asyncio

import pytest

from shared.application.chats.choosing import LOGGED, choose, forget_chooser
from shared.application.commands.settings.rows import ROWS
from shared.domain.errors import Contention
from tests.support.commands.settings import ADMIN, changes, chosen, said, type_as_admin
from tests.support.group import CHAT


async def test_two_admins_at_once_lose_nothing(laptop):
    app = laptop.runtime.app
    values = {"retention": 7, "budget": 5, "quiet": "off", "profile": "minimal"}
    await asyncio.gather(
        *(choose(app, CHAT, row, ROWS[row].place, value, user_id=n) for n, (row, value) in enumerate(values.items(), 1))
    )
    stored = {"retention_days": 7, "tokens_per_day": 5, "quiet_hours": "off", "memory_profile": "minimal"}
    assert await chosen(laptop) == stored


async def test_a_change_that_is_delivered_again_is_one_change(laptop):
    update = laptop.says("/gryadsettings retention 7", *ADMIN)
    await laptop.deliver(update)
    await laptop.deliver(update)
    await type_as_admin(laptop, "retention 7")
    assert len(await changes(laptop)) == 1


async def test_a_chat_that_goes_on_elsewhere_takes_no_choice(laptop):
    await laptop.say("привіт")
    app = laptop.runtime.app
    await app.chats.change(CHAT, {"migrated_to": -100999})
    with pytest.raises(Contention):
        await choose(app, CHAT, "retention", ROWS["retention"].place, 7, user_id=102)


async def test_the_log_is_bounded_and_forgets_members_and_names_nobody_who_opted_out(laptop):
    app = laptop.runtime.app
    for n in range(LOGGED + 5):
        await choose(app, CHAT, "retention", ROWS["retention"].place, n + 1, user_id=102 + n % 2)
    assert len(await changes(laptop)) == LOGGED
    assert await forget_chooser(app.store, CHAT, 103)
    assert not await forget_chooser(app.store, CHAT, 103)
    await app.chats.change(CHAT, {"opted_out": [102]})
    assert {change.user_id for change in await changes(laptop)} == {102}
    await laptop.say("/gryadsettings", *ADMIN)
    await laptop.press("Хто що міняв", *ADMIN)
    assert "Строк" in said(laptop).text
    assert "102" not in said(laptop).text
