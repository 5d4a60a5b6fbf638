"""Private chats store no facts, and of members who opted out nothing is used, wherever it was said."""

import copy
import json
from dataclasses import replace
from datetime import timedelta

import pytest

from shared.application.documents import chunks_path
from shared.application.reading.extraction import extract_chat
from tests.support.gemini.server import FakeGemini
from tests.support.group import CHAT, running_group
from tests.support.reading.replies import asks_to_read, reading

ADMIN = (102, "Тарас")
RULE = "Нагадую: ніякої політики в чаті!"


async def set_private(group, private):
    await group.runtime.app.chats.change(CHAT, {"private_mode": private})


async def chunks(group):
    return await group.store.query(chunks_path(CHAT))


async def opt_out(group, *members):
    await group.runtime.app.chats.change(CHAT, {"opted_out": list(members)})


async def test_a_private_chat_keeps_its_talk_for_answers_and_stores_no_facts_and_no_chunks(group):
    await group.say("Добрий вечір", 101, "Оля")
    await set_private(group, True)
    await group.say(RULE, *ADMIN)
    await group.say("Я живу у Львові", 104, "Ганна")
    await group.settle()
    assert await group.facts() == []
    assert await chunks(group) == []
    assert [m["chunk"] for m in await group.messages()] == ["private"] * 3
    await group.say("гряг, що я казала про Львові?", 104, "Ганна")
    assert "Я живу у Львові" in group.answers[-1]


async def test_what_was_said_in_private_is_not_learnt_later_but_what_follows_is(group):
    await group.say("Добрий вечір", 101, "Оля")
    await set_private(group, True)
    await group.say(RULE, *ADMIN)
    await set_private(group, False)  # before any worker ran
    await group.say("Нагадую: без спойлерів у чаті!", *ADMIN)
    await group.settle()
    assert [f["value"] for f in await group.facts()] == ["spoilers"]
    (chunk,) = await chunks(group)
    assert "політики" not in chunk.data["summary"]


async def test_a_message_stored_before_the_chat_became_private_is_not_extracted_any_more(group):
    await group.say(RULE, *ADMIN)
    await set_private(group, True)
    await extract_chat(group.runtime.app, CHAT)  # at once, however long the chat has been silent
    await set_private(group, False)
    await group.settle()
    assert await group.facts() == []


async def test_support_given_in_public_does_not_make_a_private_proposal_known(group):
    await group.say("Добрий вечір", 105, "Ліна")
    await group.settle()
    await set_private(group, True)
    await group.say("Хлопці, давайте більше українською спілкуватися", 101, "Оля")
    await set_private(group, False)
    await group.say("Підтримую!", 103, "Марко")
    await group.say("+1, українська краща", 104, "Ганна")
    await group.settle()
    quoted = [quote["message_id"] for fact in await group.facts() for quote in fact["evidence"]]
    assert 2 not in quoted


async def test_an_edit_made_in_private_takes_back_the_fact_and_teaches_nothing_ever(group):
    update = await group.say(RULE, *ADMIN)
    await group.settle()
    await set_private(group, True)
    edit = copy.deepcopy(update)
    edit["edited_message"] = edit.pop("message") | {"text": "Нагадую: без спойлерів!", "edit_date": 1_800_000_000}
    edit["update_id"] = 900
    assert await group.deliver(edit) == 200
    await group.settle()
    await set_private(group, False)
    await group.settle()
    assert {f["value"]: f["status"] for f in await group.facts()} == {"politics": "deprecated"}


@pytest.mark.parametrize(("own", "learnt"), [(None, []), (False, ["politics"]), (True, [])])
async def test_a_chats_own_choice_goes_before_the_default(group, own, learnt):
    await group.say(RULE, *ADMIN)
    await set_private(group, own)
    app = group.runtime.app
    group.clock.advance(timedelta(hours=1))
    await extract_chat(replace(app, policy=app.policy._replace(private_mode=True)), CHAT)
    assert [f["value"] for f in await group.facts()] == learnt


async def test_a_member_who_opted_out_after_speaking_is_neither_author_nor_witness(group):
    await group.say("Я живу у Львові", 104, "Ганна")
    await group.say("Хлопці, давайте більше українською спілкуватися", 101, "Оля")
    await group.say("Підтримую!", 103, "Марко")
    await group.say("+1, українська краща", 104, "Ганна")
    await group.say("Я живу у Полтаві", 103, "Марко")
    await opt_out(group, 104)
    await group.settle()
    facts = await group.facts()
    assert [f["value"] for f in facts if f["subject"].startswith("user:")]
    assert all(f["subject"] != "user:104" for f in facts)
    assert all(quote["user_id"] != 104 for f in facts for quote in f["evidence"])
    (chunk,) = await chunks(group)
    assert "Львові" not in chunk.data["summary"] + chunk.data["episodic"]
    assert [m["chunk"] for m in await group.messages()] == [chunk.id] * 5


