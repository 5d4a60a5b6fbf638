"""The fake Bot API refuses what Telegram refuses: a fake that forgives would make every other test worthless."""

from __future__ import annotations

import json

import aiohttp
import pytest

from tests.support.telegram.bot_api import FakeBotApi, SentFile
from tests.support.telegram.bot_api_files import LARGEST_FILE, LARGEST_PHOTO, Upload, sent_file
from tests.support.telegram.bot_api_limits import SendingLimits
from tests.support.telegram.bot_api_rules import Refusal, TelegramHtml, check, description
from tests.support.updates import message_update

TOKEN = "123456:fake-token"
CHAT = -1005
ONE_BUTTON = {"text": "Yes", "callback_data": "yes"}


@pytest.fixture
async def api():
    async with FakeBotApi(TOKEN) as server:
        server.add_chat(CHAT, admins={7, 9}, admin_bots={123456, 55})
        yield server


@pytest.fixture
async def post(api):
    async with aiohttp.ClientSession() as session:

        async def call(method: str, *, token: str = TOKEN, **arguments):
            async with session.post(f"{api.url}/bot{token}/{method}", **arguments) as response:
                return response.status, await response.json()

        yield call


@pytest.fixture
def refusal(post):
    async def call(method: str, **params) -> tuple[int, str]:
        status, body = await post(method, json=params)
        assert body["ok"] is False
        assert body["error_code"] == status
        return status, body["description"]

    return call


def keyboard(*row: dict) -> dict:
    return {"inline_keyboard": [list(row)]}


async def test_it_knows_every_method_and_type_of_the_description():
    assert len(description()["methods"]) == 185
    assert len(description()["types"]) == 400


async def test_a_wrong_token_is_unauthorized_and_a_wrong_method_not_found(post):
    assert (await post("getMe", token="1:other"))[0] == 401
    assert (await post("getme"))[0] == 404
    assert (await post("sendMesage"))[0] == 404


@pytest.mark.parametrize(
    "arguments",
    [
        {"json": {"chat_id": CHAT, "text": "hi", "reply_markup": keyboard(ONE_BUTTON)}},
        {"data": {"chat_id": str(CHAT), "text": "hi", "reply_markup": json.dumps(keyboard(ONE_BUTTON))}},
        {"params": {"chat_id": str(CHAT), "text": "hi", "reply_markup": json.dumps(keyboard(ONE_BUTTON))}},
    ],
    ids=["json", "form", "query"],
)
async def test_every_encoding_of_a_call_is_the_same_call(post, api, arguments):
    status, body = await post("sendMessage", **arguments)
    assert status == 200
    check(body["result"], "Message", "result")
    [sent] = api.sent
    assert (sent.chat_id, sent.text, sent.buttons) == (CHAT, "hi", ((("Yes", "yes"),),))
    assert api.calls[0].params["chat_id"] == CHAT


async def test_an_uploaded_file_is_a_file_parameter(post, api):
    form = aiohttp.FormData()
    form.add_field("chat_id", str(CHAT))
    form.add_field("photo", b"\x89PNG", filename="a.png")
    status, body = await post("sendPhoto", data=form)
    assert status == 200
    check(body["result"], "Message", "result")
    assert api.sent[0].file == SentFile("a.png", b"\x89PNG", "photo", "application/octet-stream")


async def test_a_document_is_a_message_with_its_name(post, api):
    form = aiohttp.FormData({"chat_id": str(CHAT), "caption": "<b>x</b>", "parse_mode": "HTML"})
    form.add_field("document", b"{}", filename="a.json", content_type="application/json")
    status, body = await post("sendDocument", data=form)
    assert status == 200
    check(body["result"], "Message", "result")
    assert (body["result"]["document"]["file_name"], body["result"]["caption"]) == ("a.json", "x")
    assert api.sent[0].file == SentFile("a.json", b"{}", "document", "application/json")


