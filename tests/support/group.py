"""A whole Spomyn on loopback: real SDKs against strict servers, a real store, HTTP in between.

`Group` speaks as Telegram does: it posts updates to the webhook, and lets the fake Cloud Tasks deliver what is due to
the workers. Its clock stands still until a test moves it.
"""

from __future__ import annotations

import contextlib
import itertools
import json
from collections.abc import AsyncIterator
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Any

import httpx
from starlette.applications import Starlette
from starlette.responses import JSONResponse
from starlette.routing import Route

from functions.answer.main import handle_answer
from functions.extract.main import handle_extract
from functions.maintenance.main import handle_maintenance
from functions.webhook.main import handle_webhook
from infra.bootstrap import Runtime, build_app, telegram_gateway, token_verifier
from infra.foundation import cloud_tasks_queue
from infra.tasks.retries import ANSWERS, RetryPolicy
from infra.telegram.gateway import TelegramGateway
from infra.web.tls import tls_context
from shared.application.app import App
from shared.application.documents import facts_path, messages_path
from shared.application.ports.chat import ChatGateway
from shared.application.ports.model import LanguageModel
from shared.settings import Settings
from tests.support import updates
from tests.support.faults import DyingStore
from tests.support.google.cloud_tasks import FakeCloudTasks
from tests.support.queues import SteppedClock
from tests.support.servers.serving import serving
from tests.support.telegram.bot_api import FakeBotApi, Numbering, Sent

CHAT = updates.CHAT_ID
SECRET = "s3cret"
TOKEN = "123456:AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"
ANSWER_URL = "https://answer-x.a.run.app"
EXTRACT_URL, MAINTENANCE_URL = "https://extract-x.a.run.app", "https://maintenance-x.a.run.app"
FRIDAY = datetime(2026, 11, 6, 18, 0, tzinfo=UTC)
_AT_ONCE = timedelta(milliseconds=1)
QUEUE = {"project": "spomyn-test", "location": "europe-west1", "queue": "spomyn", "answers": "spomyn-answers"}
ACCOUNT = "invoker@spomyn-test.iam.gserviceaccount.com"


def settings(api_url: str, tasks_host: str, certs_url: str, **more: str) -> Settings:
    """As a deployment's, with the emulated peers."""
    return Settings.from_env(
        {
            "TELEGRAM_BOT_TOKEN": TOKEN,
            "TELEGRAM_WEBHOOK_SECRET": SECRET,
            "TELEGRAM_API_URL": api_url,
            "GOOGLE_CLOUD_PROJECT": "spomyn-test",
            "SPOMYN_QUEUE": "cloud-tasks",
            "CLOUD_TASKS_EMULATOR_HOST": tasks_host,
            "ANSWER_URL": ANSWER_URL,
            "EXTRACT_URL": EXTRACT_URL,
            "MAINTENANCE_URL": MAINTENANCE_URL,
            "OIDC_INVOKER_EMAIL": ACCOUNT,
            "OIDC_CERTS_URL": certs_url,
            "READING_WAIT_SECONDS": "0",  # as soon as a chat is idle
            **more,
        }
    )


