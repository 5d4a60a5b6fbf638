"""Facts in the store: what is the same is merged, what is not is in conflict, and every day can be asked about."""

import asyncio
from dataclasses import replace
from datetime import timedelta

from shared.application.documents import fact_path
from shared.application.facts.codec import fact_from_fields
from shared.application.facts.memory import retract_message
from shared.application.facts.moderation import settle_conflict, vote
from shared.application.forgetting.forget import reset_chat_facts
from shared.application.intake.maintenance import run_job
from shared.domain.facts.change import Cause
from shared.domain.facts.evidence.claim import Evidence
from shared.domain.facts.fact import Status
from tests.support.facts.learning import ADMIN, HANNA, dispute, learn, quality, roots, said
from tests.support.group import CHAT

# --- The same in other words -------------------------------------------------------------------


async def test_the_same_in_another_slot_confirms_the_fact_that_is_there(group):
    about = {"subject": HANNA, "category": "personal_info", "user_id": 104}
    lives = await said(group, "Я живу у Львові", **about, key="location", value="львів", description="Живе у Львові")
    based = await said(group, "I live in Lviv", **about, key="city", value="lviv", description="Lives in Lviv")
    await learn(group, lives, based)
    (fact,) = await roots(group)
    assert (fact.key, fact.value, len(fact.evidence), len(fact.aliases)) == ("location", "львів", 2, 1)
    (record,) = await quality(group)
    assert (record["kind"], record["resolved"], record["fact_id"]) == ("merge", True, fact.id)
    assert (record["existing"]["value"], record["incoming"]["value"]) == ("львів", "lviv")
    for order in ((lives, based), (based, lives)):
        assert await learn(group, *order) == []
    assert await quality(group) == [record]


async def test_another_value_in_another_slot_replaces_the_one_that_is_there(group):
    about = {"subject": HANNA, "category": "personal_info", "user_id": 104}
    await learn(group, await said(group, "Живу у Львові", **about, key="location", value="львів"))
    (change,) = await learn(group, await said(group, "Тепер живу в Одесі", **about, key="city", value="одеса"))
    assert (change.kind, change.before.value, change.after.value) == ("evolution", "львів", "одеса")
    assert len(await group.facts()) == 1
    assert [(r["kind"], r["verdict"], r["resolved"]) for r in await quality(group)] == [("conflict", "conflicts", True)]


async def test_what_is_distinct_stands_beside_it(group):
    about = {"category": "rule", "key": "forbidden_topics", "single": False, "authority": ADMIN}
    await learn(
        group,
        await said(group, "Без політики", 102, **about, value="politics"),
        await said(group, "Без спойлерів", 102, **about, value="spoilers"),
    )
    assert {fact.value for fact in await roots(group)} == {"politics", "spoilers"}
    assert await quality(group) == []


async def test_the_facts_of_a_subject_are_read_once_however_many_candidates_there_are(laptop):
    about = {"category": "rule", "key": "forbidden_topics", "single": False, "authority": ADMIN}
    topics = ("politics", "spoilers", "football", "crypto", "religion")
    candidates = [await said(laptop, f"Без {topic}", 102, **about, value=topic) for topic in topics]
    usage = laptop.store.usage
    before = usage.reads
    await learn(laptop, *candidates)
    assert usage.reads - before == 2 + 4 * len(topics)  # how many, and the facts; each slot, chat, count and message


async def test_a_conflict_makes_nobody_read_the_facts_again(laptop):
    rule = {"category": "rule", "key": "forbidden_topics", "single": False, "authority": ADMIN}
    candidates = [
        await said(laptop, "Friday", 102, authority=ADMIN),
        await said(laptop, "Saturday", 103),
        await said(laptop, "Без політики", 102, **rule, value="politics"),
    ]
    before = laptop.store.usage.reads
    (*_, conflict, _) = await learn(laptop, *candidates)
    assert conflict.after.status is Status.PENDING
    assert laptop.store.usage.reads - before == 2 + 4 * len(candidates)


async def test_two_workers_that_learn_different_words_at_once_lose_none(group):
    candidates = [await said(group, "Friday", user_id) for user_id in (101, 103, 104)]
    await asyncio.gather(*(learn(group, candidate) for candidate in candidates))
    (fact,) = await roots(group)
    assert fact.supporters == {101, 103, 104}
    assert fact.version == 3


async def test_a_fact_that_changed_since_it_was_matched_is_judged_again(laptop):
    about = {"subject": HANNA, "category": "personal_info", "user_id": 104}
    lives = await said(laptop, "Живу у Львові", **about, key="location", value="львів")
    based = await said(laptop, "I live in Lviv", **about, key="city", value="lviv", description="Lives in Lviv")
    await learn(laptop, lives)
    (fact,) = await roots(laptop)
    path = fact_path(CHAT, fact.id)
    transaction = laptop.store.transaction

    async def meanwhile(body):
        await laptop.store.delete(path)
        return await transaction(body)

    laptop.store.transaction = meanwhile
    try:
        await learn(laptop, based)
    finally:
        del laptop.store.transaction
    assert [(fact.key, fact.value) for fact in await roots(laptop)] == [("city", "lviv")]


async def test_two_workers_that_say_the_same_in_two_slots_at_once_make_one_fact(group):
    about = {"subject": HANNA, "category": "personal_info", "user_id": 104}
    lives = await said(group, "Я живу у Львові", **about, key="location", value="львів", description="Живе у Львові")
    based = await said(group, "I live in Lviv", **about, key="city", value="lviv", description="Lives in Lviv")
    await asyncio.gather(learn(group, lives), learn(group, based))
    (fact,) = await roots(group)
    assert len(fact.evidence) == 2


