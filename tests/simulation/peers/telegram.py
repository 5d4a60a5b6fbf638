"""Telegram's delivering side: for each chat a queue of updates, of which the next one comes when the one before it was
acknowledged, and which is delivered again until it was."""

from __future__ import annotations

import asyncio
import itertools
import json
from collections import deque
from collections.abc import Callable
from typing import Any

from tests.simulation.world import World

_FIRST_WAIT, _LONGEST_WAIT = 1.0, 60.0


class Deliverer:
    """Brings updates to the webhook.

    Attributes:
        delivered: Virtual seconds at which each update was acknowledged, by its id.
        attempts: How often each update was brought.
    """

    def __init__(self, world: World) -> None:
        self._world = world
        self._ids = itertools.count(1_000 + world.chance.randint(0, 10**6))
        self._queues: dict[str, deque[dict[str, Any]]] = {}
        self._senders: dict[str, asyncio.Task[None]] = {}
        self.delivered: dict[int, float] = {}
        self.attempts: dict[int, int] = {}

    def next_id(self) -> int:
        """Return the id of the next update."""
        return next(self._ids)

    def put(self, update: dict[str, Any], queue: str, *, then: Callable[[], None] | None = None) -> None:
        """Have an update delivered after those of its queue."""
        waiting = self._queues.setdefault(queue, deque())
        waiting.append(update)
        if queue not in self._senders:
            self._senders[queue] = self._world.loop.create_task(self._send(queue))

    async def _send(self, queue: str) -> None:
        waiting, wait = self._queues[queue], _FIRST_WAIT
        while waiting:
            update = waiting[0]
            update_id = update["update_id"]
            self.attempts[update_id] = self.attempts.get(update_id, 0) + 1
            taken = await self._world.deliver(json.dumps(update).encode())
            if taken and self._world.weather.odds and self._world.chance.random() < 0.1:
                self._world.log(f"the acknowledgement of update {update_id} is lost")
                taken = False
            if taken:
                waiting.popleft()
                self.delivered[update_id] = self._world.loop.time()
                wait = _FIRST_WAIT
                continue
            self._world.log(f"update {update_id} is to be delivered again in {wait:g} s")
            await asyncio.sleep(wait)
            wait = min(2 * wait, _LONGEST_WAIT)
        del self._senders[queue]

    @property
    def is_idle(self) -> bool:
        """Whether everything was acknowledged."""
        return not self._senders