async def test_an_admin_who_opted_out_announces_no_rule(group):
    await group.say(RULE, *ADMIN)
    await opt_out(group, 102)
    await group.settle()
    assert await group.facts() == []


async def flood_of_emoji(group):
    """Fifty messages full of emoji by four members: the sample of the fifth chunk."""
    for i in range(50):
        await group.say(f"🎉🎉🎉🔥 клас номер {i}", 101 + i % 4)


async def test_statistics_count_the_members_who_stay(sqlite_store):
    async with running_group(sqlite_store) as group:
        await flood_of_emoji(group)
        await opt_out(group, 101)
        await group.settle()
        facts = [f for f in await group.facts() if f["key"] == "emoji_usage"]
        assert facts
        assert all(quote["user_id"] != 101 for f in facts for quote in f["evidence"])


async def test_statistics_of_two_who_stay_are_no_statistics(sqlite_store):
    async with running_group(sqlite_store) as group:
        await flood_of_emoji(group)
        await opt_out(group, 101, 102)
        await group.settle()
        assert [f for f in await group.facts() if f["key"] == "emoji_usage"] == []


@pytest.fixture
async def gemini():
    async with FakeGemini("test-key") as server:
        server.reply_with(lambda r: reading(r, "- підсумок розмови") if asks_to_read(r) else "- підсумок розмови")
        yield server


@pytest.fixture
async def modelled(sqlite_store, gemini):
    async with running_group(sqlite_store, **gemini.environment) as running:
        yield running


async def test_the_model_is_shown_nothing_of_those_who_opted_out(modelled, gemini):
    await modelled.say("Мій кіт Мурчик хворіє", 104, "Ганна")
    await modelled.say("Співчуваю", 101, "Оля")
    await opt_out(modelled, 104)
    await modelled.settle()
    prompts = [request.prompt for request in gemini.requests if request.method == "generateContent"]
    assert len(prompts) == 1
    assert all("Співчуваю" in prompt and "Мурчик" not in prompt and "Ганна" not in prompt for prompt in prompts)


async def test_the_model_is_not_asked_about_a_private_chat_nor_shown_its_talk_later(modelled, gemini):
    await modelled.say("Добрий вечір", 101, "Оля")
    await set_private(modelled, True)
    await modelled.say("Я живу у Львові", 104, "Ганна")
    await modelled.settle()
    assert gemini.requests == []
    await set_private(modelled, False)
    await modelled.say("А я в Києві", 103, "Марко")
    await modelled.settle()
    assert gemini.requests
    assert all("Львові" not in json.dumps(request.body, ensure_ascii=False) for request in gemini.requests)


async def test_a_chunk_that_waits_for_the_model_waits_until_the_chat_is_private_no_more(modelled, gemini):
    gemini.fail_next(503, times=60)
    await modelled.say("Я люблю каву", 104, "Ганна")
    modelled.clock.advance(timedelta(hours=1))
    await extract_chat(modelled.runtime.app, CHAT)
    gemini.recover()
    asked = len(gemini.requests)
    await set_private(modelled, True)
    await extract_chat(modelled.runtime.app, CHAT)
    assert len(gemini.requests) == asked
    await set_private(modelled, False)
    await extract_chat(modelled.runtime.app, CHAT)
    (chunk,) = await chunks(modelled)
    assert not chunk.data["model_pending"]


@pytest.mark.parametrize("change", [{"private_mode": True}, {"opted_out": [104]}], ids=["private", "opted out"])
async def test_a_choice_made_while_the_model_was_thinking_holds(modelled, gemini, change):
    store = modelled.store

    async def chosen_meanwhile(request):
        await store.upsert(f"chats/{CHAT}", change)

    await modelled.say("Я живу у Львові", 104, "Ганна")
    modelled.clock.advance(timedelta(hours=1))
    embed = modelled.runtime.app.embedder.embed

    class SlowEmbedder:
        name = modelled.runtime.app.embedder.name

        async def embed(self, texts, *, query=False):
            await chosen_meanwhile(texts)
            return await embed(texts, query=query)

    await extract_chat(replace(modelled.runtime.app, embedder=SlowEmbedder()), CHAT)
    assert await modelled.facts() == []
    assert all("Львові" not in chunk.data["summary"] for chunk in await chunks(modelled))
    assert None not in [m["chunk"] for m in await modelled.messages()]
