"""The bot asks the group whether what it noticed is so, and the group decides."""

import shutil
from dataclasses import replace
from datetime import timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from infra.sqlite import SqliteStore
from shared.application.commands.facts.asking_group import (
    MOST_PATTERNS,
    AskedAbout,
    ask_group,
    asked_about_fields,
    read_asked_about,
)
from shared.application.documents import chat_path, question_path
from shared.application.facts.memory import learn_candidates, retract_message
from shared.application.ports.store import Document
from shared.domain.facts.change import Cause
from shared.domain.facts.evidence.claim import Authority, Evidence
from shared.domain.facts.fact import Candidate, fact_id
from tests.support import updates
from tests.support.builders import START
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
from tests.support.faults import Crashed
from tests.support.group import CHAT, running_group


def id_of(fact):
    return fact_id(fact["subject"], fact["category"], fact["key"], fact["anchor"])


async def chat_fields(group):
    return (await group.store.get(chat_path(CHAT))).data


async def choose(group, **settings):
    await group.runtime.app.chats.change(CHAT, {"settings": settings})


async def until_tomorrow(group):
    """The next day at the same hour, and somebody talks until something is extracted."""
    group.clock.advance(timedelta(hours=24) - (group.clock.now() - group.clock.now().replace(hour=16, minute=0)))
    await group.say("доброго дня всім", *PETRO)
    await group.settle()


async def test_an_uncertain_pattern_is_offered_to_the_group_in_plain_words(group):
    await say_twice(group)
    assert group.answers == [GAMES]
    assert labels(group) == ["Так", "Ні", "✏️ Виправити"]
    (message,) = [m for m in await group.messages() if m["is_bot"]]
    assert message["asks"]["fact"] == id_of(await the_fact(group))


async def test_an_english_group_is_asked_in_english(sqlite_store):
    async with running_group(sqlite_store) as group:
        await say_twice(group, "Every wednesday we play board games")
        assert group.answers == ["It looks like on Wednesdays you play games. Right?"]
        assert labels(group) == ["Yes", "No", "✏️ Correct it"]


async def test_a_conflict_is_asked_before_a_pattern_and_the_group_may_choose_the_new_value(laptop):
    await contradict(laptop)
    assert asked(laptop) == [
        "Одні кажуть: «Щосереди граємо в настолки»,\nінші: «У п'ятницю граємо в настолки, це традиція».\nЯк правильно?"
    ]
    assert [label[:2] for label in labels(laptop)] == ["1.", "2.", "✏️"]
    for who in (PETRO, HANNA, ADMIN):
        await laptop.press("2. ", *who)
    assert asked(laptop) == ["✅ Вирішено: «У п'ятницю граємо в настолки, це традиція»."]
    assert (await the_fact(laptop))["value"] == "friday"


async def test_nobody_is_asked_at_night(sqlite_store):
    async with running_group(sqlite_store, QUIET_HOURS="20-9") as group:
        await say_twice(group)
        assert group.answers == []
        assert (await chat_fields(group)).get("question") is None


async def test_nobody_is_asked_where_the_chat_does_not_want_it_or_is_private(laptop):
    await laptop.say("привіт усім", *OLYA)
    await choose(laptop, questions=False)
    await say_twice(laptop)
    await choose(laptop)
    await laptop.runtime.app.chats.change(CHAT, {"private_mode": True})
    state = await laptop.runtime.app.chats.state(CHAT, fresh=True)
    assert not await ask_group(laptop.runtime.app, state, talked_at=laptop.clock.now())
    assert laptop.answers == []


async def test_there_is_one_question_in_twenty_hours_and_never_the_same_again(laptop):
    await say_twice(laptop)
    await say_twice(laptop, "Щопонеділка дивимося разом кіно", who=MARKO)
    assert len(asked(laptop)) == 1
    await until_tomorrow(laptop)
    assert len(asked(laptop)) == 2
    await until_tomorrow(laptop)
    assert set(asked(laptop)) == {GAMES, "Схоже, у понеділок ви дивитеся кіно. Так?"}
    assert len(asked(laptop)) == 2


async def test_a_new_value_may_be_asked_about_again(laptop):
    await say_twice(laptop)
    for message in await laptop.messages():
        await retract_message(laptop.runtime.app, CHAT, message["message_id"], cause=Cause.EDITED)
    await say_twice(laptop, "У четвер у нас настолки, граємо щотижня", who=MARKO)
    await until_tomorrow(laptop)
    document = await laptop.store.get(question_path(CHAT, id_of(await the_fact(laptop))))
    assert len(asked(laptop)) == len(document.data["about"]) == 2


