"""What others retell of a member who was forgotten: it may stay in Telegram, and the memory does not use it."""

import json
from dataclasses import replace
from datetime import timedelta

import pytest

from shared.application.archive.backfill import sift_messages, store_messages
from shared.application.archive.exporting import export_chat
from shared.application.archive.importing import import_chat
from shared.application.bulk import delete_subtree
from shared.application.chats.state import Chats
from shared.application.documents import chat_path, message_path
from shared.application.facts.memory import learn_candidates
from shared.application.forgetting.forget import erase_member, forget_chat, forget_member
from shared.application.forgetting.proof import prove
from shared.application.intake.maintenance import run_job
from shared.application.night.fan_out import NIGHTLY
from shared.application.reading.extraction import extract_chat
from shared.application.recall.cache import IndexCache
from shared.application.recall.search import recall, recent
from shared.domain.conversation.messages import Message
from shared.domain.facts.evidence.claim import Evidence
from shared.domain.facts.fact import Candidate
from tests.support import updates
from tests.support.gemini.server import FakeGemini
from tests.support.group import CHAT, running_group
from tests.support.reading.replies import asks_to_read, reading

YARYNA, TARAS, OLIA, MARKO = (301, "Ярина"), (302, "Тарас"), (303, "Оля"), (304, "Марко")
KATE, BOB = (305, "Kate Fielding"), (306, "Bob")
HERS = ("Мене звати Ярина, я скрипалька", "Я граю в опері", "Я живу в Житомирі")
CANARIES = ("скрипал", "опер", "житомир", "opera")


async def chatter(group, count=12):
    """Talk about something else, enough for a chunk."""
    for number in range(count):
        await group.say(f"Рахунок за воду знову виріс, уже {number} раз", *OLIA)
    await group.settle()


async def yaryna_was_forgotten(group):
    for text in HERS:
        await group.say(text, *YARYNA)
    await chatter(group)
    await forget_member(group.runtime.app, CHAT, YARYNA[0])
    await group.settle()
    group.clock.advance(timedelta(days=2))


async def nights(group):
    for job in NIGHTLY:
        await run_job(group.runtime.app, job, {"chat_id": CHAT})
    await group.settle()


async def derived(group):
    """Everything that the memory made, as text: all documents of the chat but messages, with what the index finds."""
    found = [d async for d in group.store.subtree(chat_path(CHAT)) if d.path.split("/")[2] != "messages"]
    chat = await group.store.get(chat_path(CHAT))
    texts = [json.dumps(d.data, default=repr, ensure_ascii=False) for d in [*found, *([chat] if chat else [])]]
    return [*texts, *await seen(group)]


async def seen(group):
    """What a search and a look at the last messages show, to an instance that holds nothing."""
    app = group.runtime.app
    app = replace(app, chats=Chats(app.store, app.clock), indexes=IndexCache())
    state = await app.chats.state(CHAT)
    asked = {"asker": TARAS[0], "topic": None, "limit": 50, "before": None}
    found = [
        await recall(app, state, text, **asked) for text in ("Ярина", "скрипалька", "Хто грає в опері?", "Житомир")
    ]
    last = await recent(app, state, before=10**9, limit=50, topic=None)
    shown = [hit.message.text for each in found for hit in each.messages] + [m.text for m in last]
    return [*shown, *(hit.note.text for each in found for hit in each.notes)]


def holding(texts, needles=CANARIES):
    return sorted({needle for text in texts for needle in needles if needle in text.casefold()})


RETELLINGS = [
    "Ярина скрипалька, грає в опері",
    "А я бачив Ярину! Досі скрипалька",
    "Подзвоніть Ярині, вона живе в Житомирі",
    "З Яриною були в опері, вона там грає",
    "ярина переїхала з Житомира",
    "Yaryna plays in the opera",
    "Чоловік Ярини теж з Житомира",
]


