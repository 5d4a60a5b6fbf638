"""Forgetting somebody of whom nothing is stored costs a few questions, and once a day is enough."""

import json
from dataclasses import replace
from datetime import timedelta

import pytest

from infra.storage.object_folder import ObjectFolder
from shared.application.archive.nightly import archive_chat
from shared.application.dead_letters import record_dead_letter
from shared.application.documents import chat_path, facts_path, member_path, message_path
from shared.application.facts.moderation import vote
from shared.application.forgetting.forget import erase_member, forget_member
from shared.application.forgetting.proof import prove
from shared.application.forgetting.request import ForgettingRequest
from shared.application.forgetting.requested import forget_as_requested
from shared.domain.conversation.messages import Message
from tests.scenarios.forgetting.test_forgetting import archived
from tests.support import updates
from tests.support.group import CHAT
from tests.support.stores.messages import new_message_fields

STRANGER, TARAS, ADMIN = (999, "Привид"), (103, "Тарас"), (102, "Оля")


async def lived(group, messages=150):
    """A chat in which others have said a lot."""
    now = group.clock.now()
    await group.say("Нагадую: ніякої політики в чаті!", *ADMIN)
    await group.settle()
    for number in range(messages):
        at = now - timedelta(seconds=messages - number)
        said = Message(CHAT, 10_000 + number, at, 200 + number % 9, "Хтось", None, f"розмова про все номер {number}")
        fields = new_message_fields(said, now=now, retention=timedelta(days=90))
        await group.store.set(message_path(CHAT, said.message_id), {**fields, "chunk": "10000-10149"})


OWN = 2
"""Records of what they asked lately: the command, and the press."""


async def asked_to_be_forgotten(group, who=STRANGER):
    """What it cost the worker in reads, and what was told."""
    await group.say("/gryadforgetme", *who)
    question = group.api.sent[-1].message_id
    await group.press("Так, стерти", *who)
    (task,) = [each.task for each in group.tasks.tasks.values() if b"maintenance/forget" in each.task.http_request.body]
    before = group.store.usage.reads
    await forget_as_requested(group.runtime.app, json.loads(task.http_request.body))
    reads, told = group.store.usage.reads - before, group.shown(question).text
    await group.settle()  # the task runs once more
    assert group.shown(question).text == told
    return reads, told


async def naming(group, user_id=STRANGER[0]):
    """Paths of documents that name somebody."""
    found = [d.path async for d in group.store.subtree(chat_path(CHAT)) if str(user_id) in repr(d)]
    for elsewhere in ("dead_letters", "updates"):
        found += [d.path for d in await group.store.query(elsewhere) if str(user_id) in repr(d)]
    return found


async def test_a_stranger_costs_at_most_twenty_reads_however_large_the_chat_is(group):
    await lived(group)
    for _ in range(3):
        reads, told = await asked_to_be_forgotten(group)
        assert reads <= 20 + OWN
        assert "про вас тут нічого не лишилося" in told
        assert await naming(group) == []
        await group.settle()


async def test_without_a_worker_around_it_costs_no_more(laptop):
    await lived(laptop)
    before = laptop.store.usage.reads
    erased = await erase_member(laptop.runtime.app, CHAT, STRANGER[0])
    assert laptop.store.usage.reads - before <= 20
    assert set(erased.counts.values()) == {0}
    assert (await prove(laptop.runtime.app.store, laptop.runtime.app.archive, erased)).left == []


async def test_who_asks_again_the_same_day_is_told_what_the_first_time_came_to(laptop):
    await laptop.say("Я живу у Житомирі", *STRANGER)
    await laptop.settle()
    _, first = await asked_to_be_forgotten(laptop)
    assert "Стерто ваших повідомлень: 2\n" in first
    await laptop.settle()
    reads, second = await asked_to_be_forgotten(laptop)
    assert (second, reads <= 20 + OWN) == (first, True)
    await laptop.say("Я живу в Одесі й маю кота", *STRANGER)
    _, third = await asked_to_be_forgotten(laptop)
    assert "Стерто ваших повідомлень: 2\n" in third
    assert await naming(laptop) == []
    laptop.clock.advance(timedelta(days=1))
    _, next_day = await asked_to_be_forgotten(laptop)
    assert "Стерто ваших повідомлень: 1\n" in next_day


async def test_a_task_of_a_day_ago_that_comes_again_tells_its_own_day(laptop):
    app = laptop.runtime.app
    await laptop.say("Я живу у Житомирі", *STRANGER)
    await laptop.settle()
    await laptop.say("/gryadhelp", *TARAS)
    shown = laptop.api.sent[-1].message_id
    request = ForgettingRequest(CHAT, STRANGER[0], laptop.clock.now(), shown, "uk")
    await forget_as_requested(app, request.task("1").payload)
    first = laptop.shown(shown).text
    laptop.clock.advance(timedelta(days=1))
    await forget_as_requested(app, request.task("1").payload)
    assert laptop.shown(shown).text == first


