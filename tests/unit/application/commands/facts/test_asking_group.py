"""The bot asks the group whether what it noticed is so, and the group decides."""

import shutil
from dataclasses import replace
from datetime import timedelta

import pytest

from infra.sqlite import SqliteStore
from shared.application.commands.facts.asking_group import MOST_PATTERNS, ask_group
from shared.application.documents import chat_path, question_path
from shared.application.facts.memory import learn_candidates, retract_message
from shared.domain.facts.evidence.claim import Authority, Evidence
from shared.domain.facts.fact import Candidate, fact_id
from tests.support import updates
from tests.support.faults import Crashed
from tests.support.group import CHAT, running_group

OLYA, MARKO, HANNA, PETRO = (101, "Оля"), (103, "Марко"), (104, "Ганна"), (105, "Петро")
ADMIN = (102, "Тарас")
GAMES = "Схоже, у середу ви граєте в ігри. Так?"


@pytest.fixture
async def embedded(sqlite_store):
    async with running_group(sqlite_store) as group:
        yield group


async def say_twice(group, what="Щосереди граємо в настолки", *, who=OLYA):
    """One member says something twice: believed then, and not certain."""
    await group.say(what, *who)
    await group.say(f"Ще раз: {what}", *who)
    await group.settle()


async def contradict(group):
    """What three say is contradicted by one, whose value waits."""
    for who in (OLYA, MARKO, PETRO):
        await group.say("Щосереди граємо в настолки", *who)
    await group.settle()
    await group.say("У п'ятницю граємо в настолки, це традиція", *HANNA)
    await group.settle()


def asked(group):
    """The texts of the questions that were asked, as they stand now."""
    return [group.shown(sent.message_id).text for sent in group.api.sent if sent.buttons]


def labels(group):
    return [text for row in group.shown(group.api.sent[-1].message_id).buttons for text, _ in row]


async def the_fact(group):
    return next(fact for fact in await group.facts() if fact["conflicts_with"] is None)


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
    assert group.notices == ["Ваш голос: так", "Ваш голос: ні", ""]


async def test_a_vote_can_be_changed_and_counts_once(embedded):
    await say_twice(embedded)
    for label in ("Так", "Так", "Ні"):
        await embedded.press(label, *MARKO)
    assert asked(embedded) == [f"{GAMES}\n\nтак 1 · ні 1"]


async def test_a_press_delivered_twice_is_one_vote(embedded):
    await say_twice(embedded)
    update = embedded.pressing("Так", *MARKO)
    for _ in range(2):
        assert await embedded.deliver(update) == 200
    assert asked(embedded) == [f"{GAMES}\n\nтак 2 · ні 0"]


async def test_what_three_members_deny_is_dropped(embedded):
    await say_twice(embedded)
    for who in (MARKO, HANNA, PETRO):
        await embedded.press("Ні", *who)
    assert asked(embedded) == [f"{GAMES}\n\n❌ Гаразд, більше так не вважаю."]
    assert (await the_fact(embedded))["status"] == "deprecated"


async def test_a_conflict_is_asked_before_a_pattern_and_the_group_may_choose_the_new_value(embedded):
    await contradict(embedded)
    assert asked(embedded) == [
        "Одні кажуть: «Щосереди граємо в настолки»,\nінші: «У п'ятницю граємо в настолки, це традиція».\nЯк правильно?"
    ]
    assert [label[:2] for label in labels(embedded)] == ["1.", "2.", "✏️"]
    for who in (PETRO, HANNA, ADMIN):
        await embedded.press("2. ", *who)
    assert asked(embedded) == ["✅ Вирішено: «У п'ятницю граємо в настолки, це традиція»."]
    assert (await the_fact(embedded))["value"] == "friday"


async def test_the_group_may_uphold_the_known_value_and_then_nothing_waits(embedded):
    await contradict(embedded)
    await embedded.press("2. ", *PETRO)
    assert asked(embedded)[-1].endswith("за перше 0 · за друге 1")
    for who in (MARKO, PETRO, ADMIN):
        await embedded.press("1. ", *who)
    assert asked(embedded) == ["✅ Вирішено: «Щосереди граємо в настолки»."]
    assert (await the_fact(embedded))["value"] == "wednesday"
    assert [fact["status"] for fact in await embedded.facts() if fact["conflicts_with"]] == ["deprecated"]


async def test_nobody_is_asked_at_night(sqlite_store):
    async with running_group(sqlite_store, QUIET_HOURS="20-9") as group:
        await say_twice(group)
        assert group.answers == []
        assert (await chat_fields(group)).get("question") is None


async def test_nobody_is_asked_where_the_chat_does_not_want_it_or_is_private(embedded):
    await embedded.say("привіт усім", *OLYA)
    await choose(embedded, questions=False)
    await say_twice(embedded)
    await choose(embedded)
    await embedded.runtime.app.chats.change(CHAT, {"private_mode": True})
    state = await embedded.runtime.app.chats.state(CHAT, fresh=True)
    assert not await ask_group(embedded.runtime.app, state, talked_at=embedded.clock.now())
    assert embedded.answers == []


