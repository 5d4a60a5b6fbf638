"""What once locked a group up: questions in a burst, each update delivered three times, sixteen at once."""

from __future__ import annotations

import asyncio
import time
from collections import Counter
from itertools import count
from typing import NamedTuple

from tests.load.arrivals import Arrival, update_of
from tests.load.outcome import answered
from tests.load.targets import Target

CHAT = -1_004_000_000_000
MESSAGES, QUESTIONS, TIMES, AT_ONCE = 120, 24, 3, 16


class Burst(NamedTuple):
    """What came of it.

    Attributes:
        answers: How often each question was answered.
        slowest_request: Seconds of the slowest request of the webhook.
        failed: Requests that were not acknowledged, by status.
        last_answer: Seconds from the first update to the last answer.
    """

    answers: Counter[int]
    slowest_request: float
    failed: Counter[int]
    last_answer: float

    @property
    def is_right(self) -> bool:
        """Return whether each question was answered once, and nobody refused."""
        return len(self.answers) == QUESTIONS and set(self.answers.values()) == {1} and not self.failed

    def as_line(self) -> str:
        """Return it in words."""
        once = sum(times == 1 for times in self.answers.values())
        return (
            f"{once} of {QUESTIONS} answered exactly once, the last after {self.last_answer:.1f} s; the slowest "
            f"request of the webhook {1000 * self.slowest_request:.0f} ms; {self.failed.total()} not acknowledged"
        )


async def burst(target: Target, *, wait: float = 300.0) -> Burst:
    """Deliver the burst, and wait until everything is answered."""
    target.api.add_chat(CHAT)
    ids, numbers, updates = count(10_000), count(1), []
    for index in range(MESSAGES):
        asks = next(numbers) if index % (MESSAGES // QUESTIONS) == 4 else None
        text = "так, я буду" if asks is None else f"гряг, питання №{asks}?"
        arrival = Arrival(0.0, CHAT, 101 + index % 12, text, asks)
        message_id = target.api.numbering(CHAT, "supergroup").take()
        updates.append(update_of(arrival, update_id=next(ids), message_id=message_id, date=target.api.now()))
    free, took, failed = asyncio.Semaphore(AT_ONCE), [0.0], Counter[int]()

    async def deliver(update: object) -> None:
        async with free:
            began = time.monotonic()
            response = await target.post(update)  # type: ignore[arg-type]
            took.append(time.monotonic() - began)
            if not response.is_success:
                failed[response.status_code] += 1

    begun = time.monotonic()
    await asyncio.gather(*(deliver(update) for update in updates for _ in range(TIMES)))
    last = begun
    seen: Counter[int] = Counter()
    while time.monotonic() - begun < wait and (len(seen) < QUESTIONS):
        await asyncio.sleep(0.1)
        now = answered([each.text for each in target.api.sent])
        if now != seen:
            seen, last = now, time.monotonic()
    await asyncio.sleep(5)
    return Burst(answered([each.text for each in target.api.sent]), max(took), failed, last - begun)


class Behind(NamedTuple):
    """What came of messages behind a question.

    Attributes:
        acknowledged: Seconds from the question to the acknowledgement of the last message behind it.
        answered: Whether the question was answered, and after how many seconds.
    """

    acknowledged: float
    answered: float | None

    @property
    def is_right(self) -> bool:
        """Return whether the question was answered, and nobody waited for that."""
        return self.answered is not None and self.acknowledged < 1.0

    def as_line(self) -> str:
        """Return it in words."""
        told = "not answered" if self.answered is None else f"answered after {self.answered:.1f} s"
        return (
            f"the last message behind the question acknowledged after {1000 * self.acknowledged:.0f} ms; it was {told}"
        )


async def behind(target: Target, *, messages: int = 20, wait: float = 60.0) -> Behind:
    """Ask, and say more while the model thinks, through Telegram's queue of the chat."""
    from tests.support.telegram.delivery import TelegramDelivery

    chat = CHAT - 1
    target.api.add_chat(chat)
    telegram, ids = TelegramDelivery(target.api, target.post), count(50_000)
    begun = time.monotonic()
    for index in range(messages + 1):
        text = "гряг, питання №1?" if index == 0 else "так, я буду"
        arrival = Arrival(0.0, chat, 101 + index % 12, text)
        message_id = target.api.numbering(chat, "supergroup").take()
        telegram.push(update_of(arrival, update_id=next(ids), message_id=message_id, date=target.api.now()))
    await telegram.drained()
    acknowledged = time.monotonic() - begun
    while time.monotonic() - begun < wait:
        if any(each.chat_id == chat for each in target.api.sent):
            return Behind(acknowledged, time.monotonic() - begun)
        await asyncio.sleep(0.1)
    return Behind(acknowledged, None)
