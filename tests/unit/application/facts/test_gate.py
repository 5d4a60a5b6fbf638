"""The gate for what somebody tells the bot to keep."""

import pytest

from shared.application.chats.chat_codec import ChatState
from shared.application.facts.gate import member_names, obstacle
from shared.application.facts.statements import Obstacle, in_own_words
from tests.support.group import CHAT, running_group
from tests.support.talk import said


@pytest.fixture
async def group(sqlite_store):
    async with running_group(sqlite_store) as running:
        yield running


async def test_members_are_known_by_every_name_that_they_had(group):
    await group.say("привіт")
    await group.store.upsert(
        f"chats/{CHAT}/members/555", {"name": "Марта", "usernames_seen": ["marta"], "last_seen_at": 1}
    )
    names = await member_names(group.store, ChatState(CHAT))
    assert names[555] == ["Марта", "marta"]


@pytest.mark.parametrize(
    ("words", "quote", "reason"),
    [
        ("I live in Lutsk", "I live in Lutsk", None),
        ("Sam said: I live in Lutsk", "I live in Lutsk", Obstacle.ANOTHERS_VOICE),
        ("Марта живе в Луцьку", "Марта живе в Луцьку", Obstacle.ANOTHER_MEMBER),
    ],
)
async def test_only_a_members_own_words_about_nobody_else_pass(group, words, quote, reason):
    app = group.runtime.app
    message = said(words)
    found = await obstacle(
        app.store, app.policy, ChatState(CHAT), message, in_own_words(message, quote), names={555: ["Марта"]}
    )
    assert found is reason
