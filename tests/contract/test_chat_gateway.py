"""ChatGateway over real sockets against the strict fake Bot API: what is sent, and what each failure means."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import socket
import traceback
from dataclasses import replace
from datetime import UTC, datetime

import pytest

from infra.telegram.gateway import ALLOWED_UPDATES, TelegramGateway
from shared.application.ports.chat import Button, MenuEntry, OutgoingFile, OutgoingText, SentMessage, WebhookInfo
from shared.domain.errors import (
    ChatForbidden,
    ChatMigrated,
    ChatUnavailable,
    FileGone,
    FileTooLarge,
    MessageRejected,
    SendUncertain,
    SettingsError,
)
from tests.support.telegram.bot_api import FIRST_DATE, FakeBotApi, SentFile
from tests.support.updates import message_update

TOKEN = "123456:fake-token"
CHAT = -1001
FOREIGN = -1002
IMPATIENT = 0.25
HELLO = OutgoingText(html="<b>Привіт</b> &amp; вітаю", plain="Привіт & вітаю")


class FixedClock:
    def now(self) -> datetime:
        return datetime(2026, 11, 21, tzinfo=UTC)


@pytest.fixture
async def api():
    async with FakeBotApi(TOKEN) as server:
        server.add_chat(CHAT, admins={7, 9}, admin_bots={55, 123456})
        server.files.add("photo", b"not really a photo")
        yield server


@contextlib.asynccontextmanager
async def connected(api, timeout):
    gateway = TelegramGateway(TOKEN, api_url=api.url, clock=FixedClock(), timeout=timeout)
    yield gateway
    await gateway.aclose()


@pytest.fixture
async def gateway(request, api):
    """Impatient only where the answer is to be late: on a busy machine any may take a quarter of a second."""
    late = hasattr(request.node, "callspec") and "delay" in request.node.callspec.params.get("fault", {})
    async with connected(api, IMPATIENT if late else 5.0) as gateway:
        yield gateway


@pytest.fixture
async def impatient(api):
    async with connected(api, IMPATIENT) as gateway:
        yield gateway


def plain(text: str) -> OutgoingText:
    return OutgoingText(html=text, plain=text)


def document(content: bytes = b"{}", *, name: str = "export.json", caption: OutgoingText = HELLO) -> OutgoingFile:
    return OutgoingFile(name, "application/json", content, caption)


PNG = b"\x89PNG\r\n\x1a\n" + b"\x00\x00\x00\rIHDR" + (640).to_bytes(4) + (480).to_bytes(4) + b"rest"
PICTURE = OutgoingFile("portrait.png", "image/png", PNG, HELLO)
MENU = (MenuEntry("gryadhelp", "довідка"), MenuEntry("gryadfacts", "що я знаю"))

CALLS = {
    "sendMessage": lambda gateway: gateway.send(CHAT, HELLO),
    "editMessageText": lambda gateway: gateway.edit(CHAT, 1, plain("new")),
    "deleteMessages": lambda gateway: gateway.delete(CHAT, [1]),
    "answerCallbackQuery": lambda gateway: gateway.answer_callback("1", "done"),
    "sendChatAction": lambda gateway: gateway.show_typing(CHAT),
    "sendPhoto": lambda gateway: gateway.send(CHAT, PICTURE),
    "sendDocument": lambda gateway: gateway.send(CHAT, document()),
    "getChatAdministrators": lambda gateway: gateway.administrators(CHAT),
    "getChatMember": lambda gateway: gateway.is_member(CHAT, 8),
    "setMyCommands": lambda gateway: gateway.set_menu("default", None, MENU),
    "getFile": lambda gateway: gateway.download("photo", limit_bytes=1000),
    "getMe": lambda gateway: gateway.me(),
    "getUpdates": lambda gateway: gateway.poll(offset=1, wait_seconds=0),
    "setWebhook": lambda gateway: gateway.set_webhook("https://example.org/", secret="s"),
    "deleteWebhook": lambda gateway: gateway.delete_webhook(),
    "getWebhookInfo": lambda gateway: gateway.webhook(),
}
EVERY_CALL = pytest.mark.parametrize("method", CALLS)
SENDS = ("sendMessage", "sendPhoto", "sendDocument")
EVERY_SEND = pytest.mark.parametrize("method", SENDS)
REPEATABLE = pytest.mark.parametrize("method", [method for method in CALLS if method not in SENDS])


@pytest.fixture
async def run(api, gateway):
    """Runs the call that uses a Bot API method, with a message to edit in place."""
    await gateway.send(CHAT, plain("old"))
    api.calls.clear()
    api.sent.clear()
    return lambda method: CALLS[method](gateway)


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


async def test_half_an_emoji_does_not_stop_a_message(gateway, api):
    await gateway.send(CHAT, plain("x \ud83d"))
    assert api.sent[0].text == "x \ufffd"


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


# --- The webhook ---


async def test_a_bot_without_a_webhook_is_told_so(gateway):
    assert await gateway.webhook() == WebhookInfo(url="")


async def test_the_webhook_is_told_with_what_waits_and_what_failed_last(gateway, api):
    api.webhook = {"url": "https://webhook.example/", "allowed_updates": ["message", "callback_query"]}
    api.webhook_error = (FIRST_DATE, "Wrong response from the webhook: 500 Internal Server Error")
    api.push(message_update("hi"), message_update("ho"))
    assert await gateway.webhook() == WebhookInfo(
        url="https://webhook.example/",
        pending=2,
        last_error="Wrong response from the webhook: 500 Internal Server Error",
        last_error_at=datetime.fromtimestamp(FIRST_DATE, UTC),
        allowed_updates=("message", "callback_query"),
    )


# --- Files ---


async def test_a_file_comes_whole_from_the_same_server(gateway, api):
    body = bytes(range(256)) * 500
    api.files.add("voice", body, path="voice/файл 1.oga")
    assert await gateway.download("voice", limit_bytes=len(body)) == body
    assert api.files.downloads == ["voice/файл 1.oga"]


async def test_a_file_above_the_limit_is_not_even_asked_for(gateway, api):
    with pytest.raises(FileTooLarge):
        await gateway.download("photo", limit_bytes=5)
    assert api.files.downloads == []


@pytest.mark.parametrize("told", [None, 3])
async def test_a_file_that_is_larger_than_telegram_tells_is_given_up_on_the_way(gateway, api, told):
    api.files.add("video", b"x" * 500_000, size=told)
    with pytest.raises(FileTooLarge):
        await gateway.download("video", limit_bytes=100_000)


async def test_a_file_that_telegram_does_not_hand_out_is_too_large(gateway, api):
    api.files.add("film", b"", size=20_000_001)
    with pytest.raises(FileTooLarge):
        await gateway.download("film", limit_bytes=10**9)
    for method in ("getFile", "download"):
        api.fail_next(method, status=413, body=b"<html>413 Request Entity Too Large</html>")
        with pytest.raises(FileTooLarge):
            await gateway.download("photo", limit_bytes=1000)


async def test_a_file_that_nobody_knows_is_gone(gateway, api):
    api.files.add("pathless", b"x", path="")
    api.files.add("expired", b"x", gone=True)
    for file_id in ("unknown", "pathless", "expired"):
        with pytest.raises(FileGone):
            await gateway.download(file_id, limit_bytes=1000)


@pytest.mark.parametrize("fault", [{"status": 500}, {"status": 429}, {"cut": "before"}, {"delay": 0.5}], ids=str)
async def test_a_file_that_does_not_come_is_unavailable(gateway, api, fault):
    api.fail_next("download", **fault)
    with pytest.raises(ChatUnavailable):
        await gateway.download("photo", limit_bytes=1000)
    assert await gateway.download("photo", limit_bytes=1000) == b"not really a photo"


@pytest.mark.parametrize("body", [b'{"ok": true, "result": true}', b'{"ok": true, "result": {"file_path": 7}}'])
async def test_an_answer_that_is_no_file_is_unavailability(gateway, api, body):
    api.fail_next("getFile", body=body)
    with pytest.raises(ChatUnavailable):
        await gateway.download("photo", limit_bytes=1000)


async def test_a_local_bot_api_servers_file_is_read_from_its_folder(gateway, api, tmp_path):
    stored = tmp_path / "video.mp4"
    stored.write_bytes(b"long film")
    api.files.add("film", b"", path=str(stored), size=None)
    assert await gateway.download("film", limit_bytes=9) == b"long film"
    with pytest.raises(FileTooLarge):
        await gateway.download("film", limit_bytes=8)
    stored.unlink()
    with pytest.raises(FileGone):
        await gateway.download("film", limit_bytes=9)
    assert api.files.downloads == []


async def test_the_address_of_a_file_appears_in_no_log_and_no_error(gateway, api, caplog):
    caplog.set_level(logging.DEBUG)
    await gateway.download("photo", limit_bytes=1000)
    api.fail_next("download", cut="before")
    with pytest.raises(ChatUnavailable) as caught:
        await gateway.download("photo", limit_bytes=1000)
    assert "fake-token" not in caplog.text + "".join(traceback.format_exception(caught.value))


# --- What the chat's state means ---

IN_CHAT = pytest.mark.parametrize(
    "method", [*SENDS, "editMessageText", "sendChatAction", "getChatAdministrators", "getChatMember"]
)


@IN_CHAT
async def test_a_bot_that_was_kicked_is_told_so(run, api, method):
    api.chats[CHAT].kicked = True
    with pytest.raises(ChatForbidden):
        await run(method)


@IN_CHAT
async def test_a_chat_that_the_bot_is_not_in_is_forbidden(run, api, method):
    del api.chats[CHAT]
    with pytest.raises(ChatForbidden):
        await run(method)


@IN_CHAT
async def test_a_group_that_became_a_supergroup_names_its_new_id(run, api, method):
    api.chats[CHAT].migrated_to = -1009
    with pytest.raises(ChatMigrated) as caught:
        await run(method)
    assert caught.value.new_chat_id == -1009


# --- What each fault means ---


@EVERY_CALL
async def test_a_short_flood_wait_is_sat_out(run, api, method):
    api.fail_next(method, status=429, retry_after=0.2)
    started = asyncio.get_running_loop().time()
    await run(method)
    assert asyncio.get_running_loop().time() - started >= 0.2
    assert len(api.calls) == 2


@EVERY_CALL
async def test_a_long_flood_wait_is_passed_on_at_once(run, api, method):
    api.fail_next(method, status=429, retry_after=6)
    with pytest.raises(ChatUnavailable) as caught:
        await run(method)
    assert caught.value.retry_after == 6
    assert len(api.calls) == 1


async def test_a_second_flood_wait_is_passed_on(run, api):
    api.fail_next("sendMessage", status=429, retry_after=0.2, times=2)
    with pytest.raises(ChatUnavailable) as caught:
        await run("sendMessage")
    assert caught.value.retry_after == 0.2
    assert (len(api.calls), api.sent) == (2, [])


@EVERY_CALL
@pytest.mark.parametrize("status", [500, 502, 503, 504])
@pytest.mark.parametrize("body", [None, b"<html>Bad Gateway</html>"])
async def test_an_error_of_telegrams_own_is_unavailability(run, api, method, status, body):
    api.fail_next(method, status=status, body=body)
    with pytest.raises(ChatUnavailable):
        await run(method)
    assert (len(api.calls), api.sent) == (1, [])


FAULTS = pytest.mark.parametrize(
    "fault",
    [{"cut": "before"}, {"cut": "after"}, {"delay": 1.5}, *({"body": body} for body in (b"", b"<html>", b"[]", b"{}"))],
    ids=str,
)


@FAULTS
@EVERY_SEND
async def test_a_message_whose_fate_is_unknown_is_never_sent_again(run, api, method, fault):
    api.fail_next(method, **fault)
    with pytest.raises(SendUncertain):
        await run(method)
    assert len(api.calls) == 1
    assert len(api.sent) == (0 if fault == {"cut": "before"} else 1)


@pytest.mark.parametrize("body", [b'{"ok": true, "result": {}}', b'{"ok": true, "result": true}'])
async def test_an_answer_that_is_no_message_leaves_the_fate_unknown(run, api, body):
    api.fail_next("sendMessage", body=body)
    with pytest.raises(SendUncertain):
        await run("sendMessage")


@FAULTS
@REPEATABLE
async def test_what_may_be_repeated_is_unavailable_when_its_fate_is_unknown(run, api, method, fault):
    api.fail_next(method, **fault)
    with pytest.raises(ChatUnavailable):
        await run(method)


async def test_a_gateway_works_again_after_a_fault(run, api):
    api.fail_next("sendMessage", cut="after")
    with pytest.raises(SendUncertain):
        await run("sendMessage")
    await run("sendMessage")
    assert len(api.sent) == 2


def closed_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


@EVERY_CALL
async def test_a_connection_that_was_never_made_means_not_sent(method):
    gateway = TelegramGateway(TOKEN, api_url=f"http://127.0.0.1:{closed_port()}", clock=FixedClock())
    with pytest.raises(ChatUnavailable) as caught:
        await CALLS[method](gateway)
    assert caught.value.retry_after is None
    await gateway.aclose()


async def test_a_refused_connection_is_tried_once_more():
    port = closed_port()
    gateway = TelegramGateway(TOKEN, api_url=f"http://127.0.0.1:{port}", clock=FixedClock())
    sending = asyncio.create_task(gateway.send(CHAT, HELLO))
    await asyncio.sleep(0.05)
    async with FakeBotApi(TOKEN, port=port) as api:
        api.add_chat(CHAT)
        await sending
        assert len(api.sent) == 1
        await gateway.aclose()


# --- The token ---


@EVERY_CALL
async def test_a_token_that_telegram_does_not_know_is_a_setting_to_fix(api, method):
    gateway = TelegramGateway("123456:other", api_url=api.url, clock=FixedClock())
    with pytest.raises(SettingsError, match="TELEGRAM_BOT_TOKEN"):
        await CALLS[method](gateway)
    await gateway.aclose()


@pytest.mark.parametrize("token", ["", "no-colon", "1:a b"])
def test_a_malformed_token_stops_start_up(token):
    with pytest.raises(SettingsError, match="TELEGRAM_BOT_TOKEN"):
        TelegramGateway(token, clock=FixedClock())


async def test_the_token_appears_in_no_log_and_no_error(gateway, api, caplog):
    caplog.set_level(logging.DEBUG)
    api.fail_next("sendMessage", body=b"<html>secret words</html>")
    with pytest.raises(SendUncertain) as caught:
        await gateway.send(CHAT, HELLO)
    api.fail_next("getMe", cut="before")
    with pytest.raises(ChatUnavailable) as again:
        await gateway.me()
    text = caplog.text + "".join(line for error in (caught, again) for line in traceback.format_exception(error.value))
    assert "fake-token" not in text
    assert "secret words" not in text


# --- For the local runner ---


async def test_the_bot_knows_itself(gateway):
    assert await gateway.me() == (123456, "spomyn_bot")


async def test_polling_yields_raw_updates_and_confirms_by_offset(gateway, api):
    hostile = message_update("x", update_id=6, date=10**15, new_field={"deep": [1]})
    api.push(message_update(update_id=5), hostile)
    assert await gateway.poll() == [message_update(update_id=5), hostile]
    assert await gateway.poll(offset=7, wait_seconds=0) == []
    wanted = ["message", "edited_message", "callback_query", "my_chat_member", "message_reaction", "chat_member"]
    assert api.calls[0].params == {"timeout": 25, "allowed_updates": wanted}


async def test_polling_waits_for_news_longer_than_other_calls(impatient, api):
    polling = asyncio.create_task(impatient.poll(offset=1, wait_seconds=5))
    await asyncio.sleep(2 * IMPATIENT)
    api.push(message_update(update_id=5))
    assert len(await polling) == 1
    assert [call.method for call in api.calls] == ["getUpdates"]


async def test_polling_beside_a_webhook_is_unavailable_until_it_is_deleted(gateway, api):
    api.webhook = {"url": "https://example.org/"}
    with pytest.raises(ChatUnavailable, match="webhook"):
        await gateway.poll(wait_seconds=0)
    await gateway.delete_webhook()
    assert await gateway.poll(wait_seconds=0) == []


async def test_a_webhook_is_set_with_its_secret_and_every_kind_of_update(gateway, api):
    api.push(message_update(update_id=5))
    await gateway.set_webhook("https://example.org/hook", secret="s-1", max_connections=7)
    assert api.calls[-1].params["secret_token"] == "s-1"
    info = await gateway.webhook()
    assert (info.url, info.pending, info.allowed_updates) == ("https://example.org/hook", 1, ALLOWED_UPDATES)
    await gateway.set_webhook("https://example.org/hook", secret="s-1", drop_pending=True)
    assert (await gateway.webhook()).pending == 0


async def test_an_address_that_telegram_refuses_is_refused_in_its_words(gateway):
    with pytest.raises(MessageRejected, match="ports 80, 88, 443 or 8443"):
        await gateway.set_webhook("https://example.org:444/", secret="s")


async def test_a_closed_gateway_opens_again_when_used(gateway, api):
    await gateway.aclose()
    await gateway.aclose()
    await gateway.send(CHAT, HELLO)
    assert len(api.sent) == 1


async def test_messages_are_deleted_and_one_that_is_gone_or_too_old_keeps_no_other(gateway, api):
    first, second, third = [(await gateway.send(CHAT, HELLO)).message_id for _ in range(3)]
    await gateway.delete(CHAT, [first, 999_999])
    assert set(api.chats[CHAT].own) == {second, third}
    api.chats[CHAT].own[second] = replace(api.chats[CHAT].own[second], date=0)
    await gateway.delete(CHAT, [second, third, 999_999])
    assert set(api.chats[CHAT].own) == {second}
