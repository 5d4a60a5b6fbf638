"""A model that reads several chunks in one call may retell in one what was said in another: that goes as well."""

from datetime import timedelta

import pytest

from shared.application.documents import chat_path, chunks_path, episodes_path
from shared.application.forgetting.consent import opt_out
from shared.application.forgetting.forget import erase_member, forget_messages
from shared.application.forgetting.proof import preview, prove
from shared.application.forgetting.steps import messages_meant
from shared.application.reading.extraction import extract_chat
from shared.application.reading.rereading import read_anew
from tests.scenarios.forgetting.test_forgetting import opened
from tests.scenarios.forgetting.test_origins import origin
from tests.support.gemini.server import FakeGemini
from tests.support.group import CHAT, running_group
from tests.support.reading.replies import asks_to_read, lines_of, reading

HANNA, TARAS, OLIA = (104, "Ганна"), (102, "Тарас"), (101, "Оля")
SAID = "Я лікуюся у Феофаніївській лікарні від діабету"
RETOLD = "Хтось хворіє на цукрову недугу."
PLAIN = "Говорили про погоду."
FACT = "Я вже рік живу з діабетом"
ANSWER = "Є недуга цукрова, кажуть."


@pytest.fixture
async def modelled(store):
    """A group whose model retells in every chunk of a call what it was shown anywhere in it."""

    def reply(request):
        if asks_to_read(request):
            learnt = [fact(number, member) for number, member, text in lines_of(request.prompt) if text == FACT]
            told = request.prompt.partition(FACT)[2] if learnt else request.prompt
            return reading(request, RETOLD if "діабет" in told else PLAIN, facts=learnt)
        return ANSWER if "недуг" in f"{request.system}{request.prompt}" else "Сонячно."

    async with FakeGemini("test-key") as gemini, running_group(store, **gemini.environment) as group:
        gemini.reply_with(reply)
        group.gemini = gemini
        yield group


def fact(number, member):
    said = {
        "category": "personal_info",
        "key": "health",
        "value": "діабет",
        "content": "Живе з діабетом",
        "quote": FACT,
    }
    return said | {"about": member, "message": number, "confidence": 0.9, "type": "fact", "verdict": "new"}


async def talked(group, said=SAID, by=HANNA, *, place=14, **fields):
    """Three chunks of one call, with the words in the second, or at another place."""
    for number in range(30):
        text, who = (said, by) if number == place else (f"слово номер {number}", TARAS)
        await group.say(text, *who, **(fields if number == place else {}))
    await group.settle()


async def forwarded_later(group):
    """She is forwarded in a call that shows nothing else of hers."""
    for who in (HANNA, *[TARAS] * 19):
        await group.say(SAID if who is HANNA else "гаразд", *who)
    await group.settle()
    group.clock.advance(timedelta(hours=5))
    await talked(group, by=TARAS, forward_origin=origin("user"))


async def summaries(group, *collections):
    """What chunks, or notes of these collections, tell, in their order."""
    found = [d for name in collections or ("chunks",) for d in await group.store.query(f"{chat_path(CHAT)}/{name}")]
    return [d.data["summary"] for d in sorted(found, key=lambda d: d.data["first"])]


def are_excerpts(told, many):
    """Whether so many summaries tell what is left of their messages, and nothing in the model's words."""
    return len(told) == many and all(told) and not any(words in each for each in told for words in (RETOLD, PLAIN))


async def holding(group, *words):
    """Kinds of documents in which one of these stands; segments of the index are opened."""
    return {
        document.path.split("/")[2]
        async for document in group.store.subtree(chat_path(CHAT))
        if any(word in opened(document) for word in words)
    }


async def test_every_chunk_and_episode_of_the_call_is_emptied_and_made_of_excerpts_for_a_single_message(modelled):
    app = modelled.runtime.app
    await talked(modelled)
    assert await summaries(modelled, "chunks", "episodes") == [RETOLD] * 4
    sought = await preview(app.store, app.policy, await messages_meant(app.store, app.clock, CHAT, [15]))
    left = set((await prove(app.store, app.archive, sought)).left)
    assert {path for path in left if "/chunks/" in path or "/episodes/" in path} == {
        *(document.path for document in await modelled.store.query(chunks_path(CHAT))),
        *(document.path for document in await modelled.store.query(episodes_path(CHAT))),
    }
    counts = await forget_messages(app, CHAT, [15])
    assert counts["notes"] == 4
    assert await holding(modelled, "недуг") == set()
    assert (await prove(app.store, app.archive, sought)).left == []
    await modelled.settle()
    assert are_excerpts(await summaries(modelled), 3)
    assert await holding(modelled, "недуг") == set()
    assert (await prove(app.store, app.archive, sought)).left == []


