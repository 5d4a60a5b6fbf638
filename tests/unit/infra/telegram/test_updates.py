"""What an update means, and that nothing that comes over the wire can break the parser."""

from __future__ import annotations

import re
import subprocess
import sys
from datetime import UTC, datetime

import pytest

from infra.telegram.updates import bot_id, parse_update
from shared.domain.conversation.messages import Message
from shared.domain.errors import SettingsError, UnparseableUpdate
from shared.domain.intake.updates import (
    AdminChanged,
    ButtonPressed,
    ChatInfo,
    ChatMigratedTo,
    Ignored,
    MemberLeft,
    MembershipChanged,
    MessageEdited,
    MessageReceived,
    ReactionChanged,
    TypedCommand,
)
from tests.support.updates import (
    BOT_ID,
    CHAT_ID,
    START,
    button_update,
    chat,
    leaving_update,
    member_update,
    membership_update,
    message,
    message_update,
    migration_update,
    reaction_update,
    user,
)

LIKE = {"type": "emoji", "emoji": "👍"}
SIZE = {"file_id": "a", "file_unique_id": "b", "width": 90, "height": 90}


def received(*args, **fields) -> MessageReceived:
    update = parse_update(message_update(*args, **fields))
    assert type(update) is MessageReceived
    return update


# --- Messages ---


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


@pytest.mark.parametrize(
    ("fields", "name"),
    [
        ({"name": ""}, "8"),
        ({"name": " \u200b\u2060 "}, "8"),
        ({"name": "", "username": "kobzar"}, "kobzar"),
        ({"name": "", "last_name": "Шевченко"}, "Шевченко"),
    ],
)
def test_a_name_is_never_empty(fields, name):
    assert received(sender=user(8, **fields)).message.name == name


def test_a_title_of_a_private_chat_is_the_persons_name():
    assert received(chat=chat(5)).chat == ChatInfo(5, "private", "Olena")


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
    assert said.media == {"file_id": "big", "file_unique_id": "b", "file_size": 9}


def test_a_voice_message_has_a_reference_and_no_text():
    voice = {"file_id": "v", "file_unique_id": "u", "duration": 3, "mime_type": "audio/ogg"}
    said = received(None, voice=voice).message
    assert (said.kind, said.text, said.media) == ("voice", "", voice)


def test_a_file_keeps_its_name_its_album_and_its_small_picture():
    small = {"file_id": "t", "file_unique_id": "tu", "file_size": 5}
    film = {"file_id": "v", "file_unique_id": "u", "width": 9, "height": 9, "duration": 3, "file_name": "похід.mp4"}
    film["thumbnail"] = small | {"width": 9, "height": 9}
    said = received(None, video=film, media_group_id="77").message
    expected = {"file_id": "v", "file_unique_id": "u", "duration": 3, "file_name": "похід.mp4"}
    assert said.media == expected | {"thumbnail": small, "media_group_id": "77"}


@pytest.mark.parametrize(
    ("flags", "mime_type"),
    [({}, "image/webp"), ({"is_animated": True}, "application/x-tgsticker"), ({"is_video": True}, "video/webm")],
)
def test_a_sticker_tells_its_emoji_and_its_format(flags, mime_type):
    said = received(None, sticker={**SIZE, "type": "regular", "emoji": "🥦", **flags}).message
    assert said.media == {"file_id": "a", "file_unique_id": "b", "emoji": "🥦", "mime_type": mime_type}


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


# --- Entities ---


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


# --- Other updates ---


def test_a_pressed_button_tells_who_pressed_what_where():
    update, where = parse_update(button_update("vote:1", update_id=4)), ChatInfo(CHAT_ID, "supergroup", "Test")
    assert update == ButtonPressed(
        4, "callback-1", where, 50, None, 100, "Olena", "uk", "vote:1", frozenset({"vote:1"})
    )


def test_a_button_under_a_message_too_old_to_show_still_works():
    old = {"chat": chat(is_forum=True), "message_id": 6, "date": 0}
    update = parse_update(button_update(message=old))
    assert (update.message_id, update.chat.is_forum) == (6, True)


def test_a_pressed_button_comes_with_all_that_its_message_offers():
    rows = [[{"text": "a", "callback_data": "a"}, {"text": "site", "url": "https://e.org"}], [], [{"text": "b"}]]
    rows[2][0]["callback_data"] = "b"
    shown = button_update("a")["callback_query"]["message"] | {"reply_markup": {"inline_keyboard": rows}}
    assert parse_update(button_update("a", message=shown)).offered == {"a", "b"}
    del shown["reply_markup"]
    assert parse_update(button_update("a", message=shown)).offered == frozenset()
    assert parse_update(button_update("a", message=shown | {"date": 0})).offered is None


@pytest.mark.parametrize(
    ("rows", "path"),
    [
        ("a", "reply_markup.inline_keyboard is not"),
        (["a"], "inline_keyboard[0].row is not"),
        ([["a"]], "inline_keyboard[0].row[0] is not"),
        ([[{"callback_data": 5}]], "inline_keyboard[0].row[0].callback_data is not"),
    ],
)
def test_a_keyboard_of_another_shape_is_refused_with_its_path(rows, path):
    shown = button_update("a")["callback_query"]["message"] | {"reply_markup": {"inline_keyboard": rows}}
    with pytest.raises(UnparseableUpdate, match=re.escape(path)):
        parse_update(button_update("a", message=shown))


