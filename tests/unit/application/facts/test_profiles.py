"""What is known about a subject in one read: never older than the facts, never more than they are, never in the way."""

import asyncio
import itertools
import json
import logging
import tempfile
from dataclasses import fields, replace
from datetime import timedelta
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from infra.sqlite import SqliteStore
from infra.system import SystemIds
from shared.application.app import App
from shared.application.chats.chat_codec import ChatState
from shared.application.chats.migration import begin_migration
from shared.application.chats.state import Chats
from shared.application.documents import chat_path, fact_path, facts_path, member_path, message_path, profile_path
from shared.application.facts.codec import fact_from_fields
from shared.application.facts.memory import learn_candidates, retract_message
from shared.application.facts.moderation import correct_fact, drop_fact, settle_conflict, vote
from shared.application.facts.profiles import MOST_KEPT, refresh_profiles, subject_facts
from shared.application.facts.writes import change_writes
from shared.application.forgetting.forget import reset_chat_facts
from shared.application.night.tidying import decay_chat
from shared.application.policy import Policy
from shared.application.reading.moving import move_chat
from shared.domain.errors import StoreUnavailable
from shared.domain.facts.change import Cause
from shared.domain.facts.evidence.claim import Authority, Evidence
from shared.domain.facts.fact import Candidate, Status
from shared.domain.facts.lifecycle import learn
from shared.domain.facts.profile import profile_fact, quoted_names
from shared.domain.facts.ranking import rank_facts
from tests.support import updates
from tests.support.builders import START, at, candidate, evidence, message
from tests.support.faults import FailingStore, InterruptedStore
from tests.support.group import CHAT
from tests.support.queues import SteppedClock
from tests.support.revisions import GuardedStore, Unguarded
from tests.support.stores.messages import new_message_fields

OLD, NEW = -777, -1_009_999
ADMIN = (102, "Тарас")
RULE = "Нагадую: ніякої політики в чаті!"
HANNA = "user:104"
SUBJECTS = ("chat", HANNA)


def memory_of(store, clock=None):
    """Spomyn as far as facts need it."""
    clock = clock or SteppedClock(START + timedelta(days=1))
    policy = Policy(bot_id=1, bot_username="gryag_bot", bot_names=("гряг",))
    parts = {"store": store, "clock": clock, "ids": SystemIds(), "policy": policy, "chats": Chats(store, clock)}
    return App(**(dict.fromkeys(field.name for field in fields(App)) | parts))


@pytest.fixture
async def app(sqlite_store):
    return memory_of(GuardedStore(sqlite_store))


async def say(app, text, *, message_id=1, user_id=104, name="Ганна", chat_id=CHAT):
    said = message(text, message_id=message_id, user_id=user_id, name=name, chat_id=chat_id)
    stored = new_message_fields(said, now=app.clock.now(), retention=timedelta(days=90))
    await app.store.set(message_path(chat_id, message_id), stored)


async def believe(app, count, subject="chat", *, chat_id=CHAT, quote="так", start=0):
    """So many facts about a subject, as if they had been learnt one by one."""
    for n in range(start, start + count):
        said = candidate(f"{n}", evidence(n + 1, user_id=104, quote=quote), key=f"slot_{n}", subject=subject,
                         category="tradition" if subject == "chat" else "preference")  # fmt: skip
        await app.store.batch(change_writes(chat_id, learn(None, said), now=at(n)))


async def known(app, *subjects, chat_id=CHAT):
    return await subject_facts(app.store, app.policy, ChatState(chat_id), subjects or SUBJECTS, now=app.clock.now())


async def reads_of(app, *subjects):
    before = app.store.usage.reads
    await known(app, *subjects)
    return app.store.usage.reads - before


async def truth(app, subject, chat_id=CHAT):
    """The active facts, as the facts' own documents have them."""
    found = await app.store.query(facts_path(chat_id))
    facts = [fact_from_fields(document.data) for document in found]
    active = [fact for fact in facts if fact.subject == subject and fact.status is Status.ACTIVE]
    ranked = rank_facts(active, now=app.clock.now(), half_life=app.policy.half_life, weights=app.policy.weights)
    return [profile_fact(fact, {104: "Ганна", 102: "Тарас"}) for fact in ranked]


