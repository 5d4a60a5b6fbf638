"""The function that answers is killed, twenty times, at random instants around its sends: nobody loses an answer.

Half of the kills come while the model thinks, half from when Telegram got a message until a little after its
confirmation was written down. A question whose answer was cut off so waits until its lease ran out, twenty seconds
after it was renewed last.
"""

from __future__ import annotations

import asyncio
import random  # noqa: TID251 - the seed is an argument
import time
from collections import Counter
from collections.abc import Callable
from itertools import count
from typing import NamedTuple

from shared.application.delivery.ledger_codec import read_entry, update_path
from shared.application.ports.store import Document
from tests.load.arrivals import Arrival, update_of
from tests.load.outcome import answered
from tests.load.targets import Target
from tests.support.telegram.bot_api_chats import Sent

KILLS = 20
SEED = 16
MODEL_SECONDS = 1.0
"""For so long the model thinks."""

_CONFIRMATION, _WRITING = 0.15, 0.25
"""Seconds until Telegram confirms, and in which that is written down."""

_FIRST_CHAT, _FIRST_UPDATE = -1_005_000_000_000, 70_000


class Kills(NamedTuple):
    """What came of it.

    Attributes:
        kills: How often the function was killed; `after_send`: answers that stood in the chat just then, unrecorded.
        asked: Questions, each in a chat of its own, and `answers` how often each was answered.
        from_memory: Answers of memory, which makes them from the third attempt on: no model was asked.
        repeats: Sends of what may have arrived, as the records count them.
        seconds: Until all was answered.
    """

    kills: int
    after_send: int
    asked: int
    answers: Counter[int]
    from_memory: int
    repeats: int
    seconds: float

    @property
    def lost(self) -> int:
        """Questions without an answer."""
        return self.asked - len(self.answers)

    @property
    def doubles(self) -> int:
        """Answers beyond the first of each question."""
        return self.answers.total() - len(self.answers)

    @property
    def is_right(self) -> bool:
        """Return whether nothing was lost, and doubled only what nobody could know of, and counted."""
        return self.lost == 0 and self.doubles <= self.after_send and self.doubles <= self.repeats

    def as_line(self) -> str:
        """Return it in words."""
        return (
            f"{self.kills} kills, {self.after_send} with an answer sent and not recorded: of {self.asked} questions "
            f"{self.lost} lost, {self.doubles} doubled ({self.repeats} repetitions counted), "
            f"{self.from_memory} answered from memory; {self.seconds:.0f} s"
        )


async def kill_answers(target: Target, *, kills: int = KILLS, seed: int = SEED, wait: float = 400.0) -> Kills:
    """Ask a question for each kill, kill, and start the function again; then wait until everything is answered."""
    assert target.deployment is not None, "only a function can be killed alone"
    chance, begun = random.Random(seed), time.monotonic()
    after_send: set[tuple[int, int]] = set()
    target.api.fail_next("sendMessage", delay=_CONFIRMATION, times=100 * kills)
    for number in range(1, kills + 1):
        is_after = chance.random() < 0.5
        seen = _count(target, is_after=is_after)
        await _ask(target, number)
        await _until(lambda seen=seen, is_after=is_after: _count(target, is_after=is_after) > seen, within=60.0)
        await asyncio.sleep(chance.uniform(0, _CONFIRMATION + _WRITING if is_after else MODEL_SECONDS))
        target.deployment.kill("answer")
        after_send |= await _sent_but_not_recorded(target, number)
        await target.deployment.start_again("answer")
    await _until(lambda: len(_answers(target)) == kills, within=wait)
    took = time.monotonic() - begun
    await asyncio.sleep(5)  # one more answer would be one too many
    repeats = sum([read_entry(each).repeats for each in await _records(target, kills)])
    from_memory = sum(not answered([each.text]) for each in _sent(target))
    return Kills(kills, len(after_send), kills, _answers(target), from_memory, repeats, took)


def _count(target: Target, *, is_after: bool) -> int:
    return len(target.api.sent) if is_after else len(target.gemini.requests) + target.gemini.thinking


async def _ask(target: Target, number: int) -> None:
    chat_id = _FIRST_CHAT - number
    target.api.add_chat(chat_id)
    asks = Arrival(0.0, chat_id, 100 + number, f"гряг, питання №{number}?", number)
    message_id = target.api.numbering(chat_id, "supergroup").take()
    update = update_of(asks, update_id=_FIRST_UPDATE + number, message_id=message_id, date=target.api.now())
    response = await target.post(update)
    assert response.is_success, response.status_code


async def _until(is_so: Callable[[], bool], *, within: float) -> None:
    until = time.monotonic() + within
    for _ in count():
        if is_so() or time.monotonic() > until:
            return
        await asyncio.sleep(0.002)


async def _sent_but_not_recorded(target: Target, kills: int) -> set[tuple[int, int]]:
    """Which answers stand in their chat, and how often, whose record says that they are being sent."""
    there = _answers(target)
    records = await _records(target, kills)
    being_sent = {int(each.id) - _FIRST_UPDATE for each in records if read_entry(each).sending is not None}
    return {(number, times) for number, times in there.items() if number in being_sent}


async def _records(target: Target, kills: int) -> list[Document]:
    paths = [update_path(_FIRST_UPDATE + number) for number in range(1, kills + 1)]
    return [each for each in await target.store.get_many(paths) if each is not None]


def _answers(target: Target) -> Counter[int]:
    """Return how many messages each question's chat got: memory's answers do not repeat the question's number."""
    return Counter(_FIRST_CHAT - each.chat_id for each in _sent(target))


def _sent(target: Target) -> list[Sent]:
    """Return what the bot said in the chats that are asked in; an instance is warmed up in another one."""
    return [each for each in target.api.sent if _FIRST_CHAT - KILLS <= each.chat_id < _FIRST_CHAT]
