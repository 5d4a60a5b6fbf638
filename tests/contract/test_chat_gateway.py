"""ChatGateway over real sockets against the strict fake Bot API: what is sent, and what it answers."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime

import pytest

from shared.application.ports.chat import Button, MenuEntry, OutgoingText, SentMessage
from shared.domain.errors import (
    MessageRejected,
)
from tests.support.telegram.bot_api import FIRST_DATE, SentFile
from tests.support.telegram.gateways import (
    CHAT,
    HELLO,
    MENU,
    PICTURE,
    PNG,
    PRIVATE,
    document,
    plain,
)

FOREIGN = -1002


# --- What is sent ---


async def test_a_message_is_sent_with_its_markup(gateway, api):
    sent = await gateway.send(CHAT, HELLO)
    assert sent == SentMessage(1, datetime.fromtimestamp(FIRST_DATE, UTC))
    [message] = api.sent
    assert (message.text, message.parse_mode, message.reply_to, message.thread_id) == (HELLO.plain, "HTML", None, None)
    assert api.calls[0].params["link_preview_options"] == {"is_disabled": True}


async def test_a_message_goes_into_its_topic_as_a_reply_with_buttons(gateway, api):
    api.add_chat(-5, is_forum=True, next_message_id=43)
    text = OutgoingText(
        "?", "?", buttons=((Button("Так ✅", "yes:1"), Button("Ні", "no:1")), (Button("Потім", "later"),))
    )
    await gateway.send(-5, text, reply_to=42, thread_id=70)
    [message] = api.sent
    assert (message.reply_to, message.thread_id) == (42, 70)
    assert message.buttons == ((("Так ✅", "yes:1"), ("Ні", "no:1")), (("Потім", "later"),))


async def test_a_vanished_message_is_answered_without_a_reply(gateway, api):
    api.chats[CHAT].ids.keep(42)
    api.chats[CHAT].vanished.add(42)
    await gateway.send(CHAT, HELLO, reply_to=42)
    assert api.sent[0].reply_to is None


async def test_a_message_that_nobody_sent_yet_is_answered_without_a_reply(gateway, api):
    await gateway.send(CHAT, HELLO, reply_to=42)
    assert api.sent[0].reply_to is None


async def test_a_message_from_before_the_migration_is_answered_without_a_reply(gateway, api):
    await gateway.send(CHAT, HELLO, reply_to=-1_099_511_627_770)
    assert "reply_parameters" not in api.calls[0].params


async def test_the_plain_text_is_sent_when_the_html_is_refused(gateway, api):
    await gateway.send(CHAT, OutgoingText(html="<p>a < b</p>", plain="a < b", buttons=((Button("x", "y"),),)))
    [message] = api.sent
    assert (message.text, message.parse_mode, message.buttons) == ("a < b", None, ((("x", "y"),),))


async def test_a_text_of_exactly_the_limit_passes_and_one_more_unit_does_not(gateway, api):
    await gateway.send(CHAT, plain("🥦" * 2048))
    with pytest.raises(MessageRejected, match="too long"):
        await gateway.send(CHAT, plain("🥦" * 2048 + "."))
    assert len(api.sent) == 1


@pytest.mark.parametrize("text", [plain(""), OutgoingText("x", "x", ((Button("y", "z" * 65),),))])
async def test_a_message_that_telegram_does_not_take_is_rejected(gateway, text):
    with pytest.raises(MessageRejected):
        await gateway.send(CHAT, text)


async def test_an_edit_replaces_text_and_buttons(gateway, api):
    sent = await gateway.send(CHAT, OutgoingText("old", "old", ((Button("x", "y"),),)))
    await gateway.edit(CHAT, sent.message_id, HELLO)
    [edited] = api.edited
    assert (edited.text, edited.buttons) == (HELLO.plain, ())


async def test_an_edit_falls_back_to_plain_text(gateway, api):
    sent = await gateway.send(CHAT, HELLO)
    await gateway.edit(CHAT, sent.message_id, OutgoingText(html="<p>", plain="new"))
    assert [(each.text, each.parse_mode) for each in api.edited] == [("new", None)]


async def test_an_edit_that_changes_nothing_succeeds(gateway, api):
    sent = await gateway.send(CHAT, HELLO)
    await gateway.edit(CHAT, sent.message_id, HELLO)
    assert api.edited == []


async def test_a_message_that_is_gone_cannot_be_edited(gateway):
    with pytest.raises(MessageRejected, match="not found"):
        await gateway.edit(CHAT, 5, HELLO)


async def test_a_callback_is_answered_with_at_most_200_characters(gateway, api):
    await gateway.answer_callback("1", "ї" * 500)
    await gateway.answer_callback("2", "")
    assert [call.params for call in api.calls] == [
        {"callback_query_id": "1", "text": "ї" * 200},
        {"callback_query_id": "2"},
    ]


async def test_an_expired_callback_is_ignored(gateway, api):
    api.expired_callbacks.add("old")
    await gateway.answer_callback("old", "too late")
    assert [call.method for call in api.calls] == ["answerCallbackQuery"]


async def test_typing_is_shown_in_the_topic(gateway, api):
    api.add_chat(-5, is_forum=True, next_message_id=43)
    await gateway.show_typing(-5, thread_id=70)
    assert api.calls[0].params == {"chat_id": -5, "action": "typing", "message_thread_id": 70}


async def test_a_draft_is_shown_with_a_button_that_stops_it(gateway, api):
    await gateway.show_draft(PRIVATE, 77, "")
    await gateway.show_draft(PRIVATE, 77, "Намет у Та")
    assert [call.params for call in api.calls] == [
        {"chat_id": PRIVATE, "draft_id": 77, "text": text, "can_stop": True} for text in ("", "Намет у Та")
    ]


async def test_a_group_has_no_drafts(gateway, api):
    with pytest.raises(MessageRejected):
        await gateway.show_draft(CHAT, 77, "")


async def test_administrators_include_the_owner_and_bots(gateway):
    assert await gateway.administrators(CHAT) == {7, 9, 55, 123456}


async def test_a_private_chat_has_no_administrators(gateway, api):
    assert await gateway.administrators(5) == frozenset()
    assert api.calls == []


# --- Files that are sent ---


@pytest.mark.parametrize(
    ("content", "kind"),
    [(PICTURE, "photo"), (document(bytes(range(256)) * 500), "document")],
    ids=["photo", "document"],
)
async def test_a_file_is_sent_whole_with_its_caption(gateway, api, content, kind):
    api.add_chat(-5, is_forum=True, next_message_id=43)
    caption = replace(HELLO, buttons=((Button("Так ✅", "yes:1"),),))
    sent = await gateway.send(-5, replace(content, caption=caption), reply_to=42, thread_id=70)
    [message] = api.sent
    assert sent.message_id == message.message_id
    assert message.file == SentFile(content.name, content.content, kind, content.mime_type)
    assert (message.text, message.parse_mode, message.reply_to, message.thread_id) == (HELLO.plain, "HTML", 42, 70)
    assert message.buttons == ((("Так ✅", "yes:1"),),)


async def test_a_file_keeps_its_own_name(gateway, api):
    await gateway.send(CHAT, document(name="мої дані (1).json"))
    await gateway.send(CHAT, document(name="x\ud83d.json"))
    assert [sent.file.name for sent in api.sent] == ["мої дані (1).json", "x\ufffd.json"]


async def test_a_file_needs_no_caption(gateway, api):
    await gateway.send(CHAT, document(caption=OutgoingText("", "")))
    assert api.sent[0].text == ""
    assert "caption" not in api.calls[0].params


async def test_a_caption_falls_back_to_plain_text_and_the_file_comes_along(gateway, api):
    await gateway.send(CHAT, document(caption=OutgoingText("<p>a < b</p>", "a < b")))
    [message] = api.sent
    assert (message.text, message.parse_mode, message.file.content) == ("a < b", None, b"{}")


async def test_a_caption_of_exactly_the_limit_passes_and_one_more_unit_does_not(gateway, api):
    await gateway.send(CHAT, document(caption=plain("🥦" * 512)))
    with pytest.raises(MessageRejected, match="too long"):
        await gateway.send(CHAT, document(caption=plain("🥦" * 512 + ".")))
    assert len(api.sent) == 1


@pytest.mark.parametrize(
    "content",
    [
        document(b""),
        replace(PICTURE, content=b"no picture"),
        replace(PICTURE, content=PNG[:16] + (20_000).to_bytes(4) + PNG[20:]),
        replace(PICTURE, content=PNG + bytes(10_000_000)),
    ],
    ids=["empty", "no picture", "too wide", "too large"],
)
async def test_a_file_that_telegram_does_not_take_is_rejected(gateway, api, content):
    with pytest.raises(MessageRejected):
        await gateway.send(CHAT, content)
    assert api.sent == []


@pytest.mark.parametrize("content", [PICTURE, document()], ids=["photo", "document"])
async def test_an_edit_of_a_file_changes_its_caption_and_buttons(gateway, api, content):
    sent = await gateway.send(CHAT, content)
    await gateway.edit(CHAT, sent.message_id, OutgoingText("<i>new</i>", "new", ((Button("x", "y"),),)))
    [edited] = api.edited
    assert (edited.text, edited.raw, edited.buttons) == ("new", "<i>new</i>", ((("x", "y"),),))
    assert edited.file.content == content.content


async def test_an_edit_of_a_caption_falls_back_to_plain_text_and_may_change_nothing(gateway, api):
    sent = await gateway.send(CHAT, PICTURE)
    await gateway.edit(CHAT, sent.message_id, HELLO)
    assert api.edited == []
    await gateway.edit(CHAT, sent.message_id, OutgoingText("<p>", "new"))
    assert [(each.text, each.parse_mode) for each in api.edited] == [("new", None)]


# --- Members ---


async def test_who_is_in_the_chat_is_a_member(gateway, api):
    chat = api.add_chat(FOREIGN, admins={7, 9}, members={8, 10, 11})
    chat.restricted |= {20: True, 21: False}
    chat.left.add(10)
    chat.banned.add(11)
    assert [await gateway.is_member(FOREIGN, user_id) for user_id in (7, 9, 8, 20)] == [True] * 4
    assert [await gateway.is_member(FOREIGN, user_id) for user_id in (10, 11, 21)] == [False] * 3


@pytest.mark.parametrize(("kind", "user_id"), [("group", 404), ("supergroup", 404), ("group", 0), ("supergroup", -5)])
async def test_whom_the_chat_never_saw_is_no_member(gateway, api, kind, user_id):
    api.add_chat(FOREIGN, kind, members={8})
    assert not await gateway.is_member(FOREIGN, user_id)


async def test_another_refusal_is_not_taken_for_absence(gateway, api):
    api.fail_next("getChatMember", status=400, description="Bad Request: member list is inaccessible")
    with pytest.raises(MessageRejected, match="inaccessible"):
        await gateway.is_member(CHAT, 8)


async def test_in_a_private_chat_is_the_one_whose_it_is(gateway, api):
    assert await gateway.is_member(5, 5)
    assert not await gateway.is_member(5, 6)
    assert api.calls == []


async def test_an_administrator_who_left_administrates_no_more(gateway, api):
    api.chats[CHAT].left.add(9)
    assert await gateway.administrators(CHAT) == {7, 55, 123456}


# --- Menus ---


async def test_a_menu_is_set_for_its_scope_and_language_only(gateway, api):
    await gateway.set_menu("all_group_chats", "uk", MENU)
    await gateway.set_menu("default", None, MENU[:1])
    assert api.menus.of("all_group_chats", "uk") == [("gryadhelp", "довідка"), ("gryadfacts", "що я знаю")]
    assert api.menus.of("default") == [("gryadhelp", "довідка")]
    assert api.menus.of("all_group_chats") == api.menus.of("all_private_chats", "uk") == []


@pytest.mark.parametrize(
    "entry", [MenuEntry("Help", "x"), MenuEntry("help", ""), MenuEntry("help", "x" * 257)], ids=str
)
async def test_a_menu_that_telegram_does_not_take_is_rejected(gateway, entry):
    with pytest.raises(MessageRejected):
        await gateway.set_menu("default", None, (entry,))


# --- Deleting ---


async def test_messages_are_deleted_and_one_that_is_gone_or_too_old_keeps_no_other(gateway, api):
    first, second, third = [(await gateway.send(CHAT, HELLO)).message_id for _ in range(3)]
    await gateway.delete(CHAT, [first, 999_999])
    assert set(api.chats[CHAT].own) == {second, third}
    api.chats[CHAT].own[second] = replace(api.chats[CHAT].own[second], date=0)
    await gateway.delete(CHAT, [second, third, 999_999])
    assert set(api.chats[CHAT].own) == {second}
