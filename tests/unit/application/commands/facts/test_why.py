"""`/gryadwhy`: what the answer was made from is what the model was really given, and is shown as it was then."""

import re
from dataclasses import replace
from datetime import timedelta

import pytest

from shared.application.answering.answer_codec import given_fields, read_given
from shared.application.chats.migration import begin_migration
from shared.application.documents import answer_path, message_path
from shared.application.facts.codec import fact_from_fields
from shared.application.facts.memory import learn_candidates
from shared.application.facts.moderation import drop_fact
from shared.application.facts.moderation import vote as vote_on
from shared.application.facts.version_codec import move_versions
from shared.application.forgetting.forget import forget_chat, forget_member, forget_messages, reset_chat_facts
from shared.application.forgetting.proof import preview
from shared.application.forgetting.steps import member_meant
from shared.application.night.retention import retain_chat
from shared.application.reading.moving import move_chat
from shared.domain.conversation.messages import migrated_message_id
from shared.domain.facts.change import Cause
from shared.domain.facts.evidence.claim import Evidence
from shared.domain.facts.fact import Candidate
from shared.domain.facts.profile import ProfileQuote
from shared.domain.intake.buttons import long_id, unseal
from shared.domain.text.plain import one_line
from tests.support import updates
from tests.support.faults import Crashed
from tests.support.forgetting.proving import find_traces
from tests.support.gemini.server import FakeGemini, Searched, calls
from tests.support.group import CHAT, running_group
from tests.unit.domain.answering.context.parsing import unescape_line

OLIA, TARAS, MARKO, HANNA = (101, "Оля"), (102, "Тарас"), (103, "Марко"), (104, "Ганна")
RULE = "Нагадую: ніякої політики в чаті!"
COFFEE = "Мій улюблений напій — кава"
NEW = -1_009_999_999_999


@pytest.fixture
async def gemini():
    async with FakeGemini("test-key") as server:
        server.reply_with(answering("Тарас просив без політики."))
        yield server


@pytest.fixture
async def minded(sqlite_store, gemini):
    async with running_group(sqlite_store, **gemini.environment) as running:
        yield running


def answering(text):
    """A model that finds no facts by itself and answers with this."""
    return lambda request: {} if request.schema else text if request.tools else "- NOTHING"


async def ask(group, text="гряг, які в нас правила?", who=HANNA):
    """Somebody asks; the message that answers."""
    await group.say(text, *who)
    return group.api.sent[-1]


async def why(group, sent, who=HANNA, **fields):
    """`/gryadwhy` as a reply to a message of the bot; the text of the first message that answers."""
    count = len(group.api.sent)
    replied = group.api.chats[sent.chat_id].message(sent, group.api.bot)
    await group.say("/gryadwhy", *who, reply_to_message=replied, **fields)
    return "\n".join(each.text for each in group.api.sent[count:])


async def provenance(group, chat_id=CHAT):
    """All that is kept of answers, oldest first."""
    found = [d async for d in group.store.subtree(f"chats/{chat_id}") if d.path.split("/")[2] == "answers"]
    return [read_given(d.data) for d in sorted(found, key=lambda d: d.data["made_at"])]


def fact_id(fact):
    return fact_from_fields(fact).id


async def learnt(group, *talk):
    for text, who in talk:
        await group.say(text, *who)
    await group.settle()


async def believe(group, key, quote, who=TARAS):
    """Somebody says something about the chat, and it is believed."""
    said = (await group.say(quote, *who))["message"]
    evidence = Evidence(group.clock.now(), said["message_id"], who[0], quote)
    candidate = Candidate("chat", "culture", key, quote[:60], quote, 0.9, (evidence,))
    await learn_candidates(group.runtime.app, CHAT, [candidate])


async def long_ago(group):
    """What is talked about so much that nothing said before stands in the recent talk."""
    for i in range(31):
        await group.say(f"бла {i}", *MARKO)
    await group.settle()


# --- What is kept is what was given ---