@pytest.mark.parametrize("text", RETELLINGS)
async def test_a_retelling_after_the_forgetting_is_used_nowhere(laptop, text):
    await yaryna_was_forgotten(laptop)
    said = await laptop.say(text, *TARAS)
    assert holding(await seen(laptop)) == []
    await chatter(laptop)
    await nights(laptop)
    assert holding(await derived(laptop)) == []
    assert await laptop.store.get(message_path(CHAT, said["message"]["message_id"])) is not None


@pytest.mark.parametrize("text", ["ох Ярино ❤️", "Ярина топ", "Бувай, Ярино!"])
async def test_a_farewell_stays_in_the_chat_and_is_neither_found_nor_quoted(laptop, text):
    said = await laptop.say(text, *TARAS)
    await yaryna_was_forgotten(laptop)
    again = await laptop.say(text, *MARKO)
    await laptop.say("Рахунок за світло теж виріс", *TARAS)
    await chatter(laptop)
    await nights(laptop)
    assert holding(await seen(laptop), ("ярин",)) == []
    assert "Рахунок за світло теж виріс" in await seen(laptop)
    for message in (said, again):
        assert await laptop.store.get(message_path(CHAT, message["message"]["message_id"])) is not None


async def test_neither_the_model_nor_the_chat_is_given_a_retelling(sqlite_store):
    async with FakeGemini("test-key") as gemini, running_group(sqlite_store, **gemini.environment) as group:
        gemini.reply_with(lambda _: "- нічого нового")
        await yaryna_was_forgotten(group)
        asked, called = len(gemini.requests), len(group.api.calls)
        said = await group.say(RETELLINGS[0], *TARAS)
        await group.say("Гряг, що ти знаєш про Ярину?", *MARKO)
        await group.say("Гряг, про що там?", *MARKO, reply_to_message=said["message"])
        await chatter(group)
        group.clock.advance(timedelta(hours=3))
        await group.say("Гряг, хто грає в опері?", *MARKO)
        await nights(group)
        for command in ("/gryadrecap 5 днів", "/gryadcontext", "/gryadchatfacts", "/gryadprofile"):
            await group.say(command, *MARKO)
        await group.settle()
        assert len(gemini.requests) > asked + 5
        sent = [repr(request.body) for request in gemini.requests[asked:]]
        shown = [repr(call.params) for call in group.api.calls[called:]]
        for texts in (sent, shown, await derived(group)):
            assert holding(text.casefold().replace("хто грає в опері", "") for text in texts) == []


async def test_a_question_that_retells_is_not_put_to_the_model_and_not_answered_from_memory(sqlite_store):
    async with FakeGemini("test-key") as gemini, running_group(sqlite_store, **gemini.environment) as group:
        gemini.reply_with(lambda _: "Так, Ярина скрипалька.")
        await yaryna_was_forgotten(group)
        asked = len(gemini.requests)
        await group.say("Гряг, а правда, що Ярина скрипалька і грає в опері?", *MARKO)
        assert len(gemini.requests) == asked
        assert group.answers[-1] == "Про це в моїй пам'яті нічого немає."  # by absence, not by tact
        await group.say("/gryadremember Ярина скрипалька", *MARKO)
        await group.settle()
        assert "попросили забути" in group.answers[-1]
        assert holding(await derived(group)) == []


async def test_an_answer_of_the_model_that_retells_is_not_said(sqlite_store):
    async with FakeGemini("test-key") as gemini, running_group(sqlite_store, **gemini.environment) as group:
        gemini.reply_with(lambda _: "Ярина скрипалька, грає в опері")
        await yaryna_was_forgotten(group)
        said = len(group.answers)
        await group.say("Гряг, хто така Ярина?", *MARKO)
        assert len(group.answers) == said + 1
        assert holding(group.answers[said:]) == []


async def test_what_the_bot_is_seen_to_have_said_is_not_used_either(laptop):
    await yaryna_was_forgotten(laptop)
    bot = updates.user(updates.BOT_ID, "Gryag", is_bot=True)
    await laptop.say(RETELLINGS[0], sender=bot)
    await chatter(laptop)
    assert holding(await derived(laptop)) == []


