"""The steps of a forgetting: the words are barred first, then what was made of them goes, and they go last."""

from __future__ import annotations

from dataclasses import replace

import pytest

from shared.application.conversation.message_codec import ChunkState
from shared.application.conversation.tombstones import member_tombstone, message_tombstone
from shared.application.delivery.lease import memory_of
from shared.application.documents import (
    chat_path,
    learning_path,
    member_path,
    message_path,
    messages_path,
    profile_path,
)
from shared.application.facts.codec import fact_to_fields
from shared.application.forgetting.forget import forget_member, forget_messages
from shared.application.forgetting.steps import SECOND_LOOK, chat_ids, member_meant, messages_meant
from shared.domain.conversation.messages import migrated_message_id, name_mark
from tests.support.builders import candidate, evidence
from tests.support.exports import NOW
from tests.support.forgetting.facts_told import believed, rule
from tests.support.forgetting.small_group import (
    BOT,
    CHAT,
    HANNA,
    HOUR,
    NEW,
    TARAS,
    Died,
    Dying,
    begun,
    left,
    put,
    state,
)


async def test_marks_are_laid_first_of_a_member_one_and_of_messages_each(app, sqlite_store):
    await begun(sqlite_store)
    await put(sqlite_store, 1)
    await put(sqlite_store, 2, user_id=TARAS)
    await put(sqlite_store, 3, "so it is told", user_id=BOT, is_bot=True, reply_to=1)
    await forget_member(app, CHAT, HANNA)
    marks = [member_tombstone(CHAT, HANNA), message_tombstone(CHAT, 3), message_tombstone(CHAT, 1)]
    member, reply, own = await sqlite_store.get_many(marks)
    assert (member.data["until"], reply is not None, own) == (NOW, True, None)
    assert (await state(sqlite_store)).forgotten_at == NOW
    await forget_messages(app, CHAT, [2])
    assert await sqlite_store.get(message_tombstone(CHAT, 2)) is not None
    assert await left(sqlite_store) == set()


async def test_that_something_was_forgotten_is_told_by_its_latest_instant(app, sqlite_store):
    await begun(sqlite_store, forgotten_at=NOW + HOUR)
    await put(sqlite_store, 1)
    await app.chats.state(CHAT)
    await forget_member(app, CHAT, HANNA)
    assert (await state(sqlite_store)).forgotten_at == NOW + HOUR
    await begun(sqlite_store, forgotten_at=NOW - HOUR)
    await put(sqlite_store, 2)
    await forget_member(app, CHAT, HANNA)
    assert (await app.chats.state(CHAT)).forgotten_at == NOW
    assert (await memory_of(sqlite_store, CHAT)).erased_at == NOW


async def test_a_chat_that_is_not_known_does_not_begin_by_being_forgotten_in(app, sqlite_store):
    await put(sqlite_store, 1)
    await forget_member(app, CHAT, HANNA)
    assert await sqlite_store.get(chat_path(CHAT)) is None
    assert await left(sqlite_store) == set()


async def test_from_the_first_moment_no_task_reads_what_is_being_forgotten(app, sqlite_store):
    await begun(sqlite_store)
    await put(sqlite_store, 1, fields={"chunk": "1-10", "rederive": True})
    await put(sqlite_store, 2, user_id=TARAS, fields={"chunk": "1-10", "rederive": True})
    with pytest.raises(Died):
        await forget_member(replace(app, store=Dying(sqlite_store)), CHAT, HANNA)
    hers, his = await sqlite_store.get_many([message_path(CHAT, 1), message_path(CHAT, 2)])
    assert (hers.data["chunk"], hers.data["rederive"]) == (ChunkState.PRIVATE.value, False)
    assert (his.data["chunk"], his.data["rederive"]) == ("1-10", True)


async def test_what_is_left_is_read_anew_and_looked_at_once_more_a_little_later(app, sqlite_store):
    await begun(sqlite_store)
    await put(sqlite_store, 1)
    await forget_member(app, CHAT, HANNA)
    assert app.schedule.extractions == [(CHAT, None)]
    (look,) = [task for task in app.queue.tasks if task.target.endswith("retention")]
    assert (look.payload["chat_id"], look.run_at) == (CHAT, NOW + SECOND_LOOK)


async def test_what_was_made_of_everybody_is_made_anew_and_what_others_chose_stays(app, sqlite_store):
    await begun(sqlite_store, culture_summary="x", culture_of=[HANNA], settings={"language": "uk"})
    await put(sqlite_store, 1)
    await sqlite_store.set(member_path(CHAT, TARAS), {"name": "Тарас", "profile_text": "x", "profile_of": 1})
    await sqlite_store.set(member_path(CHAT, 105), {"name": "Оля"})
    for subject in ("chat", f"user:{TARAS}", "user:105"):
        await sqlite_store.set(learning_path(CHAT, subject), {"summarized": True, "summary_of": "x"})
    await forget_member(app, CHAT, HANNA)
    chat, taras = await sqlite_store.get_many([chat_path(CHAT), member_path(CHAT, TARAS)])
    assert {name for name in chat.data if name.startswith("culture_")} == set()
    assert (chat.data["settings"], taras.data) == ({"language": "uk"}, {"name": "Тарас"})
    marks = [(await sqlite_store.get(learning_path(CHAT, s))).data for s in ("chat", f"user:{TARAS}", "user:105")]
    assert [mark["summarized"] for mark in marks] == [False, False, True]
    assert [mark["summary_of"] for mark in marks] == [None, None, "x"]