def test_a_button_of_an_inline_message_has_no_chat():
    update = parse_update(button_update(message=None, inline_message_id="x"))
    assert (update.chat, update.message_id, update.thread_id) == (None, None, None)


@pytest.mark.parametrize(
    ("old", "new", "status"),
    [
        ("left", "member", "joined"),
        ("kicked", "administrator", "joined"),
        ("member", "left", "left"),
        ("administrator", "kicked", "left"),
        ("member", "administrator", "promoted"),
        ("administrator", "member", "demoted"),
        ("administrator", "administrator", "changed"),
        ("left", "kicked", "changed"),
        ("member", "something_new", "left"),
    ],
)
def test_what_happened_to_the_bot(old, new, status):
    update = parse_update(membership_update(old, new, update_id=3))
    assert update == MembershipChanged(3, ChatInfo(CHAT_ID, "supergroup", "Test"), status, 100, "uk")


def test_a_restricted_bot_is_still_in_the_chat_when_telegram_says_so():
    restricted = {"status": "restricted", "user": user(BOT_ID), "is_member": True}
    assert parse_update(membership_update(new_chat_member=restricted)).status == "joined"
    assert parse_update(membership_update(new_chat_member={**restricted, "is_member": False})).status == "changed"


@pytest.mark.parametrize(
    ("old", "new"), [("member", "left"), ("administrator", "kicked"), ("creator", "left"), ("member", "something_new")]
)
def test_a_member_who_is_there_no_more_left(old, new):
    update = parse_update(member_update(old, new, update_id=3, who=user(7)))
    chat, at = ChatInfo(CHAT_ID, "supergroup", "Test"), datetime.fromtimestamp(START, UTC)
    assert update == MemberLeft(3, chat, 7, at, was_admin=old in ("administrator", "creator"))


@pytest.mark.parametrize(
    ("old", "new", "is_admin"),
    [("member", "administrator", True), ("left", "administrator", True), ("administrator", "member", False)],
)
def test_who_becomes_an_admin_or_is_none_any_more_changed(old, new, is_admin):
    update = parse_update(member_update(old, new, update_id=3, who=user(7)))
    chat, at = ChatInfo(CHAT_ID, "supergroup", "Test"), datetime.fromtimestamp(START, UTC)
    assert update == AdminChanged(3, chat, 7, at, is_admin)


def test_the_service_message_of_a_leaver_means_the_same():
    update = parse_update(leaving_update(user(7), update_id=3, message_id=5))
    assert update == MemberLeft(3, ChatInfo(CHAT_ID, "supergroup", "Test"), 7, datetime.fromtimestamp(START + 5, UTC))


def test_whom_an_admin_removed_left_and_not_the_admin():
    removed = leaving_update(user(7))
    removed["message"]["from"] = user(102)
    assert parse_update(removed).user_id == 7
    assert parse_update(member_update("member", "kicked", who=user(7), **{"from": user(102)})).user_id == 7


@pytest.mark.parametrize(
    ("is_member", "expected"), [(True, Ignored), (False, MemberLeft)], ids=["still there", "not there"]
)
def test_who_may_do_less_left_only_when_telegram_says_so(is_member, expected):
    restricted = {"status": "restricted", "user": user(7), "is_member": is_member}
    assert type(parse_update(member_update(new_chat_member=restricted, who=user(7)))) is expected


@pytest.mark.parametrize(
    "update",
    [
        member_update("left", "member"),
        member_update("administrator", "creator"),
        member_update("member", "administrator", who=user(9, "Other", is_bot=True)),
        member_update("left", "kicked"),
        member_update(who=user(9, "Other", is_bot=True)),
        member_update(chat=chat(-1009, "channel")),
        leaving_update(user(BOT_ID, "Spomyn", is_bot=True)),
        leaving_update(chat=chat(-1009, "channel")),
    ],
    ids=["joins", "another admin", "another bot", "banned later", "a bot", "a channel's", "our bot", "in a channel"],
)
def test_what_is_no_members_leaving_is_ignored(update):
    assert type(parse_update(update)) is Ignored


def test_reactions_are_all_that_are_there_now():
    update = parse_update(reaction_update("👍", "🔥", update_id=3, message_id=5, old_reaction=[LIKE]))
    when = datetime.fromtimestamp(START, UTC)
    chat_info = ChatInfo(CHAT_ID, "supergroup", "Test")
    assert update == ReactionChanged(3, chat_info, 5, 100, ("👍", "🔥"), when)
    assert parse_update(reaction_update(old_reaction=[LIKE])).emojis == ()


def test_only_emojis_that_everybody_has_count():
    custom, paid = {"type": "custom_emoji", "custom_emoji_id": "5368324170671202286"}, {"type": "paid"}
    later = {"type": "emoji_of_next_year", "emoji": "👎"}
    assert parse_update(reaction_update(new_reaction=[custom, LIKE, paid, later])).emojis == ("👍",)