# --- What it costs -----------------------------------------------------------------------------


async def test_however_many_facts_there_are_an_answer_reads_one_document_a_subject(app):
    await believe(app, 100)
    await believe(app, 50, HANNA)
    assert await reads_of(app) > 150
    assert await reads_of(app) == 2  # the budget of an answer allows 4
    facts = await known(app)
    assert [len(facts[subject]) for subject in SUBJECTS] == [100, 50]


async def test_about_whom_nothing_was_ever_learnt_nothing_is_kept(app):
    assert await known(app) == {"chat": [], HANNA: []}
    assert await reads_of(app) == 6
    assert await app.store.query(f"{chat_path(CHAT)}/profiles") == []


async def test_after_an_extraction_nobody_has_to_look_at_the_facts(group):
    await group.say(RULE, *ADMIN)
    await group.say("Я живу у Львові", 104, "Ганна")
    await group.settle()
    assert await reads_of(group.runtime.app) == 2
    facts = await known(group.runtime.app)
    assert [fact.value for fact in facts["chat"]] == ["politics"]
    assert quoted_names(facts["chat"] + facts[HANNA]) == {102: "Тарас", 104: "Ганна"}


# --- What it says ------------------------------------------------------------------------------


async def test_the_facts_are_told_alike_from_the_profile_and_without_it(group):
    app = group.runtime.app
    await group.say(RULE, *ADMIN)
    await group.settle()
    warm = await known(app, "chat")
    await app.store.delete(profile_path(CHAT, "chat"))
    assert await known(app, "chat") == warm
    (fact,) = warm["chat"]
    (quote,) = fact.evidence
    assert (quote.quote, quote.name, quote.user_id, fact.evidence_count, fact.supporters) == (RULE, "Тарас", 102, 1, 1)
    assert await group.store.get(fact_path(CHAT, fact.id))


async def test_the_order_is_that_of_the_day_on_which_it_is_asked(app):
    weighty = candidate("rule", evidence(1), category="rule", key="rule")
    fresh = candidate("topic", evidence(1, minutes=60 * 24 * 300), category="topic", key="topic", confidence=0.9)
    for each in (weighty, fresh):
        await app.store.batch(change_writes(CHAT, learn(None, each), now=at(1)))
    order = {}
    for half_life in (timedelta(days=10_000), timedelta(days=10)):
        asked = replace(app, policy=app.policy._replace(half_life=half_life, weights={"rule": 1.5}))
        facts = await subject_facts(
            asked.store, asked.policy, ChatState(CHAT), ["chat"], now=START + timedelta(days=300)
        )
        order[half_life.days] = [fact.value for fact in facts["chat"]]
    assert order == {10_000: ["rule", "topic"], 10: ["topic", "rule"]}


async def test_a_rival_that_waits_is_not_known(app):
    friday = learn(None, candidate("friday", evidence(1), authority=Authority.ADMIN))
    saturday = learn(friday.after, candidate("saturday", evidence(2), authority=Authority.OWN_STATEMENT))
    for change in (friday, saturday):
        await app.store.batch(change_writes(CHAT, change, now=at(3)))
    assert [fact.value for fact in (await known(app, "chat"))["chat"]] == ["friday"]


async def test_who_is_no_member_yet_is_called_as_in_the_message(app):
    await say(app, "так", name="Ганна з повідомлення")
    await believe(app, 1)
    assert quoted_names((await known(app, "chat"))["chat"]) == {104: "Ганна з повідомлення"}
    await app.store.set(member_path(CHAT, 104), {"user_id": 104, "name": "Ганна"})
    await believe(app, 1, start=1)
    assert quoted_names((await known(app, "chat"))["chat"]) == {104: "Ганна"}


