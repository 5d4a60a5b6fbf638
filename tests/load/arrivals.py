"""Who says what when: the shapes of load. A question is answered after two seconds of the model.

Latency counts from the instant at which an update was to come, whether or not the ones before it were acknowledged: a
slow server does not get fewer of them (open loop).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import count
from typing import Any

from tests.support import updates

QUESTIONS = 0.05
"""Share of messages that ask the bot something."""

_FIRST_CHAT = -1_002_000_000_000
_NUMBERS = 100_000
"""Chats and questions of one load, at most."""

_WORDS = ("так", "ні", "завтра о сьомій", "а хто бере намет?", "я вже вдома", "дивіться яке небо", "ок", "ну й день")


@dataclass(frozen=True, slots=True)
class Arrival:
    """A message that comes.

    Attributes:
        at: Seconds from the start.
        question: The number by which its answer is known, or None for talk.
    """

    at: float
    chat_id: int
    user_id: int
    text: str
    question: int | None = None


Shape = Callable[[float, float], Iterator[tuple[float, int]]]
"""Instants and numbers of chats, of a rate (messages a second) for a time (seconds)."""


def steady(rate: float, seconds: float, *, chats: int = 20) -> Iterator[tuple[float, int]]:
    """As many every second, in some groups."""
    for number in range(int(rate * seconds)):
        yield number / rate, number % chats


def spike(rate: float, seconds: float, *, times: float = 40.0, chats: int = 20) -> Iterator[tuple[float, int]]:
    """Calm, then forty times as many for a tenth of the time, then calm again."""
    begin, end = seconds * 0.45, seconds * 0.55
    for at, chat in steady(rate, begin, chats=chats):
        yield at, chat
    for at, chat in steady(rate * times, end - begin, chats=chats):
        yield begin + at, chat
    for at, chat in steady(rate, seconds - end, chats=chats):
        yield end + at, chat


def backlog(rate: float, seconds: float, *, outage: float = 1_800.0, chats: int = 20) -> Iterator[tuple[float, int]]:
    """What was said in half an hour without us, all at once."""
    for number in range(int(rate * outage)):
        yield 0.0, number % chats


def hot_group(rate: float, seconds: float) -> Iterator[tuple[float, int]]:
    """All of it in one group."""
    yield from steady(rate, seconds, chats=1)


def quiet_groups(rate: float, seconds: float, *, chats: int = 10_000) -> Iterator[tuple[float, int]]:
    """Ten thousand groups, each of which says something once."""
    for number in range(min(chats, int(rate * seconds))):
        yield number / rate, number


SHAPES: dict[str, Shape] = {
    "steady": steady,
    "spike": spike,
    "backlog": backlog,
    "hot": hot_group,
    "quiet": quiet_groups,
}


def arrivals(shape: Shape, rate: float, seconds: float, *, place: int = 0) -> list[Arrival]:
    """Return the messages of a shape of load, in order; of each twenty one is a question, each time another one: where
    twenty chats speak in turn, not all questions are one chat's.

    Args:
        place: Several loads of one Spomyn differ in it: their chats and questions have other numbers.
    """
    numbers, first_chat = count(1 + place * _NUMBERS), _FIRST_CHAT - place * _NUMBERS
    every = round(1 / QUESTIONS)
    found = []
    for index, (at, chat) in enumerate(shape(rate, seconds)):
        asks = next(numbers) if (index + index // every) % every == every - 1 else None
        text = _WORDS[index * 7 % len(_WORDS)] if asks is None else f"гряг, питання №{asks}?"
        found.append(Arrival(at, first_chat - chat, 101 + index * 5 % 12, text, asks))
    return sorted(found, key=lambda each: each.at)


def update_of(arrival: Arrival, *, update_id: int, message_id: int, date: int) -> dict[str, Any]:
    """Return the update by which Telegram tells of it."""
    sender = updates.user(arrival.user_id, f"Член {arrival.user_id}")
    chat = updates.chat(arrival.chat_id)
    return updates.message_update(
        arrival.text, update_id=update_id, message_id=message_id, chat=chat, sender=sender, date=date
    )