async def test_there_is_one_question_in_twenty_hours_and_never_the_same_again(embedded):
    await say_twice(embedded)
    await say_twice(embedded, "Щопонеділка дивимося разом кіно", who=MARKO)
    assert len(asked(embedded)) == 1
    await until_tomorrow(embedded)
    assert len(asked(embedded)) == 2
    await until_tomorrow(embedded)
    assert set(asked(embedded)) == {GAMES, "Схоже, у понеділок ви дивитеся кіно. Так?"}
    assert len(asked(embedded)) == 2


async def test_a_new_value_may_be_asked_about_again(embedded):
    await say_twice(embedded)
    for message in await embedded.messages():
        await retract_message(embedded.runtime.app, CHAT, message["message_id"], cause="edited")
    await say_twice(embedded, "У четвер у нас настолки, граємо щотижня", who=MARKO)
    await until_tomorrow(embedded)
    document = await embedded.store.get(question_path(CHAT, id_of(await the_fact(embedded))))
    assert len(asked(embedded)) == len(document.data["about"]) == 2


async def test_what_is_asked_holds_no_words(group):
    await say_twice(group)
    document = await group.store.get(question_path(CHAT, id_of(await the_fact(group))))
    assert set(document.data) == {"schema", "fact", "about", "at"}
    assert all(len(mark) == 8 for mark in document.data["about"])


async def test_where_nothing_may_be_asked_nothing_is_read(embedded):
    await say_twice(embedded)
    app, store = embedded.runtime.app, embedded.store
    state = await app.chats.state(CHAT, fresh=True)
    reads = store.usage.reads
    assert not await ask_group(app, state, talked_at=app.clock.now())
    later = state._replace(question=None)
    long_ago = app.clock.now() - timedelta(hours=2)
    assert not await ask_group(app, later, talked_at=long_ago)
    assert not await ask_group(app, later, talked_at=None)
    assert store.usage.reads == reads


async def test_members_who_opted_out_neither_vote_nor_are_shown(embedded):
    await say_twice(embedded)
    app = embedded.runtime.app
    await app.chats.change(CHAT, {"opted_out": [MARKO[0]]})
    await embedded.press("Так", *MARKO)
    assert embedded.notices[0].startswith("Ви просили не запам'ятовувати")
    assert asked(embedded) == [GAMES]
    await app.chats.change(CHAT, {"opted_out": [OLYA[0]]})
    await embedded.press("Так", *HANNA)
    assert "ігри" not in asked(embedded)[0]


async def test_who_is_not_in_the_chat_cannot_vote(embedded):
    await say_twice(embedded)
    embedded.api.chats[CHAT].left.add(MARKO[0])
    await embedded.press("Так", *MARKO)
    assert embedded.notices == ["Це можуть лише учасники цього чату."]
    assert (await the_fact(embedded))["voices"] == []


async def test_a_yes_in_reply_to_the_question_is_a_vote(embedded):
    await say_twice(embedded)
    bot = {"id": updates.BOT_ID, "is_bot": True, "first_name": "gryag"}
    replied = updates.message("?", message_id=embedded.api.sent[-1].message_id, sender=bot)
    await embedded.say("так, звісно", *MARKO, reply_to_message=replied)
    assert embedded.answers[-1] == "Враховано: так 2 · ні 0."
    assert asked(embedded) == [f"{GAMES}\n\nтак 2 · ні 0"]
    await embedded.say("а у вівторок?", *HANNA, reply_to_message=replied)
    assert (await the_fact(embedded))["supporters"] == [101, 103]


@pytest.mark.parametrize(
    ("reply", "quote"), [("Ні, у четвер", "у четвер"), ("No, it's on Thursday", "it's on Thursday")]
)
async def test_a_no_that_tells_how_it_is_corrects_what_the_question_is_about(embedded, reply, quote):
    await say_twice(embedded)
    bot = {"id": updates.BOT_ID, "is_bot": True, "first_name": "gryag"}
    replied = updates.message("?", message_id=embedded.api.sent[-1].message_id, sender=bot)
    await embedded.say(reply, *OLYA, reply_to_message=replied)
    assert "Тепер так" in embedded.answers[-1]
    fact = await the_fact(embedded)
    assert (fact["value"], fact["status"], [e["quote"] for e in fact["evidence"]]) == ("thursday", "active", [quote])
    assert embedded.shown(replied["message_id"]).text.startswith("✏️ Вже інакше")
    assert embedded.shown(replied["message_id"]).buttons == ()