async def test_what_one_chat_knows_is_not_known_in_another(app):
    await believe(app, 2)
    await believe(app, 1, chat_id=CHAT - 1)
    assert [len((await known(app, "chat", chat_id=chat_id))["chat"]) for chat_id in (CHAT, CHAT - 1)] == [2, 1]


async def test_of_too_many_facts_the_best_are_kept_and_the_document_stays_small(app, caplog):
    await believe(app, MOST_KEPT + 40, quote="Ї" * 1_000)
    with caplog.at_level(logging.WARNING):
        cold = (await known(app, "chat"))["chat"]
    assert (await known(app, "chat"))["chat"] == cold == (await truth_named(app))[: len(cold)]
    assert 100 < len(cold) <= MOST_KEPT
    assert any("than a profile keeps" in record.getMessage() for record in caplog.records)
    stored = await app.store.get(profile_path(CHAT, "chat"))
    assert len(str(stored.data).encode()) < 1 << 20


async def truth_named(app):
    return [
        fact._replace(evidence=tuple(quote._replace(name="") for quote in fact.evidence))
        for fact in await truth(app, "chat")
    ]


async def test_a_fact_too_large_for_a_profile_hides_no_other(app):
    await believe(app, 2)
    huge = candidate("huge", evidence(9), key="huge", confidence=0.95, description="ї" * 300_000)
    await app.store.batch(change_writes(CHAT, learn(None, huge), now=at(9)))
    assert {fact.value for fact in (await known(app, "chat"))["chat"]} == {"0", "1"}


async def test_a_profile_of_another_format_is_made_again(app):
    await believe(app, 1)
    await known(app)
    await app.store.upsert(profile_path(CHAT, "chat"), {"format": 1, "facts": [{"of": "old"}]})
    assert len((await known(app, "chat"))["chat"]) == 1
    assert await reads_of(app, "chat") == 1


# --- When the store fails ----------------------------------------------------------------------


async def test_a_profile_that_cannot_be_kept_costs_no_answer(sqlite_store, caplog):
    app = memory_of(FailingStore(sqlite_store))
    await believe(app, 3)
    told = await failing_anywhere(app, after=False)
    assert told[-2:] == [3, 3]
    assert set(told[:-2]) == {None}  # an outage of the reads is no empty memory
    assert "is not kept" in caplog.text


async def failing_anywhere(app, *, after):
    """How many facts are told when the first, the second, … call of the store fails; None for an outage."""
    told = []
    for call in itertools.count(1):
        await app.store.delete(profile_path(CHAT, "chat"))
        app.store.arm(call, after=after)
        try:
            told.append(len((await known(app, "chat"))["chat"]))
        except StoreUnavailable:
            told.append(None)
        if app.store.calls < call:
            return told
    raise AssertionError


async def test_what_any_worker_changed_is_made_ready_by_the_next_task(app):
    await believe(app, 2)
    await believe(app, 1, HANNA)
    await refresh_profiles(app, CHAT)
    assert await reads_of(app) == 2
    reads = app.store.usage.reads
    await refresh_profiles(app, CHAT)
    assert app.store.usage.reads - reads == 1
    (fact, _) = (await known(app, "chat"))["chat"]
    await vote(app, CHAT, fact.id, 103, supports=False)
    await refresh_profiles(app, CHAT)
    assert await reads_of(app) == 2


async def test_a_refresh_that_fails_is_no_failure(sqlite_store, caplog):
    app = memory_of(FailingStore(sqlite_store))
    await believe(app, 1)
    app.store.arm(1)
    await refresh_profiles(app, CHAT)
    assert "left to the next answer" in caplog.text


# --- It is never older than the facts ----------------------------------------------------------

QUOTES = {"friday": "зустріч у п'ятницю", "monday": "зустріч у понеділок", "sunday": "зустріч у неділю"}
STEPS = ("say", "say", "say", "vote", "settle", "drop", "correct", "retract", "decay", "reset")
values, subjects = st.sampled_from(sorted(QUOTES)), st.sampled_from(SUBJECTS)
steps = st.tuples(st.sampled_from(STEPS), values, subjects)
late_steps = st.tuples(st.sampled_from(["say", "say", "vote", "drop", "reset"]), values, subjects)


