"""Facts that nobody confirms expire in a night, page by page."""

import functools
import itertools
from dataclasses import replace
from datetime import timedelta

import pytest

from shared.application import bulk
from shared.application.chats.chat_codec import ChatState
from shared.application.chats.job import JobResult
from shared.application.documents import chat_path, facts_path, learning_path, message_path, quality_records_path
from shared.application.facts.codec import fact_from_fields
from shared.application.facts.memory import learn_candidates, retract_message
from shared.application.facts.moderation import settle_conflict
from shared.application.facts.version_codec import facts_as_of
from shared.application.facts.writes import change_writes
from shared.application.night import tidying
from shared.application.night.tidying import MOST_MOVED, decay_chat, dedup_chat
from shared.application.ports.store import Delete, Filter, Set
from shared.application.reading.moving import move_chat
from shared.domain.facts.change import Cause
from shared.domain.facts.evidence.claim import Authority, Evidence
from shared.domain.facts.fact import Candidate, Status, candidate_id
from shared.domain.facts.lifecycle import learn
from tests.support.builders import START, at, candidate, evidence, message
from tests.support.faults import Crashed, DyingStore, InterruptedStore
from tests.support.group import CHAT
from tests.support.queues import NOON
from tests.support.revisions import GuardedStore
from tests.support.stores.messages import new_message_fields
from tests.unit.application.facts.test_profiles import memory_of
from tests.unit.application.night.chats import believe, changed_at, state_of

HOUR, DAY = timedelta(hours=1), timedelta(days=1)


async def test_decay_says_when_the_next_fact_will_be_too_old(app):
    assert await decay_chat(app, await state_of(app)) == ({"expired": 0}, None, False)
    await believe(app, 1, days_ago=10)
    await believe(app, 1, days_ago=60, start=1)
    await believe(app, 1, days_ago=95, start=2)
    outcome = await decay_chat(app, await state_of(app))
    assert outcome == ({"expired": 1}, NOON + 30 * DAY - timedelta(seconds=1), False)


async def test_decay_takes_more_facts_than_a_page_and_no_more_than_a_task_should(app, monkeypatch):
    monkeypatch.setattr(bulk, "PAGE", 7)
    monkeypatch.setattr(tidying, "MOST_REVISED", 20)
    await believe(app, 45, days_ago=100)
    state, outcomes = await state_of(app), []
    while not outcomes or outcomes[-1].more:
        outcomes.append(await decay_chat(app, state))
    assert [outcome.counts["expired"] for outcome in outcomes] == [20, 20, 5]
    assert await app.store.count(facts_path(CHAT), where=[Filter("status", "==", "active")]) == 0


async def test_what_expires_is_for_the_other_jobs_of_the_next_night_to_see(app):
    await believe(app, 1, days_ago=100)
    for job in ("decay", "dedup", "summaries"):
        await app.store.update(
            chat_path(CHAT), {"nightly": {job: {"at": NOON - DAY, "next_at": None, "day": "2026-11-01", "by": ""}}}
        )
    await decay_chat(app, await state_of(app))
    assert await changed_at(app) == NOON
    await believe(app, 1, days_ago=1, start=1)
    app.clock.advance(HOUR)
    await decay_chat(app, await state_of(app))
    assert await changed_at(app) == NOON  # nothing more has expired


async def test_what_holds_no_more_by_its_own_words_expires_then_and_says_when(app):
    until = NOON + 3 * DAY
    await believe(app, 1, days_ago=1, until=until)
    assert await decay_chat(app, await state_of(app)) == ({"expired": 0}, until, False)
    app.clock.advance(3 * DAY)
    assert (await decay_chat(app, await state_of(app))).counts == {"expired": 1}
    (fact,) = await app.store.query(facts_path(CHAT))
    assert (fact.data["status"], fact.data["valid_to"]) == ("expired", until)
    assert (await decay_chat(app, await state_of(app))).counts == {"expired": 0}


STATE = ChatState(CHAT, known=True)
HANNA = "user:104"
LIKES, LOVES = ("likes", "coffee", "Likes coffee"), ("hobby", "кава", "Обожнює каву")
NOTHING = JobResult({"folded": 0})


