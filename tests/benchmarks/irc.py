"""A real talk of a busy group posted to the deployed webhook, with redeliveries and messages out of order."""

from __future__ import annotations

import asyncio
import json
import time
from datetime import datetime
from pathlib import Path
from typing import Any

import httpx

from shared.application.documents import messages_path
from tests.benchmarks.report import Figure, percentile
from tests.support import updates
from tests.support.servers.deployment import SECRET, deployed_python, peers, serving, staged, wait_until_listening

CHAT = updates.CHAT_ID
AT_ONCE = 8
LATER = 25
"""A late redelivery comes after this many other messages."""


def deliveries(lines: list[dict[str, Any]]) -> list[bytes]:
    """Every message as an update: each tenth delivered twice (at once, or later), each seventh pair swapped."""
    bodies = [json.dumps(_update(line)).encode() for line in lines]
    order = list(range(len(bodies)))
    for i in range(0, len(order) - 1, 7):
        order[i], order[i + 1] = order[i + 1], order[i]
    stream: list[bytes] = []
    late: dict[int, bytes] = {}
    for place, index in enumerate(order):
        stream.append(bodies[index])
        if index % 20 == 0:
            stream.append(bodies[index])
        elif index % 20 == 10:
            late[place + LATER] = bodies[index]
        if place in late:
            stream.append(late.pop(place))
    return [*stream, *late.values()]


def _update(line: dict[str, Any]) -> dict[str, Any]:
    sender = updates.user(line["user_id"], line["name"], username=line["username"], is_bot=line["is_bot"])
    replied = line["reply_to"] and updates.message("…", message_id=line["reply_to"], sender=updates.user(1, "?"))
    return updates.message_update(
        line["text"],
        update_id=line["message_id"],
        message_id=line["message_id"],
        sender=sender,
        date=int(datetime.fromisoformat(line["date"]).timestamp()),
        reply_to_message=replied,
    )


async def measure(emulator: str, folder: Path, talk: Path) -> list[Figure]:
    """Post the whole talk, then count what is stored."""
    folder.mkdir()
    lines = [json.loads(line) for line in talk.read_text(encoding="utf-8").splitlines()]
    stream = deliveries(lines)
    python, bundle = deployed_python(folder / "python"), staged(folder / "build")["webhook"]
    async with peers(emulator, "bench-irc") as around:
        around.api.add_chat(CHAT)
        with serving(python, bundle, "webhook", around.settings, folder / "log") as server:
            await asyncio.to_thread(wait_until_listening, [server])
            before = time.perf_counter()
            times = await _post_all(server.url, stream)
            took = time.perf_counter() - before
        stored = [document.data for document in await around.store.query(messages_path(CHAT))]
        calls = len(around.tasks.calls)
    return _figures(lines, stored, times, took, calls)


async def _post_all(url: str, stream: list[bytes]) -> list[float]:
    headers = {"content-type": "application/json", "x-telegram-bot-api-secret-token": SECRET}
    gate = asyncio.Semaphore(AT_ONCE)
    limits = httpx.Limits(max_connections=AT_ONCE)

    async with httpx.AsyncClient(timeout=30, trust_env=False, limits=limits) as client:

        async def post(body: bytes) -> float:
            async with gate:
                before = time.perf_counter()
                (await client.post(url, content=body, headers=headers)).raise_for_status()
                return (time.perf_counter() - before) * 1000

        return await asyncio.gather(*map(post, stream))


def _figures(
    lines: list[dict[str, Any]], stored: list[dict[str, Any]], times: list[float], took: float, calls: int
) -> list[Figure]:
    def figure(name: str, value: float, unit: str = "", most: float | None = None) -> Figure:
        return Figure("irc", name, value, unit, most)

    sent = {line["message_id"]: line["text"] for line in lines}
    kept = {message["message_id"]: message["text"] for message in stored}
    return [
        figure("messages", len(lines)),
        figure("deliveries", len(times)),
        figure("lost or changed", sum(kept.get(message_id) != text for message_id, text in sent.items()), "", 0),
        figure("doubled or made up", len(stored) - len(kept.keys() & sent.keys()), "", 0),
        figure("task calls", calls),
        figure("deliveries a second", len(times) / took, "/s"),
        figure(f"p50, {AT_ONCE} at once", percentile(times, 0.5), "ms"),
        figure(f"p95, {AT_ONCE} at once", percentile(times, 0.95), "ms"),
    ]
