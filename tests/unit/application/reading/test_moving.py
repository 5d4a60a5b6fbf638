"""A chat moves with all that it learnt."""

from datetime import timedelta

from shared.application.documents import usage_path
from shared.application.intake.maintenance import run_job
from shared.application.ports.model import ModelReply, TokenUsage
from shared.application.spending.budgets import Booking, settle
from shared.application.spending.usage_codec import read_spending, read_usage, spending_path
from tests.support import updates

ADMIN = (102, "Тарас")
NEW = -1_009_999


async def test_a_group_that_becomes_a_supergroup_keeps_everything_under_its_new_id(group):
    old = -777
    group.api.add_chat(old, "group", admins={102})
    group.api.add_chat(NEW, "supergroup", admins={102})
    old_chat = updates.chat(old, "group")
    await group.say("Нагадую: ніякої політики в чаті!", *ADMIN, chat=old_chat)
    await group.settle()
    assert len(await group.facts(old)) == 1
    moved = updates.migration_update(old, NEW, update_id=700)
    for update in (moved, moved, updates.migration_update(old, NEW, update_id=701, in_new=True)):
        assert await group.deliver(update) == 200
    await group.say("А тепер ми супергрупа", chat=updates.chat(NEW, "supergroup"), message_id=1)
    late = group.says("запізніле", chat=old_chat, message_id=2)
    assert await group.deliver(late) == 200
    await group.settle()
    (fact,) = await group.facts(NEW)
    messages = await group.messages(NEW)
    assert [m["text"] for m in messages] == ["Нагадую: ніякої політики в чаті!", "запізніле", "А тепер ми супергрупа"]
    assert fact["evidence"][0]["message_id"] == messages[0]["message_id"] < 0
    assert await group.facts(old) == []
    assert [d async for d in group.store.subtree(f"chats/{old}")] == []
    await run_job(group.runtime.app, "migrate", {"chat_id": old, "new_chat_id": NEW})
    assert len(await group.messages(NEW)) == 3
    await group.say("гряг, які в нас правила?", chat=updates.chat(NEW, "supergroup"))
    assert "політики" in group.answers[-1]


async def test_what_is_written_under_the_old_id_when_all_had_moved_is_moved_as_well(group):
    """Of a call of the model that was begun before."""
    old, now = -777, group.clock.now()
    group.api.add_chat(old, "group")
    await group.say("Привіт", chat=updates.chat(old, "group"))
    assert await group.deliver(updates.migration_update(old, NEW, update_id=700)) == 200
    for _ in range(2):  # the move, and the end of the window of what was said before
        await group.work()
        group.clock.advance(timedelta(minutes=1, seconds=30))
        await group.work()
    reply = ModelReply("так", "model", TokenUsage(input=30, output=2))
    await settle(group.store, Booking(old, None, now, 0), ("answer", reply))
    await group.settle()
    assert [document async for document in group.store.subtree(f"chats/{old}")] == []
    assert read_usage(await group.store.get(usage_path(NEW, now.date()))).tokens == 32


async def test_what_a_member_took_under_both_ids_is_added_up_and_what_they_were_told_is_not(group):
    """What was booked before a call under the old id is settled there, after the member has asked under the new one."""
    old, day = -777, group.clock.now().date()
    group.api.add_chat(old, "group")
    await group.say("Привіт", chat=updates.chat(old, "group"))
    there = {"user_id": 101, "told": 9, "expire_at": group.clock.now() + timedelta(days=2)}
    await group.store.set(spending_path(old, 101, day), {**there, "tokens": -2_748, "calls": 1})
    await group.store.set(spending_path(NEW, 101, day), {**there, "tokens": 3_000, "calls": 1, "told": 10})
    assert await group.deliver(updates.migration_update(old, NEW, update_id=700)) == 200
    await group.settle()
    assert read_spending(await group.store.get(spending_path(NEW, 101, day))) == (252, 2, 10)
    assert await group.store.get(spending_path(old, 101, day)) is None


async def test_what_both_ids_had_learnt_becomes_one_fact(group):
    old = -777
    group.api.add_chat(old, "group", admins={102})
    group.api.add_chat(NEW, "supergroup", admins={102})
    await group.say("Нагадую: ніякої політики в чаті!", *ADMIN, chat=updates.chat(old, "group"))
    await group.say("Нагадую: без політики!", *ADMIN, chat=updates.chat(NEW, "supergroup"))
    await group.settle()
    assert await group.deliver(updates.migration_update(old, NEW, update_id=700)) == 200
    await group.settle()
    (fact,) = await group.facts(NEW)
    assert len(fact["evidence"]) == 2


async def test_what_was_said_in_private_moves_as_private(group):
    old = -777
    group.api.add_chat(old, "group", admins={102})
    group.api.add_chat(NEW, "supergroup", admins={102})
    await group.say("Привіт", *ADMIN, chat=updates.chat(old, "group"))
    await group.runtime.app.chats.change(old, {"private_mode": True})
    await group.say("Нагадую: ніякої політики в чаті!", *ADMIN, chat=updates.chat(old, "group"))
    await group.settle()
    assert await group.deliver(updates.migration_update(old, NEW, update_id=700)) == 200
    await group.say("Нагадую: без спойлерів!", *ADMIN, chat=updates.chat(NEW, "supergroup"))
    await group.settle()
    assert [m["chunk"] for m in await group.messages(NEW)] == ["private"] * 3
    assert await group.facts(NEW) == []
    assert (await group.runtime.app.chats.state(NEW, fresh=True)).private_mode is True