async def take(app, number, step):
    """One thing that happens to the facts of the chat."""
    kind, value, subject = step
    user_id = 104 if subject != "chat" else (104, 102, 103)[number % 3]
    found = await app.store.query(facts_path(CHAT))
    fact_id = found[number % len(found)].id if found else "none"
    app.clock.advance(timedelta(minutes=1))
    match kind:
        case "say" | "correct":
            await say_now(app, QUOTES[value], number, user_id)
            if kind == "say":
                await learn_candidates(app, CHAT, [said(app, value, number, user_id, subject)])
            else:
                await correct_fact(app, CHAT, fact_id, number, value=value, description=value)
        case "vote":
            await vote(app, CHAT, fact_id, number % 5, supports=number % 3 > 0)
        case "settle":
            await settle_conflict(app, CHAT, fact_id, accept=number % 2 == 0, user_id=102)
        case "drop":
            await drop_fact(app, CHAT, fact_id, user_id=102, cause=Cause.DROPPED_BY_ADMIN)
        case "retract":
            await retract_message(app, CHAT, number - 1 - number % 3, cause=Cause.EDITED)
        case "decay":
            app.clock.advance(timedelta(days=100 if number % 4 == 0 else 0))
            await decay_chat(app, await app.chats.state(CHAT, fresh=True))
        case "reset":
            await reset_chat_facts(app, CHAT)


async def say_now(app, text, number, user_id):
    name = {104: "Ганна", 102: "Тарас", 103: "Марко"}[user_id]
    spoken = message(text, message_id=number, user_id=user_id, name=name, chat_id=CHAT, sent_at=app.clock.now())
    stored = new_message_fields(spoken, now=app.clock.now(), retention=timedelta(days=90))
    await app.store.set(message_path(CHAT, number), stored)


def said(app, value, number, user_id, subject):
    quote = Evidence(app.clock.now(), number, user_id, QUOTES[value])
    authority = Authority.ADMIN if user_id == 102 else Authority.OWN_STATEMENT
    category = "tradition" if subject == "chat" else "preference"
    return Candidate(subject, category, "meeting", value, value, 0.8, (quote,), authority, single=number % 7 > 0)


def bare(facts):
    """Without names: they are those of the day on which the profile was made."""
    return [f._replace(evidence=tuple(quote._replace(name="") for quote in f.evidence)) for f in facts]


async def check(app):
    for subject, facts in (await known(app)).items():
        assert bare(facts) == bare(await truth(app, subject))
    for document in await app.store.query(f"{chat_path(CHAT)}/profiles"):
        kept = [row["id"] for row in json.loads(document.data["facts"])]
        # In which order they are kept is of no matter: whoever reads them ranks them anew.
        assert sorted(kept) == sorted(fact.id for fact in await truth(app, document.id))


def run_life(live):
    """Run it over a store of its own that lets no write of a fact pass without what belongs to it."""

    async def run():
        with tempfile.TemporaryDirectory() as folder:
            store = SqliteStore(Path(folder) / "documents.db")
            try:
                await live(store)
            finally:
                await store.aclose()

    asyncio.run(run())


@settings(max_examples=60, deadline=None)
@given(st.lists(steps, max_size=12))
def test_whatever_happens_to_the_facts_the_profiles_say_what_they_say(life):
    async def live(store):
        app = memory_of(GuardedStore(store))
        for number, step in enumerate(life, start=10):
            await take(app, number, step)
            await check(app)

    run_life(live)


@settings(max_examples=60, deadline=None)
@given(st.lists(steps, min_size=1, max_size=6), late_steps, st.integers(3, 12))
def test_what_changes_while_a_profile_is_made_is_in_the_next_answer(life, late, call):
    async def live(store):
        interrupted = InterruptedStore(GuardedStore(store))
        app, other = memory_of(interrupted), memory_of(GuardedStore(store))
        for number, step in enumerate(life, start=10):
            await take(app, number, step)
        interrupted.interrupt(call, lambda: take(other, 30, late))
        await known(app)
        interrupted.interrupt(0, None)
        await check(memory_of(store, other.clock))

    run_life(live)