@pytest.mark.parametrize("shape", ["compact", "meta"])
async def test_every_fact_and_excerpt_that_is_kept_was_in_the_prompt_and_every_fact_in_the_prompt_is_kept(
    sqlite_store, gemini, shape
):
    async with running_group(sqlite_store, CONTEXT_FORMAT=shape, **gemini.environment) as group:
        await learnt(group, (RULE, TARAS), ("Мій улюблений напій — чай", HANNA), ("Я живу у Львові", HANNA))
        await group.say("Зустріч клубу буде у бібліотеці на Подолі о сьомій", *OLIA)
        await long_ago(group)
        await ask(group, "гряг, де зустріч клубу і які правила?")
        prompt = unescape_line(gemini.requests[-1].prompt)
        (given,) = await provenance(group)
        assert given.model == "gemini-3.5-flash"
        in_memory = re.findall(r'"([^"]+)" \(#\d+, \d+%', prompt)
        assert sorted(in_memory) == sorted(one_line(fact.description, 500) for fact in given.facts) != []
        found = [message for message in given.messages if message.how == "found"]
        assert any("на Подолі" in message.text for message in found)
        assert all(message.text in prompt for message in found)
        talk = {message.message_id for message in given.messages if message.how == "talk"}
        stored = {m["message_id"]: m["text"] for m in await group.messages()}
        assert len(talk) == 30
        assert all(stored[message_id] in prompt for message_id in talk)


async def test_what_the_budget_cut_from_the_context_is_not_kept(minded, gemini):
    for key, word in enumerate(["музика", "кіно", "гори", "вино", "книги", "шахи", "риба", "мороз"]):
        await believe(minded, f"{'abcdefgh'[key]}_detail", f"{word} " * 50)
    await ask(minded)
    prompt = unescape_line(gemini.requests[-1].prompt)
    (given,) = await provenance(minded)
    in_memory = re.findall(r'"([^"]+)" \(#\d+, \d+%', prompt)
    known = [fact for fact in await minded.facts() if fact["subject"] == "chat"]
    assert 0 < len(given.facts) == len(in_memory) < len(known)


async def test_what_tools_returned_is_kept_and_what_was_cut_from_their_results_is_not(minded, gemini):
    for i in range(12):
        await minded.say(f"Дача номер {i}: {'грядки, теплиця і криниця ' * 15}", *OLIA)
    await long_ago(minded)

    def respond(request):
        if request.schema or not request.tools:
            return {} if request.schema else "- NOTHING"
        return "На дачі криниця." if request.results else calls("recall", query="дача криниця")

    gemini.reply_with(respond)
    await ask(minded, "гряг, привіт")
    ((_, result),) = gemini.requests[-1].results
    assert result["cut"]
    (given,) = await provenance(minded)
    by_tool = [m.text for m in given.messages if m.how == "tool"]
    shown = str(result)
    assert by_tool
    assert all(text[:100] in shown for text in by_tool)
    assert len(by_tool) < 8
    assert given.tools == (("recall", "ok"),)


async def test_an_answer_without_a_model_keeps_what_it_could_quote(laptop):
    await learnt(laptop, (RULE, TARAS), (COFFEE, HANNA))
    answered = await ask(laptop)
    assert "ніякої політики" in answered.text
    (given,) = await provenance(laptop)
    assert given.model == "offline"
    assert given.facts[0].leans
    assert [fact.quotes[0].quote for fact in given.facts if fact.leans] == [RULE]


async def test_it_is_kept_as_long_as_messages_are(laptop):
    await learnt(laptop, (RULE, TARAS))
    await ask(laptop)
    (answer,) = [m for m in await laptop.messages() if m["is_bot"]]
    stored = await laptop.store.get(answer_path(CHAT, answer["answer"]))
    assert stored.data["expire_at"] == stored.data["made_at"] + laptop.runtime.app.policy.retention
    assert stored.data["schema"] == 1


# --- What is shown ---


async def test_why_tells_the_fact_with_quote_author_link_and_arithmetic(group):
    await learnt(group, (RULE, TARAS), ("Згодна, ніякої політики в чаті", OLIA))
    for document in await group.store.query(f"chats/{CHAT}/facts"):
        await vote_on(group.runtime.app, CHAT, document.id, 105, supports=True)
    answered = await ask(group)
    told = await why(group, answered)
    sent = group.api.sent[-1]
    assert "Звідки ця відповідь" in told
    assert f"«{RULE}» - Тарас, " in told
    assert re.search(r"Певність: Тарас 0,\d\d → .*1 голос 0,\d\d", told)
    assert '<a href="https://t.me/c/1000000001/1">06.11.2026</a>' in sent.raw
    ((first, *_),) = sent.buttons
    (fact,) = await group.facts()
    sealed = unseal(group.runtime.app.policy.button_key, CHAT, first[1])
    assert (first[0], sealed.action, long_id(sealed.args[0]), sealed.owner) == ("1", "whyc", fact_id(fact), None)
    await group.press("1", *HANNA)
    assert "політик"[:4] in group.answers[-1]
    assert group.shown(sent.message_id).text == told
    card = await group.store.get(message_path(CHAT, group.api.sent[-1].message_id))
    assert card.data["asks"]["fact"] == fact_id(fact)


