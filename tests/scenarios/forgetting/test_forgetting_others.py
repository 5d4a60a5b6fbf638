"""What forgetting a member must not take: what other people said, and what lies in other chats."""

import json
from datetime import timedelta

import pytest

from shared.application.dead_letters import record_dead_letter
from shared.application.forgetting.forget import erase_member, forget_member
from shared.application.forgetting.proof import prove
from shared.application.intake.maintenance import run_job
from tests.support import updates
from tests.support.group import CHAT

ADMIN, THIEF, HANNA, TARAS = (102, "Оля"), (205, "Злодій"), (104, "Ганна"), (103, "Тарас")
OTHER_CHAT = -1009998887776
RULES = ("Нагадую: ніякої політики та реклами в чаті!", "Правило: голосові повідомлення заборонені після 22:00")


async def ruled(group):
    """An admin lays down rules; what is believed then, by value."""
    for text in RULES:
        await group.say(text, *ADMIN)
    for number in range(8):
        await group.say(f"слово {number}", *TARAS)
    await group.settle()
    return {fact["value"]: fact for fact in await group.facts()}


async def believed(group):
    return {fact["value"] for fact in await group.facts() if fact["status"] == "active"}


@pytest.mark.parametrize("expired", [False, True])
async def test_an_admins_rule_stays_when_a_member_who_typed_its_words_is_forgotten(group, expired):
    rules = await ruled(group)
    assert len(rules) == 2
    if expired:  # the messages are gone: only the quotes say whose rule it is
        group.clock.advance(timedelta(days=91))
        await run_job(group.runtime.app, "retention", {"chat_id": CHAT})
    for fact in rules.values():
        for text in (fact["value"], fact["value"].replace("_", " "), fact["description"], *fact["wordings"]):
            await group.say(text, *THIEF)
    await group.settle()
    believed_before = await believed(group)
    erased = await erase_member(group.runtime.app, CHAT, THIEF[0])
    await group.settle()
    assert await believed(group) == believed_before >= rules.keys()
    assert (await prove(group.runtime.app.store, group.runtime.app.archive, erased)).left == []
    assert [m for m in await group.messages() if m["user_id"] == THIEF[0]] == []


async def test_the_command_takes_no_rule_either(laptop):
    rules = await ruled(laptop)
    for fact in rules.values():
        await laptop.say(fact["value"].replace("_", " "), *THIEF)
    await laptop.settle()
    await laptop.say("/gryadforgetme", *THIEF)
    question = laptop.api.sent[-1].message_id
    await laptop.press("Так, стерти", *THIEF)
    await laptop.settle()
    assert "про вас тут нічого не лишилося" in laptop.shown(question).text
    assert await believed(laptop) >= rules.keys()


# --- other chats' dead letters ----------------------------------------------------------------------


def update_in(chat_id, user_id, text):
    sender = updates.user(user_id, "Хтось")
    return json.dumps(updates.message_update(text, message_id=700, chat=updates.chat(chat_id), sender=sender)).encode()


async def letters(group):
    return {document.data["reason"] for document in await group.store.query("dead_letters")}


async def test_a_dead_letter_goes_when_it_names_the_chat_and_the_member_and_another_chats_stays(laptop):
    app = laptop.runtime.app
    await laptop.say("як тебе звати друже", *HANNA)
    recorded = {
        "theirs, in other words": update_in(CHAT, HANNA[0], "щось зовсім інше"),
        "their words in somebody's": update_in(CHAT, TARAS[0], "як тебе звати друже"),
        "somebody else's": update_in(CHAT, TARAS[0], "щось зовсім інше"),
        "theirs in another chat": update_in(OTHER_CHAT, HANNA[0], "щось зовсім інше"),
        "the same words in another chat": update_in(OTHER_CHAT, 900, "як тебе звати друже мій"),
        "a task of another chat": json.dumps({"chat_id": OTHER_CHAT, "text": "як тебе звати друже"}).encode(),
        "a broken body with the words": '{"text": "як тебе звати друже"'.encode(),
        "a broken body without": '{"text": "щось зовсім інше"'.encode(),
    }
    for reason, body in recorded.items():
        await record_dead_letter(app.store, app.clock, kind="update", body=body, reason=reason)
    erased = await erase_member(app, CHAT, HANNA[0])
    stay = recorded.keys() - {"theirs, in other words", "their words in somebody's", "a broken body with the words"}
    assert await letters(laptop) == stay
    assert (await prove(app.store, app.archive, erased)).left == []


async def test_a_dead_letter_of_a_longer_number_is_not_theirs(laptop):
    app = laptop.runtime.app
    await laptop.say("Привіт усім", *HANNA)
    for user_id in (1040, 9104):
        body = update_in(CHAT, user_id, "щось зовсім інше")
        await record_dead_letter(app.store, app.clock, kind="update", body=body, reason=str(user_id))
    await forget_member(app, CHAT, HANNA[0])
    assert await letters(laptop) == {"1040", "9104"}
