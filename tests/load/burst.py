"""What once locked a group up: questions in a burst, each update delivered three times, sixteen at once."""

from __future__ import annotations

import asyncio
import time
from collections import Counter
from collections.abc import Sequence
from itertools import count
from typing import NamedTuple

from tests.load.arrivals import Arrival, update_of
from tests.load.outcome import answered
from tests.load.targets import MODEL_SECONDS, Target
from tests.support.telegram.bot_api_limits import SendingLimits

CHAT = -1_004_000_000_000
MESSAGES, QUESTIONS, TIMES, AT_ONCE = 120, 24, 3, 16

MOST_REQUEST, MOST_BEHIND, MOST_LATE = 1.0, 1.0, 10.0
"""Seconds of a request of the webhook, of a message behind a question, and of an answer after Telegram allows it."""


class Burst(NamedTuple):
    """What came of it.

    Attributes:
        asked: Questions.
        answers: How often each was answered.
        slowest_request: Seconds of the slowest request of the webhook.
        failed: Requests that were not acknowledged, by status.
        answered_after: Seconds from the first update to each answer.
    """

    asked: int
    answers: Counter[int]
    slowest_request: float
    failed: Counter[int]
    answered_after: Sequence[float]

    @property
    def is_whole(self) -> bool:
        """Return whether each question was answered once, and nobody refused."""
        return len(self.answers) == self.asked and set(self.answers.values()) == {1} and not self.failed

    @property
    def latest(self) -> float:
        """Return by how many seconds an answer came after Telegram allowed it, at worst."""
        after = sorted(self.answered_after)
        return max((at - by for at, by in zip(after, allowed(len(after)), strict=True)), default=0.0)

    @property
    def is_right(self) -> bool:
        """Return whether nothing was lost, doubled or refused, and nothing late."""
        return self.is_whole and self.latest <= MOST_LATE and self.slowest_request <= MOST_REQUEST

    def as_line(self) -> str:
        """Return it in words."""
        once, last = sum(times == 1 for times in self.answers.values()), max(self.answered_after, default=0.0)
        return (
            f"{once} of {self.asked} answered exactly once, the last after {last:.1f} s, {self.latest:.1f} s at worst "
            f"after Telegram allows it; the slowest request of the webhook {1000 * self.slowest_request:.0f} ms; "
            f"{self.failed.total()} not acknowledged"
        )


def allowed(messages: int) -> list[float]:
    """Return the seconds at which Telegram takes so many messages for a group, as soon as it does and once the model
    has thought: one a second, and 20 a minute."""
    limits, times = SendingLimits(lambda: 0.0), list[float]()
    for number in range(messages):
        after = times[-1] + 1.0 if times else MODEL_SECONDS
        times.append(max(after, times[-limits.per_minute] + 60.0 if number >= limits.per_minute else 0.0))
    return times


async def burst(target: Target, *, messages: int = MESSAGES, questions: int = QUESTIONS, wait: float = 300.0) -> Burst:
    """Deliver the burst, and wait until everything is answered."""
    target.api.add_chat(CHAT)
    ids, numbers, updates = count(10_000), count(1), []
    for index in range(messages):
        asks = next(numbers) if index % (messages // questions) == 4 else None
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
    first: dict[int, float] = {}
    while time.monotonic() - begun < wait and len(first) < questions:
        await asyncio.sleep(0.1)
        for number in _answers(target):
            first.setdefault(number, time.monotonic() - begun)
    await asyncio.sleep(5)
    return Burst(questions, _answers(target), max(took), failed, tuple(first.values()))


def _answers(target: Target) -> Counter[int]:
    return answered([each.text for each in target.api.sent if each.chat_id == CHAT])


class Behind(NamedTuple):
    """What came of messages behind a question.

    Attributes:
        acknowledged: Seconds from the question to the acknowledgement of the last message behind it.
        answered: Whether the question was answered, and after how many seconds.
        waited: Whether the answer stood there before all of them were acknowledged.
    """

    acknowledged: float
    answered: float | None
    waited: bool = False

    @property
    def is_whole(self) -> bool:
        """Return whether the question was answered, and nobody waited for that."""
        return self.answered is not None and not self.waited

    @property
    def is_right(self) -> bool:
        """Return whether also the clock says that nobody waited."""
        return self.is_whole and self.acknowledged < MOST_BEHIND

    def as_line(self) -> str:
        """Return it in words."""
        told = "not answered" if self.answered is None else f"answered after {self.answered:.1f} s"
        return (
            f"the last message behind the question acknowledged after {1000 * self.acknowledged:.0f} ms; it was {told}"
        )


async def behind(target: Target, *, messages: int = 20, wait: float = 60.0) -> Behind:
    """Ask, and say more while the model thinks, through Telegram's queue of the chat: until all that was said is
    acknowledged it goes on thinking."""
    from tests.support.telegram.delivery import TelegramDelivery

    chat = CHAT - 1
    target.api.add_chat(chat)
    telegram, ids = TelegramDelivery(target.api, target.post), count(50_000)
    target.gemini.hold()
    begun = time.monotonic()
    for index in range(messages + 1):
        text = "гряг, питання №1?" if index == 0 else "так, я буду"
        arrival = Arrival(0.0, chat, 101 + index % 12, text)
        message_id = target.api.numbering(chat, "supergroup").take()
        telegram.push(update_of(arrival, update_id=next(ids), message_id=message_id, date=target.api.now()))
    await telegram.drained()
    acknowledged = time.monotonic() - begun
    waited = any(each.chat_id == chat for each in target.api.sent)
    target.gemini.release()
    while time.monotonic() - begun < wait:
        if any(each.chat_id == chat for each in target.api.sent):
            return Behind(acknowledged, time.monotonic() - begun, waited)
        await asyncio.sleep(0.1)
    return Behind(acknowledged, None, waited)