@pytest.mark.parametrize(
    ("method", "content", "complaint"),
    [
        ("sendPhoto", b"", (400, "Bad Request: file must be non-empty")),
        ("sendPhoto", b"text", (400, "Bad Request: IMAGE_PROCESS_FAILED")),
        ("sendPhoto", b"\x89PNG" + bytes(12) + (9_999).to_bytes(4) + (9).to_bytes(4), (400, "Bad Request: PHOTO_INV")),
    ],
    ids=["empty", "no picture", "dimensions"],
)
async def test_a_picture_that_telegram_would_not_take_is_refused(post, api, method, content, complaint):
    form = aiohttp.FormData({"chat_id": str(CHAT)})
    form.add_field("photo", content, filename="a.png")
    status, body = await post(method, data=form)
    assert (status, body["description"][: len(complaint[1])]) == complaint
    assert api.sent == []


@pytest.mark.parametrize(("kind", "most"), [("photo", LARGEST_PHOTO), ("document", LARGEST_FILE)])
def test_a_file_has_a_largest_size(kind, most):
    content = b"GIF8" + bytes(most - 4)
    assert len(sent_file(Upload("a", content, "image/gif"), kind).content) == most
    with pytest.raises(Refusal, match="Too Large"):
        sent_file(Upload("a", content + b".", "image/gif"), kind)


async def test_a_file_by_its_id_is_not_known(refusal):
    assert "wrong file identifier" in (await refusal("sendDocument", chat_id=CHAT, document="an-id"))[1]


async def test_a_caption_is_shorter_than_a_text(post):
    form = aiohttp.FormData({"chat_id": str(CHAT), "caption": "🥦" * 512 + "."})
    form.add_field("document", b"{}", filename="a.json")
    _, body = await post("sendDocument", data=form)
    assert body["description"] == "Bad Request: message caption is too long"


async def test_a_text_has_no_caption_to_edit_and_a_file_no_text(post, refusal):
    await post("sendMessage", json={"chat_id": CHAT, "text": "x"})
    form = aiohttp.FormData({"chat_id": str(CHAT)})
    form.add_field("document", b"{}", filename="a.json")
    await post("sendDocument", data=form)
    complaint = "Bad Request: there is no {} in the message to edit"
    captioned = await refusal("editMessageCaption", chat_id=CHAT, message_id=1, caption="y")
    assert captioned == (400, complaint.format("caption"))
    assert await refusal("editMessageText", chat_id=CHAT, message_id=2, text="y") == (400, complaint.format("text"))
    _, body = await post("editMessageCaption", json={"chat_id": CHAT, "message_id": 2, "caption": "y"})
    check(body["result"], "Message", "result")
    assert body["result"]["caption"] == "y"


