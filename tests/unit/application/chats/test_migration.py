"""A basic group that becomes a supergroup: what was chosen and protected holds at once."""

import pytest

from shared.application.chats.migration import begin_migration
from tests.support import updates
from tests.support.group import CHAT, running_group

ADMIN = (102, "Тарас")
NEW = -1_009_999


@pytest.mark.parametrize(
    ("old_choice", "new_choice", "default", "private"),
    [
        (True, None, False, True),
        (True, False, False, True),
        (None, True, False, True),
        (False, None, False, False),
        (False, None, True, True),
        (False, False, True, False),
        (None, None, True, None),
    ],
)
async def test_a_chat_that_moves_is_private_when_either_was(sqlite_store, old_choice, new_choice, default, private):
    async with running_group(sqlite_store, PRIVATE_MODE_DEFAULT=str(default).lower()) as group:
        chats = group.runtime.app.chats
        await chats.change(-777, {"private_mode": old_choice})
        await chats.change(NEW, {"private_mode": new_choice})
        await begin_migration(group.runtime.app, -777, NEW)
        assert (await chats.state(NEW, fresh=True)).private_mode is private


async def test_a_chats_choices_move_with_it_and_what_is_chosen_later_stays(sqlite_store):
    async with running_group(sqlite_store) as group:
        app, chats = group.runtime.app, group.runtime.app.chats
        old = {"extraction_method": "pattern", "memory_profile": "minimal", "persona": "козак", "tools": ["weather"]}
        old |= {"timezone": "Europe/Warsaw", "prompts": {"meta": "дати", "summary": "коротко"}}
        await chats.change(-777, {"settings": old, "extraction_instructions": "лише рецепти", "private_mode": True})
        await chats.change(NEW, {"settings": {"memory_profile": "extended", "prompts": {"summary": "довго"}}})
        await begin_migration(app, -777, NEW)
        state = await chats.state(NEW, fresh=True)
        assert (state.extraction_method, state.memory_profile) == ("pattern", "extended")
        assert state.extraction_instructions == "лише рецепти"
        assert (state.persona, state.timezone, state.tools) == ("козак", "Europe/Warsaw", {"weather"})
        assert state.prompts == {"meta": "дати", "summary": "довго"}
        await chats.change(NEW, {"private_mode": False, "extraction_instructions": ""})
        await begin_migration(app, -777, NEW)  # Telegram says it twice, in either chat
        state = await chats.state(NEW, fresh=True)
        assert (state.private_mode, state.extraction_instructions) == (False, "")


async def test_a_migration_that_leads_in_a_circle_is_ignored(group):
    there = updates.migration_update(CHAT, NEW, update_id=800)
    back = updates.migration_update(NEW, CHAT, update_id=801)
    await group.say("Нагадую: ніякої політики в чаті!", *ADMIN)
    group.api.add_chat(NEW, "supergroup", admins={102})
    for update in (there, back, updates.migration_update(NEW, NEW, update_id=802)):
        assert await group.deliver(update) == 200
    await group.settle()
    assert (await group.runtime.app.chats.state(CHAT, fresh=True)).migrated_to == NEW
    assert (await group.runtime.app.chats.state(NEW, fresh=True)).migrated_to is None
    assert len(await group.messages(NEW)) == 1