async def test_where_no_portrait_was_made_none_is_to_be_made_anew(app, sqlite_store):
    await begun(sqlite_store)
    await put(sqlite_store, 1)
    await sqlite_store.set(learning_path(CHAT, "chat"), {"summarized": True, "summary_of": "x"})
    await forget_member(app, CHAT, HANNA)
    assert (await sqlite_store.get(learning_path(CHAT, "chat"))).data["summarized"] is True


async def test_what_the_group_was_asked_about_facts_that_are_gone_is_dropped(app, sqlite_store):
    await begun(sqlite_store)
    await put(sqlite_store, 1)
    for name in ("stays", "goes"):
        await sqlite_store.set(f"{chat_path(CHAT)}/questions/{name}", {"fact": name})
    kept = believed(rule("politics", evidence(9, user_id=TARAS)))
    await sqlite_store.set(f"{chat_path(CHAT)}/facts/stays", fact_to_fields(kept))
    await forget_member(app, CHAT, HANNA)
    assert [d.id for d in await sqlite_store.query(f"{chat_path(CHAT)}/questions")] == ["stays"]


async def test_a_quote_of_theirs_is_taken_out_of_what_others_say(app, sqlite_store):
    await begun(sqlite_store)
    await put(sqlite_store, 1, "quasars dance all night")
    fields = {"origin_ids": [HANNA], "origin_names": ["x"], "origin_at": NOW}
    await put(sqlite_store, 2, "so they do", user_id=TARAS, quote="quasars dance all", fields=fields)
    await forget_member(app, CHAT, HANNA)
    (kept,) = await sqlite_store.query(messages_path(CHAT))
    assert (kept.data["text"], kept.data["quote"]) == ("so they do", None)
    assert not kept.data.keys() & {"origin_ids", "origin_names"}


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


async def test_a_member_is_meant_by_all_that_they_said_until_then_and_every_name_of_theirs(app, sqlite_store):
    await put(sqlite_store, 1, username="hanna")
    await put(sqlite_store, 2, user_id=TARAS)
    await put(sqlite_store, 3, sent_at=NOW + HOUR, name="Ганнуся")
    await sqlite_store.set(member_path(CHAT, HANNA), {"name": "Аня", "username": None, "usernames_seen": ["anna"]})
    meant = await member_meant(app.store, app.clock, CHAT, HANNA)
    assert meant.scope.message_ids == {1, 3}
    assert meant.scope.until == NOW + HOUR  # Telegram's clock may be ahead
    assert meant.scope.origin_names == {name_mark(name) for name in ("Ганна", "hanna", "Ганнуся", "Аня", "anna")}
    assert meant.scope.origin_ids == {HANNA}
    assert "Аня" not in meant.names.single
    assert {"аня", "anna"} <= meant.names.single
    earlier = await member_meant(app.store, app.clock, CHAT, HANNA, until=NOW)
    assert (earlier.scope.message_ids, earlier.scope.until) == ({1}, NOW)
    assert name_mark("Ганнуся") not in earlier.scope.origin_names


async def test_the_words_of_what_is_meant_are_no_forwards_but_what_stands_in_files(app, sqlite_store):
    await put(sqlite_store, 1, "quasars dance all night")
    await put(sqlite_store, 2, "lasers shine all day", forwarded=True)
    await put(sqlite_store, 3, "", fields={"media_text": "cats sleep all morning"})
    words = (await member_meant(app.store, app.clock, CHAT, HANNA)).words()
    assert words.occur_in("quasars dance all")
    assert words.occur_in("cats sleep all")
    assert not words.occur_in("lasers shine all")


async def test_messages_are_meant_stored_or_not(app, sqlite_store):
    await put(sqlite_store, 1, sent_at=NOW + HOUR)
    meant = await messages_meant(app.store, app.clock, CHAT, [1, 5])
    assert (meant.scope.message_ids, meant.scope.until, meant.scope.user_id) == ({1, 5}, NOW + HOUR, None)
    assert [stored.message.message_id for stored in meant.said.values()] == [1]
    assert (await messages_meant(app.store, app.clock, CHAT, [5])).scope.until == NOW


async def test_a_chat_is_known_by_both_of_its_ids_when_they_point_at_each_other(app, sqlite_store):
    assert await chat_ids(app.store, CHAT) == [CHAT]
    await begun(sqlite_store, CHAT, migrated_to=NEW)
    assert await chat_ids(app.store, CHAT) == [CHAT, NEW]
    assert await chat_ids(app.store, NEW) == [NEW]
    await begun(sqlite_store, NEW, migrated_from=CHAT)
    assert await chat_ids(app.store, NEW) == await chat_ids(app.store, CHAT) == [CHAT, NEW]
    await begun(sqlite_store, CHAT)
    assert (await chat_ids(app.store, NEW), await chat_ids(app.store, CHAT)) == ([NEW], [CHAT])
    meant = await messages_meant(app.store, app.clock, NEW, [4])
    assert meant.scope.message_ids == {4}


async def test_of_a_chat_that_moved_messages_are_meant_by_the_ids_they_have_now(app, sqlite_store):
    await begun(sqlite_store, CHAT, migrated_to=NEW)
    await begun(sqlite_store, NEW, migrated_from=CHAT)
    assert (await messages_meant(app.store, app.clock, CHAT, [4])).scope[:3] == (NEW, None, {migrated_message_id(4)})
    assert (await messages_meant(app.store, app.clock, NEW, [4])).scope[:3] == (NEW, None, {4})
