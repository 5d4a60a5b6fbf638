"""What the bot itself said with a member's words or facts in view goes with them, in whatever words it put them."""

from datetime import timedelta

import pytest

from shared.application.documents import chat_path
from shared.application.forgetting.forget import erase_member
from shared.application.forgetting.proof import preview, prove
from shared.application.forgetting.steps import member_meant
from shared.application.intake.maintenance import run_job
from shared.application.night.fan_out import NIGHTLY
from shared.application.reading.extraction import extract_chat
from tests.scenarios.forgetting.test_forgetting import opened
from tests.support.forgetting.proving import find_traces
from tests.support.gemini.server import FakeGemini
from tests.support.group import CHAT, running_group

HANNA, TARAS, MARKO, OLIA = (104, "Ганна"), (103, "Тарас"), (105, "Марко"), (101, "Оля")
RETOLD = "Котики є в однієї пані, лікується вона у Феофанії."
PLAIN = "Сьогодні сонячно."


@pytest.fixture
async def modelled(store):
    """A group whose model retells her in other words, asked who has pets, and once more when asked again."""

    def reply(request):
        asked = request.prompt.rpartition("[now]")[0].rstrip().rpartition("\n")[2]
        if request.schema is not None:
            return {"facts": []}
        if "with a good memory" not in request.system:
            return "- нічого нового"
        return RETOLD if "тварин" in asked or ("повтори" in asked and RETOLD[:20] in request.prompt) else PLAIN

    async with FakeGemini("test-key") as gemini, running_group(store, **gemini.environment) as group:
        gemini.reply_with(reply)
        group.gemini = gemini
        yield group


async def talked(group):
    await group.say("У мене двоє котів", *HANNA)
    await group.say("Я лікуюся у Феофаніївській лікарні від діабету", *HANNA)
    for number in range(8):
        await group.say(f"слово номер {number}", *TARAS)
    await group.settle()


async def holding(group, *words):
    """Paths of documents in which one of these stands; segments of the index are opened."""
    return {
        document.path
        async for document in group.store.subtree(chat_path(CHAT))
        if any(word in opened(document) for word in words)
    }


async def own_texts(group):
    return [message["text"] for message in await group.messages() if message["is_bot"]]


async def test_an_answer_that_retells_in_other_words_goes_with_all_that_was_made_of_it(modelled):
    group, app = modelled, modelled.runtime.app
    await talked(group)
    await group.say("Гряг, хто має тварин?", *TARAS)
    assert await own_texts(group) == [RETOLD]
    for number in range(12):
        await group.say(f"Інша розмова {number}", *TARAS)
    await group.settle()
    for job in NIGHTLY:
        await run_job(app, job, {"chat_id": CHAT})
    await group.settle()
    sought = await preview(app.store, app.policy, await member_meant(app.store, app.clock, CHAT, HANNA[0]))
    retelling = {path for path in await holding(group, "Котики", "Феофані") if "/messages/" in path}
    assert retelling & set(await find_traces(app.store, app.archive, sought))
    erased = await erase_member(app, CHAT, HANNA[0])
    assert (await prove(app.store, app.archive, erased)).left == []
    assert await holding(group, "Котики", "Феофані", "Ганна") == set()
    await group.settle()
    await extract_chat(app, CHAT)
    assert await holding(group, "Котики", "Феофані", "Ганна") == set()
    await group.say("Гряг, нагадай", *MARKO)
    assert not any(word in group.gemini.requests[-1].prompt for word in ("Котики", "Феофан", "Ганна"))
    assert "Гряг, хто має тварин?" in group.gemini.requests[-1].prompt
    assert (await prove(app.store, app.archive, erased)).left == []


async def test_the_proof_finds_by_where_it_came_from_what_no_word_gives_away(modelled):
    group, app = modelled, modelled.runtime.app
    await talked(group)
    await group.say("Гряг, хто має тварин?", *TARAS)
    (said,) = [message for message in await group.messages() if message["is_bot"]]
    path = f"{chat_path(CHAT)}/messages/{said['message_id']}"
    kept = await group.store.get(path)
    given = await group.store.get(f"{chat_path(CHAT)}/answers/{said['answer']}")
    erased = await erase_member(app, CHAT, HANNA[0])
    assert (await prove(app.store, app.archive, erased)).left == []
    await group.store.set(path, kept.data)
    assert (await prove(app.store, app.archive, erased)).left == [path]
    await group.store.set(given.path, {**given.data, "messages": [], "facts": []})
    assert {path, given.path} <= set((await prove(app.store, app.archive, erased)).left)


async def test_an_answer_to_which_the_member_gave_nothing_stays(modelled):
    group, app = modelled, modelled.runtime.app
    await group.say("Гряг, яка погода?", *TARAS)
    group.clock.advance(timedelta(minutes=5))
    await talked(group)
    await erase_member(app, CHAT, HANNA[0])
    assert await own_texts(group) == [PLAIN]
    assert len(await group.store.query(f"{chat_path(CHAT)}/answers")) == 1