class Group:
    """One chat and everything behind it."""

    def __init__(self, runtime: Runtime, api: FakeBotApi, tasks: FakeCloudTasks, clock: SteppedClock, url: str) -> None:
        self.runtime, self.api, self.tasks, self.clock, self.url = runtime, api, tasks, clock, url
        self.store: DyingStore = runtime.app.store
        self.http = httpx.AsyncClient(base_url=url, timeout=60, verify=tls_context())
        self._ids = itertools.count(1)

    async def deliver(self, update: Any, *, secret: str = SECRET, **headers: str) -> int:
        """Post one update as Telegram does, and have what it asks answered; the webhook's status."""
        status = await self.post(update, secret=secret, **headers)
        await self.answer()
        return status

    async def post(self, update: Any, *, secret: str = SECRET, **headers: str) -> int:
        """Post one update as Telegram does, and do the call that stands in the response; the status."""
        self._number(update)
        body = update if isinstance(update, bytes) else json.dumps(update).encode()
        sent = {"content-type": "application/json", "x-telegram-bot-api-secret-token": secret, **headers}
        response = await self.http.post("/webhook", content=body, headers=sent)
        if response.is_success:
            await self.api.call_from_webhook(response.content)
        return response.status_code

    async def answer(self) -> None:
        """Let the answers be made that are asked for by now, each tried once."""
        await self.tasks.dispatch_due(self.clock.now(), queue=QUEUE["answers"])

    @property
    def unanswered(self) -> int:
        """Tasks of answers that are not done."""
        return sum(stored.queue == QUEUE["answers"] for stored in self.tasks.tasks.values())

    async def deals_with(self, update: Any) -> bool:
        """Post one update and try once to answer what it asks; whether all of that went well."""
        return await self.deliver(update) == 200 and not self.unanswered

    async def answer_later(self, within: timedelta = timedelta(hours=1)) -> None:
        """Let time pass until every answer was made, or given up."""
        until = self.clock.now() + within
        while self.unanswered and self.clock.now() < until:
            self.clock.advance(timedelta(seconds=1))
            await self.answer()

    def says(self, text: str, user_id: int = 101, name: str = "Оля", **fields: Any) -> dict[str, Any]:
        """The update for somebody's next message; a `message_id` that is given is kept."""
        chat = fields.get("chat") or updates.chat()
        message_id = fields.pop("message_id", None) or self.ids(chat["id"], chat["type"]).take()
        fields.setdefault("date", int(self.clock.now().timestamp()))
        sender = fields.pop("sender", None) or updates.user(user_id, name)
        return updates.message_update(text, update_id=next(self._ids), message_id=message_id, sender=sender, **fields)

    def ids(self, chat_id: int = CHAT, kind: str = "supergroup") -> Numbering:
        """What numbers the messages of a chat, the members' and the bot's."""
        return self.api.numbering(chat_id, kind)

    def _number(self, update: Any) -> None:
        """Have the bot's messages, too, go on behind the id of a message that a test numbered itself."""
        message = update.get("message") if isinstance(update, dict) else None
        match message:
            case {"message_id": int(message_id), "chat": {"id": int(chat_id), "type": str(kind)}}:
                known = self.api.chats.get(chat_id)
                assert known is None or message_id not in known.own, f"{message_id} is a message of the bot"
                self.ids(chat_id, kind).keep(message_id)

    async def say(self, text: str, user_id: int = 101, name: str = "Оля", **fields: Any) -> dict[str, Any]:
        """Somebody says something and it is accepted; the update, for saying it again."""
        update = self.says(text, user_id, name, **fields)
        assert await self.deliver(update) == 200
        self.clock.advance(timedelta(seconds=20))
        return update

    def pressing(self, label: str, user_id: int = 101, name: str = "Оля", **fields: Any) -> dict[str, Any]:
        """The update for somebody's press of the newest button whose label contains `label`.

        Messages are looked at as they stand now. `chat_id` and `message_id` name one, `data` forges what the button
        says, `sender` who presses; other `fields` are those of the CallbackQuery.
        """
        found = self._button(label, fields.pop("chat_id", None), fields.pop("message_id", None))
        assert found is not None, f"no message shows a button with {label!r}: {self.buttons}"
        sent, data = found
        update_id = next(self._ids)
        fields.setdefault("id", f"press-{update_id}")
        fields.setdefault("message", self.api.chats[sent.chat_id].message(sent, self.api.bot))
        sender = fields.pop("sender", None) or updates.user(user_id, name)
        return updates.button_update(fields.pop("data", data), update_id=update_id, sender=sender, **fields)

    async def press(self, label: str, user_id: int = 101, name: str = "Оля", **fields: Any) -> int:
        """Somebody presses the newest button whose label contains `label` (see `pressing`); the status."""
        status = await self.deliver(self.pressing(label, user_id, name, **fields))
        self.clock.advance(timedelta(seconds=20))
        return status

    def _button(self, label: str, chat_id: int | None, message_id: int | None) -> tuple[Sent, str] | None:
        for sent in reversed(self._shown):
            if chat_id in (None, sent.chat_id) and message_id in (None, sent.message_id):
                for text, data in itertools.chain.from_iterable(sent.buttons):
                    if label in text:
                        return sent, data
        return None

    @property
    def _shown(self) -> list[Sent]:
        there = [sent for sent in self.api.sent if sent.message_id in self.api.chats[sent.chat_id].own]
        return [self.shown(sent.message_id, sent.chat_id) for sent in there]

    def shown(self, message_id: int, chat_id: int = CHAT) -> Sent:
        """A message of the bot as it stands now."""
        return self.api.chats[chat_id].own[message_id]

    @property
    def buttons(self) -> list[str]:
        """Labels of all buttons that can be pressed now, oldest message first."""
        return [text for sent in self._shown for row in sent.buttons for text, _ in row]

    @property
    def notices(self) -> list[str]:
        """What was shown to those who pressed buttons, by Telegram itself or as a message for them alone."""
        shown = [c.params.get("text", "") for c in self.api.calls if c.is_told_alone]
        return [text for text in shown if text]

    async def settle(self, after: timedelta = timedelta(minutes=15)) -> None:
        """Let time pass until every task has run."""
        for _ in range(20):
            self.clock.advance(after)
            ran = await self.tasks.dispatch_due(self.clock.now())
            assert not self.tasks.exhausted, self.tasks.exhausted
            if not ran and not self.tasks.tasks:
                return
        raise AssertionError("the queue never became empty")

    async def work(self) -> None:
        """Let the workers run what is asked of them at once; what is planned for later stays."""
        await self.tasks.dispatch_due(self.clock.now())
        assert not self.tasks.exhausted, self.tasks.exhausted

    async def facts(self, chat_id: int = CHAT) -> list[dict[str, Any]]:
        found = await self.store.query(facts_path(chat_id))
        return sorted((d.data for d in found), key=lambda f: (f["subject"], f["category"], f["key"], f["value"]))

    async def messages(self, chat_id: int = CHAT) -> list[dict[str, Any]]:
        found = await self.store.query(messages_path(chat_id))
        return sorted((d.data for d in found), key=lambda m: m["message_id"])

    @property
    def answers(self) -> list[str]:
        return [sent.text for sent in self.api.sent]


