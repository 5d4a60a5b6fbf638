"""Attacks on commands and buttons: what people type, press, hide and replay, and what breaks while it is dealt with."""

import itertools
from datetime import timedelta

import pytest

from shared.application.commands.table import ACTIONS
from shared.application.documents import chat_path, facts_path, member_path, message_path
from shared.application.fact_documents import change_writes
from shared.application.migration import begin_migration
from shared.domain.buttons import Sealed, seal, short_id
from shared.domain.facts import Authority, Candidate, Evidence
from shared.domain.lifecycle import learn
from shared.domain.messages import migrated_message_id
from tests.support import updates
from tests.support.faults import Crashed
from tests.support.group import CHAT, running_group

ADMIN, MEMBER, OLHA = (102, "Тарас"), (103, "Марко"), (101, "Оля")
RULE = "Нагадую: ніякої політики в чаті!"
NEW = -1_001_000_000_999
MOMENT = timedelta(minutes=3)


@pytest.fixture
async def laptop(sqlite_store):
    async with running_group(sqlite_store) as running:
        yield running


async def believe(group, value, *, user_id=103, subject="chat", category="rule", chat_id=CHAT, message_id=9_000, **more):
    """A fact as if it had been learnt; its id."""
    quote = Evidence(group.clock.now() - timedelta(days=1), message_id, user_id, more.pop("quote", f"{value} - так!"))
    about = {"key": f"key_{message_id}", "description": f"Факт: {value}", "authority": Authority.ADMIN, "single": True}
    change = learn(None, Candidate(subject=subject, category=category, value=value, confidence=0.8,
                                   evidence=(quote,), **(about | more)))  # fmt: skip
    await group.store.batch(change_writes(chat_id, change, now=group.clock.now()))
    return change.after.id


async def meet(group, user_id, name, **more):
    seen = {"schema": 1, "user_id": user_id, "name": name, "last_seen_at": group.clock.now()}
    await group.store.upsert(member_path(CHAT, user_id), seen | more)


def shown(group):
    """The newest message as it stands now."""
    return group.shown(group.api.sent[-1].message_id)


# --- what somebody hides ---


async def test_what_a_member_hides_is_not_shown_in_the_group_even_when_they_press_an_old_list(laptop):
    await meet(laptop, *OLHA, username="olha")
    for n in range(10):
        await believe(laptop, f"любить чай {n}", user_id=101, subject="user:101", category="preference", message_id=9_100 + n)
    await laptop.say("/gryadfacts", *OLHA)
    turn = laptop.pressing("▶", *OLHA)
    await laptop.press("1", *OLHA)
    back = laptop.pressing("До списку", *OLHA)
    await meet(laptop, *OLHA, visibility="nobody")
    for press in (turn, back):
        assert await laptop.deliver(press) == 200
        assert "чай" not in shown(laptop).text
        laptop.clock.advance(MOMENT)


# --- a group that became a supergroup ---


async def test_a_press_under_a_message_of_the_old_group_touches_no_message_of_the_new_one(laptop):
    old = -777
    laptop.api.add_chat(old, "group")
    laptop.api.add_chat(NEW, "supergroup", admins={102})
    fact_id = await believe(laptop, "без політики", chat_id=old)
    await laptop.say("/gryadchatfacts", chat=updates.chat(old))
    listed = laptop.api.sent[-1]
    press = laptop.pressing("1", chat_id=old)
    await begin_migration(laptop.runtime.app, old, NEW)
    await laptop.settle()
    innocent = message_path(NEW, listed.message_id)
    await laptop.store.set(innocent, {"schema": 1, "asks": None, "text": "інше"})
    assert await laptop.deliver(press) == 200
    assert (await laptop.store.get(innocent)).data["asks"] is None
    moved = await laptop.store.get(message_path(NEW, migrated_message_id(listed.message_id)))
    assert moved.data["asks"]["fact"] == fact_id


async def test_what_a_press_under_an_old_message_says_replies_to_nothing(laptop):
    old = -777
    laptop.api.add_chat(old, "group")
    laptop.api.add_chat(NEW, "supergroup", admins={102}, members={103})
    fact_id = await believe(laptop, "без політики", chat_id=old)
    await laptop.say("/gryadchatfacts", chat=updates.chat(old))
    await begin_migration(laptop.runtime.app, old, NEW)
    await laptop.settle()
    key = laptop.runtime.app.policy.button_key
    data = seal(key, old, Sealed("whyc", (short_id(fact_id),)))
    assert await laptop.press("1", *MEMBER, chat_id=old, data=data) == 200
    said = laptop.api.sent[-1]
    assert (said.chat_id, said.reply_to) == (NEW, None)