async def test_two_workers_and_an_answer_at_once_agree_in_the_end(group):
    app = group.runtime.app
    await group.say(RULE, *ADMIN)
    await group.settle()
    (fact,) = (await known(app, "chat"))["chat"]
    votes = [vote(app, CHAT, fact.id, user_id, supports=True) for user_id in (103, 104)]
    await asyncio.gather(known(app), *votes, known(app))
    assert (await known(app, "chat"))["chat"][0].supporters == 3


# --- What is gone is gone ----------------------------------------------------------------------


async def test_a_reset_leaves_no_quote_in_a_profile(group):
    await group.say(RULE, *ADMIN)
    await group.settle()
    await reset_chat_facts(group.runtime.app, CHAT)
    assert await group.store.query(f"{chat_path(CHAT)}/profiles") == []
    assert (await known(group.runtime.app, "chat"))["chat"] == []


async def test_a_profile_begun_before_a_reset_is_not_put_there_after_it(sqlite_store):
    interrupted = InterruptedStore(GuardedStore(sqlite_store))
    app = memory_of(interrupted)
    for call in itertools.count(1):
        await believe(app, 2)
        interrupted.interrupt(call, lambda: reset_chat_facts(memory_of(sqlite_store), CHAT))
        await known(app, "chat")
        if interrupted.pending:
            break
        kept = await sqlite_store.get(profile_path(CHAT, "chat"))
        assert kept is None or kept.data["facts"] == "[]"
        assert (await known(app, "chat"))["chat"] == []
    assert call > 5, "a profile takes more calls than that"


async def test_a_chat_that_moves_takes_its_facts_and_makes_its_profiles_anew(group):
    app = group.runtime.app
    group.api.add_chat(OLD, "group", admins={102})
    group.api.add_chat(NEW, "supergroup", admins={102})
    await group.say(RULE, *ADMIN, chat=updates.chat(OLD, "group"))
    await group.settle()
    (before,) = (await known(app, "chat", chat_id=OLD))["chat"]
    assert (await known(app, "chat", chat_id=NEW))["chat"] == []
    await begin_migration(app, OLD, NEW)
    await group.settle()
    (after,) = (await known(app, "chat", chat_id=NEW))["chat"]
    assert (after.id, after.evidence[0].name) == (before.id, "Тарас")
    assert after.evidence[0].message_id < 0
    assert [document.path async for document in app.store.subtree(chat_path(OLD))] == []


@pytest.mark.parametrize("known_there", [False, True], ids=["only the old chat knows it", "both know it"])
async def test_moving_a_fact_raises_the_revision_where_it_goes(sqlite_store, known_there):
    guarded = GuardedStore(sqlite_store, moved=frozenset({OLD}))
    app = memory_of(guarded)
    app = replace(app, schedule=_NoSchedule())
    await believe(app, 2, chat_id=OLD)
    if known_there:
        await believe(app, 1, chat_id=NEW)
    assert len((await known(app, "chat", chat_id=NEW))["chat"]) == known_there
    await move_chat(app, OLD, NEW)
    assert len((await known(app, "chat", chat_id=NEW))["chat"]) == 2
    assert guarded.seen >= 4


class _NoSchedule:
    async def extraction_later(self, *_args, **_more):
        pass


async def test_the_guard_of_these_tests_sees_a_write_that_forgets_the_revision(app):
    fact = learn(None, candidate("friday"))
    writes = change_writes(CHAT, fact, now=at(1))
    for forgotten in writes[-2:]:
        with pytest.raises(Unguarded):
            await app.store.batch([write for write in writes if write is not forgotten])
    with pytest.raises(Unguarded):
        await app.store.delete(fact_path(CHAT, fact.after.id))