@pytest.mark.parametrize(
    ("method", "params", "complaint"),
    [
        ("sendMessage", {"chat_id": CHAT}, 'parameter "text" is required'),
        ("sendMessage", {"text": "x"}, 'parameter "chat_id" is required'),
        ("sendMessage", {"chat_id": CHAT, "text": "x", "colour": 1}, '"colour"'),
        ("sendMessage", {"chat_id": 1.5, "text": "x"}, "chat_id"),
        ("sendMessage", {"chat_id": True, "text": "x"}, "chat_id"),
        ("sendMessage", {"chat_id": 2**63, "text": "x"}, "chat_id"),
        ("sendMessage", {"chat_id": CHAT, "text": 7}, "text must be a valid String"),
        ("sendMessage", {"chat_id": CHAT, "text": "\ud83d"}, "text must be a valid String"),
        ("sendMessage", {"chat_id": CHAT, "text": "x", "message_thread_id": "abc"}, "message_thread_id"),
        ("sendMessage", {"chat_id": CHAT, "text": "x", "disable_notification": 1}, "disable_notification"),
        (
            "sendMessage",
            {"chat_id": CHAT, "text": "x", "ephemeral_message_parameters": {}},
            'ephemeral_message_parameters.receiver_user_id" is req',
        ),
        ("sendMessage", {"chat_id": CHAT, "text": "x", "reply_parameters": "{"}, "reply_parameters"),
        ("sendMessage", {"chat_id": CHAT, "text": "x", "reply_parameters": {"message_id": 1, "a": 1}}, "a"),
        ("sendMessage", {"chat_id": CHAT, "text": "x", "entities": [{"type": "bold"}]}, "entities[0].offset"),
        ("sendMessage", {"chat_id": CHAT, "text": "x", "reply_markup": {"inline_keyboard": [{}]}}, "none of the types"),
        ("setMessageReaction", {"chat_id": 1, "message_id": 1, "reaction": [{"type": "emoji"}]}, "reaction[0]"),
        ("sendLocation", {"chat_id": 1, "latitude": "north", "longitude": 1}, "latitude"),
        ("getUpdates", {"allowed_updates": "message"}, "allowed_updates"),
        ("sendChatAction", {"chat_id": CHAT, "action": "dancing"}, "action"),
        ("setWebhook", {"url": "http://plain"}, "HTTPS"),
        ("setWebhook", {"url": "https://x", "secret_token": "a b"}, "secret"),
        ("setWebhook", {"url": "https://x:444"}, "ports 80, 88, 443 or 8443"),
        ("setWebhook", {"url": "https://localhost/"}, "resolve host"),
        ("setWebhook", {"url": "https://10.0.0.1/"}, "IP address 10.0.0.1 is reserved"),
        ("setWebhook", {"url": "https://x", "max_connections": 101}, "max_connections"),
        ("setWebhook", {"url": "https://x", "allowed_updates": ["mesage"]}, "mesage"),
        ("answerCallbackQuery", {"callback_query_id": "1", "text": "x" * 201}, "MESSAGE_TOO_LONG"),
    ],
)
async def test_a_wrong_call_is_refused_by_name(refusal, api, method, params, complaint):
    status, description = await refusal(method, **params)
    assert status == 400
    assert complaint in description
    assert api.sent == []
    assert [call.method for call in api.calls] == [method]


@pytest.mark.parametrize(
    ("params", "complaint"),
    [
        ({"text": ""}, "Bad Request: message text is empty"),
        ({"text": " \n"}, "Bad Request: message text is empty"),
        ({"text": "<b></b>", "parse_mode": "HTML"}, "Bad Request: message text is empty"),
        ({"text": "x" * 4097}, "Bad Request: message is too long"),
        ({"text": "🥦" * 2049}, "Bad Request: message is too long"),
        ({"text": "x", "parse_mode": "Markdown"}, "parse_mode"),
        ({"text": "x", "message_thread_id": 5}, "message thread not found"),
        ({"text": "x", "reply_parameters": {"message_id": 3}}, "message to be replied not found"),
        ({"text": "x", "reply_markup": keyboard({"text": "a", "callback_data": ""})}, "BUTTON_DATA_INVALID"),
        ({"text": "x", "reply_markup": keyboard({"text": "a", "callback_data": "ї" * 33})}, "BUTTON_DATA_INVALID"),
        ({"text": "x", "reply_markup": keyboard({"text": "a"})}, "Text buttons are unallowed"),
    ],
)
async def test_a_message_that_telegram_would_not_take_is_refused(refusal, api, params, complaint):
    api.chats[CHAT].vanished.add(3)
    status, description = await refusal("sendMessage", chat_id=CHAT, **params)
    assert status == 400
    assert complaint in description


async def test_the_length_counts_after_the_markup_is_gone(post):
    params = {"chat_id": CHAT, "text": f"<b>{'🥦' * 2048}</b>", "parse_mode": "HTML"}
    assert (await post("sendMessage", json=params))[0] == 200