def states(key, value, description, message_id, *, user_id=104, **more):
    quote = Evidence(at(message_id), message_id, user_id, description, 0.8)
    return Candidate(f"user:{user_id}", "preference", key, value, description, 0.8, (quote,), **more)


async def hear(app, *candidates):
    """Store the messages that candidates quote."""
    for each in candidates:
        for quote in each.evidence:
            said = message(quote.quote, message_id=quote.message_id, user_id=quote.user_id, chat_id=CHAT)
            stored = new_message_fields(said, now=app.clock.now(), retention=timedelta(days=90))
            await app.store.set(message_path(CHAT, quote.message_id), stored)


async def known_apart(app, *candidates):
    """Facts as if each had been learnt where nobody knew of the others; what says more of one slot comes after it."""
    await hear(app, *candidates)
    facts = {}
    for each in candidates:
        slot = candidate_id(each)
        change = learn(facts.get(slot), each)
        facts[slot] = change.belief
        await app.store.batch(change_writes(CHAT, change, now=each.evidence[0].sent_at))
    return list(facts.values())


async def believed(app, subject=HANNA):
    found = await app.store.query(facts_path(CHAT))
    facts = [fact_from_fields(document.data) for document in found]
    return [fact for fact in facts if fact.subject == subject and fact.status is Status.ACTIVE]


async def everything(store):
    return {document.path: document.data async for document in store.subtree(chat_path(CHAT))}


async def wiped(store):
    paths = list(await everything(store))
    for start in range(0, len(paths), 400):
        await store.batch([Delete(path) for path in paths[start : start + 400]])


async def versions_told(app, subject=HANNA):
    """Of every version that is there: the value it tells and its kind, wherever it lies."""
    found = await everything(app.store)
    told = [data for path, data in found.items() if "/versions/" in path and data["subject"] == subject]
    return sorted((data["value"], data["version"], data["change"]) for data in told)


async def dedup(app, state=STATE):
    return await dedup_chat(app, state)


# --- What it does ------------------------------------------------------------------------------


async def test_what_is_known_twice_is_one_fact_in_the_morning_with_all_that_was_said(store):
    app = memory_of(GuardedStore(store))
    likes, loves = await known_apart(app, states(*LIKES, 1), states(*LOVES, 2))
    assert await dedup(app) == JobResult({"folded": 1})
    (fact,) = await believed(app)
    assert [e.message_id for e in fact.evidence] == [1, 2]
    assert {fact.id, *fact.aliases} == {likes.id, loves.id}
    assert len(await app.store.query(facts_path(CHAT))) == 1
    steps = [("coffee", 1, "creation"), ("кава", 1, "creation"), ("кава", 2, "merge"), (fact.value, 2, "merge")]
    assert await versions_told(app) == sorted(steps)
    (record,) = await app.store.query(quality_records_path(CHAT))
    assert (record.data["kind"], record.data["resolved"]) == ("merge", True)


async def test_a_second_run_changes_nothing_and_reads_no_fact(store):
    app = memory_of(store)
    await known_apart(app, states(*LIKES, 1), states(*LOVES, 2), states("likes", "tea", "Likes tea", 3))
    assert (await dedup(app)).counts == {"folded": 1}
    after, reads = await everything(store), store.usage.reads
    assert await dedup(app) == NOTHING
    assert store.usage.reads - reads <= 2
    assert await everything(store) == after


async def test_a_subject_is_gone_through_again_when_one_of_its_facts_changes(sqlite_store):
    app = memory_of(sqlite_store)
    await known_apart(app, states(*LIKES, 1))
    assert await dedup(app) == NOTHING
    await known_apart(app, states(*LOVES, 2))
    assert (await dedup(app)).counts == {"folded": 1}