async def test_an_edit_into_a_retelling_takes_back_what_the_message_had_given(laptop):
    await yaryna_was_forgotten(laptop)
    said = await laptop.say("Ярина заходила до нас", *TARAS)
    await chatter(laptop)
    assert holding(await derived(laptop), ["заходила"]) != []
    edited = {**said["message"], "text": "Ярина заходила до нас, вона скрипалька", "edit_date": updates.START + 10**8}
    assert await laptop.deliver({"update_id": 9_000, "edited_message": edited}) == 200
    await laptop.settle()
    await nights(laptop)
    assert holding(await derived(laptop), [*CANARIES, "заходила"]) == []


async def test_a_forwarded_a_quoted_and_a_described_retelling_are_not_used(laptop):
    await yaryna_was_forgotten(laptop)
    marko = {"type": "user", "sender_user": updates.user(*MARKO), "date": updates.START}
    await laptop.say(RETELLINGS[0], *TARAS, forward_origin=marko)
    there = {"origin": marko, "chat": updates.chat(-1_001_000_000_777), "message_id": 3}
    quote = {"text": "Ярина скрипалька", "position": 0}
    await laptop.say("ого", *TARAS, external_reply=there, quote=quote)
    assert "ого" in await seen(laptop)
    photo = [{"file_id": "f", "file_unique_id": "u", "width": 9, "height": 9}]
    await laptop.say(None, *TARAS, caption="Ярина в опері", photo=photo)
    await chatter(laptop)
    assert holding(await derived(laptop)) == []


async def test_an_answer_to_her_erased_message_with_erased_words_is_a_retelling_without_her_name(laptop):
    hers = await laptop.say(HERS[0], *YARYNA)
    await laptop.settle()
    await forget_member(laptop.runtime.app, CHAT, YARYNA[0])
    await laptop.settle()
    await laptop.say("О, скрипалька! Вітаю", *TARAS, reply_to_message=hers["message"])
    await laptop.say("Ого!", *OLIA, reply_to_message=hers["message"], quote={"text": "скрипалька", "position": 0})
    assert holding(await seen(laptop)) == []
    await chatter(laptop)
    assert holding(await derived(laptop)) == []


async def test_what_was_retold_before_the_forgetting_goes_with_her(group):
    laptop = group
    for text in HERS:
        await laptop.say(text, *YARYNA)
    retold = await laptop.say(RETELLINGS[0], *TARAS)
    plain = await laptop.say("Ярина заходила вчора", *TARAS)
    other = await laptop.say("Я живу в Одесі", *MARKO)
    await chatter(laptop)
    await nights(laptop)
    assert {"скрипал", "опер", "житомир"} <= set(holding(await derived(laptop)))
    erased = await erase_member(laptop.runtime.app, CHAT, YARYNA[0])
    assert (await prove(laptop.runtime.app.store, laptop.runtime.app.archive, erased)).left == []
    await laptop.settle()
    await nights(laptop)
    assert holding(await derived(laptop)) == []
    assert await laptop.store.get(message_path(CHAT, retold["message"]["message_id"])) is None
    for kept in (plain, other):
        assert await laptop.store.get(message_path(CHAT, kept["message"]["message_id"])) is not None
    assert ("user:304", "одеса") in {(fact["subject"], fact["value"].casefold()) for fact in await laptop.facts()}
    await laptop.deliver(retold)
    await laptop.settle()
    assert await laptop.store.get(message_path(CHAT, retold["message"]["message_id"])) is None


async def test_she_is_known_by_name_when_all_that_she_said_is_long_gone(laptop):
    said = [await laptop.say(text, *YARYNA) for text in HERS]
    await chatter(laptop)
    for update in said:
        await laptop.store.delete(message_path(CHAT, update["message"]["message_id"]))
    await forget_member(laptop.runtime.app, CHAT, YARYNA[0])
    await laptop.settle()
    await laptop.say("Ярина живе в Житомирі", *TARAS)
    assert holding(await seen(laptop), ["житомир"]) == []