async def test_an_answer_that_was_given_an_answer_that_goes_goes_too(modelled):
    group, app = modelled, modelled.runtime.app
    await talked(group)
    await group.say("Гряг, хто має тварин?", *TARAS)
    for number in range(40):  # her own words are out of sight
        await group.say(f"Інша розмова {number}", *TARAS)
    answer = {"reply_to_message": group.api.chats[CHAT].message(group.api.sent[-1], group.api.bot)}
    await group.say("Гряг, повтори", *MARKO, **answer)
    assert await own_texts(group) == [RETOLD, RETOLD]
    erased = await erase_member(app, CHAT, HANNA[0])
    assert await own_texts(group) == []
    assert (await prove(app.store, app.archive, erased)).left == []


async def test_who_opts_out_is_retold_no_more_and_keeps_what_they_were_told(modelled):
    group = modelled
    await talked(group)
    await group.say("Гряг, хто має тварин?", *TARAS)
    await group.say("/gryadoptout", *HANNA)
    assert "не зберігаю ваших слів" in group.answers[-1]
    told = group.answers[-1]
    await group.settle()
    assert await own_texts(group) == [told]
    assert await group.store.query(f"{chat_path(CHAT)}/answers") == []
    await group.say("Гряг, нагадай", *MARKO)
    assert not any(word in group.gemini.requests[-1].prompt for word in ("Котики", "Феофан", "Ганна"))


# --- in Telegram itself ------------------------------------------------------------------------------


async def test_in_telegram_it_is_deleted_too_but_for_what_tells_how_it_goes(modelled):
    group = modelled
    await talked(group)
    await group.say("Гряг, хто має тварин?", *TARAS)
    retelling = group.api.sent[-1].message_id
    await group.say("/gryadforgetme", *HANNA)
    question = group.api.sent[-1].message_id
    await group.press("Так, стерти", *HANNA)
    await group.settle()
    shown = group.api.chats[CHAT].own
    assert retelling not in shown
    assert "про вас тут нічого не лишилося" in shown[question].text
    assert "Telegram ще показує" not in shown[question].text


async def test_of_what_is_too_old_for_that_the_member_is_told(modelled):
    group = modelled
    await talked(group)
    await group.say("Гряг, хто має тварин?", *TARAS)
    retelling = group.api.sent[-1].message_id
    group.clock.advance(timedelta(hours=48))
    await group.say("/gryadforgetme", *HANNA)
    question = group.api.sent[-1].message_id
    await group.press("Так, стерти", *HANNA)
    await group.settle()
    shown = group.api.chats[CHAT].own
    assert "Telegram ще показує: 1." in shown[question].text
    assert retelling in shown
    assert await own_texts(group) == []


# --- without a model --------------------------------------------------------------------------------


async def test_a_display_name_of_common_words_takes_nothing_of_the_bots(laptop):
    await laptop.say("Нагадую: ніякої політики в чаті!", 102, "Оля")
    await laptop.settle()
    for _ in range(3):
        await laptop.say("Гряг, які в нас правила?", *TARAS)
    await laptop.say("/gryadchatfacts", *TARAS)
    await laptop.settle()
    before, given = await own_texts(laptop), await laptop.store.query(f"{chat_path(CHAT)}/answers")
    for number, name in enumerate(("Ось що пам'ятаю", "Правила", "політики", "Я")):
        await laptop.say("ок", 205 + number, name)
        await erase_member(laptop.runtime.app, CHAT, 205 + number)
    assert await own_texts(laptop) == before
    assert await laptop.store.query(f"{chat_path(CHAT)}/answers") == given


async def test_whatever_shows_a_members_words_or_facts_goes_with_them_and_nothing_else(laptop):
    app = laptop.runtime.app
    await laptop.say("Я живу у Житомирі", *HANNA)
    await laptop.say("Нагадую: ніякої політики в чаті!", 102, "Оля")
    await laptop.settle()
    await laptop.say("/gryadfacts Ганна", *TARAS)
    await laptop.press("1", *TARAS)
    await laptop.say("/gryadrecap 2 дні", *TARAS)
    shown = [text for text in await own_texts(laptop) if "Житомир" in text]
    assert len(shown) == 2
    await laptop.say("/gryadhelp", *TARAS)
    await laptop.say("/gryadchatfacts", *TARAS)
    kept = (await own_texts(laptop))[-2:]
    await erase_member(app, CHAT, HANNA[0])
    assert [text for text in await own_texts(laptop) if text in shown] == []
    assert (await own_texts(laptop))[-2:] == kept


async def test_a_message_that_a_press_made_show_them_is_theirs_from_then_on(laptop):
    await laptop.say("Я живу у Житомирі", *HANNA)
    await laptop.say("Нагадую: ніякої політики в чаті!", 102, "Оля")
    await laptop.settle()
    await laptop.say("/gryadchatfacts", *TARAS)
    listed = laptop.api.sent[-1].message_id
    people = (await laptop.store.get(f"{chat_path(CHAT)}/messages/{listed}")).data["people"]
    assert people == [102]
    await laptop.say("/gryadfacts Ганна", *TARAS)
    facts = laptop.api.sent[-1].message_id
    assert (await laptop.store.get(f"{chat_path(CHAT)}/messages/{facts}")).data["people"] == [104]
