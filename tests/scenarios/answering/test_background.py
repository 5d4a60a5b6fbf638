"""What an answer is told of the chat: the operator's weights and limits, under the asker's headings."""

import pytest

from shared.application.facts.memory import learn_candidates
from shared.domain.facts.evidence.claim import Evidence
from shared.domain.facts.fact import Candidate
from tests.support.gemini.server import FakeGemini
from tests.support.group import CHAT, running_group

SAID = {"rule": "Домовились: без спаму", "culture": "Мем тижня обирає капібара", "topic": "Знову про каву"}


@pytest.fixture
async def gemini():
    async with FakeGemini("test-key") as server:
        server.reply_with(lambda request: {} if request.schema else "так")
        yield server


async def told(store, gemini, question, **settings):
    """Lines about the chat that the model is given with `question`, when each of `SAID` is believed."""
    async with running_group(store, **gemini.environment, **settings) as group:
        for category, words in SAID.items():
            message_id = (await group.say(words, 101, "Оля"))["message"]["message_id"]
            quotes = (Evidence(group.clock.now(), message_id, 101, words),)
            await learn_candidates(
                group.runtime.app, CHAT, [Candidate("chat", category, "slot", words, words, 0.9, quotes)]
            )
        await group.say(question)
    about_chat = gemini.requests[-1].system.split('<memory about="chat">\n')[1].split("\n</memory>")[0]
    return about_chat.splitlines()


@pytest.mark.parametrize(
    ("question", "headings"),
    [
        ("@gryag_bot what do you know about us?", ("Rules", "Topics", "Culture")),
        ("гряг, що ти про нас знаєш?", ("Правила", "Теми", "Культура")),
    ],
)
async def test_facts_are_told_by_category_in_the_askers_language(sqlite_store, gemini, question, headings):
    by_category = [SAID["rule"], SAID["topic"], SAID["culture"]]
    assert await told(sqlite_store, gemini, question) == [
        f'- {heading}: "{words}" (#{number}, 90%, since 2026-11-06, said by "Оля")'
        for heading, words, number in zip(headings, by_category, (1, 3, 2), strict=True)
    ]


async def test_the_operators_weights_and_limit_decide_what_is_told(sqlite_store, gemini):
    settings = {"CATEGORY_WEIGHTS": "topic=5", "CHAT_FACTS_LIMIT": "1"}
    lines = await told(sqlite_store, gemini, "гряг, що ти про нас знаєш?", **settings)
    assert lines == ['- Теми: "Знову про каву" (#3, 90%, since 2026-11-06, said by "Оля")']


async def test_the_operators_budget_decides_how_much_is_told(sqlite_store, gemini):
    assert await told(sqlite_store, gemini, "гряг, що ти про нас знаєш?", CHAT_FACTS_TOKENS="5") == ["- (nothing yet)"]


@pytest.mark.parametrize(
    ("settings", "character"),
    [
        ({}, "You are an old friend of this group: you remember"),
        ({"BOT_PERSONA": "A stern librarian."}, "A stern librarian."),
    ],
    ids=["nobody described it", "the operator did"],
)
async def test_a_bot_that_nobody_described_has_a_character_all_the_same(sqlite_store, gemini, settings, character):
    async with running_group(sqlite_store, **gemini.environment, **settings) as group:
        await group.say("гряг, хто ти?")
    assert gemini.requests[-1].system.splitlines()[1].startswith(character)
