"""Which facts an answer is told: those that the question picks, of whoever it means, and a short core."""

import re
from dataclasses import replace
from datetime import timedelta

import pytest

from shared.application.answering.excerpts import UserQuestion
from shared.application.answering.gathering import gather
from shared.application.answering.knowing import ASKER_CORE, CHAT_CORE, MEMBER_FACTS, SEARCHED
from shared.application.documents import member_path
from shared.application.facts.memory import learn_candidates
from shared.application.facts.profiles import refresh_profiles
from shared.application.night.tidying import decay_chat
from shared.application.people.member_codec import choice_fields
from shared.domain.answering.context.assembly import assemble
from shared.domain.facts.evidence.claim import Authority, Evidence
from shared.domain.facts.fact import Candidate
from tests.support.builders import message
from tests.support.group import CHAT

OLYA, TARAS, MARKO = (101, "Оля"), (102, "Тарас"), (103, "Марко")


async def learn(group, who, description, *, subject=None, key="detail", category="preference"):
    """A member says `description`, and it is believed of them, or of the chat."""
    said = (await group.say(description, *who))["message"]
    quotes = (Evidence(group.clock.now(), said["message_id"], who[0], description),)
    about = subject or f"user:{who[0]}"
    candidate = Candidate(about, category, key, description, description, 0.9, quotes, Authority.OWN_STATEMENT)
    await learn_candidates(group.runtime.app, CHAT, [candidate])


async def asked_of(app, text):
    state = await app.chats.state(CHAT, fresh=True)
    said = message(text, chat_id=CHAT, message_id=9_000, user_id=OLYA[0], sent_at=app.clock.now())
    gathered = await gather(app, state, UserQuestion(said, text, "uk", None), "rules")
    return gathered, assemble(gathered.material)


async def told(group, text, *, who=OLYA, store=None):
    app = group.runtime.app if store is None else replace(group.runtime.app, store=store)
    state = await app.chats.state(CHAT, fresh=True)
    said = message(text, chat_id=CHAT, message_id=9_000, user_id=who[0], sent_at=app.clock.now())
    material = (await gather(app, state, UserQuestion(said, text, "uk", None), "rules")).material
    return tuple([f.description for f in facts] for facts in (material.chat.facts, material.asker, material.named))


@pytest.fixture
async def known(group):
    """A group of three of whom something is known, with all profiles made."""
    for number, words in enumerate(("Збираємось у середу", "Ходимо в гори", "Граємо в мафію", "Печемо пиріг")):
        await learn(group, TARAS, words, subject="chat", key=f"k{number}", category="tradition")
    await learn(group, OLYA, "Має собаку Рябка")
    await learn(group, TARAS, "Любить каву")
    await learn(group, MARKO, "Боїться собак")
    await refresh_profiles(group.runtime.app, CHAT)
    return group


async def test_what_is_known_of_members_whom_nobody_named_is_found(known):
    assert (await told(known, "хто любить каву?"))[2] == ["Любить каву"]
    assert (await told(known, "who likes coffee?"))[2] == ["Любить каву"]


async def test_the_best_of_the_chat_are_told_always_and_others_where_the_question_picks_them(known):
    chat, *_ = await told(known, "хто любить каву?")
    assert len(chat) == CHAT_CORE
    everything, *_ = await told(known, "що ти про нас знаєш?")
    (last,) = set(everything) - set(chat)
    assert last in (await told(known, f"коли {last.lower()}?"))[0]


async def test_more_is_told_of_whom_a_question_only_describes(known):
    await learn(known, TARAS, "Має кота Мурчика", key="pet")
    await refresh_profiles(known.runtime.app, CHAT)
    assert (await told(known, "хто любить каву?"))[2] == ["Любить каву", "Має кота Мурчика"]


async def test_what_answers_a_question_stands_before_the_core_of_the_chat(known):
    best = {
        (await told(known, f"коли {asked}?"))[0][0] for asked in ("ходимо в гори", "граємо в мафію", "печемо пиріг")
    }
    assert best == {"Ходимо в гори", "Граємо в мафію", "Печемо пиріг"}