async def test_a_fact_that_retells_her_goes_when_its_message_is_long_gone(laptop):
    app = laptop.runtime.app
    for text in HERS:
        await laptop.say(text, *YARYNA)
    said = await laptop.say("Нагадую: Ярина скрипалька, грає в опері, не турбувати!", 102, "Олег")
    quote = Evidence(laptop.clock.now(), said["message"]["message_id"], 102, "Ярина скрипалька, грає в опері")
    candidate = Candidate("chat", "shared_knowledge", "violinist", "скрипалька", "Ярина грає в опері", 0.9, (quote,))
    assert await learn_candidates(app, CHAT, [candidate]) != []
    await laptop.settle()
    await laptop.store.delete(message_path(CHAT, said["message"]["message_id"]))
    erased = await erase_member(app, CHAT, YARYNA[0])
    assert (await prove(app.store, app.archive, erased)).left == []
    assert [fact for fact in await laptop.facts() if holding([repr(fact)])] == []


async def test_a_fact_is_not_learnt_that_only_the_model_puts_together(laptop):
    await yaryna_was_forgotten(laptop)
    app = laptop.runtime.app
    said = await laptop.say("Знайома з гуртка, тільки це між нами", *TARAS)
    quote = Evidence(laptop.clock.now(), said["message"]["message_id"], TARAS[0], "Знайома з гуртка")
    told = ("chat", "shared_knowledge", "friend", "скрипалька")
    assert await learn_candidates(app, CHAT, [Candidate(*told, "Ярина — скрипалька", 0.9, (quote,))]) == []
    assert await learn_candidates(app, CHAT, [Candidate(*told, "Знайома — скрипалька", 0.9, (quote,))]) != []


async def test_what_the_model_puts_together_in_summaries_is_left_out(sqlite_store):
    async with FakeGemini("test-key") as gemini, running_group(sqlite_store, **gemini.environment) as group:
        told = "Говорили про воду", ["Ярина скрипалька", "І про газ"]
        gemini.reply_with(lambda r: reading(r, *told) if asks_to_read(r) else "- Ярина скрипалька\n- І про газ")
        await yaryna_was_forgotten(group)
        await group.say("Ярина заходила вчора", *TARAS)
        await chatter(group)
        await nights(group)
        made = await derived(group)
        assert holding(made) == []
        assert any("Говорили про воду" in text and "І про газ" in text for text in made)


async def test_who_answers_her_erased_message_does_not_bring_her_id_back(laptop):
    hers = await laptop.say(HERS[0], *YARYNA)
    await laptop.settle()
    await forget_member(laptop.runtime.app, CHAT, YARYNA[0])
    await laptop.settle()
    await laptop.say("Ого!", *OLIA, reply_to_message=hers["message"])
    await laptop.settle()
    stored = [d async for d in laptop.store.subtree(chat_path(CHAT))]
    assert [d.path for d in stored if str(YARYNA[0]) in repr(d.data.get("origin_ids"))] == []
    new = await laptop.say("А я знову тут", *YARYNA)
    await laptop.say("Вітаю!", *OLIA, reply_to_message=new["message"])
    (answer,) = [message for message in await laptop.messages() if message["text"] == "Вітаю!"]
    assert answer["origin_ids"] == [YARYNA[0]]


async def test_reading_everything_again_does_not_bring_a_retelling_back(laptop):
    await yaryna_was_forgotten(laptop)
    said = await laptop.say(RETELLINGS[0], *TARAS)
    await chatter(laptop)
    await laptop.store.update(message_path(CHAT, said["message"]["message_id"]), {"rederive": True})
    async for document in laptop.store.subtree(chat_path(CHAT)):
        if document.path.split("/")[2] in ("chunks", "episodes", "metas"):
            await laptop.store.update(document.path, {"stale": True, "summary": "", "indexed": False})
    await extract_chat(laptop.runtime.app, CHAT)
    await laptop.settle()
    await nights(laptop)
    assert holding(await derived(laptop)) == []