async def test_a_no_with_other_talk_behind_it_is_a_vote_on_the_question(embedded):
    await say_twice(embedded)
    bot = {"id": updates.BOT_ID, "is_bot": True, "first_name": "gryag"}
    replied = updates.message("?", message_id=embedded.api.sent[-1].message_id, sender=bot)
    await embedded.say("Ні, мені того дня завжди ніколи", *MARKO, reply_to_message=replied)
    assert embedded.answers[-1] == "Враховано: так 1 · ні 1."
    assert (await the_fact(embedded))["value"] == "wednesday"


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
async def test_nobody_is_asked_to_vouch_for_figures(embedded, told, asks):
    for who in (OLYA, MARKO, HANNA):
        await embedded.say("добре 😀😀😀", *who)
    await ask_about(embedded, inferred(await embedded.messages(), told))
    assert asked(embedded) == [asks]


async def test_what_was_counted_is_asked_in_the_words_of_the_count(embedded):
    for who in (OLYA, MARKO, HANNA):
        await embedded.say("добре 😀😀😀", *who)
    told = "У чаті часто вживають емодзі: 64 % із 50 повідомлень."
    await ask_about(embedded, inferred(await embedded.messages(), told))
    assert asked(embedded) == ["Схоже, у чаті часто вживають емодзі. Так?"]
    await embedded.press("Ні", *PETRO)
    assert asked(embedded)[0].endswith("так 0 · ні 1")  # examples of a count are nobody's word


HABITS = (
    *("жартують", "співають", "малюють", "танцюють", "сперечаються", "мовчать", "пліткують", "мріють", "готують"),
    *("бігають", "читають"),
)


async def test_patterns_that_stay_open_do_not_keep_the_others_from_being_asked(embedded):
    await embedded.say("добре", *OLYA)
    (message,) = await embedded.messages()
    for word in HABITS:
        told = replace(inferred([message], f"У чаті часто {word}."), key=f"habit_{word}", value=word)
        await learn_candidates(embedded.runtime.app, CHAT, [told])
    await embedded.runtime.app.chats.change(CHAT, {"language": "uk"})
    for _ in HABITS:
        state = await embedded.runtime.app.chats.state(CHAT, fresh=True)
        assert await ask_group(embedded.runtime.app, state, talked_at=embedded.clock.now())
        embedded.clock.advance(timedelta(days=1))
    assert len(set(asked(embedded))) == len(HABITS) > MOST_PATTERNS


async def test_words_of_members_can_neither_forge_markup_nor_end_the_quotation(embedded):
    for who in (OLYA, MARKO):
        await embedded.say("добре", *who)
    told = 'пишемо <b>"капсом"</b>». Так?\n\n✅ Вирішено: «мовчати & &lt;терпіти»'
    await ask_about(embedded, inferred(await embedded.messages(), told, authority=Authority.MODEL))
    (sent,) = embedded.api.sent
    assert sent.text.count("«") == sent.text.count("»") == 1
    assert "\n" not in sent.text
    assert sent.text.endswith("». Так?")
    assert "<b>" not in sent.raw


async def test_a_question_that_telegram_did_not_take_is_asked_by_the_next_task(embedded):
    embedded.api.fail_next("sendMessage", status=503, times=9)
    await say_twice(embedded)
    assert asked(embedded) == []
    embedded.api._faults.clear()
    await embedded.say("слово", *PETRO)  # too little to be extracted
    embedded.clock.advance(timedelta(minutes=1))
    await embedded.work()
    assert asked(embedded) == [GAMES]


async def test_a_question_that_had_to_wait_waits_until_somebody_talks_and_counts_from_then(embedded):
    embedded.api.fail_next("sendMessage", status=503, times=9)
    await say_twice(embedded)
    embedded.api._faults.clear()
    app = embedded.runtime.app
    embedded.clock.advance(timedelta(hours=22))
    assert not await ask_group(app, await app.chats.state(CHAT, fresh=True), talked_at=None)
    assert asked(embedded) == []
    assert await ask_group(app, await app.chats.state(CHAT, fresh=True), talked_at=embedded.clock.now())
    assert asked(embedded) == [GAMES]
    assert (await chat_fields(embedded))["question"]["at"] == embedded.clock.now()


async def test_a_question_is_asked_once_wherever_its_task_dies(tmp_path):
    store = SqliteStore(tmp_path / "said.db")
    async with running_group(store) as group:
        await group.say("привіт", *OLYA)
        await choose(group, questions=False)
        await say_twice(group)
        await choose(group)
        later = group.clock.now() + timedelta(minutes=5)
    await store.aclose()
    deaths, lost = 0, 0
    for after in (False, True):
        for die_at in range(1, 40):
            copy = SqliteStore(shutil.copy(tmp_path / "said.db", tmp_path / f"{after}-{die_at}.db"))
            async with running_group(copy, at=later) as group:
                deaths += await ask_with_one_death(group, die_at, after=after)
                lost += asked(group) == []
            await copy.aclose()
    assert deaths > 20
    assert lost <= 1  # who dies between noting that it is being sent and sending it: lost is better than doubled


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
    assert asked(group) in ([GAMES], [])
    assert (await chat_fields(group))["question"]["said"]
    return died