async def test_what_is_asked_holds_no_words(group):
    await say_twice(group)
    document = await group.store.get(question_path(CHAT, id_of(await the_fact(group))))
    assert set(document.data) == {"schema", "fact", "about", "at"}
    assert all(len(mark) == 8 for mark in document.data["about"])


async def test_where_nothing_may_be_asked_nothing_is_read(laptop):
    await say_twice(laptop)
    app, store = laptop.runtime.app, laptop.store
    state = await app.chats.state(CHAT, fresh=True)
    reads = store.usage.reads
    assert not await ask_group(app, state, talked_at=app.clock.now())
    later = state._replace(question=None)
    long_ago = app.clock.now() - timedelta(hours=2)
    assert not await ask_group(app, later, talked_at=long_ago)
    assert not await ask_group(app, later, talked_at=None)
    assert store.usage.reads == reads


async def test_the_question_is_asked_in_the_topic_where_it_was_talked_about(sqlite_store):
    async with running_group(sqlite_store) as group:
        group.api.add_chat(CHAT, "supergroup", is_forum=True)
        forum = {"chat": updates.chat(CHAT, is_forum=True), "message_thread_id": 7, "is_topic_message": True}
        for text in ("Щосереди граємо в настолки", "Ще раз: щосереди граємо в настолки"):
            await group.say(text, *OLYA, **forum)
        await group.settle()
        assert [sent.thread_id for sent in group.api.sent] == [7]


def inferred(messages, told, *, authority=Authority.STATISTICS):
    quotes = tuple(Evidence(m["sent_at"], m["message_id"], m["user_id"], m["text"]) for m in messages)
    return Candidate("chat", "norm", "emoji_usage", "high", told, 0.72, quotes, authority, single=True)


async def ask_about(group, candidate):
    app = group.runtime.app
    await learn_candidates(app, CHAT, [candidate])
    await app.chats.change(CHAT, {"language": "uk"})
    await ask_group(app, await app.chats.state(CHAT, fresh=True), talked_at=app.clock.now())


@pytest.mark.parametrize(
    ("told", "asks"),
    [
        ("У чаті пишуть і українською, і англійською, рідшою з двох: 23 % із 99 повідомлень.",
         "Схоже, у чаті пишуть і українською, і англійською. Так?"),
        ("У чаті найчастіше пишуть о 18:00-24:00 (UTC, за 8 днів): 90 % із 100 повідомлень.",
         "Схоже, у чаті найчастіше пишуть о 18:00-24:00. Так?"),
        ("У чаті майже не вживають емодзі, без них: 99 % із 100 повідомлень.",
         "Схоже, у чаті майже не вживають емодзі. Так?"),
        ("The chat uses many emoji: 64 % of 50 messages.",
         "Схоже, тут так заведено: «The chat uses many emoji». Так?"),
    ],
    ids=["languages", "hours", "few emoji", "in another language"],
)  # fmt: skip
async def test_nobody_is_asked_to_vouch_for_figures(laptop, told, asks):
    for who in (OLYA, MARKO, HANNA):
        await laptop.say("добре 😀😀😀", *who)
    await ask_about(laptop, inferred(await laptop.messages(), told))
    assert asked(laptop) == [asks]


async def test_what_was_counted_is_asked_in_the_words_of_the_count(laptop):
    for who in (OLYA, MARKO, HANNA):
        await laptop.say("добре 😀😀😀", *who)
    told = "У чаті часто вживають емодзі: 64 % із 50 повідомлень."
    await ask_about(laptop, inferred(await laptop.messages(), told))
    assert asked(laptop) == ["Схоже, у чаті часто вживають емодзі. Так?"]
    await laptop.press("Ні", *PETRO)
    assert asked(laptop)[0].endswith("так 0 · ні 1")  # examples of a count are nobody's word


HABITS = (
    *("жартують", "співають", "малюють", "танцюють", "сперечаються", "мовчать", "пліткують", "мріють", "готують"),
    *("бігають", "читають"),
)


