"""What one step of a fact writes."""

from __future__ import annotations

from datetime import timedelta

import pytest

from shared.application.documents import message_path
from shared.application.facts.memory import learn_candidates, ranked_facts
from shared.application.facts.profiles import MOST_READ, subject_facts
from shared.application.facts.writes import change_writes, makes_fact, read_foremost
from shared.domain.conversation.messages import Message
from shared.domain.facts.evidence.claim import Authority, Evidence
from shared.domain.facts.fact import Candidate, FactPin
from shared.domain.facts.lifecycle import learn
from shared.domain.facts.revision import pin
from tests.support.builders import at, candidate, evidence
from tests.support.gemini.server import FakeGemini
from tests.support.group import CHAT, running_group
from tests.support.stores.messages import new_message_fields


def test_a_step_writes_the_facts_their_versions_and_the_quality_records():
    fact = learn(None, candidate("friday", evidence(1), authority=Authority.ADMIN)).after
    change = learn(fact, candidate("monday", evidence(2), authority=Authority.OWN_STATEMENT))
    rival, contradicted = change.after, change.also[0].after
    paths = [write.path for write in change_writes(-5, change, now=at(3) + timedelta(days=1))]
    assert paths == [
        f"chats/-5/facts/{rival.id}",
        f"chats/-5/facts/{rival.id}/versions/000002",
        f"chats/-5/facts/{contradicted.id}",
        f"chats/-5/facts/{contradicted.id}/versions/000002",
        f"chats/-5/quality/{change.quality[0].id}",
        "chats/-5/learning/chat",
        "chats/-5/profiles/chat",
    ]


def test_a_first_statement_makes_a_fact_and_a_rival_or_a_second_quote_makes_none():
    first = learn(None, candidate("friday", evidence(1), authority=Authority.ADMIN))
    rival = learn(first.after, candidate("monday", evidence(2), authority=Authority.OWN_STATEMENT))
    again = learn(first.after, candidate("friday", evidence(3, user_id=9)))
    assert [makes_fact(change) for change in (first, rival, again)] == [True, False, False]


ADMIN, FLOODER, MEMBER = (102, "Тарас"), (205, "Спамер"), (203, "Марко")
MANY = 1_300
RULES = {"politics": "Нагадую: ніякої політики в чаті!", "advertising": "Правило: реклама заборонена в чаті!"}


def fact_of(
    group, number, *, subject="chat", category="preference", authority=Authority.OWN_STATEMENT, by=FLOODER[0], **more
):
    """One of many facts, said now: sure, fresh and long."""
    text = f"жукокозо {number} жухатуде " * 10
    said = Evidence(group.clock.now() + timedelta(seconds=number), 20_000 + number, by, text[:90], 0.97)
    values = {"key": f"key_{number}", "value": f"value {number}", "description": text, **more}
    return learn(None, Candidate(subject, category, confidence=0.97, evidence=(said,), authority=authority, **values))


async def store(group, changes):
    writes = [write for change in changes for write in change_writes(CHAT, change, now=group.clock.now())]
    for start in range(0, len(writes), 400):
        await group.store.batch(writes[start : start + 400])


async def with_rules(group):
    for rule in RULES.values():
        await group.say(rule, *ADMIN)
    await group.settle()


@pytest.mark.parametrize("category", ["preference", "shared_knowledge", "rule"])
async def test_thousands_of_facts_hide_no_rule_of_an_admin_and_reads_are_bounded(sqlite_store, category):
    async with FakeGemini("test-key") as gemini:
        gemini.reply_with(lambda request: {} if request.schema else "Добре.")
        async with running_group(sqlite_store, **gemini.environment) as group:
            await with_rules(group)
            group.clock.advance(timedelta(days=40))
            await store(group, [fact_of(group, number, category=category) for number in range(MANY)])
            reads = group.store.usage.reads
            await group.say("/gryadchatfacts", *MEMBER)
            assert group.store.usage.reads - reads < 2 * MOST_READ + 100
            assert "політика" in group.answers[-1]
            assert "реклама" in group.answers[-1]
            await group.say("Гряг, які в нас правила?", *MEMBER)
            asked = [request for request in gemini.requests if "good memory" in request.system][-1]
            assert "У чаті заборонено: політика" in asked.prompt
            assert "У чаті заборонено: реклама" in asked.prompt