# --- when telling who pressed fails ---


@pytest.mark.parametrize("fault", [{"status": 403, "description": "Forbidden: whatever"}, {"status": 400, "description": "Bad Request: whatever"}], ids=["403", "400"])
async def test_a_press_that_cannot_be_acknowledged_is_done_all_the_same(laptop, fault):
    await believe(laptop, "без політики")
    await laptop.say("/gryadchatfacts")
    laptop.api.fail_next("answerCallbackQuery", **fault)
    assert await laptop.press("1") == 200
    assert "Хто це сказав" in shown(laptop).text
    assert (await laptop.runtime.app.chats.state(CHAT, fresh=True)).active


@pytest.mark.parametrize("method", ["answerCallbackQuery", "editMessageText"])
async def test_a_press_that_telegram_does_not_take_now_is_delivered_again_and_done_once(laptop, method):
    fact_id = await believe(laptop, "без політики")
    await laptop.say("/gryadchatfacts")
    await laptop.press("1")
    press = laptop.pressing("Закріпити", *ADMIN)
    laptop.api.fail_next(method, status=503, times=2)
    assert await laptop.deliver(press) == 503
    laptop.clock.advance(MOMENT)
    assert await laptop.deliver(press) in (200, 503)
    laptop.clock.advance(MOMENT)
    assert await laptop.deliver(press) == 200
    assert "закріплено" in shown(laptop).text
    versions = [d async for d in laptop.store.subtree(f"{facts_path(CHAT)}/{fact_id}") if "/versions/" in d.path]
    assert len(versions) == 2


# --- dying in the middle ---


@pytest.mark.parametrize("after", [False, True], ids=["before", "after"])
async def test_a_press_that_dies_anywhere_is_done_once_when_it_is_delivered_again(sqlite_store, after):
    async with running_group(sqlite_store) as laptop:
        fact_id = await believe(laptop, "без політики")
        await laptop.say("/gryadchatfacts")
        await laptop.press("1")
        press = laptop.pressing("Закріпити", *ADMIN)
        for die_at in itertools.count(1):
            laptop.store.arm(die_at, after=after)
            try:
                status = await laptop.deliver(press)
                survived = status == 200
            except Crashed:
                survived = False
            laptop.store.arm(None)
            laptop.clock.advance(MOMENT)
            if survived:
                break
            assert die_at < 40
        assert await laptop.deliver(press) == 200
        assert "закріплено" in shown(laptop).text
        versions = [d async for d in laptop.store.subtree(f"{facts_path(CHAT)}/{fact_id}") if "/versions/" in d.path]
        assert len(versions) == 2


# --- questions of the bot that are stored otherwise than now ---


@pytest.mark.parametrize("asks", [{}, {"fact": "x"}, {"action": "fix"}, {"command": "gone", "action": "card", "fact": "0" * 32}, {"command": "gryadfix", "action": "gone"}, "talk", 7])
async def test_a_reply_to_a_question_of_another_version_is_talk(laptop, asks):
    await laptop.say("/gryadhelp")
    told = laptop.api.sent[-1]
    await laptop.store.update(message_path(CHAT, told.message_id), {"asks": asks})
    reply = laptop.api.chats[CHAT].message(told, laptop.api.bot)
    before = len(laptop.answers)
    await laptop.say("Дякую, зрозуміло, що далі?", *MEMBER, reply_to_message=reply)
    assert len(laptop.answers) == before + 1


# --- the time of a recap ---


async def test_a_recap_says_since_when_in_the_chats_own_time(laptop):
    await laptop.runtime.app.chats.change(CHAT, {"settings": {"timezone": "Europe/Kyiv"}})
    await laptop.say("Я відійду", *OLHA)
    for n in range(3):
        await laptop.say(f"Щось сталося {n}", *MEMBER)
    await laptop.settle()
    await laptop.say("/gryadrecap", *OLHA)
    assert "з 06.11 20:00" in laptop.answers[-1]
