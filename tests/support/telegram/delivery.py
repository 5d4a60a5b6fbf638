"""Telegram's side of a webhook, as its public server does it (`WebhookActor`).

Each chat has a queue, of which the next update goes out only when the one before was acknowledged; chats are served at
once, up to `max_connections`; any answer but 2xx, and none in time, is a failure, after which the update comes again,
later each time. The body of an acknowledgement may be one call of a method, whose result nobody hears.
"""

from __future__ import annotations

import asyncio
import time
from collections import deque
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

import httpx

from tests.support.telegram.bot_api import FakeBotApi

MAX_CONNECTIONS = 40
"""Telegram's own choice (setWebhook)."""

_SLOWER = 2.0


@dataclass
class Delivered:
    """An update and what became of it.

    Attributes:
        intended: When it was to be delivered, on the loop's clock; waiting behind others of its chat counts.
        done: When it was acknowledged, or None.
        statuses: Of each attempt; 0 for none in time, or a connection that broke.
        took: Seconds of each attempt.
    """

    update: Mapping[str, Any]
    intended: float
    done: float | None = None
    statuses: list[int] = field(default_factory=list)
    took: list[float] = field(default_factory=list)

    @property
    def latency(self) -> float:
        """Seconds from the intended instant to the acknowledgement."""
        return float("inf") if self.done is None else self.done - self.intended


class TelegramDelivery:
    """Delivers updates to a webhook.

    Args:
        api: Where a call in an acknowledgement's body goes.
        post: Posts one update and returns the response; what it raises is a failure.
        max_connections: Updates on their way at once, of different chats.
        timeout: Seconds after which Telegram stops waiting for an answer.
        first_wait: Seconds before the first repetition; each further one waits twice as long, at most a minute.
    """

    def __init__(
        self,
        api: FakeBotApi,
        post: Callable[[Mapping[str, Any]], Awaitable[httpx.Response]],
        *,
        max_connections: int = MAX_CONNECTIONS,
        timeout: float = 60.0,
        first_wait: float = 0.1,
    ) -> None:
        self.all: list[Delivered] = []
        self._api = api
        self._post = post
        self._timeout = timeout
        self._first_wait = first_wait
        self._connections = asyncio.Semaphore(max_connections)
        self._queues: dict[int, deque[Delivered]] = {}
        self._chats: dict[int, asyncio.Task[None]] = {}

    def push(self, update: Mapping[str, Any], *, intended: float | None = None) -> Delivered:
        """Take an update, to be delivered after those of its chat that came before."""
        each = Delivered(update, time.monotonic() if intended is None else intended)
        self.all.append(each)
        chat_id = chat_of(update)
        self._queues.setdefault(chat_id, deque()).append(each)
        if chat_id not in self._chats or self._chats[chat_id].done():
            self._chats[chat_id] = asyncio.create_task(self._serve(chat_id))
        return each

    async def drained(self) -> None:
        """Return when everything was acknowledged."""
        while waiting := [task for task in self._chats.values() if not task.done()]:
            await asyncio.wait(waiting)
        for task in self._chats.values():
            task.result()

    async def aclose(self) -> None:
        """Deliver nothing more."""
        for task in self._chats.values():
            task.cancel()
        await asyncio.gather(*self._chats.values(), return_exceptions=True)

    async def _serve(self, chat_id: int) -> None:
        queue = self._queues[chat_id]
        while queue:
            await self._until_acknowledged(queue[0])
            queue.popleft()

    async def _until_acknowledged(self, each: Delivered) -> None:
        wait = self._first_wait
        while not await self._attempt(each):
            await asyncio.sleep(wait)
            wait = min(_SLOWER * wait, 60.0)

    async def _attempt(self, each: Delivered) -> bool:
        async with self._connections:
            began = time.monotonic()
            try:
                response = await asyncio.wait_for(self._post(each.update), self._timeout)
            except (httpx.HTTPError, TimeoutError):
                response = None
            now = time.monotonic()
        each.took.append(now - began)
        each.statuses.append(0 if response is None else response.status_code)
        if response is None or not response.is_success:
            self._api.webhook_error = (self._api.now(), f"Wrong response from the webhook: {each.statuses[-1]}")
            return False
        each.done = now
        await self._api.call_from_webhook(response.content)
        return True


def chat_of(update: Mapping[str, Any]) -> int:
    """The queue of an update: its chat's id, as far as it has one, else that of who did it."""
    for value in update.values():
        if isinstance(value, Mapping):
            message = value.get("message", value)
            who = message.get("chat") or value.get("chat") or value.get("from") or {"id": 0}
            return int(who["id"])
    return 0
