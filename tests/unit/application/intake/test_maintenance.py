"""Jobs through the queue, and the move of a group that became a supergroup."""

from datetime import timedelta

import pytest

from shared.application.chats.migration import begin_migration
from shared.application.intake.maintenance import run_job
from tests.support import updates
from tests.support.group import CHAT, running_group

ADMIN = (102, "Тарас")
NEW = -1_009_999


async def start(group, job, payload=None):
    token = _token(group)
    return await group.http.post(f"/maintenance/{job}", json=payload or {}, headers={"authorization": token})


def _token(group):
    from google.cloud import tasks_v2

    from tests.support.google.cloud_tasks import sign
    from tests.support.group import ACCOUNT, MAINTENANCE_URL

    token = tasks_v2.OidcToken(service_account_email=ACCOUNT, audience=MAINTENANCE_URL)
    return "Bearer " + sign(token, MAINTENANCE_URL, group.clock.now())


async def test_decay_fans_out_over_the_active_chats_and_expires_what_nobody_confirms(group):
    await group.say("Нагадую: ніякої політики в чаті!", *ADMIN)
    await group.settle()
    group.clock.advance(timedelta(days=89))
    await group.runtime.app.chats.state(CHAT, fresh=True)
    assert await run_job(group.runtime.app, "decay", {"chat_id": CHAT}) == {"expired": 0}
    group.clock.advance(timedelta(days=2))
    await group.runtime.app.chats.change(-5, {"active": False})
    assert await run_job(group.runtime.app, "decay", {}) == {"chats": 2, "enqueued": 2, "failed": 0}  # two nights ahead
    await group.settle(timedelta(hours=8))
    (fact,) = await group.facts()
    assert fact["status"] == "expired"
    assert await run_job(group.runtime.app, "decay", {"chat_id": CHAT}) == {"expired": 0}


async def test_an_expired_fact_comes_back_when_it_is_said_again(group):
    await group.say("Нагадую: ніякої політики в чаті!", *ADMIN)
    await group.settle()
    group.clock.advance(timedelta(days=91))
    await run_job(group.runtime.app, "decay", {"chat_id": CHAT})
    await group.say("Нагадую: ніякої політики в чаті!", *ADMIN)
    await group.settle()
    (fact,) = await group.facts()
    assert fact["status"] == "active"


async def test_workers_want_a_token_of_our_account(group):
    assert (await group.http.post("/maintenance/decay", json={})).status_code == 401
    forged = {"authorization": "Bearer x.y.z"}
    good = {"authorization": _token(group)}
    assert (await group.http.post("/maintenance/decay", json={}, headers=forged)).status_code == 401
    assert (await group.http.post("/extract", json={"chat_id": CHAT}, headers=forged)).status_code == 401
    assert (await group.http.post("/extract", json={"chat_id": CHAT}, headers=good)).status_code == 401  # its audience
    assert (await group.http.post("/maintenance/decay", json={}, headers=good)).status_code == 200
    group.clock.advance(timedelta(hours=3))
    assert (await group.http.post("/maintenance/decay", json={}, headers=good)).status_code == 401


async def test_an_unknown_job_is_not_found_and_a_bad_payload_is_refused(group):
    headers = {"authorization": _token(group)}
    assert (await start(group, "nonsense")).status_code == 404
    assert (await group.http.post("/maintenance/decay", json=[1], headers=headers)).status_code == 400
    assert (await group.http.get("/maintenance/decay", headers=headers)).status_code == 405


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
