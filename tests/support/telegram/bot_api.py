"""A strict Bot API server on 127.0.0.1, driven by the machine-readable description in `tests/data/bot_api.json`.

It refuses what Telegram refuses, and some of what Telegram forgives (unknown parameters, unescaped "&"), so that a test
fails where a user would only see a wrong message.

    async with FakeBotApi("123:token") as api:
        api.add_chat(-1001, admins={7})
        api.fail_next("sendMessage", status=429, retry_after=1)
"""

from __future__ import annotations

import asyncio
from collections import defaultdict, deque
from collections.abc import Callable, Collection, Mapping
from contextlib import suppress
from dataclasses import dataclass, replace
from http import HTTPStatus
from typing import Any, Literal

from aiohttp import web

from tests.support.telegram.bot_api_chats import FIRST_DATE, Chat, Numbering, Sent
from tests.support.telegram.bot_api_files import LARGEST_FILE, SentFile, StoredFiles, Upload, read_parameters, sent_file
from tests.support.telegram.bot_api_limits import SendingLimits
from tests.support.telegram.bot_api_menus import Menus
from tests.support.telegram.bot_api_rules import Refusal, bad, buttons_of, check_call, description, visible_text
from tests.support.telegram.bot_api_webhook import check_webhook, method_in

__all__ = ["FIRST_DATE", "Call", "Chat", "FakeBotApi", "Numbering", "Sent", "SentFile"]

ACTIONS = frozenset(("typing", "upload_photo", "record_video", "upload_video", "record_voice", "upload_voice"))
_OVERHEAD = 1 << 20  # bytes of a request beside its file


# --- State -------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Call:
    """One request for a known method, also a refused one; `params` as decoded, as sent when they could not be."""

    method: str
    params: dict[str, Any]

    @property
    def is_told_alone(self) -> bool:
        """Whether it shows something to one member, who pressed a button."""
        return self.method == "answerCallbackQuery" or "ephemeral_message_parameters" in self.params


@dataclass(frozen=True, slots=True)
class Fault:
    """What happens instead of, before or after a call; see `FakeBotApi.fail_next`."""

    refusal: Refusal | None = None
    delay: float = 0.0
    cut: str | None = None
    body: bytes | None = None
    until: asyncio.Event | None = None
    late: bool = False


def _fault(
    status: int | None,
    description: str = "",
    retry_after: float | None = None,
    delay: float = 0.0,
    cut: str | None = None,
    body: bytes | None = None,
    until: asyncio.Event | None = None,
    late: bool = False,
) -> Fault:
    parameters = {} if retry_after is None else {"retry_after": retry_after}
    refusal = None if status is None else Refusal(status, description or HTTPStatus(status).phrase, **parameters)
    return Fault(refusal, delay, cut, body, until, late)


