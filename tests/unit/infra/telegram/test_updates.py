"""What an update means, and that nothing that comes over the wire can break the parser."""

from __future__ import annotations

import re
import subprocess
import sys
from datetime import UTC, datetime

import pytest

from infra.telegram.updates import bot_id, parse_update
from shared.domain.errors import SettingsError, UnparseableUpdate
from shared.domain.intake.updates import (
    ButtonPressed,
    ChatInfo,
    GenerationStopped,
    Ignored,
    ReactionChanged,
)
from tests.support.updates import (
    CHAT_ID,
    START,
    button_update,
    chat,
    member_update,
    membership_update,
    message,
    message_update,
    reaction_update,
    user,
)

LIKE = {"type": "emoji", "emoji": "👍"}


# --- Messages ---


# --- Entities ---


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


def test_the_stop_button_of_a_draft_names_what_it_stops():
    pressed = {"chat": chat(7), "message_thread_id": 5, "draft_id": 77}
    update = parse_update({"update_id": 3, "stopped_message_generation": pressed})
    assert type(update) is GenerationStopped
    assert (update.update_id, update.chat.chat_id, update.chat.type, update.draft_id) == (3, 7, "private", 77)


def test_who_reacts_anonymously_is_the_chat():
    assert parse_update(reaction_update("👍", user=None, actor_chat=chat())).user_id == CHAT_ID


def test_counts_of_reactions_are_nobodys():
    counts = {"chat": chat(), "message_id": 5, "date": START, "reactions": [{"type": LIKE, "total_count": 3}]}
    assert type(parse_update({"update_id": 1, "message_reaction_count": counts})) is Ignored
    assert type(parse_update(reaction_update("👍", user=None))) is Ignored


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