async def test_what_a_later_call_read_again_beside_the_words_is_emptied_with_them(modelled):
    app = modelled.runtime.app
    for said in (SAID, "Сьогодні тихо", "Сьогодні мороз"):
        await modelled.say(said, *HANNA)
        for number in range(9):
            await modelled.say(f"слово номер {number}", *TARAS)
        await modelled.settle()
        modelled.clock.advance(timedelta(hours=3))
    assert await summaries(modelled) == [RETOLD, PLAIN, PLAIN]
    await read_anew(app.store, CHAT, after=0, last=30, most=3)
    await extract_chat(app, CHAT)
    assert await summaries(modelled) == [RETOLD, RETOLD, RETOLD]
    await forget_messages(app, CHAT, [1])
    assert await summaries(modelled) == ["", "", ""]
    await modelled.settle()
    assert are_excerpts(await summaries(modelled), 3)


async def test_a_text_that_stays_when_it_is_read_again_goes_with_what_it_was_first_made_with(modelled):
    app = modelled.runtime.app
    await talked(modelled, by=TARAS, place=3)
    modelled.gemini.reply_with(lambda request: reading(request) if asks_to_read(request) else ANSWER)
    await read_anew(app.store, CHAT, after=20, last=30, most=1)
    await extract_chat(app, CHAT)
    assert await summaries(modelled) == [RETOLD] * 3
    await forget_messages(app, CHAT, [4])
    assert await summaries(modelled) == [""] * 3


async def test_what_was_written_with_a_fact_of_the_words_in_view_goes_however_much_later(modelled):
    app = modelled.runtime.app
    await talked(modelled, FACT, TARAS)
    modelled.clock.advance(timedelta(days=3))
    await modelled.say("Сьогодні тихо", *OLIA)
    await talked(modelled, "слово номер 14", TARAS)
    assert await summaries(modelled) == [PLAIN] * 3 + [RETOLD] * 4
    await forget_messages(app, CHAT, [15])
    assert await holding(modelled, "недуг", "діабет") == set()


async def test_an_answer_that_was_given_a_chunk_of_the_call_goes_as_well(modelled):
    app = modelled.runtime.app
    await talked(modelled)
    modelled.clock.advance(timedelta(days=1))
    await modelled.say("Гряг, що там було про слово номер 27?", *OLIA)
    (answer,) = await modelled.store.query(f"{chat_path(CHAT)}/answers")
    given = {note["id"] for note in answer.data["notes"]}
    assert "21-30" in given
    await modelled.store.update(answer.path, {"notes": [{"kind": "chunk", "id": "21-30"}], "messages": []})
    assert [m["text"] for m in await modelled.messages() if m["is_bot"]] == [ANSWER]
    await forget_messages(app, CHAT, [15])
    assert [m["text"] for m in await modelled.messages() if m["is_bot"]] == []
    assert await holding(modelled, "недуг") == set()


async def test_a_member_is_erased_from_every_chunk_of_the_call(modelled):
    app = modelled.runtime.app
    await talked(modelled)
    erased = await erase_member(app, CHAT, HANNA[0])
    assert await holding(modelled, "недуг", "діабет") == set()
    assert (await prove(app.store, app.archive, erased)).left == []
    await modelled.settle()
    assert are_excerpts(await summaries(modelled), 3)


async def test_no_chunk_of_the_call_is_told_once_its_member_has_opted_out(modelled):
    await talked(modelled)
    await opt_out(modelled.runtime.app, CHAT, HANNA[0])
    await modelled.settle()
    await modelled.say("Гряг, що там було про слово номер 27?", *OLIA)
    assert [m["text"] for m in await modelled.messages() if m["is_bot"]] == ["Сонячно."]


async def test_a_member_who_is_erased_is_retold_in_no_chunk_of_a_call_in_which_they_were_forwarded(modelled):
    app = modelled.runtime.app
    await forwarded_later(modelled)
    assert await summaries(modelled) == [RETOLD] * 5
    erased = await erase_member(app, CHAT, HANNA[0])
    assert await holding(modelled, "недуг", "діабет") == set()
    assert (await prove(app.store, app.archive, erased)).left == []
    await modelled.settle()
    assert are_excerpts(await summaries(modelled), 5)


async def test_who_opts_out_is_retold_in_no_chunk_of_a_call_in_which_they_were_forwarded(modelled):
    await forwarded_later(modelled)
    await opt_out(modelled.runtime.app, CHAT, HANNA[0])
    await modelled.settle()
    hidden, left = (await summaries(modelled))[:2], (await summaries(modelled))[2:]
    assert hidden == [RETOLD] * 2  # she may come back
    assert are_excerpts(left, 3)
