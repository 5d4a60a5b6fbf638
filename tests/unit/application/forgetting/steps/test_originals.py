"""Reactions, and what is counted of a member, go with their messages."""

from dataclasses import replace

import pytest

from shared.application.documents import (
    chat_path,
    learning_path,
    message_path,
    profile_path,
)
from shared.application.facts.codec import fact_to_fields
from shared.application.forgetting.forget import forget_member
from tests.support.builders import candidate, evidence
from tests.support.exports import NOW
from tests.support.forgetting.facts_told import believed
from tests.support.forgetting.small_group import BOT, CHAT, HANNA, HOUR, TARAS, begun, put


async def test_reactions_of_who_is_forgotten_go_from_what_stays_and_later_ones_do_not(app, sqlite_store):
    await begun(sqlite_store)
    await put(sqlite_store, 1)
    reacted = {str(HANNA): {"at": NOW - HOUR, "emojis": ["x"]}, str(TARAS): {"at": NOW, "emojis": ["y"]}}
    fields = {"reacted": reacted, "reacted_by": [HANNA, TARAS]}
    await put(sqlite_store, 8, "nothing", user_id=BOT, is_bot=True, fields=fields)
    later = {"reacted": {str(HANNA): {"at": NOW + HOUR}}, "reacted_by": [HANNA]}
    await put(sqlite_store, 9, "nothing", user_id=BOT, is_bot=True, fields=later)
    await forget_member(app, CHAT, HANNA)
    first, second = await sqlite_store.get_many([message_path(CHAT, 8), message_path(CHAT, 9)])
    assert (set(first.data["reacted"]), first.data["reacted_by"]) == ({str(TARAS)}, [TARAS])
    assert second.data["reacted_by"] == [HANNA]


@pytest.mark.parametrize("later", [True, False])
async def test_what_is_counted_of_a_member_goes_unless_they_told_something_since(app, sqlite_store, later):
    await begun(sqlite_store)
    await put(sqlite_store, 1)
    subject = f"user:{HANNA}"
    quote = replace(evidence(9, user_id=HANNA), sent_at=NOW + HOUR if later else NOW - HOUR)
    fact = believed(candidate("tea", quote, subject=subject, category="preference", key="likes"))
    await sqlite_store.set(f"{chat_path(CHAT)}/facts/{fact.id}", fact_to_fields(fact))
    for path in (learning_path(CHAT, subject), profile_path(CHAT, subject)):
        await sqlite_store.set(path, {"made": 1})
    await forget_member(app, CHAT, HANNA, until=NOW)
    assert (await sqlite_store.get(learning_path(CHAT, subject)) is not None) is later
