"""What is put under load: one process over SQLite as `make run` starts it, or the functions over an emulator."""

from __future__ import annotations

import asyncio
import contextlib
import hashlib
import json
import re
import signal
import sqlite3
import subprocess
import sys
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import httpx
from aiohttp import web

from infra.sqlite import SqliteStore
from infra.tasks.retries import ANSWERS
from shared.application.documents import messages_path
from shared.application.ports.store import DocumentStore
from tests.load.local_target import BARE
from tests.support.gemini.server import FakeGemini, GeminiRequest, Reply, echo
from tests.support.servers.deployment import ROOT, SECRET, TOKEN, Deployment, deployed
from tests.support.telegram.bot_api import FakeBotApi
from tests.support.telegram.bot_api_limits import SendingLimits

MODEL_SECONDS = 2.0
"""How long the model thinks about everything."""

GENEROUS = {
    "ASKS_PER_CHAT_PER_HOUR": "1000",
    "ASKS_PER_USER_PER_HOUR": "1000",
    "MODEL_TOKENS_PER_CHAT_PER_DAY": "1000000000",
    "MODEL_TOKENS_PER_MEMBER_PER_DAY": "1000000000",
    "LOG_LEVEL": "ERROR",
}
"""Limits are not what is measured."""

LIMITS = httpx.Limits(max_connections=None, keepalive_expiry=2.0)
"""Of whoever posts: nobody waits for a connection, and none is used that the server (after five seconds) may close."""

_QUESTION = re.compile(r"питання №(\d+)")


class SlowGemini(FakeGemini):
    """Gemini that thinks for a while, and answers a question by its number."""

    def __init__(self, seconds: float) -> None:
        super().__init__()
        self.thinking = 0
        """About how many requests it thinks now."""
        self._seconds = seconds
        self._may_end = asyncio.Event()
        self._may_end.set()
        self.reply_with(_by_number)

    def hold(self) -> None:
        """Think until `release`, and as long as ever at least: whoever asked first is still waiting then."""
        self._may_end.clear()

    def release(self) -> None:
        """Let everything that was thought about for long enough be answered."""
        self._may_end.set()

    async def _serve(self, raw: web.Request) -> web.StreamResponse:
        self.thinking += 1
        try:
            await asyncio.sleep(self._seconds)
            await self._may_end.wait()
        finally:
            self.thinking -= 1
        return await super()._serve(raw)


def _by_number(request: GeminiRequest) -> Reply:
    if request.schema is not None:
        return echo(request)
    asked = _QUESTION.findall("\n".join(request.turns[-1][1]))
    return f"відповідь №{asked[-1]}" if asked else "так"


@dataclass
class Target:
    """A running Spomyn.

    Attributes:
        post: Posts an update to its webhook.
        webhook: Its address.
        store: A view of its memory.
        bare: Where a bare `create` goes: the same store, where one process may not lock the other out.
        bare_url: Where one is posted to that the webhook's own process makes; None where it has no such address.
        queue_age: Seconds that the task late longest is late now.
        process_ids: Of its processes.
        files: What on the disk may grow.
        counts: Documents read and written, once it has ended.
        deployment: Its functions, where it is made of them.
    """

    api: FakeBotApi
    gemini: SlowGemini
    post: Callable[[Mapping[str, Any]], Awaitable[httpx.Response]]
    webhook: str
    store: DocumentStore
    bare: DocumentStore
    queue_age: Callable[[], Awaitable[float]]
    process_ids: tuple[int, ...]
    files: tuple[Path, ...]
    counts: dict[str, int]
    deployment: Deployment | None = None
    bare_url: str | None = None

    async def stored(self, chats: Iterable[int]) -> int:
        """How many messages are stored, those of the bot left out."""
        from shared.application.ports.store import Filter

        people = [Filter("is_bot", "==", False)]
        return sum([await self.store.count(messages_path(chat), where=people) for chat in chats])


def _limited_api() -> FakeBotApi:
    return FakeBotApi(TOKEN, username="gryag_bot", now=lambda: int(time.time()), limits=SendingLimits(time.monotonic))  # noqa: TID251 - a real run