async def test_quotes_that_nobody_said_teach_nothing(group):
    candidate = await said(group, "Friday")
    (quote,) = candidate.evidence
    forged = [
        Evidence(quote.sent_at, quote.message_id, 999, quote.quote),
        Evidence(quote.sent_at, quote.message_id, 101, "Saturday"),
        Evidence(quote.sent_at, 12_345, 101, quote.quote),
    ]
    assert await learn(group, *(replace(candidate, evidence=(each,)) for each in forged)) == []
    assert await learn(group, replace(candidate, subject=HANNA, category="personal_info")) == []
    assert await group.facts() == []


async def test_what_one_chat_learnt_is_not_known_in_another(laptop):
    await learn(laptop, await said(laptop, "Friday"))
    laptop.api.add_chat(CHAT - 1)
    assert await roots(laptop, CHAT - 1) == []
    await learn(laptop, await said(laptop, "Fridays", chat_id=CHAT - 1), chat_id=CHAT - 1)
    assert [len(fact.evidence) for chat_id in (CHAT, CHAT - 1) for fact in await roots(laptop, chat_id)] == [1, 1]


# --- Conflicts ---------------------------------------------------------------------------------


async def test_an_objection_is_kept_with_who_and_when(group):
    await learn(group, await said(group, "Friday"))
    (fact,) = await roots(group)
    change = await vote(group.runtime.app, CHAT, fact.id, 103, supports=False)
    assert change.kind == "objection"
    (stored,) = await group.facts()
    assert stored["confidence"] < fact.confidence
    assert [(o["user_id"], o["at"]) for o in stored["objectors"]] == [(103, group.clock.now())]


async def test_a_rival_that_nobody_confirms_expires_like_a_fact(group):
    await dispute(group)
    group.clock.advance(timedelta(days=80))
    await learn(group, await said(group, "Friday!", 102, value="friday", authority=ADMIN))
    group.clock.advance(timedelta(days=11))
    assert await run_job(group.runtime.app, "decay", {"chat_id": CHAT}) == {"expired": 1}
    assert {f["value"]: f["status"] for f in await group.facts()} == {"friday": "active", "saturday": "expired"}
    assert [record["resolved"] for record in await quality(group)] == [True]
    assert await run_job(group.runtime.app, "decay", {"chat_id": CHAT}) == {"expired": 0}
    (change,) = await learn(group, await said(group, "Saturday!", 103, value="saturday"))
    assert change.after.status is Status.PENDING
    assert [record["resolved"] for record in await quality(group)] == [False]


async def test_a_fresh_rival_takes_the_place_of_a_fact_that_expires(group):
    await learn(group, await said(group, "Friday", 102, authority=ADMIN))
    group.clock.advance(timedelta(days=80))
    await learn(group, await said(group, "Saturday", 103))
    group.clock.advance(timedelta(days=11))
    await run_job(group.runtime.app, "decay", {"chat_id": CHAT})
    assert [(fact.value, fact.status) for fact in await roots(group)] == [("saturday", Status.ACTIVE)]
    assert [record["resolved"] for record in await quality(group)] == [True]


async def test_a_rival_that_has_its_consensus_since_the_operator_lowered_it_is_believed_the_next_night(group):
    for user_id in (101, 105, 106):
        await learn(group, await said(group, "Friday", user_id))
    await learn(group, await said(group, "Saturday", 103), await said(group, "saturday", 104))
    assert [f["status"] for f in await group.facts() if f["conflicts_with"]] == ["pending"]
    pair = replace(group.runtime.app, policy=group.runtime.app.policy._replace(consensus=2))
    await run_job(pair, "decay", {"chat_id": CHAT})
    assert {(f["value"], f["status"]) for f in await group.facts()} == {
        ("saturday", "active"), ("saturday", "deprecated"),
    }  # fmt: skip
    assert [record["resolved"] for record in await quality(group)] == [True]


# --- Corrections -------------------------------------------------------------------------------


# --- Taking back -------------------------------------------------------------------------------


async def test_a_message_is_taken_back_from_the_fact_and_from_its_rival(group):
    await dispute(group)
    (change,) = await retract_message(group.runtime.app, CHAT, 2, cause=Cause.EDITED)
    assert change.belief.value == "friday"
    assert all(2 not in f["evidence_message_ids"] for f in await group.facts())
    assert {f["status"] for f in await group.facts()} == {"active", "deprecated"}


async def test_a_reset_forgets_rivals_and_quality_records_too(group):
    await dispute(group)
    assert await reset_chat_facts(group.runtime.app, CHAT) == 1
    assert await group.facts() == await quality(group) == []


async def test_a_conflict_survives_the_move_to_a_supergroup(laptop):
    old, new = -777, -1_009_999
    laptop.api.add_chat(old, "group")
    laptop.api.add_chat(new, "supergroup")
    await dispute(laptop, old)
    await run_job(laptop.runtime.app, "migrate", {"chat_id": old, "new_chat_id": new})
    assert await laptop.facts(old) == await quality(laptop, old) == []
    facts = await laptop.facts(new)
    assert {(f["value"], f["status"]) for f in facts} == {("friday", "active"), ("saturday", "pending")}
    assert all(e["message_id"] < 0 for f in facts for said in (f, *f["others"]) for e in said["evidence"])
    rival = next(fact_from_fields(f) for f in facts if f["conflicts_with"])
    change = await settle_conflict(laptop.runtime.app, new, rival.id, accept=True, user_id=102)
    assert change.belief.value == "saturday"
    assert [record["resolved"] for record in await quality(laptop, new)] == [True]


# --- As of -------------------------------------------------------------------------------------