@pytest.mark.parametrize(
    ("html", "text"),
    [
        ("plain", "plain"),
        ("<b>b</b><strong>s</strong><i>i</i><em>e</em><u>u</u><ins>n</ins>", "bsieun"),
        ("<s>s</s><strike>t</strike><del>d</del>", "std"),
        ('<a href="https://x.y/?a=1&amp;b=2">link</a>', "link"),
        ('<span class="tg-spoiler">a</span><tg-spoiler>b</tg-spoiler>', "ab"),
        ('<pre><code class="language-python">a &lt; b</code></pre>', "a < b"),
        ('<tg-emoji emoji-id="5368324170671202286">👍</tg-emoji>', "👍"),
        ("<blockquote expandable>a\n<b>b</b></blockquote>", "a\nb"),
        ("&lt;b&gt; &amp;amp; &quot;&#39;&#x1F966;", "<b> &amp; \"'🥦"),
    ],
)
def test_telegrams_html_is_taken(html, text):
    assert TelegramHtml.parse(html) == text


@pytest.mark.parametrize(
    "html",
    [
        *("<b>a", "a</b>", "<b><i>a</b></i>", "<p>a</p>", "a<br>", "<br/>", "<h1>a</h1>", "<ul><li>a</li></ul>"),
        *("a < b", "a > b", "a & b", "&nbsp;", "&apos;", "&lt", "<", "<b", "< b>a</b>", "</>", "<>", "a<3"),
        *("<a>x</a>", "<a href>x</a>", '<b class="x">a</b>', '<span class="red">a</span>', "<span>a</span>"),
        *("<code><b>a</b></code>", "<pre><i>a</i></pre>", "<blockquote>a<blockquote>b</blockquote></blockquote>"),
        *("<!-- a -->", "<!DOCTYPE html>", "<?xml?>", "&#0;", "&#xD800;", "&#1114112;", "<script>a</script>"),
    ],
)
async def test_other_html_cannot_be_parsed(refusal, html):
    status, description = await refusal("sendMessage", chat_id=CHAT, text=html, parse_mode="HTML")
    assert status == 400
    assert description.startswith("Bad Request: can't parse entities: ")


async def test_chats_answer_as_they_are(refusal, api):
    api.add_chat(5, "private").kicked = True
    api.add_chat(-6).kicked = True
    api.add_chat(-7, "group").migrated_to = CHAT
    assert await refusal("sendMessage", chat_id=-99, text="x") == (400, "Bad Request: chat not found")
    assert await refusal("sendMessage", chat_id=5, text="x") == (403, "Forbidden: bot was blocked by the user")
    assert await refusal("sendMessage", chat_id=-6, text="x") == (
        403,
        "Forbidden: bot was kicked from the supergroup chat",
    )
    assert (await refusal("sendMessage", chat_id=-7, text="x"))[0] == 400


async def test_a_migrated_chat_names_its_successor(post, api):
    api.add_chat(-7, "group").migrated_to = CHAT
    _, body = await post("sendMessage", json={"chat_id": -7, "text": "x"})
    assert body["parameters"] == {"migrate_to_chat_id": CHAT}


async def test_each_supergroup_has_a_sequence_of_ids_and_all_other_chats_share_the_bots(post, api):
    api.add_chat(-5, "supergroup", next_message_id=1000)
    api.add_chat(-6, "group")
    api.add_chat(6, "private")
    ids = [
        (await post("sendMessage", json={"chat_id": chat, "text": "x"}))[1]["result"]["message_id"]
        for chat in (CHAT, -5, -6, 6, -6, CHAT, -5)
    ]
    assert ids == [1, 1000, 1, 2, 3, 2, 1001]


async def test_members_messages_are_numbered_together_with_the_bots(post, api):
    async def send():
        return (await post("sendMessage", json={"chat_id": CHAT, "text": "x"}))[1]["result"]["message_id"]

    ids = api.numbering(CHAT, "supergroup")
    assert [ids.take(), await send(), ids.take(), await send()] == [1, 2, 3, 4]
    ids.keep(70)
    ids.keep(50)
    assert [await send(), ids.take()] == [71, 72]