async def test_what_is_said_anew_goes_to_the_rule_that_is_there_and_makes_no_second_one(laptop):
    await with_rules(laptop)
    laptop.clock.advance(timedelta(days=1))
    await store(laptop, [fact_of(laptop, number) for number in range(MANY)])
    words = "Ніякої політики в чаті!"
    said = Message(CHAT, 30_000, laptop.clock.now(), ADMIN[0], ADMIN[1], None, words)
    fields = new_message_fields(said, now=said.sent_at, retention=timedelta(days=90))
    await laptop.store.set(message_path(CHAT, 30_000), fields)
    quote = Evidence(said.sent_at, 30_000, ADMIN[0], words, 0.9)
    again = Candidate(
        "chat", "rule", "chat_bans", "politics", "У чаті заборонено: політика", 0.9, (quote,), Authority.ADMIN
    )
    (change,) = await learn_candidates(laptop.runtime.app, CHAT, [again])
    assert (change.kind, change.after.key) == ("reinforcement", "forbidden_topics")


async def test_a_consensus_and_what_is_pinned_are_read_too(laptop):
    quotes = [fact_of(laptop, number, by=300 + number).after.evidence[0] for number in (1, 2, 3)]
    told = Candidate("chat", "preference", "language", "українською", "Пишемо українською", 0.97, tuple(quotes))
    language = learn(None, told)
    assert language.after.authority is Authority.CONSENSUS
    kept = fact_of(laptop, 2, category="tradition", value="настолки")
    pinned = pin(kept.after, FactPin(laptop.clock.now(), holds=True))
    await store(laptop, [language, kept, pinned])
    laptop.clock.advance(timedelta(days=1))
    await store(laptop, [fact_of(laptop, number) for number in range(10, 60)])
    app = laptop.runtime.app
    read = await read_foremost(app.store, CHAT, "chat", most=20, active=True)
    assert {"українською", "настолки"} < {document.data["value"] for document in read}
    assert len(read) <= 40
    few = await read_foremost(app.store, CHAT, "chat", most=60, active=True)
    assert len(few) == 52


async def test_a_profile_keeps_what_binds_however_many_are_surer(laptop):
    await with_rules(laptop)
    await store(laptop, [fact_of(laptop, number) for number in range(MANY)])
    app = laptop.runtime.app
    known = (await subject_facts(app.store, app.policy, await app.chats.state(CHAT), ["chat"], now=app.clock.now()))[
        "chat"
    ]
    assert set(RULES) <= {fact.value for fact in known}
    assert len(known) == 400


async def test_a_request_to_forget_finds_its_fact_among_thousands_of_ones_own(laptop):
    mine = f"user:{MEMBER[0]}"
    told = {"subject": mine, "category": "skill", "by": MEMBER[0]}
    await store(laptop, [fact_of(laptop, 0, **told, value="левітація")])
    laptop.clock.advance(timedelta(days=1))
    await store(laptop, [fact_of(laptop, number, **told) for number in range(1, MANY)])
    known = await ranked_facts(laptop.runtime.app.store, laptop.runtime.app.policy, CHAT, mine, now=laptop.clock.now())
    assert "левітація" in {fact.value for fact in known}


async def test_a_short_list_is_read_at_once(laptop):
    await with_rules(laptop)
    app = laptop.runtime.app
    reads = app.store.usage.reads
    found = await read_foremost(app.store, CHAT, "chat", most=MOST_READ, active=True)
    assert app.store.usage.reads - reads == len(found) == len(RULES)
