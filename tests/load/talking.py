"""Talk by a process of its own: `python -m tests.load.talking WEBHOOK SECRET RATE < updates > seconds`, JSON both ways.

Who measures shares its event loop with nobody, least of all with what Telegram, the model and the queue are here.
"""

from __future__ import annotations

import asyncio
import json
import sys
import time
from collections.abc import Awaitable, Callable, Mapping, Sequence
from typing import Any

import httpx


async def talk_apart(webhook: str, secret: str, updates: Sequence[Mapping[str, Any]], rate: float) -> list[float]:
    """Have another process post updates at an even rate; seconds of each from its intended instant.

    Raises:
        RuntimeError: One was refused.
    """
    command = (sys.executable, "-m", "tests.load.talking", webhook, secret, str(rate))
    process = await asyncio.create_subprocess_exec(
        *command, stdin=asyncio.subprocess.PIPE, stdout=asyncio.subprocess.PIPE
    )
    told, _ = await process.communicate(json.dumps(updates).encode())
    if process.returncode:
        raise RuntimeError("an update was refused")
    return [float(each) for each in json.loads(told)]


async def at_rate(calls: Sequence[Callable[[], Awaitable[object]]], rate: float, *, first: float = 0.0) -> list[float]:
    """Make calls at an even rate, whatever became of those before; seconds of each from its intended instant."""
    begun = time.monotonic() + first

    async def call(at: float, make: Callable[[], Awaitable[object]]) -> float:
        await asyncio.sleep(max(0.0, at - time.monotonic()))
        await make()
        return time.monotonic() - at

    return await asyncio.gather(*(call(begun + number / rate, make) for number, make in enumerate(calls)))


async def _main(webhook: str, secret: str, rate: float) -> None:
    headers = {"x-telegram-bot-api-secret-token": secret}
    limits = httpx.Limits(max_connections=None, keepalive_expiry=2.0)
    async with httpx.AsyncClient(timeout=120, trust_env=False, headers=headers, limits=limits) as http:

        async def post(update: Mapping[str, Any]) -> None:
            (await http.post(webhook, json=update)).raise_for_status()

        updates = json.load(sys.stdin)
        print(json.dumps(await at_rate([lambda each=each: post(each) for each in updates], rate, first=0.3)))


if __name__ == "__main__":
    asyncio.run(_main(sys.argv[1], sys.argv[2], float(sys.argv[3])))