@contextlib.asynccontextmanager
async def local_target(folder: Path, *, thinks: float = MODEL_SECONDS, **more: str) -> AsyncIterator[Target]:
    """One process over SQLite."""
    async with contextlib.AsyncExitStack() as stack:
        api = await stack.enter_async_context(_limited_api())
        gemini = await stack.enter_async_context(SlowGemini(thinks))
        database, counted = folder / "spomyn.db", folder / "counts.json"
        settings = {
            **gemini.environment,
            **GENEROUS,
            "TELEGRAM_BOT_TOKEN": TOKEN,
            "TELEGRAM_WEBHOOK_SECRET": SECRET,
            "TELEGRAM_API_URL": api.url,
            "SPOMYN_STORE": f"sqlite:{database}",
            "SPOMYN_PORT": "0",
            "BOT_USERNAME": "gryag_bot",
            **more,
        }
        process = await asyncio.create_subprocess_exec(
            *(sys.executable, "-m", "tests.load.local_target", str(counted)),
            cwd=folder,
            env={"PATH": "/usr/bin:/bin", "PYTHONPATH": str(ROOT), **settings},
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
        )
        counts: dict[str, int] = {}
        reading: asyncio.Task[None] | None = None
        try:
            address = await _address_of(process)
            reading = asyncio.create_task(_read_on(process))
            http = await stack.enter_async_context(
                httpx.AsyncClient(base_url=address, timeout=120, trust_env=False, limits=LIMITS)
            )
            store = SqliteStore(str(database))
            bare = SqliteStore(str(folder / "bare.db"))
            stack.push_async_callback(store.aclose)
            stack.push_async_callback(bare.aclose)
            tasks = stack.enter_context(contextlib.closing(sqlite3.connect(database)))

            async def post(update: Mapping[str, Any]) -> httpx.Response:
                return await http.post("/webhook", json=update, headers={"x-telegram-bot-api-secret-token": SECRET})

            async def queue_age() -> float:
                [(due,)] = tasks.execute("SELECT min(due) FROM tasks WHERE state = 'waiting'")
                return max(0.0, time.time() - due / 1e6) if due else 0.0  # noqa: TID251 - a real run

            files = (database, database.with_name(f"{database.name}-wal"))
            webhook = f"{address}/webhook"
            more_of_it = (queue_age, (process.pid,), files, counts)
            yield Target(api, gemini, post, webhook, store, bare, *more_of_it, bare_url=f"{address}{BARE}")
        finally:
            process.send_signal(signal.SIGTERM)
            await process.wait()
            if reading is not None:
                await reading
            if counted.exists():
                counts |= json.loads(counted.read_text())


async def _read_on(process: asyncio.subprocess.Process) -> None:
    """Read what the process says to its end: who writes into a full pipe stands still, and with it left full nobody
    learns that the process ended."""
    assert process.stdout is not None
    while await process.stdout.read(65_536):
        pass


async def _address_of(process: asyncio.subprocess.Process) -> str:
    assert process.stdout is not None
    while line := (await process.stdout.readline()).decode():
        if found := re.search(r"http://[\d.:]+", line):
            return found[0]
    raise RuntimeError("the local run ended before it listened")


@contextlib.asynccontextmanager
async def deployed_target(
    emulator: str, folder: Path, *, thinks: float = MODEL_SECONDS, answer_instances: int = 1, **more: str
) -> AsyncIterator[Target]:
    """The functions as they are deployed, over Firestore's emulator and the other fakes.

    Args:
        emulator: host:port of Firestore's emulator.
        folder: Empty.
        thinks: Seconds of the model.
        answer_instances: Processes of the function that answers.
        more: Further settings.
    """
    counted = folder / "counts"
    counted.mkdir()
    counting = {"PYTHONPATH": str(ROOT / "tests/load/counting"), "COUNT_DOCUMENTS_INTO": str(counted)}
    settings = {**GENEROUS, "BOT_USERNAME": "gryag_bot", **counting, **more}
    counts: dict[str, int] = {}
    async with (
        contextlib.AsyncExitStack() as stack,
        SlowGemini(thinks) as gemini,
        deployed(
            emulator,
            _project(folder),
            folder,
            answers_attempts=ANSWERS.max_attempts,
            answer_instances=answer_instances,
            **settings,
            **gemini.environment,
        ) as all_,
    ):
        peers = all_.peers
        peers.api.limit(SendingLimits(time.monotonic))
        pump = asyncio.create_task(peers.tasks.serve())
        webhook = all_.servers["webhook"].url
        http = await stack.enter_async_context(httpx.AsyncClient(timeout=120, trust_env=False, limits=LIMITS))

        async def post(update: Mapping[str, Any]) -> httpx.Response:
            headers = {"x-telegram-bot-api-secret-token": SECRET}
            return await http.post(webhook, json=update, headers=headers)

        async def queue_age() -> float:
            now = all_.clock.now()
            waiting = [one.due for one in peers.tasks.tasks.values() if not one.is_running and one.due < now]
            return max(((now - due).total_seconds() for due in waiting), default=0.0)

        pids = tuple(pid for server in all_.servers.values() for pid in server.pids())
        try:
            yield Target(peers.api, gemini, post, webhook, peers.store, peers.store, queue_age, pids, (), counts, all_)
        finally:
            pump.cancel()
            await asyncio.gather(pump, return_exceptions=True)
            await asyncio.sleep(1.0)  # the functions write twice a second what they have counted
            told = [json.loads(file.read_text()) for file in counted.glob("*.json")]
            counts |= {name: sum(each[name] for each in told) for name in ("reads", "writes")}


def _project(folder: Path) -> str:
    """A project of its own, whose name the emulator takes."""
    return f"load-{hashlib.sha256(str(folder).encode()).hexdigest()[:16]}"
