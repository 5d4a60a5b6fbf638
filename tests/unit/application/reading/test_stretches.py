"""A model reads a stretch of talk in one call: what it makes of several chunks, of what is known, and when it reads."""

import json
import re
from datetime import timedelta

import pytest

from shared.application.documents import chunks_path
from shared.application.reading.extraction import extract_chat
from tests.support.gemini.server import FakeGemini
from tests.support.group import CHAT, running_group
from tests.support.reading.replies import asks_to_read, reading
from tests.support.reading.talks import Talk

HOME = re.compile(r"^(\d+) (\d+)(?: Ганна)?: я живу у (.+)$", re.MULTILINE)


@pytest.fixture
async def gemini():
    async with FakeGemini("test-key") as server:
        server.reply_with(where_they_live)
        yield server


@pytest.fixture
async def talk(sqlite_store, gemini):
    async with running_group(sqlite_store, **gemini.environment) as group:
        yield Talk(group)


def where_they_live(request):
    """As a model that notes where Hanna lives, and that it replaces what is known of that."""
    if not asks_to_read(request):
        return "Привіт."
    known = re.search(r"^(f\d+) \d+: Ганна живе", request.prompt, re.MULTILINE)
    facts = [
        {
            "about": int(member),
            "message": int(number),
            "quote": f"я живу у {place}",
            "key": "personal_info.location",
            "value": place,
            "text": f"Ганна живе у місті: {place}.",
            "verdict": f"replaces {known[1]}" if known else "new",
            "until": "",
            "confidence": 0.95,
        }
        for number, member, place in HOME.findall(request.prompt)
    ]
    reply = reading(request, "", [], facts)
    for part in reply["parts"]:
        part["summary"] = f"Частина {part['part']}."
    return reply


def asked(gemini):
    return [request for request in gemini.requests if asks_to_read(request)]


async def chatter(talk, count, *, pause=timedelta(seconds=20)):
    for number in range(count):
        await talk.say("Марко", f"рахунок {number} за воду", pause=pause)


async def summaries(talk):
    return [data["summary"] for _, data in sorted((await talk.chunks()).items(), key=lambda each: each[1]["first"])]


async def test_eighty_messages_are_eight_chunks_and_one_call(talk, gemini):
    await chatter(talk, 23)
    await talk.say("Ганна", "я живу у Львові")
    await chatter(talk, 56)
    await talk.extract()
    assert len(asked(gemini)) == 1
    assert await summaries(talk) == [f"Частина {n}." for n in range(1, 9)]
    chunks = {d["chunk"] for d in await talk.group.messages()}
    assert chunks == {f"{first}-{first + 9}" for first in range(1, 80, 10)}
    (fact,) = await talk.group.facts()
    assert (fact["value"], fact["evidence"][0]["message_id"]) == ("львові", 24)


async def test_fewer_wait_for_more_and_are_read_when_they_have_waited_long_enough(sqlite_store, gemini):
    async with running_group(sqlite_store, **gemini.environment, READING_WAIT_SECONDS="172800") as group:
        talk = Talk(group)
        await chatter(talk, 12)
        for hours in (1, 24, 22):
            group.clock.advance(timedelta(hours=hours))
            await extract_chat(group.runtime.app, CHAT)
            assert asked(gemini) == []
        group.clock.advance(timedelta(hours=2))
        await extract_chat(group.runtime.app, CHAT)
        assert len(asked(gemini)) == 1
        assert len(await talk.chunks()) == 2


async def test_a_chat_without_a_model_is_read_ten_messages_at_a_time_however_long_a_model_would_wait(sqlite_store):
    async with running_group(sqlite_store, READING_WAIT_SECONDS="172800") as group:
        talk = Talk(group)
        await chatter(talk, 12)
        await talk.extract()
        assert list(await talk.chunks()) == ["1-10"]
        await talk.extract(after=timedelta(minutes=15))
        assert len(await talk.chunks()) == 2


async def test_a_reply_that_is_cut_off_is_asked_for_in_halves_once(talk, gemini):
    def endless(request):
        whole = json.dumps(where_they_live(request), ensure_ascii=False)
        return whole if whole.count('"part"') < 4 else whole[: len(whole) // 2]

    gemini.reply_with(endless)
    await chatter(talk, 40)
    await talk.extract(after=timedelta(hours=1))
    assert len(asked(gemini)) == 3
    assert await summaries(talk) == ["Частина 1.", "Частина 2.", "Частина 1.", "Частина 2."]


async def test_what_somebody_says_later_replaces_what_is_known_and_the_old_stays_as_history(talk, gemini):
    await talk.say("Ганна", "я живу у Львові")
    await talk.extract(after=timedelta(hours=1))
    await talk.say("Ганна", "я живу у Києві")
    await talk.extract(after=timedelta(hours=1))
    assert re.search(r"^f1 1: Ганна живе у місті: Львові\.$", asked(gemini)[-1].prompt, re.MULTILINE)
    (fact,) = [fact for fact in await talk.group.facts() if fact["status"] == "active"]
    assert (fact["value"], [claim["value"] for claim in fact["others"]]) == ("києві", ["львові"])


async def test_what_patterns_found_while_the_model_was_away_is_told_in_its_words_when_it_is_back(talk, gemini):
    gemini.fail_next(403, times=1_000)
    await talk.say("Ганна", "я живу у Львові")
    await talk.extract(after=timedelta(hours=1))
    (before,) = await talk.group.facts()
    assert before["description"] != "Ганна живе у місті: Львові."
    gemini.recover()
    await talk.extract(after=timedelta(hours=1))
    (after,) = await talk.group.facts()
    assert (after["description"], after["status"]) == ("Ганна живе у місті: Львові.", "active")
    assert [quote["message_id"] for quote in after["evidence"]] == [1]


async def test_an_opted_out_member_of_a_stretch_makes_all_of_its_texts_unusable_until_they_are_made_again(talk):
    await talk.say("Ганна", "я живу у Львові")
    await chatter(talk, 15)
    await talk.extract(after=timedelta(hours=1))
    for document in await talk.group.store.query(chunks_path(CHAT)):
        assert document.data["speakers"] == [103, 104], "the model had the words of both before it"