async def test_what_was_believed_before_the_fold_can_still_be_asked(store):
    app = memory_of(store)
    await known_apart(app, states(*LIKES, 1), states(*LOVES, 2))
    await dedup(app)
    now = app.clock.now()
    days = (at(0), at(1), at(5), now - timedelta(seconds=1), now)
    told = [{fact.value for fact in await facts_as_of(app.store, CHAT, HANNA, day)} for day in days]
    assert told[:4] == [set(), {"coffee"}, {"coffee", "кава"}, {"coffee", "кава"}]
    assert len(told[4]) == 1


async def test_words_for_the_fact_that_went_are_learnt_by_the_one_that_stayed(sqlite_store):
    app = memory_of(sqlite_store)
    await known_apart(app, states(*LIKES, 1), states(*LOVES, 2))
    await dedup(app)
    for n, statement in ((3, LIKES), (4, LOVES)):
        await hear(app, states(*statement, n))
        await learn_candidates(app, CHAT, [states(*statement, n)])
    (fact,) = await believed(app)
    assert [e.message_id for e in fact.evidence] == [1, 2, 3, 4]


async def test_what_is_taken_back_later_is_gone_from_the_fact_that_stayed(sqlite_store):
    app = memory_of(sqlite_store)
    await known_apart(app, states(*LIKES, 1), states(*LOVES, 2))
    await dedup(app)
    for message_id in (1, 2):
        await retract_message(app, CHAT, message_id, cause=Cause.EDITED)
    assert await believed(app) == []


async def test_a_fact_that_is_made_again_under_the_old_id_is_folded_again_and_keeps_both_lives(sqlite_store):
    app = memory_of(sqlite_store)
    await known_apart(app, states(*LIKES, 1, authority=Authority.ADMIN))
    for life in (2, 3):
        await known_apart(app, states(*LOVES, life))
        app.clock.advance(timedelta(days=1))
        assert (await dedup(app)).counts == {"folded": 1}
    (fact,) = await believed(app)
    assert [e.message_id for e in fact.evidence] == [1, 2, 3]
    told = await versions_told(app)
    assert told.count(("кава", 1, "creation")) == 2


CONTRADICTIONS = (
    (LIKES, ("dislikes", "coffee", "Dislikes coffee")),
    (("likes", "кава", "Любить каву"), ("dislikes", "кава", "Не любить кави")),
)


@pytest.mark.parametrize(("likes", "dislikes"), CONTRADICTIONS, ids=["en", "uk"])
async def test_of_two_facts_that_contradict_each_other_one_is_believed(sqlite_store, likes, dislikes):
    app = memory_of(sqlite_store)
    await known_apart(app, states(*likes, 1), states(*dislikes, 2))
    assert (await dedup(app)).counts == {"folded": 1}
    (fact,) = await believed(app)
    assert fact.description == dislikes[2]
    (record,) = await sqlite_store.query(quality_records_path(CHAT))
    assert (record.data["kind"], record.data["resolved"]) == ("conflict", True)
    assert await dedup(app) == NOTHING


async def test_what_contradicts_an_admin_waits_and_can_be_settled(sqlite_store):
    app = memory_of(sqlite_store)
    rule = functools.partial(candidate, subject="chat", category="rule", single=False)
    said = ("Voice messages are forbidden", "Voice messages are allowed")
    forbidden = rule("forbidden", evidence(1, user_id=102), key="voice", description=said[0], authority=Authority.ADMIN)
    allowed = rule("allowed", evidence(2), key="voice_messages", description=said[1], authority=Authority.OWN_STATEMENT)
    await known_apart(app, forbidden, allowed)
    assert (await dedup(app)).counts == {"folded": 1}
    assert [fact.value for fact in await believed(app, "chat")] == ["forbidden"]
    (rival,) = [d for d in await sqlite_store.query(facts_path(CHAT)) if d.data["status"] == "pending"]
    assert rival.data["value"] == "allowed"
    await settle_conflict(app, CHAT, rival.id, accept=True, user_id=102)
    assert [fact.value for fact in await believed(app, "chat")] == ["allowed"]


