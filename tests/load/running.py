"""One run: arrivals go out at their instants through Telegram's queues, and what comes of them is counted."""

from __future__ import annotations

import asyncio
import contextlib
import time
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from itertools import count

from tests.load.arrivals import Arrival, update_of
from tests.load.outcome import Outcome, answered
from tests.load.targets import Target
from tests.support.telegram.delivery import TelegramDelivery

_QUIET_SECONDS = 90.0
"""Without a new answer for so long, nobody waits any more: longer than a group of Telegram makes an answer wait."""


@dataclass
class Watch:
    """What is looked at while a run goes on.

    Attributes:
        answered_at: When each question was first answered, on the monotonic clock.
        queue_age: The worst that was seen.
    """

    target: Target
    answered_at: dict[int, float] = field(default_factory=dict)
    queue_age: float = 0.0
    _seen: int = 0

    async def look(self) -> None:
        """Look at the answers and the queue for ever."""
        for turn in count():
            now = time.monotonic()
            sent, self._seen = self.target.api.sent[self._seen :], len(self.target.api.sent)
            for number in answered([each.text for each in sent]):
                self.answered_at.setdefault(number, now)
            if turn % 20 == 0:
                self.queue_age = max(self.queue_age, await self.target.queue_age())
            await asyncio.sleep(0.05)


async def run(
    name: str, target: Target, coming: Sequence[Arrival], *, warm: bool = True, first_update: int = 1_000
) -> Outcome:
    """Let everything come, and wait until it is answered, or nothing happens any more.

    Args:
        warm: Have the process load what it needs first.
        first_update: The id of the first update: loads that run at once have others.
    """
    chats = {arrival.chat_id for arrival in coming}
    for chat_id in chats:
        target.api.add_chat(chat_id)
    telegram, update_ids = TelegramDelivery(target.api, target.post), count(first_update)
    if warm:
        await warm_up(target, telegram)
    watch = Watch(target)
    looking = asyncio.create_task(watch.look())
    begun = time.monotonic() + 0.2
    asked_at: dict[int, float] = {}
    try:
        for arrival in coming:
            intended = begun + arrival.at
            await asyncio.sleep(max(0.0, intended - time.monotonic()))
            message_id = target.api.numbering(arrival.chat_id, "supergroup").take()
            update = update_of(arrival, update_id=next(update_ids), message_id=message_id, date=target.api.now())
            telegram.push(update, intended=intended)
            if arrival.question is not None:
                asked_at[arrival.question] = intended
        await telegram.drained()
        await _until_answered(watch, asked_at)
    finally:
        looking.cancel()
        await asyncio.gather(looking, return_exceptions=True)
        await telegram.aclose()
    return await _outcome(name, target, coming, telegram, watch, asked_at, chats)


async def warm_up(target: Target, telegram: TelegramDelivery) -> None:
    """Have the process load what it needs: cold starts are measured elsewhere."""
    chat = -1_003_000_000_000
    target.api.add_chat(chat)
    warm = Arrival(0.0, chat, 101, "гряг, привіт")
    telegram.push(update_of(warm, update_id=1, message_id=1, date=target.api.now()))
    await telegram.drained()
    with contextlib.suppress(TimeoutError):
        async with asyncio.timeout(30):
            while not target.api.sent:
                await asyncio.sleep(0.1)
    telegram.all.clear()


async def _until_answered(watch: Watch, asked: Iterable[int]) -> None:
    wanted, last, known = set(asked), time.monotonic(), -1
    while wanted - set(watch.answered_at) and time.monotonic() - last < _QUIET_SECONDS:
        if len(watch.answered_at) != known:
            last, known = time.monotonic(), len(watch.answered_at)
        await asyncio.sleep(0.1)
    await asyncio.sleep(3)  # one more answer would be one too many


async def _outcome(
    name: str,
    target: Target,
    coming: Sequence[Arrival],
    telegram: TelegramDelivery,
    watch: Watch,
    asked_at: dict[int, float],
    chats: Iterable[int],
) -> Outcome:
    statuses = Counter(status for each in telegram.all for status in each.statuses)
    answers = answered([each.text for each in target.api.sent])
    return Outcome(
        name,
        [each.latency for each in telegram.all],
        [took for each in telegram.all for took in each.took],
        Counter({status: times for status, times in statuses.items() if not 200 <= status < 300}),
        len(coming),
        await target.stored(chats),
        len(asked_at),
        Counter({number: times for number, times in answers.items() if number in asked_at}),
        [watch.answered_at[number] - at for number, at in asked_at.items() if number in watch.answered_at],
        watch.queue_age,
    )