async def test_her_name_alone_and_her_words_alone_are_anybodys(laptop):
    await yaryna_was_forgotten(laptop)
    await laptop.say("Привіт Ярині від усіх нас", *TARAS)
    await laptop.say("А моя сестра скрипалька, грає в опері", *MARKO)
    await laptop.say("Я переїхав, тепер живу в Житомирі", *MARKO)
    shown = await seen(laptop)
    assert {"Привіт Ярині від усіх нас", "А моя сестра скрипалька, грає в опері"} <= set(shown)
    await chatter(laptop)
    facts = {(fact["subject"], fact["value"].casefold()) for fact in await laptop.facts()}
    assert ("user:304", "житомир") in facts


async def test_a_member_of_the_same_name_is_not_silenced(laptop):
    await yaryna_was_forgotten(laptop)
    other = 399
    await laptop.say("Усім привіт, я Ярина, вчителька", other, "Ярина Бойко")
    await laptop.say("Я живу в Одесі", other, "Ярина Бойко")
    await laptop.say("Я обожнюю оперу", other, "Ярина Бойко")
    hers = await laptop.say("Моя донька теж скрипалька", other, "Ярина Бойко")
    await chatter(laptop)
    await laptop.say("Ярина завтра веде нас в оперу", *TARAS)
    await laptop.say("Вітаю, скрипалька Ярина!", *TARAS, reply_to_message=hers["message"])
    shown = await seen(laptop)
    assert {"Усім привіт, я Ярина, вчителька", "Моя донька теж скрипалька"} <= set(shown)
    assert {"Ярина завтра веде нас в оперу", "Вітаю, скрипалька Ярина!"} <= set(shown)
    facts = {(fact["subject"], fact["value"].casefold()) for fact in await laptop.facts()}
    assert (f"user:{other}", "одеса") in facts


async def test_beside_a_member_of_the_same_name_what_is_told_of_the_forgotten_one_is_still_left_out(laptop):
    await laptop.say("Я живу в Одесі", 399, "Ярина Бойко")
    await yaryna_was_forgotten(laptop)
    await laptop.say("Та Ярина, що скрипалька, живе в Житомирі", *TARAS)
    assert holding(await seen(laptop)) == []
    await chatter(laptop)
    assert holding(await derived(laptop)) == []


async def test_what_she_says_anew_is_hers_and_may_be_told_again(laptop):
    await yaryna_was_forgotten(laptop)
    await laptop.say("Я знову тут! Я скрипалька", *YARYNA)
    await chatter(laptop)
    await laptop.say("Ярина скрипалька", *TARAS)
    await laptop.say("Ярина живе в Житомирі", *TARAS)
    shown = await seen(laptop)
    assert "Я знову тут! Я скрипалька" in shown
    assert "Ярина скрипалька" in shown
    assert holding(shown, ["житомир"]) == []


async def test_it_holds_in_english_and_by_short_names_and_usernames(laptop):
    kate = {"sender": updates.user(*KATE, username="kate_f")}
    for text in ("I am a violinist", "I live in Brighton", "I am allergic to penicillin"):
        await laptop.say(text, **kate)
    await chatter(laptop)
    await forget_member(laptop.runtime.app, CHAT, KATE[0])
    await laptop.settle()
    canaries = ("violin", "brighton", "penicillin")
    for text in (
        "Katherine is a violinist, you know",
        "Kate's flat in Brighton is lovely",
        "ask @kate_f about penicillin",
        "Mrs Fielding moved out of Brighton",
        "Кейт живе в Brighton, а Kate",
    ):
        await laptop.say(text, *BOB)
    await laptop.say("Kate is here", *BOB)
    await laptop.say("penicillin is a drug", *BOB)
    shown = await seen(laptop)
    assert {"Kate is here", "penicillin is a drug"} <= set(shown)
    assert holding([text for text in shown if text != "penicillin is a drug"], canaries) == []


