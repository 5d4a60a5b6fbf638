"""What a forgetting is about: by whom it was said, until when, and under which ids of the chat."""

from shared.application.documents import (
    member_path,
)
from shared.application.forgetting.meant import chat_ids, member_meant, messages_meant
from shared.domain.conversation.messages import migrated_message_id, name_mark
from tests.support.exports import NOW
from tests.support.forgetting.small_group import CHAT, HANNA, HOUR, NEW, TARAS, begun, put


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
    assert words.repeated_in("quasars dance all")
    assert words.repeated_in("cats sleep all")
    assert not words.repeated_in("lasers shine all")


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