def test_who_reacts_anonymously_is_the_chat():
    assert parse_update(reaction_update("👍", user=None, actor_chat=chat())).user_id == CHAT_ID


def test_counts_of_reactions_are_nobodys():
    counts = {"chat": chat(), "message_id": 5, "date": START, "reactions": [{"type": LIKE, "total_count": 3}]}
    assert type(parse_update({"update_id": 1, "message_reaction_count": counts})) is Ignored
    assert type(parse_update(reaction_update("👍", user=None))) is Ignored


@pytest.mark.parametrize("in_new", [True, False])
def test_both_chats_of_a_migration_tell_the_same(in_new):
    assert parse_update(migration_update(-5, -1005, update_id=2, in_new=in_new)) == ChatMigratedTo(2, -5, -1005)


@pytest.mark.parametrize(
    "update",
    [
        message_update(None, new_chat_members=[user()]),
        message_update(None, pinned_message=message()),
        message_update(None, forum_topic_closed={}),
        message_update(None, a_field_of_next_year={"x": 1}),
        message_update(sender=None),
        message_update(chat=chat(-1009, "channel")),
        button_update(None, game_short_name="chess"),
        {"update_id": 1, "channel_post": message()},
        {"update_id": 1, "chat_member": membership_update()["my_chat_member"]},
        {"update_id": 1, "message_reaction": {}},
        {"update_id": 1, "poll": None},
        {"update_id": 1},
    ],
)
def test_what_means_nothing_to_us_is_ignored_with_a_reason(update):
    parsed = parse_update(update)
    assert type(parsed) is Ignored
    assert parsed.reason


# --- Malformed ---


@pytest.mark.parametrize(
    ("update", "path"),
    [
        ([], "update is"),
        ({}, "update.update_id is missing"),
        ({"update_id": True}, "update.update_id"),
        ({"update_id": 1.0}, "update.update_id"),
        ({"update_id": 2**63}, "update.update_id"),
        ({"update_id": 1, "message": "secret"}, "update.message"),
        (message_update(message_id="secret"), "update.message.message_id"),
        (message_update(date=-1), "update.message.date"),
        (message_update(date=221_845_392_000), "update.message.date"),
        (message_update(date=10**400), "update.message.date"),
        (message_update(date=float("nan")), "update.message.date"),
        (message_update(edit_date=2**62), "update.message.edit_date"),
        (message_update(chat={"type": "group"}), "update.message.chat.id"),
        (message_update(sender={"first_name": "secret"}), "update.message.from.id"),
        (message_update(sender={"id": 1, "first_name": 7}), "update.message.from.first_name"),
        (message_update(text=7), "update.message.text"),
        (message_update(entities=["secret"]), "update.message.entities[0]"),
        (message_update(entities={}), "update.message.entities"),
        (message_update(quote={}), "update.message.quote.text"),
        (message_update(reply_to_message={"message_id": None}), "update.message.reply_to_message.message_id"),
        (message_update(None, voice=[]), "update.message.voice"),
        (button_update(id=5), "update.callback_query.id"),
        (membership_update(old_chat_member=None), "update.my_chat_member.old_chat_member"),
        (member_update(new_chat_member={"status": "left"}), "update.chat_member.new_chat_member.user is missing"),
        (member_update(date=None), "update.chat_member.date is missing"),
        (message_update(None, left_chat_member={"is_bot": False}), "update.message.left_chat_member.id"),
        (message_update(None, left_chat_member="secret"), "update.message.left_chat_member"),
        (reaction_update(new_reaction=["secret"]), "update.message_reaction.new_reaction[0]"),
        (
            reaction_update(new_reaction=[{"type": "emoji", "emoji": 7}]),
            "update.message_reaction.new_reaction[0].emoji",
        ),
        (reaction_update(message_id="secret"), "update.message_reaction.message_id"),
        (reaction_update(user={"first_name": "secret"}), "update.message_reaction.user.id"),
    ],
)
def test_a_malformed_update_is_refused_by_the_path_of_the_field(update, path):
    with pytest.raises(UnparseableUpdate) as caught:
        parse_update(update)
    assert str(caught.value).startswith(path)
    assert "secret" not in str(caught.value)


def test_a_date_leaves_room_for_reckoning_with_it():
    assert received(date=221_845_391_999).message.sent_at.year == 8999
    assert received(date=0).message.sent_at.year == 1970


# --- The bot's id, and the price of the module ---


def test_the_bots_id_is_the_number_in_its_token():
    assert bot_id("123456:ABC-def_1") == 123456


@pytest.mark.parametrize("token", ["", "abc", "123456", ":abc", "12 3:abc", "123:abc\n", "١٢:abc", "1" * 30 + ":a"])
def test_a_malformed_token_is_a_setting_to_fix(token):
    with pytest.raises(SettingsError, match="TELEGRAM_BOT_TOKEN"):
        bot_id(token)


def test_parsing_does_not_import_the_sdk():
    program = "import sys, infra.telegram.updates, infra.telegram; print('telegram' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "False"
