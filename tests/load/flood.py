"""What the webhook's time is worth: beside a bare `create`, and while two hundred slow answers are under way."""

from __future__ import annotations

import asyncio
import os
import time
from collections.abc import Sequence
from itertools import count
from pathlib import Path
from typing import NamedTuple

import numpy as np

from tests.load.arrivals import Arrival, update_of
from tests.load.talking import at_rate, talk_apart
from tests.load.targets import Target
from tests.support.servers.deployment import SECRET
from tests.support.telegram.delivery import TelegramDelivery

ANSWERS = 200
INSTANCES = 10
"""Of the function that answers, each of which takes 20 requests: as it is deployed (`terraform/variables.tf`)."""
MODEL_SECONDS = 2.0
"""For so long the model thinks at least, and until nobody talks any more: the talk meanwhile lasts twenty seconds."""

ASKED_A_SECOND = 20.0
MOST_RATIO = 3.0
MOST_FLOODED = 2.0
"""How often the p99 of the calm may fit into that of a flood on cores that others leave alone: they share them here."""

_CHAT = -1_006_000_000_000
_WARM = -1_005_000_000_000


def p99(seconds: Sequence[float]) -> float:
    """Milliseconds under which 99 of 100 are."""
    return 1000 * float(np.quantile(seconds, 0.99))


def p50(seconds: Sequence[float]) -> float:
    """Milliseconds under which half are."""
    return 1000 * float(np.median(seconds))


class Flood(NamedTuple):
    """What came of it.

    Attributes:
        calm, asking, under_way: Seconds of each acknowledgement from its intended instant: without the answers, while
            they were asked for, while they were made.
        most_at_once, still: How many the model thought about when the talk began, and when it ended.
        answered: How many were sent in the end.
        cpu: Milliseconds of a core that the webhook took for a message, alone and while answers were made.
        busy: Which share of all cores was busy then.
    """

    calm: list[float]
    asking: list[float]
    under_way: list[float]
    most_at_once: int
    still: int
    answered: int
    cpu: tuple[float, float] = (0.0, 0.0)
    busy: tuple[float, float] = (0.0, 0.0)

    @property
    def is_right(self) -> bool:
        """Return whether everybody got an answer, and the webhook's p99 stayed about where it was."""
        return self.answered == ANSWERS and p99(self.under_way) <= MOST_FLOODED * p99(self.calm)

    def as_line(self) -> str:
        """Return it in words."""
        parts = {"alone": self.calm, "while they are asked for": self.asking, "while they are made": self.under_way}
        times = ", ".join(f"{name} {p50(each):.0f} / {p99(each):.0f} ms" for name, each in parts.items())
        return (
            f"acknowledged, p50 / p99: {times}; {self.most_at_once} to {self.still} answers at once, "
            f"{self.answered} of {ANSWERS} sent; p99 {p99(self.under_way) / p99(self.calm):.2f} times that alone; "
            f"of its own the webhook took {self.cpu[0]:.1f} and {self.cpu[1]:.1f} ms of a core a message, while "
            f"{self.busy[0]:.0%} and {self.busy[1]:.0%} of all cores were busy"
        )


async def flood(target: Target, *, rate: float = 10.0, seconds: float = 20.0, wait: float = 120.0) -> Flood:
    """Talk at an even rate alone, ask two hundred questions meanwhile, and talk while the model thinks about them.

    What 200 answers cost before the model has them is done elsewhere in production, and on the same cores here: so the
    model thinks until the talk is over, which begins when it has them all. Telegram delivers the questions, again what
    was not taken in time.
    """
    ids = count(100_000)
    telegram = TelegramDelivery(target.api, target.post)
    await _warm_up_instances(target, telegram, ids)
    before = _spent(target)
    calm = await _talk(target, ids, rate, seconds)
    alone = _since(before, _spent(target), len(calm))
    target.gemini.hold()
    asked = [_said(target, _CHAT - 1 - number, f"гряг, питання №{number}?", next(ids)) for number in range(ANSWERS)]
    asking = asyncio.create_task(at_rate([lambda each=each: _push(telegram, each) for each in asked], ASKED_A_SECOND))
    while_asking = await _talk(target, ids, rate, ANSWERS / ASKED_A_SECOND)
    await asking
    await telegram.drained()
    most = await _all_under_way(target)
    before = _spent(target)
    under_way = await _talk(target, ids, rate, seconds)
    meanwhile = _since(before, _spent(target), len(under_way))
    still = target.gemini.thinking
    target.gemini.release()
    until = time.monotonic() + wait
    while len(_answers(target)) < ANSWERS and time.monotonic() < until:
        await asyncio.sleep(0.2)
    await telegram.aclose()
    cpu, busy = zip(alone, meanwhile, strict=True)
    return Flood(calm, while_asking, under_way, most, still, len(_answers(target)), cpu, busy)


