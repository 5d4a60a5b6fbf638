"""The first question of `make run`: how long an update of another chat waits meanwhile, over HTTP.

Messages of another chat come 20 ms after the one before was acknowledged, `WARM` seconds before the question and until
it is answered. Each is measured from its post to its acknowledgement.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable
from itertools import count
from pathlib import Path
from typing import Any

from tests.benchmarks.report import Figure
from tests.load.targets import Target, local_target
from tests.support import updates

RUNS = 3
WARM = 8.0
EVERY = 0.02

_ASKED, _TALKED = -1_007_000_000_000, -1_007_000_000_001


async def measure(folder: Path) -> list[Figure]:
    """`RUNS` processes, each of which is asked its first question; the worst of them."""
    found: list[tuple[float, float]] = []
    for run in range(RUNS):
        here = folder / f"first-{run}"
        here.mkdir()
        async with local_target(here, thinks=0.0) as target:
            found.append(await _one_process(target))
    before, behind = (max(each) for each in zip(*found, strict=True))
    return [
        Figure("first_question", "slowest update of another chat before it", 1000 * before, "ms"),
        Figure("first_question", "slowest update of another chat while it is answered", 1000 * behind, "ms"),
    ]


async def _one_process(target: Target) -> tuple[float, float]:
    ids = count(1)
    for chat_id in (_ASKED, _TALKED):
        target.api.add_chat(chat_id)

    def says(chat_id: int, text: str) -> dict[str, Any]:
        number = next(ids)
        return updates.message_update(
            text, update_id=number, message_id=number, chat=updates.chat(chat_id), date=target.api.now()
        )

    async def talk() -> None:
        (await target.post(says(_TALKED, "звичайне"))).raise_for_status()

    warm = time.monotonic() + WARM
    before = await _slowest(talk, lambda: time.monotonic() > warm)
    (await target.post(says(_ASKED, "гряг, що ти знаєш про підсумки?"))).raise_for_status()
    async with asyncio.timeout(60):
        behind = await _slowest(talk, lambda: bool(target.api.sent))
    return before, behind


async def _slowest(call: Callable[[], Awaitable[None]], is_over: Callable[[], bool]) -> float:
    slowest = 0.0
    while not is_over():
        begun = time.monotonic()
        await call()
        slowest = max(slowest, time.monotonic() - begun)
        await asyncio.sleep(EVERY)
    return slowest