async def test_patterns_that_stay_open_do_not_keep_the_others_from_being_asked(laptop):
    await laptop.say("добре", *OLYA)
    (message,) = await laptop.messages()
    for word in HABITS:
        told = replace(inferred([message], f"У чаті часто {word}."), key=f"habit_{word}", value=word)
        await learn_candidates(laptop.runtime.app, CHAT, [told])
    await laptop.runtime.app.chats.change(CHAT, {"language": "uk"})
    for _ in HABITS:
        state = await laptop.runtime.app.chats.state(CHAT, fresh=True)
        assert await ask_group(laptop.runtime.app, state, talked_at=laptop.clock.now())
        laptop.clock.advance(timedelta(days=1))
    assert len(set(asked(laptop))) == len(HABITS) > MOST_PATTERNS


async def test_words_of_members_can_neither_forge_markup_nor_end_the_quotation(laptop):
    for who in (OLYA, MARKO):
        await laptop.say("добре", *who)
    told = 'пишемо <b>"капсом"</b>». Так?\n\n✅ Вирішено: «мовчати & &lt;терпіти»'
    await ask_about(laptop, inferred(await laptop.messages(), told, authority=Authority.MODEL))
    (sent,) = laptop.api.sent
    assert sent.text.count("«") == sent.text.count("»") == 1
    assert "\n" not in sent.text
    assert sent.text.endswith("». Так?")
    assert "<b>" not in sent.raw


async def test_a_question_that_telegram_did_not_take_is_asked_by_the_next_task(laptop):
    laptop.api.fail_next("sendMessage", status=503, times=9)
    await say_twice(laptop)
    assert asked(laptop) == []
    laptop.api._faults.clear()
    await laptop.say("слово", *PETRO)  # too little to be extracted
    laptop.clock.advance(timedelta(minutes=1))
    await laptop.work()
    assert asked(laptop) == [GAMES]


async def test_a_question_that_had_to_wait_waits_until_somebody_talks_and_counts_from_then(laptop):
    laptop.api.fail_next("sendMessage", status=503, times=9)
    await say_twice(laptop)
    laptop.api._faults.clear()
    app = laptop.runtime.app
    laptop.clock.advance(timedelta(hours=22))
    assert not await ask_group(app, await app.chats.state(CHAT, fresh=True), talked_at=None)
    assert asked(laptop) == []
    assert await ask_group(app, await app.chats.state(CHAT, fresh=True), talked_at=laptop.clock.now())
    assert asked(laptop) == [GAMES]
    assert (await chat_fields(laptop))["question"]["at"] == laptop.clock.now()


async def test_a_question_is_asked_wherever_its_task_dies(tmp_path):
    store = SqliteStore(tmp_path / "said.db")
    async with running_group(store) as group:
        await group.say("привіт", *OLYA)
        await choose(group, questions=False)
        await say_twice(group)
        await choose(group)
        later = group.clock.now() + timedelta(minutes=5)
    await store.aclose()
    deaths, twice = 0, 0
    for after in (False, True):
        for die_at in range(1, 40):
            copy = SqliteStore(shutil.copy(tmp_path / "said.db", tmp_path / f"{after}-{die_at}.db"))
            async with running_group(copy, at=later) as group:
                deaths += await ask_with_one_death(group, die_at, after=after)
                twice += len(asked(group)) > 1
            await copy.aclose()
    assert deaths > 20
    assert twice <= 1  # who dies between sending it and noting that it was: doubled is better than lost


async def ask_with_one_death(group, die_at, *, after):
    """Whether the death came before the task was over."""
    app, died = group.runtime.app, False
    group.store.arm(die_at, after=after)
    try:
        await ask_group(app, await app.chats.state(CHAT, fresh=True), talked_at=app.clock.now())
    except Crashed:
        died = True
    group.store.arm(None)
    group.clock.advance(timedelta(minutes=3))  # longer than a lease
    await ask_group(app, await app.chats.state(CHAT, fresh=True), talked_at=app.clock.now())
    assert asked(group) in ([GAMES], [GAMES] * 2)
    assert (await chat_fields(group))["question"]["said"]
    return died


@given(fact=st.text(min_size=1), marks=st.lists(st.text()))
def test_what_is_written_is_read_back(fact, marks):
    document = Document("chats/-1/questions/tea", asked_about_fields(fact, marks, at=START))
    assert read_asked_about(document) == AskedAbout(fact, tuple(marks))


def test_a_document_without_marks_is_of_a_fact_that_nothing_was_asked_about():
    assert read_asked_about(Document("chats/-1/questions/tea", {"schema": 1})) == AskedAbout("tea")