def _spent(target: Target) -> tuple[int, int, int]:
    """Ticks of a core that the webhook took so far; those of all cores that were busy; and all that there were."""
    pids = target.process_ids if target.deployment is None else target.deployment.servers["webhook"].pids()
    told = [Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split() for pid in pids]
    cores = list(map(int, Path("/proc/stat").read_text().splitlines()[0].split()[1:9]))
    return sum(int(each[11]) + int(each[12]) for each in told), sum(cores) - cores[3] - cores[4], sum(cores)


def _since(before: tuple[int, int, int], now: tuple[int, int, int], messages: int) -> tuple[float, float]:
    own, busy, all_ = (after - then for then, after in zip(before, now, strict=True))
    return 1000 * own / os.sysconf("SC_CLK_TCK") / messages, busy / max(1, all_)


async def _warm_up_instances(target: Target, telegram: TelegramDelivery, ids: count[int]) -> None:
    """Have each instance answer once: a cold start takes seconds of the cores that all of them share here."""
    before = len(target.api.sent)
    for number in range(INSTANCES):
        telegram.push(_said(target, _WARM - number, "гряг, привіт", next(ids)))
    await telegram.drained()
    async with asyncio.timeout(90):
        while len(target.api.sent) < before + INSTANCES:
            await asyncio.sleep(0.1)


async def _push(telegram: TelegramDelivery, update: dict[str, object]) -> None:
    telegram.push(update)


async def _all_under_way(target: Target) -> int:
    """Wait until no more come to be thought about; how many there are."""
    most, since = 0, time.monotonic()
    while most < ANSWERS and time.monotonic() - since < 15.0:
        if target.gemini.thinking > most:
            most, since = target.gemini.thinking, time.monotonic()
        await asyncio.sleep(0.02)
    return most


def _answers(target: Target) -> set[int]:
    return {each.chat_id for each in target.api.sent if each.chat_id < _CHAT}


class Beside(NamedTuple):
    """Seconds of each request of the webhook, and of each bare `create` beside it: by the client itself, and (not on
    the emulator) posted to the webhook's own process, which shares its event loop."""

    webhook: list[float]
    create: list[float]
    posted: Sequence[float] = ()

    @property
    def is_right(self) -> bool:
        """Return whether the webhook's p99 is under three times that of a bare `create`."""
        return p99(self.webhook) < MOST_RATIO * p99(self.create)

    def as_line(self) -> str:
        """Return it in words."""
        return (
            f"p50 / p99: the webhook {p50(self.webhook):.1f} / {p99(self.webhook):.1f} ms, a bare create "
            f"{p50(self.create):.1f} / {p99(self.create):.1f} ms: {p50(self.webhook) / p50(self.create):.2f} and "
            f"{p99(self.webhook) / p99(self.create):.2f} times (under {MOST_RATIO:.0f}){self._beside_posted()}"
        )

    def _beside_posted(self) -> str:
        if not self.posted:
            return ""
        times = f"{p50(self.webhook) / p50(self.posted):.2f} and {p99(self.webhook) / p99(self.posted):.2f} times"
        return f"; one in its own process {p50(self.posted):.1f} / {p99(self.posted):.1f} ms: {times}"


async def beside_create(target: Target, *, rate: float = 20.0, seconds: float = 30.0) -> Beside:
    """Let messages come, and create a document like theirs in between, as often."""
    ids = count(200_000)

    async def create() -> object:
        number = next(ids)
        data = {"schema": 1, "text": "так, я буду", "user_id": 101, "message_id": number, "is_bot": False}
        return await target.bare.create(f"bare/{number}", data)

    async def post_creates() -> list[float]:
        documents = [{"schema": 1, "text": "так, я буду", "message_id": next(ids)} for _ in range(int(rate * seconds))]
        return [] if target.bare_url is None else await talk_apart(target.bare_url, SECRET, documents, rate)

    webhook, bare, posted = await asyncio.gather(
        _talk(target, count(300_000), rate, seconds),
        at_rate([create] * int(rate * seconds), rate, first=0.5 / rate),
        post_creates(),
    )
    return Beside(webhook, bare, posted)


async def _talk(target: Target, ids: count[int], rate: float, seconds: float) -> list[float]:
    said = [_said(target, _CHAT, "так, я буду", next(ids)) for _ in range(int(rate * seconds))]
    return await talk_apart(target.webhook, SECRET, said, rate)


def _said(target: Target, chat_id: int, text: str, update_id: int) -> dict[str, object]:
    if chat_id not in target.api.chats:
        target.api.add_chat(chat_id)
    message_id = target.api.numbering(chat_id, "supergroup").take()
    arrival = Arrival(0.0, chat_id, 101 + update_id % 12, text)
    return update_of(arrival, update_id=update_id, message_id=message_id, date=target.api.now())