async def test_many_facts_about_one_member_are_all_compared(sqlite_store):
    app = memory_of(sqlite_store)
    others = [states(f"slot_{n}", f"ключ{n:04d}", f"Ключ{n:04d}", n + 10) for n in range(620)]
    for start in range(0, len(others), 100):
        changes = [learn(None, each) for each in others[start : start + 100]]
        await sqlite_store.batch([write for each in changes for write in change_writes(CHAT, each, now=START)])
    await known_apart(app, states(*LIKES, 1), states(*LOVES, 2))
    before = len(await believed(app))
    assert (await dedup(app)).counts == {"folded": 1}
    assert len(await believed(app)) == before - 1


# --- What it leaves alone ----------------------------------------------------------------------


async def test_private_chats_and_members_who_take_no_part_and_chats_that_moved_are_left_alone(sqlite_store):
    app = memory_of(sqlite_store)
    await known_apart(app, states(*LIKES, 1), states(*LOVES, 2))
    before = await everything(sqlite_store)
    for state in (
        STATE._replace(private_mode=True),
        STATE._replace(migrated_to=-5),
        STATE._replace(opted_out=frozenset({104})),
        ChatState(-77),
    ):
        assert not (await dedup(app, state)).counts.get("folded")
    assert await everything(sqlite_store) == before


async def test_as_long_as_a_chat_moves_in_nothing_is_folded(sqlite_store):
    app = memory_of(sqlite_store)
    await known_apart(app, states(*LIKES, 1), states(*LOVES, 2))
    await sqlite_store.set(chat_path(CHAT), {"migrated_from": -5})
    await sqlite_store.set("chats/-5/facts/f/versions/000001", {})
    assert (await dedup(app)).next_at == app.clock.now()
    await sqlite_store.delete("chats/-5/facts/f/versions/000001")
    assert (await dedup(app)).counts == {"folded": 1}


async def test_different_facts_stay_two(sqlite_store):
    app = memory_of(sqlite_store)
    await known_apart(app, states(*LIKES, 1), states("likes", "tea", "Likes tea", 2), states(*LIKES, 3, user_id=105))
    assert await dedup(app) == NOTHING


# --- Who dies or comes in the middle -----------------------------------------------------------


async def killed_anywhere(dying, app, every=1):
    """The documents after the job died before and after each of its calls and was run again; how many calls it took."""
    built = await everything(dying)
    await dedup(app)
    undisturbed = await everything(dying)
    call = 1
    while any([await killed_at(call, built, dying, app, after=after) for after in (False, True)]):
        assert await everything(dying) == undisturbed, call
        call += every
    return call


async def killed_at(call, built, dying, app, *, after):
    await wiped(dying)
    writes = [Set(path, data) for path, data in built.items()]
    for start in range(0, len(writes), 400):
        await dying.batch(writes[start : start + 400])
    dying.arm(call, after=after)
    try:
        await dedup(app)
    except Crashed:
        died = True
    else:
        died = False
    dying.arm(None)
    while (await dedup(app)).more:
        pass
    return died


async def test_a_job_that_dies_anywhere_is_run_again_and_leaves_what_it_would_have_left(store):
    dying = DyingStore(store)
    app = memory_of(dying)

    await known_apart(
        app, states(*LIKES, 1), states(*LOVES, 2), states("drinks", "coffee", "Drinks coffee", 3),
        states(*LIKES, 4, user_id=105), states("dislikes", "coffee", "Dislikes coffee", 5, user_id=105),
    )  # fmt: skip
    every = 1 if type(store).__name__ == "SqliteStore" else 5
    assert await killed_anywhere(dying, app, every) > 5


STEPS = MOST_MOVED + 10


async def said_often(app):
    """A fact with more versions than go at once, and a stronger one that says the same."""
    often = (replace(states(*LIKES, n), evidence=(Evidence(at(n), n, 104, f"«{n}»", 0.7),)) for n in range(STEPS))
    await known_apart(app, *often)
    await known_apart(app, states(*LOVES, STEPS, authority=Authority.ADMIN))


async def as_of(app):
    asked = [at(0), at(50), at(105), at(STEPS - 1), at(STEPS)]
    facts = [await facts_as_of(app.store, CHAT, HANNA, day) for day in asked]
    return [sorted((fact.value, len(fact.evidence)) for fact in each) for each in facts]


