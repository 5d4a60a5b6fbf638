"""What a message means: author, reply, forward, file, mentions and commands."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from infra.telegram.updates import parse_update
from shared.domain.conversation.messages import MediaFile, Message
from shared.domain.errors import UnparseableUpdate
from shared.domain.intake.updates import (
    ChatInfo,
    ChatMigratedTo,
    MessageEdited,
    MessageReceived,
    TypedCommand,
)
from tests.support.updates import (
    BOT_ID,
    CHAT_ID,
    START,
    chat,
    message,
    message_update,
    migration_update,
    user,
)

SIZE = {"file_id": "a", "file_unique_id": "b", "width": 90, "height": 90}


def received(*args, **fields) -> MessageReceived:
    update = parse_update(message_update(*args, **fields))
    assert type(update) is MessageReceived
    return update


def test_a_text_becomes_a_message_with_its_author_and_chat():
    update = received("Hello", update_id=9, message_id=5, sender=user(7, "Іван", last_name=" Франко ", username="ivan"))
    assert update.message == Message(
        chat_id=CHAT_ID,
        message_id=5,
        sent_at=datetime.fromtimestamp(START + 5, UTC),
        user_id=7,
        name="Іван Франко",
        username="ivan",
        text="Hello",
    )
    assert update.chat == ChatInfo(CHAT_ID, "supergroup", "Test")
    assert (update.update_id, update.language_code) == (9, "uk")
    assert update.message.may_teach


def test_an_edit_carries_the_new_text_and_when_it_was_edited():
    update = parse_update(message_update("New words", edited=True, message_id=3))
    assert type(update) is MessageEdited
    assert update.message.text == "New words"
    assert update.message.edited_at == datetime.fromtimestamp(START + 63, UTC)


def test_an_anonymous_admin_speaks_as_the_group():
    group = user(1087968824, "Group", is_bot=True, username="GroupAnonymousBot")
    said = received("/rules", sender=group, sender_chat=chat(title="Кухня"))
    assert (said.message.user_id, said.message.name, said.message.is_admin) == (CHAT_ID, "Кухня", True)
    assert not said.message.is_bot
    assert said.language_code is None


def test_a_message_on_behalf_of_another_channel_is_the_channels_own_word():
    fake = user(136817688, "Channel", is_bot=True)
    said = received(sender=fake, sender_chat=chat(-1009, "channel", title="News", username="news")).message
    assert (said.user_id, said.name, said.username, said.is_admin) == (-1009, "News", "news", None)
    assert not said.forwarded
    assert not said.is_bot


@pytest.mark.parametrize(
    "fields",
    [
        {"is_automatic_forward": True, "sender_chat": chat(-1009, "channel")},
        {"forward_origin": {"type": "hidden_user", "date": START, "sender_user_name": "X"}},
        {"via_bot": user(5, "gif", is_bot=True)},
    ],
)
def test_somebody_elses_words_teach_nothing(fields):
    said = received(**fields).message
    assert said.forwarded
    assert said.is_admin is None
    assert not said.may_teach


def test_a_bot_is_known_as_one():
    assert received(sender=user(5, "Other", is_bot=True)).message.is_bot


def test_a_reply_names_the_message_and_its_author_and_keeps_the_quote_apart():
    original = message("I like tea", message_id=4, sender=user(BOT_ID, "Spomyn", is_bot=True))
    update = received("No", reply_to_message=original, quote={"text": "tea", "position": 7})
    assert (update.message.reply_to, update.message.quote, update.message.text) == (4, "tea", "No")
    assert update.reply_to_user_id == BOT_ID


def test_a_reply_to_a_chat_names_the_chat():
    assert received(reply_to_message=message("x", sender_chat=chat())).reply_to_user_id == CHAT_ID


def test_what_a_forum_marks_as_reply_to_the_start_of_the_topic_is_none():
    opened = message(None, message_id=70, forum_topic_created={"name": "Food", "icon_color": 1})
    update = received(message_thread_id=70, is_topic_message=True, reply_to_message=opened)
    assert (update.message.thread_id, update.message.reply_to, update.reply_to_user_id) == (70, None, None)


def test_a_chain_of_replies_outside_a_forum_is_no_thread():
    assert received(message_thread_id=70).message.thread_id is None


def test_a_photo_is_kept_by_its_largest_size_with_the_caption_as_text():
    sizes = [SIZE, {**SIZE, "file_id": "big", "width": 800, "height": 600, "file_size": 9}, {**SIZE, "height": 200}]
    said = received(None, photo=sizes, caption="Борщ 🍲").message
    assert (said.kind, said.text) == ("photo", "Борщ 🍲")
    assert said.media == MediaFile("big", "b", 9)


def test_a_voice_message_has_a_reference_and_no_text():
    voice = {"file_id": "v", "file_unique_id": "u", "duration": 3, "mime_type": "audio/ogg"}
    said = received(None, voice=voice).message
    assert (said.kind, said.text) == ("voice", "")
    assert said.media == MediaFile("v", "u", mime_type="audio/ogg", duration=3)


def test_a_file_keeps_its_name_its_album_and_its_small_picture():
    small = {"file_id": "t", "file_unique_id": "tu", "file_size": 5}
    film = {"file_id": "v", "file_unique_id": "u", "width": 9, "height": 9, "duration": 3, "file_name": "похід.mp4"}
    film["thumbnail"] = small | {"width": 9, "height": 9}
    said = received(None, video=film, media_group_id="77").message
    still = MediaFile("t", "tu", 5)
    assert said.media == MediaFile("v", "u", duration=3, file_name="похід.mp4", thumbnail=still, media_group_id="77")


@pytest.mark.parametrize(
    ("flags", "mime_type"),
    [({}, "image/webp"), ({"is_animated": True}, "application/x-tgsticker"), ({"is_video": True}, "video/webm")],
)
def test_a_sticker_tells_its_emoji_and_its_format(flags, mime_type):
    said = received(None, sticker={**SIZE, "type": "regular", "emoji": "🥦", **flags}).message
    assert said.media == MediaFile("a", "b", emoji="🥦", mime_type=mime_type)


@pytest.mark.parametrize("thumbnail", ["x", {}, {"file_id": 7, "file_unique_id": "u"}])
def test_a_broken_small_picture_is_no_update(thumbnail):
    with pytest.raises(UnparseableUpdate, match="thumbnail"):
        received(None, document={**SIZE, "thumbnail": thumbnail})


@pytest.mark.parametrize(
    ("kind", "twin"), [("animation", {"document": {}}), ("live_photo", {"photo": []}), ("venue", {"location": {}})]
)
def test_media_with_a_twin_for_old_clients_goes_by_its_own_kind(kind, twin):
    body = {"file_id": "a", "file_unique_id": "b", "width": 1, "height": 1, "duration": 1}
    assert received(None, **{kind: body}, **twin).message.kind == kind


def test_media_without_a_file_has_no_reference():
    said = received(None, poll={"id": "1", "question": "?"}).message
    assert (said.kind, said.media) == ("poll", None)
    assert received(None, photo=[]).message.media is None


def test_offsets_count_utf_16_units():
    update = received("🥦👍🏽 @Olena_K і @petro, гляньте")
    assert update.mentions == ("olena_k", "petro")


def test_a_person_without_username_is_mentioned_by_id():
    entity = {"type": "text_mention", "offset": 0, "length": 5, "user": user(55)}
    assert received("Olena", entities=[entity, {**entity, "offset": -1, "user": "?"}]).mentioned_ids == (55,)


def test_a_mention_in_a_caption_counts():
    entity = {"type": "mention", "offset": 0, "length": 5}
    assert received(None, photo=[SIZE], caption="@ivan", caption_entities=[entity]).mentions == ("ivan",)


@pytest.mark.parametrize(
    ("text", "command"),
    [
        ("/gryadfacts", TypedCommand("gryadfacts")),
        ("/Forget@Spomyn_Bot  last week \n", TypedCommand("forget", "spomyn_bot", "last week")),
        ("/say 🥦 /twice", TypedCommand("say", None, "🥦 /twice")),
        ("please /forget", None),
        (" /forget", None),
        ("/ forget", None),
    ],
)
def test_a_command_stands_at_the_very_start(text, command):
    assert received(text).command == command


@pytest.mark.parametrize(
    ("offset", "length"), [(-1, 3), (0, 0), (0, -2), (0, 99), (99, 1), (2**62, 2**62), (1, 1), (3, 6)]
)
@pytest.mark.parametrize("kind", ["mention", "bot_command", "text_mention", "new_kind"])
def test_an_entity_that_does_not_fit_the_text_is_ignored(offset, length, kind):
    update = received("🥦 @ivan", entities=[{"type": kind, "offset": offset, "length": length}])
    assert (update.mentions, update.mentioned_ids, update.command) == ((), (), None)


@pytest.mark.parametrize("in_new", [True, False])
def test_both_chats_of_a_migration_tell_the_same(in_new):
    assert parse_update(migration_update(-5, -1005, update_id=2, in_new=in_new)) == ChatMigratedTo(2, -5, -1005)


def test_a_date_leaves_room_for_reckoning_with_it():
    assert received(date=221_845_391_999).message.sent_at.year == 8999
    assert received(date=0).message.sent_at.year == 1970