async def test_only_own_messages_can_be_edited_and_only_changed(post, refusal, api):
    await post("sendMessage", json={"chat_id": CHAT, "text": "x"})
    edit = {"chat_id": CHAT, "message_id": 1}
    assert "not modified" in (await refusal("editMessageText", **edit, text="x"))[1]
    assert "not found" in (await refusal("editMessageText", **{**edit, "message_id": 2}, text="y"))[1]
    _, body = await post("editMessageText", json={**edit, "text": "y"})
    check(body["result"], "Message", "result")
    assert [each.text for each in api.edited] == ["y"]
    assert [each.text for each in api.sent] == ["x"]


async def test_administrators_are_valid_chat_members_and_other_bots_come_on_request(post):
    _, body = await post("getChatAdministrators", json={"chat_id": CHAT})
    check(body["result"], "Array of ChatMember", "result")
    assert [member["user"]["id"] for member in body["result"]] == [7, 9, 123456]
    assert [member["status"] for member in body["result"]] == ["creator", "administrator", "administrator"]
    _, body = await post("getChatAdministrators", json={"chat_id": CHAT, "return_bots": True})
    assert [member["user"]["id"] for member in body["result"]] == [7, 9, 55, 123456]


@pytest.mark.parametrize(("user_id", "status"), [(7, "creator"), (9, "administrator"), (8, "member")])
async def test_a_member_is_what_the_chat_says(post, user_id, status):
    _, body = await post("getChatMember", json={"chat_id": CHAT, "user_id": user_id})
    check(body["result"], "ChatMember", "result")
    assert body["result"]["status"] == status


async def test_who_is_in_the_chat_can_be_set(post, refusal, api):
    chat = api.add_chat(-6, "group", admins={7}, members={8, 9, 10})
    chat.left.add(9)
    chat.banned.add(7)
    chat.restricted[11] = False
    for user_id, status in [(8, "member"), (9, "left"), (7, "kicked"), (11, "restricted")]:
        _, body = await post("getChatMember", json={"chat_id": -6, "user_id": user_id})
        check(body["result"], "ChatMember", "result")
        assert body["result"]["status"] == status
    assert await refusal("getChatMember", chat_id=-6, user_id=12) == (400, "Bad Request: user not found")
    assert (await refusal("getChatMember", chat_id=-6, user_id=-1))[0] == 400
    assert (await post("getChatAdministrators", json={"chat_id": -6}))[1]["result"] == []


@pytest.mark.parametrize(
    ("params", "complaint"),
    [
        ({"commands": [{"command": "Help", "description": "x"}]}, "BOT_COMMAND_INVALID"),
        ({"commands": [{"command": "x" * 33, "description": "x"}]}, "BOT_COMMAND_INVALID"),
        ({"commands": [{"command": "/help", "description": "x"}]}, "BOT_COMMAND_INVALID"),
        ({"commands": [{"command": "help", "description": ""}]}, "BOT_COMMAND_DESCRIPTION_INVALID"),
        ({"commands": [{"command": "help", "description": "x" * 257}]}, "BOT_COMMAND_DESCRIPTION_INVALID"),
        ({"commands": [{"command": "help", "description": "x"}] * 101}, "too many"),
        ({"commands": [], "language_code": "ukr"}, "LANGUAGE_CODE_INVALID"),
        ({"commands": [], "scope": {"type": "everywhere"}}, "none of the types"),
    ],
)
async def test_a_menu_that_telegram_would_not_take_is_refused(refusal, params, complaint):
    status, description = await refusal("setMyCommands", **params)
    assert (status, complaint in description) == (400, True)