async def test_a_fact_with_many_versions_is_moved_in_parts_and_its_history_is_whole_all_the_time(sqlite_store):
    dying = DyingStore(sqlite_store)
    app = memory_of(dying)
    await said_often(app)
    before = await as_of(app)
    dying.arm(7)
    with pytest.raises(Crashed):
        await dedup(app)
    assert len([path for path in await everything(sqlite_store) if "~" in path]) == MOST_MOVED
    assert await as_of(app) == before
    dying.arm(None)
    assert (await dedup(app)).counts == {"folded": 1}
    assert await as_of(app) == before
    told = await versions_told(app)
    assert [version for value, version, _ in told if value == "coffee"] == list(range(1, STEPS + 2))


@pytest.mark.parametrize("statement", [LIKES, LOVES, ("enjoys", "coffee", "Enjoys coffee")])
async def test_words_that_are_learnt_at_any_moment_of_the_job_are_not_lost(sqlite_store, statement):
    interrupted = InterruptedStore(sqlite_store)
    app = memory_of(interrupted)
    late = states(*statement, 3)
    for call in itertools.count(1):
        await wiped(sqlite_store)
        await known_apart(app, states(*LIKES, 1), states(*LOVES, 2))
        await hear(app, late)
        interrupted.interrupt(call, functools.partial(learn_candidates, app, CHAT, [late]))
        outcome = await dedup(app)
        if interrupted.pending:
            break
        while outcome.more:
            outcome = await dedup(app)
        (fact,) = await believed(app)
        assert [e.message_id for e in fact.evidence] == [1, 2, 3]
        assert (await sqlite_store.get(learning_path(CHAT, HANNA))).data["deduped"]
    assert call > 5


@pytest.mark.parametrize("message_id", [1, 2])
async def test_what_is_erased_at_any_moment_of_the_job_is_not_brought_back(sqlite_store, message_id):
    interrupted = InterruptedStore(sqlite_store)
    app = memory_of(interrupted)
    for call in itertools.count(1):
        await wiped(sqlite_store)
        await known_apart(app, states(*LIKES, 1), states(*LOVES, 2))
        erase = functools.partial(retract_message, app, CHAT, message_id, cause=Cause.EDITED)
        interrupted.interrupt(call, erase)
        await dedup(app)
        if interrupted.pending:
            break
        assert [[e.message_id for e in fact.evidence] for fact in await believed(app)] == [[3 - message_id]]
    assert call > 5


async def test_words_that_were_compared_with_a_fact_that_goes_meanwhile_find_the_one_that_stays(sqlite_store):
    interrupted = InterruptedStore(sqlite_store)
    app = memory_of(interrupted)
    late = states(*LOVES, 3)
    for call in itertools.count(1):
        await wiped(sqlite_store)
        await known_apart(app, states(*LIKES, 1), states(*LOVES, 2))
        await hear(app, late)
        interrupted.interrupt(call, functools.partial(dedup, app))
        await learn_candidates(app, CHAT, [late])
        if interrupted.pending:
            break
        while (await dedup(app)).more:
            pass
        (fact,) = await believed(app)
        assert [e.message_id for e in fact.evidence] == [1, 2, 3]
        assert len(await sqlite_store.query(facts_path(CHAT))) == 1
    assert call > 2


async def test_a_chat_that_moves_after_a_fold_keeps_the_history_of_both_facts(sqlite_store):
    app = memory_of(sqlite_store)
    await known_apart(app, states(*LIKES, 1), states(*LOVES, 2))
    await dedup(app)
    new, now = -100_999, app.clock.now()
    app = replace(app, schedule=Unasked())
    await move_chat(app, CHAT, new)
    assert await everything(sqlite_store) == {}
    before = {fact.value for fact in await facts_as_of(app.store, new, HANNA, now - timedelta(seconds=1))}
    assert before == {"coffee", "кава"}
    assert len(await facts_as_of(app.store, new, HANNA, now)) == 1


class Unasked:
    """A schedule that nobody waits for."""

    async def extraction_later(self, *args, **kwargs):
        pass