async def test_why_speaks_english_in_an_english_chat(laptop):
    sam = updates.user(110, "Sam", language_code="en")
    await laptop.say("Reminder: no politics in this chat!", sender=updates.user(102, "Taras", language_code="en"))
    await laptop.settle()
    await laptop.say("gryag, what are our rules?", sender=sam)
    answered = laptop.api.sent[-1]
    replied = laptop.api.chats[CHAT].message(answered, laptop.api.bot)
    await laptop.say("/gryadwhy", sender=sam, reply_to_message=replied)
    assert "Where this answer came from" in laptop.answers[-1]
    assert re.search(r"Confidence: Taras 0\.\d\d", laptop.answers[-1])


async def test_the_facts_are_told_as_they_were_and_what_is_believed_now(laptop):
    app = laptop.runtime.app
    await learnt(laptop, (RULE, TARAS), ("Я живу у Львові", HANNA))
    rules, home = await ask(laptop), await ask(laptop, "гряг, де я живу?")
    before = await why(laptop, rules)
    assert "Тепер" not in before
    politics = next(fact for fact in await laptop.facts() if fact["subject"] == "chat")
    await vote_on(app, CHAT, fact_id(politics), 105, supports=True)
    told = await why(laptop, rules)
    assert re.search(r"Певність: Тарас 0,92$", told, re.MULTILINE)
    assert re.search(r"Тепер: Тарас 0,92 → 1 голос 0,94$", told, re.MULTILINE)
    await drop_fact(app, CHAT, fact_id(politics), user_id=102, cause=Cause.DROPPED_BY_ADMIN)
    told = await why(laptop, rules)
    assert RULE in told
    assert re.search(r"Певність: Тарас 0,92$", told, re.MULTILINE)
    assert "Тепер: більше не вірю." in told
    await learnt(laptop, ("Я переїхала, тепер живу у Києві", HANNA))
    told = await why(laptop, home)
    assert "Я живу у Львові" in told
    assert re.search("Тепер: «.*Києв", told)
    await reset_chat_facts(app, CHAT)
    told = await why(laptop, rules)
    assert RULE in told
    assert "Певність: 0,92" in told


async def test_a_fact_that_became_part_of_another_is_told_as_it_was_and_as_it_is(laptop):
    await learnt(laptop, (RULE, TARAS))
    answered = await ask(laptop)
    (document,) = await laptop.store.query(f"chats/{CHAT}/facts")
    merged = {**document.data, "key": "off_topic", "description": "Про політику не тут", "aliases": [document.id]}
    merged_id = fact_id(merged)
    await laptop.store.set(f"chats/{CHAT}/facts/{merged_id}", merged)
    versions = await laptop.store.query(f"{document.path}/versions")
    await laptop.store.batch(move_versions(CHAT, document.id, merged_id, versions, now=laptop.clock.now()))
    await laptop.store.delete(document.path)
    told = await why(laptop, answered)
    assert "1. У чаті заборонено: політика." in told
    assert re.search(r"Певність: Тарас 0,92$", told, re.MULTILINE)
    assert "Тепер: «Про політику не тут» 0,92" in told


async def test_however_much_there_is_to_tell_it_fits(laptop):
    await learnt(laptop, (RULE, TARAS))
    answered = await ask(laptop)
    (given,) = await provenance(laptop)
    (document,) = [d async for d in laptop.store.subtree(f"chats/{CHAT}") if "/answers/" in d.path]
    long = ProfileQuote(1, TARAS[0], "Т" * 64, "🙂" * 300, given.made_at)
    fact = replace(given.facts[0], description="🙂<" * 250, quotes=(long, long, long), leans=True)
    many = replace(given, facts=tuple(replace(fact, id=f"{i:032x}") for i in range(30)))
    await laptop.store.set(document.path, {"schema": 1, **given_fields(many)})
    count = len(laptop.api.sent)
    assert "Звідки ця відповідь" in await why(laptop, answered)
    assert len(laptop.api.sent) - count <= 3
    whole = laptop.api.sent[-1].file
    assert whole.name.endswith(".md")
    assert whole.content.decode().count("🙂") > 1_000


async def test_every_piece_of_an_answer_can_be_asked_about(minded, gemini):
    await learnt(minded, (RULE, TARAS))
    gemini.reply_with(answering("Без політики. " * 700))
    count = len(minded.api.sent)
    await ask(minded)
    pieces = minded.api.sent[count:]
    assert pieces
    for piece in pieces:
        assert RULE in await why(minded, piece)
    assert len(await provenance(minded)) == 1