async def test_whom_a_question_names_is_told_of_and_nobody_else(known):
    assert (await told(known, "чого боїться Марко?"))[2] == ["Боїться собак"]
    assert (await told(known, "що ти знаєш про Тараса?"))[2] == ["Любить каву"]


async def test_the_askers_own_facts_are_never_told_as_somebody_elses(known):
    _, asker, others = await told(known, "у кого є собака?")
    assert asker == ["Має собаку Рябка"]
    assert "Має собаку Рябка" not in others
    _, asker, others = await told(known, "яка в мене собака?")
    assert (asker, others) == (["Має собаку Рябка"], [])


async def test_who_lets_nobody_see_it_or_opted_out_is_not_told_of(known):
    store = known.runtime.app.store
    await store.set(member_path(CHAT, 102), choice_fields(102, "Тарас", hides_facts=True))
    assert (await told(known, "хто любить каву?"))[2] == []
    assert (await told(known, "що любить Тарас?"))[2] == []
    await known.say("/gryadoptout", *MARKO)
    assert (await told(known, "хто боїться собак?"))[2] == []


async def test_facts_call_people_as_they_are_called_today_and_who_opted_out_is_somebody(known):
    await learn(known, OLYA, "Оля поливає квіти Тараса", key="help")
    await known.settle()
    assert "Оля поливає квіти Тараса" in (await told(known, "хто поливає квіти?", who=MARKO))[2]
    await known.say("Тепер я Данило", 102, "Данило")
    await known.settle()
    assert "Оля поливає квіти Данило" in (await told(known, "хто поливає квіти?", who=MARKO))[2]
    await known.say("/gryadoptout", 102, "Данило")
    assert "Оля поливає квіти хтось" in (await told(known, "хто поливає квіти?", who=MARKO))[2]


@pytest.fixture
async def over(known):
    """Taras gave Polish lessons, of which nobody has spoken for longer than facts hold."""
    await learn(known, TARAS, "Веде курс польської", key="course", category="experience")
    known.clock.advance(timedelta(days=known.runtime.app.policy.fact_expiry.days + 2))
    await decay_chat(known.runtime.app, await known.runtime.app.chats.state(CHAT, fresh=True))
    return known


async def test_what_is_over_is_told_where_nothing_that_holds_answers_and_marked_as_over(over):
    app = over.runtime.app
    (gathered, context) = await asked_of(app, "чи вів Тарас курс польської?")
    (line,) = [line for line in context.system.splitlines() if "Веде курс польської" in line]
    assert "over since" in line
    (saying,) = [each for each in gathered.grounding.facts if "польської" in each.description]
    assert re.match(r"\d\d\.\d\d\.2026–\d\d\.\d\d\.2027: Веде курс", saying.description)


async def test_what_is_over_is_no_part_of_what_is_told_besides(over):
    assert all("Веде курс польської" not in each for each in await told(over, "привіт, як справи?"))


async def test_what_is_over_of_who_opted_out_is_told_to_nobody(over):
    await over.say("/gryadoptout", *TARAS)
    assert all("Веде курс польської" not in each for each in await told(over, "чи вів Тарас курс польської?"))


async def test_a_question_costs_a_read_for_each_member_who_spoke_and_one_for_whom_it_finds(known):
    store = known.runtime.app.store
    before = store.usage.reads
    await told(known, "де я живу?")  # which nothing answers, so it looks for what is over, too
    alone = store.usage.reads - before
    await told(known, "хто любить каву?")
    assert store.usage.reads - before - alone == (alone - 1) + 2 + 1
    assert SEARCHED <= 20
    assert ASKER_CORE <= 3


async def test_however_many_members_answer_a_question_it_reads_few_of_them(known):
    for number in range(25):
        await learn(known, (200 + number, f"Гість {number}"), "Любить каву", key=f"drink_{number}")
    for _ in range(2):
        await refresh_profiles(known.runtime.app, CHAT)
    store = known.runtime.app.store
    before = store.usage.reads
    await told(known, "яка в мене собака?")  # searches nobody else
    alone = store.usage.reads - before
    assert len((await told(known, "хто любить каву?"))[2]) == MEMBER_FACTS
    assert store.usage.reads - before - alone == alone + SEARCHED + MEMBER_FACTS
