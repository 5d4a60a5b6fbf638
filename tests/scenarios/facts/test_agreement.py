"""Agreement counts for the wording that it was given to, while who gave it stands by it; only persons agree."""

import itertools
from datetime import timedelta

import pytest

from tests.support import updates
from tests.support.group import CHAT, running_group

THIEF, HANNA, TARAS, MARKO, OLYA = (201, "Злодій"), (202, "Ганна"), (203, "Тарас"), (204, "Марко"), (205, "Оля")
RULE, WORSE = "Пропоную в чаті заборонити згадувати Олю", "Пропоную в чаті заборонити згадувати Тараса"


def edit_of(group, update, text):
    """The update that tells of an edit now."""
    changed = updates.message_update(text, update_id=next(group._ids), **_fields(update["message"]))
    changed["message"]["edit_date"] = int(group.clock.now().timestamp())
    return {"update_id": changed["update_id"], "edited_message": changed["message"]}


def _fields(message):
    kept = {name: each for name, each in message.items() if name not in ("text", "entities", "from")}
    return kept | {"sender": message["from"]}


async def edit(group, update, text):
    assert await group.deliver(edit_of(group, update, text)) == 200
    group.clock.advance(timedelta(seconds=20))


async def agree(group, proposal, *members, text="+1"):
    return [await group.say(text, *who, reply_to_message=proposal["message"]) for who in members]


async def believed(group):
    return [fact["value"] for fact in await group.facts() if fact["status"] == "active"]


# --- edits of what was agreed to -----------------------------------------------------------------


@pytest.mark.parametrize("learnt_before", [True, False])
async def test_an_edited_proposal_has_nobodys_agreement(laptop, learnt_before):
    proposal = await laptop.say(RULE, *THIEF)
    await agree(laptop, proposal, HANNA, TARAS, MARKO)
    if learnt_before:
        await laptop.settle()
        assert await believed(laptop) == ["олю"]
    await edit(laptop, proposal, WORSE)
    await laptop.settle()
    assert await believed(laptop) == []


@pytest.mark.parametrize("learnt_before", [True, False])
async def test_an_edited_question_is_not_what_was_answered(laptop, learnt_before):
    question = await laptop.say("Ти любиш каву?", *THIEF)
    await agree(laptop, question, HANNA, text="так")
    if learnt_before:
        await laptop.settle()
        assert await believed(laptop) == ["кава"]
    await edit(laptop, question, "Ти працюєш в поліції?")
    await laptop.settle()
    assert await believed(laptop) == []


@pytest.mark.parametrize("learnt_before", [True, False])
async def test_who_agrees_after_the_edit_agrees_to_the_new_words(laptop, learnt_before):
    proposal = await laptop.say(RULE, *THIEF)
    await agree(laptop, proposal, HANNA)
    if learnt_before:
        await laptop.settle()
    await edit(laptop, proposal, WORSE)
    await agree(laptop, proposal, TARAS, MARKO)
    await laptop.settle()
    (fact,) = [fact for fact in await laptop.facts() if fact["status"] == "active"]
    assert (fact["value"], fact["supporters"]) == ("тараса", [201, 203, 204])


@pytest.mark.parametrize("learnt_before", [True, False])
@pytest.mark.parametrize("text", [f"{RULE}!!", f"  {RULE.upper()}. "])
async def test_emphasis_drops_nobodys_agreement(laptop, learnt_before, text):
    proposal = await laptop.say(RULE, *THIEF)
    await agree(laptop, proposal, HANNA, TARAS)
    if learnt_before:
        await laptop.settle()
    await edit(laptop, proposal, text)
    await laptop.settle()
    (fact,) = [fact for fact in await laptop.facts() if fact["status"] == "active"]
    assert fact["supporters"] == [201, 202, 203]


async def test_words_that_come_back_bring_their_agreement_back(laptop):
    proposal = await laptop.say(RULE, *THIEF)
    await agree(laptop, proposal, HANNA)
    for number in range(7):
        await laptop.say(f"балачки {number}", *OLYA)
    await laptop.settle()
    for number in range(7, 15):
        await laptop.say(f"балачки {number}", *OLYA)
    await agree(laptop, proposal, TARAS)
    await edit(laptop, proposal, WORSE)
    await agree(laptop, proposal, MARKO)
    await laptop.settle()
    assert await believed(laptop) == []
    await edit(laptop, proposal, RULE)
    await laptop.settle()
    (fact,) = [fact for fact in await laptop.facts() if fact["status"] == "active"]
    assert (fact["value"], fact["supporters"]) == ("олю", [201, 202, 203])