async def test_talk_on_which_no_answer_leans_is_counted_and_not_shown(minded, gemini):
    for number in range(3):
        await minded.say(f"Ранок номер {number}, усім доброго дня", *OLIA)
    gemini.reply_with(answering("Гарна погода."))
    answered = await ask(minded, "гряг, підкажи")
    assert {each.how for each in (await provenance(minded))[0].messages} == {"talk"}
    told = await why(minded, answered)
    assert "Ранок" not in told
    assert "«»" not in told


async def test_talk_on_which_the_answer_leans_is_told_as_it_is_now(minded, gemini):
    await minded.say("Ключі від дачі лежать у бабусі", *OLIA)
    gemini.reply_with(answering("Ключі від дачі в бабусі."))
    answered = await ask(minded, "гряг, підкажи")
    (given,) = await provenance(minded)
    assert given.messages[0].text == ""
    told = await why(minded, answered)
    assert "Оля, 06.11.2026: «Ключі від дачі лежать у бабусі»" in told


async def test_tools_pages_and_summaries_are_named(minded, gemini):
    await learnt(minded, *[(f"Говоримо про дачу, день {i}", OLIA) for i in range(10)])

    def respond(request):
        if request.schema or not request.tools:
            return {} if request.schema else "Балачка про дачу і криницю."
        if request.tools == ["google_search"]:
            return Searched("Курс 41,5.", (("НБУ <b>", "https://bank.example/kurs?a=1&b=2"),))
        return "Курс 41,5." if request.results else calls("web_search", query="курс долара")

    gemini.reply_with(respond)
    told = await why(minded, await ask(minded, "гряг, який курс долара?"))
    assert "підсум" in told
    assert "Інструменти: web_search." in told
    assert "• НБУ <b>" in told
    assert 'href="https://bank.example/kurs?a=1&amp;b=2"' in minded.api.sent[-1].raw


# --- When there is nothing to tell ---


async def test_what_cannot_be_explained_says_what_to_do_instead(laptop):
    await laptop.say("/gryadwhy")
    assert "Відповісти" in laptop.answers[-1]
    said = await laptop.say(RULE, *TARAS)
    await laptop.say("/gryadwhy", reply_to_message=said["message"])
    assert "не моє повідомлення" in laptop.answers[-1]
    await laptop.say("/gryadhelp")
    assert "не зі спогадів" in await why(laptop, laptop.api.sent[-1])
    answered = await ask(laptop)
    assert "Звідки ця відповідь" in await why(laptop, answered)
    laptop.clock.advance(laptop.runtime.app.policy.retention + timedelta(days=1))
    assert (await retain(laptop))["answers"] == 1
    assert await provenance(laptop) == []
    assert "Запитайте ще раз" in await why(laptop, answered)


async def test_an_answer_from_an_empty_memory_says_so(laptop):
    told = await why(laptop, await ask(laptop))
    assert "нічого не знайшлося" in told


# --- Whose words ---


async def test_words_of_members_are_escaped_and_forge_nothing(minded):
    forged = "Нагадую: ніякої <b>політики</b> &amp; <a href='https://evil.example'>тут</a>\n1. Усі адміни!"
    await learnt(minded, (forged, (102, "Тарас</b> [meta]")))
    await why(minded, await ask(minded))
    raw = minded.api.sent[-1].raw
    assert "evil.example'&gt;" in raw
    assert "<b>політики" not in raw
    assert "\n1. Усі" not in raw


async def test_who_opted_out_since_is_not_quoted(laptop):
    await learnt(laptop, (RULE, TARAS), ("Згодна, ніякої політики в чаті", OLIA))
    answered = await ask(laptop)
    assert RULE in await why(laptop, answered)
    await laptop.runtime.app.chats.change(CHAT, {"opted_out": [TARAS[0]]})
    told = await why(laptop, answered)
    assert "Нагадую" not in told
    assert "Тарас" not in told
    assert "Згодна, ніякої політики в чаті" in told


async def test_what_a_member_shows_to_nobody_is_told_in_no_group_whoever_asks(laptop):
    await learnt(laptop, ("Я живу у Львові", HANNA))
    answered = await ask(laptop, "гряг, де я живу?")
    assert "1. Живе у Львові" in await why(laptop, answered, HANNA)
    await laptop.store.update(f"chats/{CHAT}/members/{HANNA[0]}", {"visibility": "nobody"})
    for who in (HANNA, OLIA):
        assert "1. Живе" not in await why(laptop, answered, who)


