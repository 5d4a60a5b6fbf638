"""What the asker asks to forget is not believed any more; nothing of others goes."""

from datetime import timedelta

import pytest

from shared.application.answering.tools import forget
from shared.application.facts.memory import learn_candidates
from shared.domain.errors import ToolRefused
from shared.domain.facts.evidence.claim import Evidence
from shared.domain.facts.fact import Candidate
from tests.support.tool_chat import CHAT, OLYA, TARAS


async def believed(chat, description, *, user_id=OLYA, name="Оля", key="likes", subject=None):
    """A fact about a member, from their own words."""
    message = await chat.said(description, user_id, name)
    evidence = (Evidence(message.sent_at, message.message_id, user_id, description),)
    candidate = Candidate(
        subject or f"user:{user_id}", "preference", key, description.casefold(), description, 0.9, evidence
    )
    await learn_candidates(chat.app, CHAT, [candidate])
    return message


@pytest.mark.parametrize(
    ("fact", "text", "query"),
    [
        ("я люблю каву", "гряг, забудь, що я люблю каву", "кава"),
        ("I love coffee", "gryag, forget that I love coffee", "coffee"),
        ("I love coffee", "gryag, forget my coffee thing", "Coffees"),
    ],
)
async def test_what_the_asker_asks_to_forget_is_no_longer_believed(chat, fact, text, query):
    await believed(chat, fact)
    await believed(chat, "я живу в Луцьку", key="location")
    outcome = await chat.run(forget.BINDING, await chat.said(text), {"query": query})
    left = {each["description"]: each["status"] for each in await chat.facts()}
    assert outcome.response == {"dropped": [fact]}
    assert left == {fact: "deprecated", "я живу в Луцьку": "active"}
    assert len(outcome.facts) == 1


async def test_forgetting_twice_says_that_nothing_is_left(chat):
    await believed(chat, "я люблю каву")
    asking = await chat.said("гряг, забудь про каву")
    await chat.run(forget.BINDING, asking, {"query": "кава"})
    assert (await chat.run(forget.BINDING, asking, {"query": "кава"})).response == {"dropped": [], "known": []}


async def test_what_is_said_after_the_request_is_not_forgotten_when_it_comes_late(chat):
    await believed(chat, "я люблю каву")
    asking = await chat.said("гряг, забудь про каву")
    await chat.run(forget.BINDING, asking, {"query": "кава"})
    chat.app.clock.advance(timedelta(seconds=1))
    await believed(chat, "я люблю каву")
    assert (await chat.run(forget.BINDING, asking, {"query": "кава"})).response["dropped"] == []
    assert [fact["status"] for fact in await chat.facts()] == ["active"]


async def test_what_matches_nothing_drops_nothing_and_shows_what_is_known(chat):
    await believed(chat, "я люблю каву")
    outcome = await chat.run(forget.BINDING, await chat.said("гряг, забудь про чай"), {"query": "чай"})
    assert outcome.response == {"dropped": [], "known": ["я люблю каву"]}


async def test_nobody_forgets_what_is_known_of_another_or_of_the_chat(chat):
    await believed(chat, "я люблю каву", user_id=TARAS, name="Тарас")
    await believed(chat, "ми п'ємо каву щоранку", subject="chat")
    asking = await chat.said("гряг, забудь, що Тарас любить каву")
    forged = {"query": "кава", "user_id": TARAS, "subject": "chat", "chat_id": CHAT}
    assert (await chat.run(forget.BINDING, asking, forged)).response == {"dropped": [], "known": []}
    assert {fact["status"] for fact in await chat.facts()} == {"active"}


@pytest.mark.parametrize("query", ["", "і та що", "...", None, 7, "к" * 201])
async def test_a_query_without_a_word_is_refused(chat, query):
    await believed(chat, "я люблю каву")
    with pytest.raises(ToolRefused, match="query"):
        await chat.run(forget.BINDING, await chat.said("гряг, забудь усе"), {"query": query})
    assert [fact["status"] for fact in await chat.facts()] == ["active"]


@pytest.mark.parametrize("text", ["гряг, яку каву я люблю?", "гряг, не забудь, що я люблю каву"])
async def test_without_being_asked_nothing_is_forgotten(chat, text):
    await believed(chat, "я люблю каву")
    with pytest.raises(ToolRefused, match="did not ask"):
        await chat.run(forget.BINDING, await chat.said(text), {"query": "кава"})
    assert [fact["status"] for fact in await chat.facts()] == ["active"]