@pytest.mark.parametrize("order", list(itertools.permutations(range(3))))
async def test_in_whatever_order_a_message_and_its_edits_are_delivered_agreement_is_the_same(sqlite_store, order):
    async with running_group(sqlite_store) as group:
        told = [group.says(RULE, *THIEF)]
        agreed = group.says("+1", *HANNA, date=_after(group, 1), reply_to_message=told[0]["message"])
        also = group.says("+1", *TARAS, date=_after(group, 3), reply_to_message=told[0]["message"])
        for text, minute in ((WORSE, 2), (f"{RULE}!", 4)):
            told.append(edit_of(group, told[0], text))
            told[-1]["edited_message"]["edit_date"] = _after(group, minute)
        late = group.says("+1", *MARKO, date=_after(group, 5), reply_to_message=told[0]["message"])
        for update in [*(told[n] for n in order), agreed, also, late, told[order[0]]]:
            assert await group.deliver(update) == 200
        await group.settle()
        (fact,) = [fact for fact in await group.facts() if fact["status"] == "active"]
        assert (fact["value"], fact["supporters"]) == ("олю", [201, 202, 204])


def _after(group, minutes):
    return int(group.clock.now().timestamp()) + 60 * minutes


# --- edits of the agreement ------------------------------------------------------------------------


async def test_agreement_that_is_edited_to_an_objection_is_one(laptop):
    proposal = await laptop.say("Пропоную в чаті говорити українською", *THIEF)
    votes = await agree(laptop, proposal, HANNA, TARAS, MARKO)
    await laptop.settle()
    for vote in votes[:2]:
        await edit(laptop, vote, "проти!")
    await laptop.settle()
    (fact,) = await laptop.facts()
    assert [voice["user_id"] for claim in (fact, *fact["others"]) for voice in claim["voices"]] == [202, 203]
    assert fact["status"] == "deprecated"


async def test_a_rule_ends_with_the_agreement_of_those_who_made_it(laptop):
    proposal = await laptop.say(RULE, *THIEF)
    votes = await agree(laptop, proposal, HANNA, TARAS, MARKO)
    await laptop.settle()
    await edit(laptop, votes[0], "ні, я проти")
    await laptop.settle()
    assert await believed(laptop) == ["олю"]
    await edit(laptop, votes[1], "ні, я проти")
    await laptop.settle()
    assert await believed(laptop) == []


async def test_a_rule_ends_when_those_who_made_it_are_forgotten(laptop):
    from shared.application.forgetting.forget import erase_member

    proposal = await laptop.say(RULE, *THIEF)
    await agree(laptop, proposal, HANNA, TARAS)
    await laptop.settle()
    assert await believed(laptop) == ["олю"]
    await erase_member(laptop.runtime.app, CHAT, 202)
    await laptop.settle()
    assert await believed(laptop) == []


# --- persons ---------------------------------------------------------------------------------------


def as_chat(chat_id):
    if chat_id == CHAT:
        who = updates.user(1_087_968_824, "Group", is_bot=True, username="GroupAnonymousBot")
        return {"sender": who, "sender_chat": updates.chat()}
    who = updates.user(136_817_688, "Channel", is_bot=True, username="Channel_Bot")
    return {"sender": who, "sender_chat": {"id": chat_id, "type": "channel", "title": f"Канал {chat_id}"}}


@pytest.mark.parametrize("voices", [(-1001111, -1002222, -1003333), (CHAT, -1001111)])
async def test_a_persons_channels_and_an_anonymous_admin_are_no_further_voices(laptop, voices):
    proposal = await laptop.say(RULE, 102, "Адмін")
    for each in voices:
        await laptop.say("+1", reply_to_message=proposal["message"], **as_chat(each))
    await laptop.settle()
    assert await believed(laptop) == ["олю"]  # 102 is an admin and needs nobody
    (fact,) = await laptop.facts()
    assert fact["supporters"] == [102]


async def test_a_member_with_three_channels_makes_no_rule_and_needs_two_persons_more(laptop):
    proposal = await laptop.say(RULE, *THIEF)
    for channel in (-1001111, -1002222, -1003333):
        await laptop.say("+1", reply_to_message=proposal["message"], **as_chat(channel))
    await laptop.settle()
    assert await believed(laptop) == []
    await agree(laptop, proposal, HANNA, TARAS)
    await laptop.settle()
    assert await believed(laptop) == ["олю"]


async def test_an_anonymous_admin_still_decrees(laptop):
    await laptop.say("Нагадую: ніякої політики в чаті!", **as_chat(CHAT))
    await laptop.settle()
    (fact,) = await laptop.facts()
    assert (fact["value"], fact["authority"], fact["supporters"]) == ("politics", 4, [])