async def test_in_private_everything_is_told_to_whose_it_is(laptop):
    private = {"chat": updates.chat(HANNA[0])}
    laptop.api.add_chat(HANNA[0], "private")
    await laptop.say("Я живу у Львові", *HANNA, **private)
    await laptop.settle()
    await laptop.say("де я живу?", *HANNA, **private)
    answered = laptop.api.sent[-1]
    await laptop.store.update(f"chats/{HANNA[0]}/members/{HANNA[0]}", {"visibility": "nobody"})
    assert "1. Живе у Львові" in await why(laptop, answered, HANNA, **private)


FORGETTING = {
    "speaker": lambda app: forget_member(app, CHAT, TARAS[0]),
    "asker": lambda app: forget_member(app, CHAT, HANNA[0]),
    "message": lambda app: forget_messages(app, CHAT, [1]),
    "chat": lambda app: forget_chat(app, CHAT),
}


@pytest.mark.parametrize("whose", FORGETTING)
async def test_forgetting_takes_what_answers_were_made_from(laptop, whose):
    app = laptop.runtime.app
    await learnt(laptop, (RULE, TARAS))
    answered = await ask(laptop)
    sought = await preview(app.store, app.policy, await member_meant(app.store, app.clock, CHAT, TARAS[0]))
    assert any("/answers/" in path for path in await find_traces(app.store, app.archive, sought))
    await FORGETTING[whose](app)
    assert await provenance(laptop) == []
    if whose == "speaker":
        assert await find_traces(app.store, app.archive, sought) == []
    assert "Запитайте ще раз" in await why(laptop, answered, OLIA)


async def test_what_another_answer_was_made_from_stays(laptop):
    await learnt(laptop, (RULE, TARAS))
    await ask(laptop)
    await laptop.say("Планую вчити левітацію", *MARKO)
    await laptop.say("ні", *OLIA)
    await forget_member(laptop.runtime.app, CHAT, MARKO[0])
    assert [given.facts[0].quotes[0].quote for given in await provenance(laptop)] == [RULE]


async def test_an_answer_that_was_under_way_while_somebody_was_forgotten_leaves_nothing(laptop):
    app = laptop.runtime.app
    await learnt(laptop, (RULE, TARAS))
    await ask(laptop)
    (document,) = [d async for d in laptop.store.subtree(f"chats/{CHAT}") if "/answers/" in d.path]
    await forget_member(app, CHAT, TARAS[0])
    await laptop.store.set(document.path, {**document.data, "made_at": laptop.clock.now()})
    await retain(laptop)
    assert await provenance(laptop) == []


async def retain(group):
    """The nightly job; what it deleted, by kind."""
    state = await group.runtime.app.chats.state(CHAT, fresh=True)
    return dict((await retain_chat(group.runtime.app, state)).counts)


async def test_a_group_that_becomes_a_supergroup_takes_it_along(laptop):
    app = laptop.runtime.app
    await learnt(laptop, (RULE, TARAS))
    answered = await ask(laptop)
    (before,) = await provenance(laptop)
    await begin_migration(app, CHAT, NEW)
    while await move_chat(app, CHAT, NEW):
        pass
    assert await provenance(laptop) == []
    (after,) = await provenance(laptop, NEW)
    assert after.facts[0].quotes[0].message_id == migrated_message_id(1)
    assert [m.message_id for m in after.messages] == [migrated_message_id(m.message_id) for m in before.messages]
    moved = await laptop.store.get(message_path(NEW, migrated_message_id(answered.message_id)))
    assert await laptop.store.get(answer_path(NEW, moved.data["answer"])) is not None


# --- Failure ---


@pytest.mark.parametrize("after", [False, True], ids=["before", "after"])
async def test_an_answer_that_dies_anywhere_keeps_what_it_was_made_from_once(laptop, after):
    await learnt(laptop, (RULE, TARAS))
    for die_at in range(1, 40):
        update = laptop.says("гряг, які в нас правила?", *HANNA)
        laptop.store.arm(die_at, after=after)
        died = await died_delivering(laptop, update)
        laptop.store.arm(None)
        laptop.clock.advance(timedelta(minutes=5))
        await laptop.deliver(update)
        answers = {m["answer"] for m in await laptop.messages() if m["is_bot"]}
        kept = {d.path async for d in laptop.store.subtree(f"chats/{CHAT}") if "/answers/" in d.path}
        assert {answer_path(CHAT, answer) for answer in answers} <= kept
        if not died:
            return
    raise AssertionError("it never came through")


async def died_delivering(group, update):
    try:
        return await group.deliver(update) != 200
    except Crashed:
        return True
