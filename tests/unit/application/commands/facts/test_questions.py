"""The group decides what it is asked: by pressing, and by replying."""

import pytest

from shared.domain.facts.evidence.claim import Authority
from tests.support import updates
from tests.support.commands.questions import (
    ADMIN,
    GAMES,
    HANNA,
    MARKO,
    OLYA,
    PETRO,
    asked,
    contradict,
    labels,
    say_twice,
    the_fact,
)
from tests.support.group import CHAT


async def test_votes_are_counted_under_the_question_until_the_group_agrees(group):
    await say_twice(group)
    await group.press("Так", *MARKO)
    assert asked(group) == [f"{GAMES}\n\nтак 2 · ні 0"]
    await group.press("Ні", *PETRO)
    assert asked(group) == [f"{GAMES}\n\nтак 2 · ні 1"]
    await group.press("Так", *HANNA)
    assert asked(group) == [f"{GAMES}\n\n✅ Домовились, так і запам'ятав: так 3 · ні 1."]
    assert labels(group) == []
    assert (await the_fact(group))["authority"] == Authority.CONSENSUS
    assert group.notices == [], "the question says it"


async def test_a_vote_can_be_changed_and_counts_once(laptop):
    await say_twice(laptop)
    for label in ("Так", "Так", "Ні"):
        await laptop.press(label, *MARKO)
    assert asked(laptop) == [f"{GAMES}\n\nтак 1 · ні 1"]


async def test_a_press_delivered_twice_is_one_vote(laptop):
    await say_twice(laptop)
    update = laptop.pressing("Так", *MARKO)
    for _ in range(2):
        assert await laptop.deliver(update) == 200
    assert asked(laptop) == [f"{GAMES}\n\nтак 2 · ні 0"]


async def test_what_three_members_deny_is_dropped(laptop):
    await say_twice(laptop)
    for who in (MARKO, HANNA, PETRO):
        await laptop.press("Ні", *who)
    assert asked(laptop) == [f"{GAMES}\n\n❌ Гаразд, більше так не вважаю."]
    assert (await the_fact(laptop))["status"] == "deprecated"


async def test_the_group_may_uphold_the_known_value_and_then_nothing_waits(laptop):
    await contradict(laptop)
    await laptop.press("2. ", *PETRO)
    assert asked(laptop)[-1].endswith("за перше 0 · за друге 1")
    for who in (MARKO, PETRO, ADMIN):
        await laptop.press("1. ", *who)
    assert asked(laptop) == ["✅ Вирішено: «Щосереди граємо в настолки»."]
    assert (await the_fact(laptop))["value"] == "wednesday"
    assert [fact["status"] for fact in await laptop.facts() if fact["conflicts_with"]] == ["deprecated"]


async def test_members_who_opted_out_neither_vote_nor_are_shown(laptop):
    await say_twice(laptop)
    app = laptop.runtime.app
    await app.chats.change(CHAT, {"opted_out": [MARKO[0]]})
    await laptop.press("Так", *MARKO)
    assert laptop.notices[0].startswith("Ви просили не запам'ятовувати")
    assert asked(laptop) == [GAMES]
    await app.chats.change(CHAT, {"opted_out": [OLYA[0]]})
    await laptop.press("Так", *HANNA)
    assert "ігри" not in asked(laptop)[0]


async def test_who_is_not_in_the_chat_cannot_vote(laptop):
    await say_twice(laptop)
    laptop.api.chats[CHAT].left.add(MARKO[0])
    await laptop.press("Так", *MARKO)
    assert laptop.notices == ["Це можуть лише учасники цього чату."]
    assert (await the_fact(laptop))["voices"] == []


async def test_a_yes_in_reply_to_the_question_is_a_vote(laptop):
    await say_twice(laptop)
    bot = {"id": updates.BOT_ID, "is_bot": True, "first_name": "gryag"}
    replied = updates.message("?", message_id=laptop.api.sent[-1].message_id, sender=bot)
    await laptop.say("так, звісно", *MARKO, reply_to_message=replied)
    assert laptop.answers[-1] == "Враховано: так 2 · ні 0."
    assert asked(laptop) == [f"{GAMES}\n\nтак 2 · ні 0"]
    await laptop.say("а у вівторок?", *HANNA, reply_to_message=replied)
    assert (await the_fact(laptop))["supporters"] == [101, 103]


@pytest.mark.parametrize(
    ("reply", "quote"), [("Ні, у четвер", "у четвер"), ("No, it's on Thursday", "it's on Thursday")]
)
async def test_a_no_that_tells_how_it_is_corrects_what_the_question_is_about(laptop, reply, quote):
    await say_twice(laptop)
    bot = {"id": updates.BOT_ID, "is_bot": True, "first_name": "gryag"}
    replied = updates.message("?", message_id=laptop.api.sent[-1].message_id, sender=bot)
    await laptop.say(reply, *OLYA, reply_to_message=replied)
    assert "Тепер так" in laptop.answers[-1]
    fact = await the_fact(laptop)
    assert (fact["value"], fact["status"], [e["quote"] for e in fact["evidence"]]) == ("thursday", "active", [quote])
    assert laptop.shown(replied["message_id"]).text.startswith("✏️ Вже інакше")
    assert laptop.shown(replied["message_id"]).buttons == ()


async def test_a_no_with_other_talk_behind_it_is_a_vote_on_the_question(laptop):
    await say_twice(laptop)
    bot = {"id": updates.BOT_ID, "is_bot": True, "first_name": "gryag"}
    replied = updates.message("?", message_id=laptop.api.sent[-1].message_id, sender=bot)
    await laptop.say("Ні, мені того дня завжди ніколи", *MARKO, reply_to_message=replied)
    assert laptop.answers[-1] == "Враховано: так 1 · ні 1."
    assert (await the_fact(laptop))["value"] == "wednesday"