@contextlib.asynccontextmanager
async def running_group(
    store: Any,
    *,
    at: datetime = FRIDAY,
    telegram_timeout: float | None = None,
    model: LanguageModel | None = None,
    **more: str,
) -> AsyncIterator[Group]:
    """Start the peers and the functions' handlers over `store`, at some time; `more` are further settings.

    Args:
        telegram_timeout: Seconds to wait for the Bot API; None: as long as a deployment does.
        model: In place of what the settings name.
    """
    clock = SteppedClock(at)
    rewrite: dict[str, str] = {}
    async with contextlib.AsyncExitStack() as stack:
        api = FakeBotApi(TOKEN, username="gryag_bot", now=lambda: int(clock.now().timestamp()))
        await stack.enter_async_context(api)
        tasks = await stack.enter_async_context(
            FakeCloudTasks(
                clock,
                **QUEUE,
                rewrite=rewrite,
                require_oidc=True,
                max_attempts=RetryPolicy().max_attempts,
                answers_attempts=ANSWERS.max_attempts,
            )
        )
        api.add_chat(CHAT, "supergroup", admins={102})
        holder: list[Runtime] = []
        url = await stack.enter_async_context(serving(_functions(holder, tasks)))
        rewrite |= {ANSWER_URL: f"{url}/answer", EXTRACT_URL: f"{url}/extract", MAINTENANCE_URL: f"{url}/maintenance"}
        chosen = settings(api.url, tasks.host, f"{url}/certs", **more)
        app = build_app(
            chosen,
            clock=clock,
            queue=cloud_tasks_queue(chosen),
            gateway=_gateway(chosen, clock, telegram_timeout),
            store=DyingStore(store),
        )
        app = _asking_again_at_once(app, chosen)
        app = app if model is None else replace(app, model=model)
        holder.append(Runtime(app, chosen, token_verifier(chosen, clock)))
        group = Group(holder[0], api, tasks, clock, url)
        stack.push_async_callback(group.http.aclose)
        for part in (app.gateway, app.queue, app.model, app.embedder, app.weather):
            if part not in (None, model):
                stack.push_async_callback(part.aclose)
        yield group


def _gateway(chosen: Settings, clock: SteppedClock, timeout: float | None) -> ChatGateway:
    if timeout is None:
        return telegram_gateway(chosen, clock)
    return TelegramGateway(TOKEN, api_url=chosen.telegram_api_url, clock=clock, timeout=timeout)


def _asking_again_at_once(app: App, chosen: Settings) -> App:
    """The same, but what Gemini refused is repeated without a pause: tests spoil many calls."""
    if not chosen.gemini_api_key:
        return app
    from infra.gemini.embedder import GeminiEmbedder
    from infra.gemini.model import GeminiModel

    gemini = {"api_key": chosen.gemini_api_key, "base_url": chosen.google_gemini_base_url, "retry_delay": _AT_ONCE}
    names = {"chat_model": chosen.gemini_chat_model, "extraction_model": chosen.gemini_extraction_model}
    return replace(
        app,
        model=GeminiModel(**gemini, **names, flex=chosen.gemini_flex),
        embedder=GeminiEmbedder(**gemini, model=chosen.gemini_embedding_model),
    )


def _functions(holder: list[Runtime], tasks: FakeCloudTasks) -> Starlette:
    """The four functions' handlers; their runtime comes into `holder` once the servers' addresses are known."""

    async def certs(_: Any) -> Any:
        return JSONResponse(tasks.certs)

    def route(path: str, handle: Any) -> Route:
        async def endpoint(request: Any) -> Any:
            return await handle(request, holder[0])

        return Route(path, endpoint, methods=["GET", "POST", "PUT"])

    return Starlette(
        routes=[
            route("/webhook", handle_webhook),
            route("/answer", handle_answer),
            route("/extract", handle_extract),
            route("/maintenance/{job}", handle_maintenance),
            Route("/certs", certs),
        ]
    )
