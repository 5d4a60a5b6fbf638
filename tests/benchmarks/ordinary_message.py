"""The webhook's handling of an ordinary message, beside one bare `create` of the same document, taking turns."""

from __future__ import annotations

import json
import time
from collections.abc import Awaitable
from typing import Any

from starlette.requests import Request

from functions.webhook.main import handle_webhook
from infra.bootstrap import Runtime, build_app, telegram_gateway
from infra.firestore import FirestoreStore
from infra.foundation import cloud_tasks_queue
from infra.system import SystemClock
from infra.telegram.updates import decode_update, parse_update
from shared.domain.intake.updates import MessageReceived
from shared.settings import Settings
from tests.benchmarks.report import Figure, percentile
from tests.support import updates
from tests.support.servers.deployment import SECRET, peers
from tests.support.stores.messages import new_message_fields

MESSAGES, WARM_UP = 500, 50
MOST_RATIO = 3.0


async def measure(emulator: str) -> list[Figure]:
    """`MESSAGES` of each kind, in one process, through one store client."""
    async with peers(emulator, "bench-ordinary-message") as around:
        settings, clock = Settings.from_env(around.settings), SystemClock()
        store = FirestoreStore("bench-ordinary-message", emulator_host=emulator)
        queue, gateway = cloud_tasks_queue(settings), telegram_gateway(settings, clock)
        runtime = Runtime(build_app(settings, clock=clock, queue=queue, gateway=gateway, store=store), settings)
        handled, bare = [], []
        for i in range(1, WARM_UP + MESSAGES + 1):
            body = json.dumps(updates.message_update("звичайне повідомлення", update_id=i, message_id=i)).encode()
            create = store.create(f"bare/{i}", _fields(runtime, body))
            bare.append(await _timed(create))
            handled.append(await _timed(_handle(runtime, body)))
        calls = len(around.tasks.calls)
        for each in (queue, gateway, store):
            await each.aclose()
    return _figures(handled[WARM_UP:], bare[WARM_UP:], calls)


def _figures(handled: list[float], bare: list[float], calls: int) -> list[Figure]:
    def figure(name: str, value: float, unit: str = "ms", most: float | None = None) -> Figure:
        return Figure("ordinary_message", name, value, unit, most)

    return [
        figure("handled: p50", percentile(handled, 0.5)),
        figure("handled: p95", percentile(handled, 0.95)),
        figure("bare create: p50", percentile(bare, 0.5)),
        figure("bare create: p95", percentile(bare, 0.95)),
        figure("handled / bare create, p50", percentile(handled, 0.5) / percentile(bare, 0.5), "", MOST_RATIO),
        figure("task calls among all messages", calls, ""),
    ]


def _fields(runtime: Runtime, body: bytes) -> dict[str, Any]:
    update = parse_update(decode_update(body))
    assert isinstance(update, MessageReceived)
    app = runtime.app
    return new_message_fields(update.message, now=app.clock.now(), retention=app.policy.retention)


async def _timed(work: Awaitable[object]) -> float:
    before = time.perf_counter()
    await work
    return (time.perf_counter() - before) * 1000


async def _handle(runtime: Runtime, body: bytes) -> None:
    headers = {"content-type": "application/json", "x-telegram-bot-api-secret-token": SECRET}
    scope = {
        "type": "http",
        "method": "POST",
        "path": "/",
        "query_string": b"",
        "headers": [(name.encode(), value.encode()) for name, value in headers.items()],
    }

    async def receive() -> dict[str, Any]:
        return {"type": "http.request", "body": body, "more_body": False}

    response = await handle_webhook(Request(scope, receive), runtime)
    if response.status_code != 200:
        raise RuntimeError(f"HTTP {response.status_code}: {bytes(response.body)!r}")