class FakeBotApi:
    """The server; `calls`, `sent` (in order, as first sent) and `edited` record what reached it.

    Messages are numbered as Telegram numbers them: in a supergroup the members' and the bot's share one sequence;
    ordinary groups and private chats share the bot's own.

    Args:
        now: The time, in Unix seconds, that the bot's messages are sent at; by default it stands at `FIRST_DATE`.
        limits: How much may be said; None: as much as one likes, for tests whose clock stands still.
    """

    def __init__(
        self,
        token: str = "123456:fake-token",
        *,
        username: str = "spomyn_bot",
        port: int = 0,
        now: Callable[[], int] = lambda: FIRST_DATE,
        limits: SendingLimits | None = None,
    ) -> None:
        self.token = token
        self.bot = {"id": int(token.partition(":")[0]), "is_bot": True, "first_name": "Spomyn", "username": username}
        self.calls: list[Call] = []
        self.sent: list[Sent] = []
        self.edited: list[Sent] = []
        self.whispers: list[tuple[int, str]] = []
        """What one member alone was told, and who."""
        self.too_old_for: list[str] = []
        """Methods that this server does not know."""
        self.expired_callbacks: set[str] = set()
        self.webhook: dict[str, Any] = {}
        self.webhook_error: tuple[int, str] | None = None
        """When the last delivery failed (Unix time), and why."""
        self.files = StoredFiles()
        self.menus = Menus()
        self.chats: dict[int, Chat] = {}
        self._port = port
        self.now = now
        self.limits = limits
        self._own_ids = Numbering()
        self._supergroup_ids: dict[int, Numbering] = defaultdict(Numbering)
        self._updates: list[dict[str, Any]] = []
        self._news = asyncio.Event()
        self._faults: dict[str, deque[Fault]] = defaultdict(deque)
        self._outage = Fault()

    async def __aenter__(self) -> FakeBotApi:
        app = web.Application(client_max_size=LARGEST_FILE + _OVERHEAD)
        app.router.add_route("*", "/bot{token:[^/]+}/{method}", self._serve)
        app.router.add_route("GET", "/file/bot{token:[^/]+}/{path:.+}", self._serve_file)
        self._runner = web.AppRunner(app, access_log=None, shutdown_timeout=0.05)
        await self._runner.setup()
        await self.take_connections()
        self._port = self._runner.addresses[0][1]
        return self

    async def __aexit__(self, *_: object) -> None:
        await self._runner.cleanup()

    @property
    def url(self) -> str:
        """What `TelegramGateway` takes as `api_url`."""
        return f"http://127.0.0.1:{self._port}"

    def add_chat(
        self,
        chat_id: int,
        kind: str = "supergroup",
        *,
        title: str = "Test",
        admins: Collection[int] = (),
        admin_bots: Collection[int] = (),
        members: Collection[int] | None = None,
        is_forum: bool = False,
        next_message_id: int | None = None,
    ) -> Chat:
        """A chat that the bot is in; the first of `admins` by id owns it. Set `kicked`, `migrated_to`, `vanished`,
        `left`, `banned` or `restricted`.

        Args:
            members: Who is in it besides administrators; None: everybody who is asked about.
            next_message_id: Number its further messages from here; None: go on where its sequence stands.
        """
        ids = self.numbering(chat_id, kind)
        ids.keep((next_message_id or 1) - 1)
        chat = Chat(chat_id, kind, title, sorted(admins), sorted(admin_bots), is_forum, ids, members)
        self.chats[chat_id] = chat
        return chat

    def numbering(self, chat_id: int, kind: str) -> Numbering:
        """What numbers the messages of a chat of this kind, whether or not the bot is in it."""
        return self._supergroup_ids[chat_id] if kind in ("supergroup", "channel") else self._own_ids

    def push(self, *updates: dict[str, Any]) -> None:
        """Let getUpdates deliver these."""
        self._updates += updates
        self._news.set()

    def fail_next(
        self,
        method: str,
        *,
        status: int | None = None,
        description: str = "",
        retry_after: float | None = None,
        delay: float = 0.0,
        cut: str | None = None,
        body: bytes | None = None,
        until: asyncio.Event | None = None,
        late: bool = False,
        times: int = 1,
    ) -> None:
        """Spoil the next `times` calls of `method`; "download" stands for fetching a file's content.

        Args:
            status: Refuse with it, unprocessed; `retry_after` comes along in the parameters.
            delay: Seconds to wait between processing and answering; before a connection is cut unprocessed.
            cut: Break the connection "before" or "after" processing.
            body: After processing, answer 200 with this instead (with `status`: that status, unprocessed).
            until: After processing, answer when this is set.
            late: Refuse with `status` after processing, as a proxy does that lost the server's answer.
        """
        fault = _fault(status, description, retry_after, delay, cut, body, until, late)
        self._faults[method].extend([fault] * times)

    def fail(self, *, status: int | None = None, retry_after: float | None = None, **fault: Any) -> None:
        """Spoil every call of every method until `recover`, as `fail_next` does."""
        self._outage = _fault(status, retry_after=retry_after, **fault)

    def recover(self) -> None:
        """Spoil nothing any more."""
        self._faults.clear()
        self._outage = Fault()

    async def refuse_connections(self) -> None:
        """Close the port, until `take_connections`."""
        await self._site.stop()
        for connection in list(self._runner.server.connections if self._runner.server else ()):
            connection.force_close()

    async def take_connections(self) -> None:
        """Listen on the port again."""
        self._site = web.TCPSite(self._runner, "127.0.0.1", self._port)
        await self._site.start()

    def limit(self, limits: SendingLimits) -> None:
        """Take no more than this from now on."""
        self.limits = limits

    async def call_from_webhook(self, body: bytes) -> None:
        """Do what the body of an acknowledgement asks for, if it does; whether it could be done nobody is told."""
        if (call := method_in(body)) is not None:
            await self._answer(*call, {})

    # --- Serving ---

    async def _serve(self, request: web.Request) -> web.StreamResponse:
        method = request.match_info["method"]
        if request.match_info["token"] != self.token:
            return Refusal(401, "Unauthorized").response()
        if method not in description()["methods"] or method in self.too_old_for:
            self.calls += [Call(method, {})] if method in self.too_old_for else []
            return Refusal(404, "Not Found: method not found").response()
        try:
            raw, files = await read_parameters(request)
        except Refusal as refusal:
            return refusal.response()
        faults = self._faults[method]
        fault = faults.popleft() if faults else self._outage
        if (fault.refusal and not fault.late) or fault.cut == "before":
            self.calls.append(Call(method, raw))
            await asyncio.sleep(fault.delay)
            return self._spoil(request, fault)
        response = await self._answer(method, raw, files)
        await asyncio.sleep(fault.delay)
        if fault.until is not None:
            await fault.until.wait()
        return self._spoil(request, fault) if fault.cut or fault.late or fault.body is not None else response

    def _spoil(self, request: web.Request, fault: Fault) -> web.Response:
        if fault.cut and request.transport is not None:
            request.transport.abort()
        if fault.body is not None:
            return web.Response(body=fault.body, status=fault.refusal.status if fault.refusal else 200)
        return fault.refusal.response() if fault.refusal else web.Response()

    async def _serve_file(self, request: web.Request) -> web.StreamResponse:
        body = self.files.body(request.match_info["path"])
        if request.match_info["token"] != self.token or body is None:
            return Refusal(404, "Not Found").response()
        faults = self._faults["download"]
        fault = faults.popleft() if faults else Fault()
        await asyncio.sleep(fault.delay)
        spoilt = fault.refusal or fault.cut or fault.body is not None
        return self._spoil(request, fault) if spoilt else web.Response(body=body)

    async def _answer(self, method: str, raw: dict[str, Any], files: Mapping[str, Upload]) -> web.Response:
        try:
            params = check_call(method, raw, files)
        except Refusal as refusal:
            self.calls.append(Call(method, raw))
            return refusal.response()
        self.calls.append(Call(method, params))
        try:
            result = await self._run(method, params, files)
        except Refusal as refusal:
            return refusal.response()
        return web.json_response({"ok": True, "result": result})

    async def _run(self, method: str, params: dict[str, Any], files: Mapping[str, Upload]) -> Any:
        if method == "getUpdates":
            return await self._get_updates(params)
        if method in ("sendPhoto", "sendDocument"):
            return self._send_file(params, files, "photo" if method == "sendPhoto" else "document")
        handler = self._handlers().get(method)
        return True if handler is None else handler(params)

    def _handlers(self) -> dict[str, Callable[[dict[str, Any]], Any]]:
        return {
            "sendMessage": self._send_message,
            "editMessageText": lambda params: self._edit(params, "text"),
            "editMessageCaption": lambda params: self._edit(params, "caption"),
            "deleteMessage": lambda params: self._delete(params, [params["message_id"]], strict=True),
            "deleteMessages": lambda params: self._delete(params, params["message_ids"], strict=False),
            "answerCallbackQuery": self._answer_callback_query,
            "sendChatAction": self._send_chat_action,
            "sendMessageDraft": self._send_message_draft,
            "getChatAdministrators": self._get_chat_administrators,
            "getChatMember": self._get_chat_member,
            "getFile": self.files.get_file,
            "setMyCommands": self.menus.set,
            "getMyCommands": self.menus.get,
            "deleteMyCommands": self.menus.delete,
            "getMe": lambda _: self.bot,
            "setWebhook": self._set_webhook,
            "deleteWebhook": self._delete_webhook,
            "getWebhookInfo": self._get_webhook_info,
        }

    def _chat(self, params: dict[str, Any]) -> Chat:
        chat = self.chats.get(params.get("chat_id", 0))
        if chat is None:
            raise bad("chat not found")
        if chat.migrated_to is not None:
            text = "group chat was upgraded to a supergroup chat"
            raise Refusal(400, f"Bad Request: {text}", migrate_to_chat_id=chat.migrated_to)
        if chat.kicked and chat.type == "private":
            raise Refusal(403, "Forbidden: bot was blocked by the user")
        if chat.kicked:
            raise Refusal(403, f"Forbidden: bot was kicked from the {chat.type} chat")
        thread = params.get("message_thread_id")
        if thread is not None and not (chat.is_forum and thread > 1):
            raise bad("message thread not found")
        return chat

    # --- Methods ---

    def _send_message(self, params: dict[str, Any]) -> dict[str, Any]:
        if "ephemeral_message_parameters" in params:
            return self._whisper(params)
        return self._send(params, "text", None)

    def _whisper(self, params: dict[str, Any]) -> dict[str, Any]:
        chat, only_for = self._chat(params), params["ephemeral_message_parameters"]
        if chat.type not in ("group", "supergroup"):
            raise bad("ephemeral messages can be sent only in groups and supergroups")
        if only_for.get("callback_query_id") in self.expired_callbacks:
            raise bad("query is too old and response timeout expired or query ID is invalid")
        text = visible_text(params)
        self.whispers.append((only_for["receiver_user_id"], text))
        shown = Sent(chat.id, 0, text, text, None, None, params.get("message_thread_id"), (), self.now(), None)
        return chat.message(shown, self.bot) | {"ephemeral_message_id": len(self.whispers)}

    def _send_file(
        self, params: dict[str, Any], files: Mapping[str, Upload], kind: Literal["photo", "document"]
    ) -> dict[str, Any]:
        self._chat(params)
        return self._send(params, "caption", sent_file(files.get(kind), kind))

    def _send(self, params: dict[str, Any], of: str, file: SentFile | None) -> dict[str, Any]:
        chat, text, buttons = self._chat(params), visible_text(params, of), buttons_of(params)
        if self.limits is not None:
            self.limits.admit(chat.id, is_group=chat.type != "private")
        sent = Sent(
            chat.id,
            chat.ids.next_id,
            text,
            params.get(of, ""),
            params.get("parse_mode"),
            chat.reply_to(params.get("reply_parameters")),
            params.get("message_thread_id"),
            buttons,
            self.now(),
            file,
        )
        chat.ids.keep(sent.message_id)
        chat.own[sent.message_id] = sent
        self.sent.append(sent)
        return chat.message(sent, self.bot)

    def _edit(self, params: dict[str, Any], of: str) -> dict[str, Any]:
        chat = self._chat(params)
        old = chat.own.get(params.get("message_id", 0))
        if old is None:
            raise bad("message to edit not found")
        text, buttons = visible_text(params, of), buttons_of(params)
        if (old.file is None) is not (of == "text"):
            raise bad(f"there is no {of} in the message to edit")
        if (text, buttons) == (old.text, old.buttons):
            raise bad("message is not modified: specified new message content and reply markup are exactly the same")
        new = replace(old, text=text, raw=params.get(of, ""), parse_mode=params.get("parse_mode"), buttons=buttons)
        chat.own[old.message_id] = new
        self.edited.append(new)
        return {**chat.message(new, self.bot), "edit_date": self.now()}

    def _delete(self, params: dict[str, Any], message_ids: list[int], *, strict: bool) -> bool:
        """One that is not there any more is skipped where several may be named; one that is too old spoils the call."""
        chat, own = self._chat(params), []
        if not 1 <= len(message_ids) <= 100:
            raise bad("there must be 1-100 message identifiers")
        for message_id in message_ids:
            sent = chat.own.get(message_id)
            if sent is None and strict:
                raise bad("message to delete not found")
            if sent is not None and self.now() - sent.date > 48 * 3600:
                raise bad("message can't be deleted for everyone")
            own += [sent] if sent is not None else []
        for sent in own:
            del chat.own[sent.message_id]
        return True

    def _answer_callback_query(self, params: dict[str, Any]) -> bool:
        if params["callback_query_id"] in self.expired_callbacks:
            raise bad("query is too old and response timeout expired or query ID is invalid")
        if len(params.get("text", "")) > 200:
            raise bad("MESSAGE_TOO_LONG")
        return True

    def _send_message_draft(self, params: dict[str, Any]) -> bool:
        if self._chat(params).type != "private":
            raise bad("method is available only in private chats")
        if params["draft_id"] == 0:
            raise bad("draft_id must be non-zero")
        if params.get("text"):
            visible_text(params, "text")
        return True

    def _send_chat_action(self, params: dict[str, Any]) -> bool:
        self._chat(params)
        if params["action"] not in ACTIONS:
            raise bad("wrong parameter action in request")
        return True

    def _get_chat_administrators(self, params: dict[str, Any]) -> list[dict[str, Any]]:
        chat = self._chat(params)
        if chat.type == "private":
            raise bad("there are no administrators in the private chat")
        return chat.administrators(self.bot["id"], with_bots=params.get("return_bots", False))

    def _get_chat_member(self, params: dict[str, Any]) -> dict[str, Any]:
        return self._chat(params).member(params["user_id"], self.bot["id"])

    async def _get_updates(self, params: dict[str, Any]) -> list[dict[str, Any]]:
        if self.webhook:
            raise Refusal(409, "Conflict: can't use getUpdates method while webhook is active")
        self._updates = [each for each in self._updates if each["update_id"] >= params.get("offset", 0)]
        if not self._updates:
            self._news.clear()
            with suppress(TimeoutError):
                await asyncio.wait_for(self._news.wait(), params.get("timeout", 0))
        return self._updates[: params.get("limit", 100)]

    def _set_webhook(self, params: dict[str, Any]) -> bool:
        check_webhook(params)
        self._drop(params)
        # Without them, the kinds of the last call go on (Bot API, setWebhook).
        kinds = {"allowed_updates": self.webhook["allowed_updates"]} if "allowed_updates" in self.webhook else {}
        self.webhook = kinds | params if params["url"] else {}
        return True

    def _delete_webhook(self, params: dict[str, Any]) -> bool:
        self.webhook = {}
        self._drop(params)
        return True

    def _drop(self, params: dict[str, Any]) -> None:
        if params.get("drop_pending_updates"):
            self._updates = []

    def _get_webhook_info(self, _: dict[str, Any]) -> dict[str, Any]:
        kept = {key: self.webhook[key] for key in ("max_connections", "allowed_updates") if key in self.webhook}
        info = {"url": self.webhook.get("url", ""), "has_custom_certificate": False}
        if self.webhook_error is not None:
            kept["last_error_date"], kept["last_error_message"] = self.webhook_error
        return {**info, "pending_update_count": len(self._updates), **kept}