async def test_a_menu_belongs_to_its_scope_and_language(post, api):
    menu = {"commands": [{"command": "help", "description": "x"}], "scope": {"type": "all_group_chats"}}
    await post("setMyCommands", json={**menu, "language_code": "uk"})
    asked = {"scope": menu["scope"], "language_code": "uk"}
    assert (await post("getMyCommands", json=asked))[1]["result"] == menu["commands"]
    assert (await post("getMyCommands", json={"scope": menu["scope"]}))[1]["result"] == []
    assert api.menus.of("all_group_chats", "uk") == [("help", "x")]
    await post("deleteMyCommands", json=asked)
    assert api.menus.of("all_group_chats", "uk") == []


async def test_results_have_the_described_types(post):
    for method, type_name in [("getMe", "User"), ("getWebhookInfo", "WebhookInfo")]:
        _, body = await post(method)
        check(body["result"], type_name, "result")


async def test_updates_are_delivered_until_confirmed_and_never_beside_a_webhook(post, refusal, api):
    api.push(message_update(update_id=5), message_update(update_id=6))
    assert [each["update_id"] for each in (await post("getUpdates"))[1]["result"]] == [5, 6]
    assert [each["update_id"] for each in (await post("getUpdates", json={"offset": 6}))[1]["result"]] == [6]
    assert (await post("getUpdates", json={"offset": 7}))[1]["result"] == []
    await post("setWebhook", json={"url": "https://x.y/", "secret_token": "s"})
    assert (await post("getWebhookInfo"))[1]["result"]["url"] == "https://x.y/"
    assert (await refusal("getUpdates"))[0] == 409
    await post("deleteWebhook")
    assert (await post("getUpdates"))[0] == 200


async def test_a_fault_spoils_as_many_calls_as_asked(post, api):
    api.fail_next("getMe", status=429, retry_after=3, times=2)
    for _ in range(2):
        status, body = await post("getMe")
        assert (status, body["parameters"]) == (429, {"retry_after": 3})
    assert (await post("getMe"))[0] == 200


@pytest.mark.parametrize("is_late", [False, True])
async def test_limits_hold_whether_the_server_began_with_them_or_got_them_later(is_late):
    limits = SendingLimits(lambda: 0.0)
    async with FakeBotApi(TOKEN, limits=None if is_late else limits) as server, aiohttp.ClientSession() as session:
        server.add_chat(CHAT)
        if is_late:
            server.limit(limits)
        statuses = []
        for _ in range(40):
            message = {"chat_id": CHAT, "text": "x"}
            async with session.post(f"{server.url}/bot{TOKEN}/sendMessage", json=message) as response:
                statuses.append(response.status)
    assert statuses == [200] + 39 * [429]


@pytest.mark.parametrize(("cut", "processed"), [("before", 0), ("after", 1)])
async def test_a_connection_can_be_cut_before_and_after_processing(post, api, cut, processed):
    api.fail_next("sendMessage", cut=cut)
    with pytest.raises(aiohttp.ClientError):
        await post("sendMessage", json={"chat_id": CHAT, "text": "x"})
    assert (len(api.sent), len(api.calls)) == (processed, 1)


async def test_a_body_can_be_garbled(api):
    api.fail_next("getMe", body=b"<html>")
    async with aiohttp.ClientSession() as session, session.get(f"{api.url}/bot{TOKEN}/getMe") as response:
        assert (response.status, await response.read()) == (200, b"<html>")


@pytest.mark.parametrize("body", [b"[]", b"{", b'{"a":' * 100_000])
async def test_a_json_body_must_be_an_object(post, body):
    status, answer = await post("getMe", data=body, headers={"Content-Type": "application/json"})
    assert (status, answer["ok"]) == (400, False)


def test_a_nested_value_is_checked_by_path():
    with pytest.raises(Refusal, match=r"update.message.chat.id"):
        check(message_update(chat={"id": "1", "type": "group"}), "Update", "update")
