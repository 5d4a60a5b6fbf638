"""Members settle conflicts by votes, correct what is known of them, and drop it for good."""

import pytest

from shared.application.chats.chat_codec import ChatState
from shared.application.facts.moderation import correct_fact, drop_fact, settle_conflict, vote
from shared.application.facts.profiles import subject_facts
from shared.application.facts.version_codec import facts_as_of
from shared.application.forgetting.forget import reset_chat_facts
from shared.domain.facts.change import Cause
from shared.domain.facts.fact import Status
from tests.support.facts.learning import ADMIN, HANNA, dispute, learn, quality, roots, said
from tests.support.group import CHAT, running_group


async def test_a_conflict_waits_in_a_record_until_it_is_settled(group):
    rival = await dispute(group)
    (record,) = await quality(group)
    assert (record["kind"], record["resolved"]) == ("conflict", False)
    change = await settle_conflict(group.runtime.app, CHAT, rival, accept=True, user_id=102)
    assert (change.kind, change.belief.value) == ("evolution", "saturday")
    (record,) = await quality(group)
    assert record["resolved"]
    assert {f["value"]: f["status"] for f in await group.facts() if f["conflicts_with"]} == {"saturday": "deprecated"}
    assert await settle_conflict(group.runtime.app, CHAT, rival, accept=True, user_id=102) is None


async def test_votes_settle_a_conflict(group):
    rival, app = await dispute(group), group.runtime.app
    for user_id in (21, 21, 22):
        await vote(app, CHAT, rival, user_id, supports=True)
    assert [fact.value for fact in await roots(group)] == ["friday"]
    await vote(app, CHAT, rival, 23, supports=True)
    (fact,) = await roots(group)
    assert (fact.value, fact.supporters) == ("saturday", {103, 21, 22, 23})
    known = await subject_facts(app.store, app.policy, ChatState(CHAT), ["chat"], now=group.clock.now())
    assert [fact.value for fact in known["chat"]] == ["saturday"]


async def test_a_dropped_fact_is_not_learnt_again_from_the_same_words(group):
    candidate = await said(group, "Friday")
    await learn(group, candidate)
    (fact,) = await roots(group)
    change = await drop_fact(group.runtime.app, CHAT, fact.id, user_id=102, cause=Cause.DROPPED_BY_ADMIN)
    assert change.kind == "deprecation"
    assert await learn(group, candidate) == []
    assert await vote(group.runtime.app, CHAT, "0" * 32, 103, supports=True) is None


async def test_as_many_votes_settle_a_conflict_as_the_operator_says(sqlite_store):
    async with running_group(sqlite_store, CONSENSUS_MEMBERS="2") as pair:
        rival, app = await dispute(pair), pair.runtime.app
        await vote(app, CHAT, rival, 21, supports=True)
        assert [fact.value for fact in await roots(pair)] == ["friday"]
        await vote(app, CHAT, rival, 22, supports=True)
        assert [fact.value for fact in await roots(pair)] == ["saturday"]


async def correction(group, fact_id, text, user_id, **more):
    update = await group.say(text, user_id, "Хтось")
    value = {"value": text.split()[-1].casefold(), "description": text}
    return await correct_fact(group.runtime.app, CHAT, fact_id, update["message"]["message_id"], **value, **more)


async def test_a_member_corrects_what_is_known_of_them_and_nobody_else_does(group):
    about = {"subject": HANNA, "category": "personal_info", "key": "location", "user_id": 104}
    await learn(group, await said(group, "Живу у Львові", **about, value="львів"))
    (wrong,) = await roots(group)
    before = group.clock.now()
    assert await correction(group, wrong.id, "Вона живе в Одесі", 101) is None
    change = await correction(group, wrong.id, "/correct Ні, я живу в Одесі", 104)
    assert (change.kind, change.before.value, change.after.value) == ("correction", "львів", "одесі")
    (fact,) = await roots(group)
    assert [(e.message_id, e.user_id, e.quote) for e in fact.evidence] == [(3, 104, "/correct Ні, я живу в Одесі")]
    was = await facts_as_of(group.runtime.app.store, CHAT, HANNA, before)
    assert [f.value for f in was] == ["львів"]
    assert await correct_fact(group.runtime.app, CHAT, wrong.id, 3, value="Одесі", description="") is None


async def test_an_admin_corrects_what_is_known_of_the_chat_and_a_members_correction_waits(group):
    await learn(group, await said(group, "Friday", 102, authority=ADMIN))
    (wrong,) = await roots(group)
    waiting = await correction(group, wrong.id, "Saturday", 103)
    assert (waiting.after.status, waiting.belief.value) == (Status.PENDING, "friday")
    change = await correction(group, waiting.after.id, "It is Sunday", 102, authority=ADMIN)
    assert (change.kind, change.belief.value, change.belief.authority) == ("correction", "sunday", ADMIN)


async def test_words_from_before_a_reset_correct_nothing_about_the_chat(group):
    early = (await group.say("It is Sunday", 102, "Тарас"))["message"]["message_id"]
    await reset_chat_facts(group.runtime.app, CHAT)
    await learn(group, await said(group, "Friday", 102, authority=ADMIN))
    (fact,) = await roots(group)
    new = {"value": "sunday", "description": "It is Sunday", "authority": ADMIN}
    assert await correct_fact(group.runtime.app, CHAT, fact.id, early, **new) is None


@pytest.mark.parametrize("choice", [{"private_mode": True}, {"opted_out": [104]}], ids=["private", "opted out"])
async def test_nothing_is_corrected_by_words_that_may_not_be_kept(group, choice):
    about = {"subject": HANNA, "category": "personal_info", "key": "location", "user_id": 104}
    await learn(group, await said(group, "Живу у Львові", **about, value="львів"))
    (wrong,) = await roots(group)
    await group.say("Ні, в Одесі", 104, "Ганна")
    await group.runtime.app.chats.change(CHAT, choice)
    corrected = {"value": "одеса", "description": "Живе в Одесі"}
    assert await correct_fact(group.runtime.app, CHAT, wrong.id, 2, **corrected) is None
    assert await correct_fact(group.runtime.app, CHAT, wrong.id, 99, **corrected) is None
    assert await correct_fact(group.runtime.app, CHAT, "0" * 32, 2, **corrected) is None