# --- whatever there is of somebody is found -----------------------------------------------------------


async def a_message(group):
    await group.say("Привіт усім", *STRANGER)


async def many_commands(group):
    for _ in range(4):
        await group.say("/gryadhelp", *STRANGER)


async def a_vote(group):
    (fact,) = await group.store.query(facts_path(CHAT))
    await vote(group.runtime.app, CHAT, fact.id, STRANGER[0], supports=False)


async def a_reaction(group):
    await group.say("/gryadchatfacts", *TARAS)
    await group.press("1", *TARAS)
    card = group.api.sent[-1].message_id
    await group.deliver(updates.reaction_update("👍", message_id=card, user=updates.user(*STRANGER), update_id=70_001))


async def a_choice(group):
    await group.store.set(member_path(CHAT, STRANGER[0]), {"schema": 1, "user_id": STRANGER[0], "visibility": "nobody"})


async def money(group):
    spent = {"schema": 1, "user_id": STRANGER[0], "tokens": 9, "expire_at": group.clock.now()}
    await group.store.set(f"{chat_path(CHAT)}/spending/{STRANGER[0]}-2026-11-06", spent)


async def a_failure(group):
    body = json.dumps(group.says("щось", *STRANGER)).encode()
    await record_dead_letter(group.store, group.clock, kind="update", body=body, reason="a bug")


async def an_answer(group):
    given = {"question": {"message_id": 1, "user_id": 103, "sent_at": group.clock.now()}, "people": [STRANGER[0]]}
    given |= {"schema": 1, "made_at": group.clock.now(), "facts": [], "messages": [], "notes": [], "left_out": 0}
    await group.store.set(f"{chat_path(CHAT)}/answers/55", given)


async def a_card(group):
    await group.say("/gryadhelp", *TARAS)
    path = message_path(CHAT, group.api.sent[-1].message_id)
    await group.store.update(path, {"people": [STRANGER[0]]})


async def a_summary(group):
    await group.settle()


TRACES = (
    *(a_message, many_commands, a_vote, a_reaction, a_choice, money, a_failure, an_answer, a_card),
    a_summary,
)


@pytest.mark.parametrize("trace", TRACES)
async def test_whatever_is_stored_of_somebody_is_found_and_goes(laptop, trace):
    await lived(laptop, messages=3)
    await laptop.say("/gryadhelp", *STRANGER)
    await trace(laptop)
    assert len(await naming(laptop)) > 1
    await forget_member(laptop.runtime.app, CHAT, STRANGER[0])
    assert await naming(laptop) == []


async def test_who_changed_a_setting_is_no_more_told_of_it(laptop):
    await lived(laptop, messages=3)
    now = laptop.clock.now()
    changes = [{"user_id": who[0], "row": "language", "at": now} for who in (STRANGER, ADMIN)]
    await laptop.store.update(chat_path(CHAT), {"settings_log": changes})
    await forget_member(laptop.runtime.app, CHAT, STRANGER[0])
    assert (await laptop.store.get(chat_path(CHAT))).data["settings_log"] == changes[1:]


async def test_a_command_given_after_the_request_stays(laptop):
    await laptop.say("/gryadhelp", *STRANGER)
    until = laptop.clock.now()
    laptop.clock.advance(timedelta(minutes=1))
    await laptop.say("/gryadhelp", *STRANGER)
    erased = await erase_member(laptop.runtime.app, CHAT, STRANGER[0], until=until)
    assert erased.counts["messages"] == 1
    assert [m["text"] for m in await laptop.messages() if m["user_id"] == STRANGER[0]] == ["/gryadhelp"]


async def test_what_is_left_of_an_erasure_that_died_is_not_taken_for_nothing(laptop, tmp_path):
    """A death between the messages and the archive: the next run makes the archive anew all the same."""
    archive = ObjectFolder(tmp_path / "archive")
    app = replace(laptop.runtime.app, archive=archive)
    await laptop.say("Я живу у Житомирі", *STRANGER)
    await laptop.settle()
    await archive_chat(app, await app.chats.state(CHAT, fresh=True))
    assert "Житомирі" in await archived(tmp_path)
    await erase_member(app, CHAT, STRANGER[0])
    request = ForgettingRequest(CHAT, STRANGER[0], laptop.clock.now())
    await forget_as_requested(app, request.task("1").payload)
    assert "Житомирі" not in await archived(tmp_path)
    before = laptop.store.usage.reads
    await erase_member(app, CHAT, STRANGER[0])
    assert laptop.store.usage.reads - before <= 20