async def test_a_username_that_resembles_no_name_of_theirs_names_them_too(laptop):
    for text in HERS:
        await laptop.say(text, sender=updates.user(*YARYNA, username="moonfox77"))
    await chatter(laptop)
    await forget_member(laptop.runtime.app, CHAT, YARYNA[0])
    await laptop.settle()
    await laptop.say("@moonfox77 скрипалька, грає в опері", *TARAS)
    await laptop.say("@solarowl скрипалька", *TARAS)
    shown = await seen(laptop)
    assert "@solarowl скрипалька" in shown
    assert not any("moonfox77" in text for text in shown)


async def test_an_instance_that_starts_anew_and_a_chat_that_moved_still_know(laptop):
    await yaryna_was_forgotten(laptop)
    new = CHAT - 5
    laptop.api.add_chat(new, "supergroup", admins={102})
    await laptop.deliver(updates.migration_update(CHAT, new, update_id=8_000))
    await laptop.settle()
    app = laptop.runtime.app
    state = await Chats(app.store, app.clock).state(new)
    assert state.hearsay
    await laptop.say(RETELLINGS[0], *TARAS, chat=updates.chat(new))
    last = await recent(app, state, before=10**9, limit=50, topic=None)
    assert holding(m.text for m in last) == []


async def test_a_restored_archive_and_an_imported_export_bring_no_retelling_back(laptop):
    await yaryna_was_forgotten(laptop)
    app = laptop.runtime.app
    await laptop.say(RETELLINGS[0], *TARAS)
    await chatter(laptop)
    content = b"".join([part async for part in export_chat(app.store, app.clock, CHAT)])
    await delete_subtree(laptop.store, chat_path(CHAT))
    await laptop.store.delete(chat_path(CHAT))

    async def source():
        yield content

    assert (await import_chat(app, source)).written > 10
    state = await app.chats.state(CHAT, fresh=True)
    at = laptop.clock.now() - timedelta(hours=1)
    old = [Message(CHAT, -900 + n, at, OLIA[0], OLIA[1], text=text) for n, text in enumerate(RETELLINGS)]
    sifted = await sift_messages(app, CHAT, old, since=at - timedelta(days=1))
    assert (await store_messages(app, state, sifted.new)).created == len(RETELLINGS)
    async for document in laptop.store.subtree(chat_path(CHAT)):
        if document.path.split("/")[2] in ("chunks", "episodes", "metas"):
            await laptop.store.update(document.path, {"indexed": False})
    await chatter(laptop)
    await nights(laptop)
    assert holding(await derived(laptop)) == []


async def test_a_chat_that_is_forgotten_whole_does_not_learn_of_her_anew(laptop):
    await yaryna_was_forgotten(laptop)
    await forget_chat(laptop.runtime.app, CHAT)
    laptop.clock.advance(timedelta(minutes=5))
    await laptop.say(RETELLINGS[0], *TARAS)
    await chatter(laptop)
    assert holding(await derived(laptop)) == []


async def test_nothing_of_her_can_be_read_in_what_is_kept(laptop):
    await yaryna_was_forgotten(laptop)
    chat = await laptop.store.get(chat_path(CHAT))
    kept = json.dumps(chat.data["hearsay"], default=repr, ensure_ascii=False).casefold()
    assert holding([kept], [*CANARIES, "ярин", "iarin", str(YARYNA[0])]) == []
    assert len(kept) < 8_000


async def test_where_nobody_was_forgotten_an_ordinary_message_costs_what_it_did(laptop):
    await laptop.say("Привіт", *TARAS)
    before = replace(laptop.store.usage)
    await laptop.say("Ярина скрипалька", *TARAS)
    usual = laptop.store.usage.reads - before.reads, laptop.store.usage.writes - before.writes
    await yaryna_was_forgotten(laptop)
    await laptop.say("Привіт", *TARAS)
    before = replace(laptop.store.usage)
    await laptop.say("Ярина скрипалька", *TARAS)
    assert (laptop.store.usage.reads - before.reads, laptop.store.usage.writes - before.writes) == usual
