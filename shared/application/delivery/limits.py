"""Limits how much members and chats may ask, and words the reply when a limit is exceeded.

Nothing is kept for it: the records of what was asked are counted. A question counts as long as its record says when it
was taken in; one that was over a limit does not. Its rank among those of the hour before it decides, so many questions
at once are judged alike by whoever looks, in whatever order, and no document is written by all who ask in a chat.

Instances take questions in, and their clocks differ: of two that were taken in at nearly the same time the one with the
lower id of its update came first, as Telegram delivers a chat in order. By time alone each change to an instance whose
clock is behind would let a whole limit of questions in that come before those that were answered already.
"""

import asyncio
import hashlib
from collections.abc import AsyncIterator, Sequence
from datetime import datetime, timedelta
from typing import NamedTuple

from shared.application.chats.chat_codec import ChatState
from shared.application.delivery.ledger_codec import (
    COUNTED_AT,
    UpdateId,
    asked_by,
    counted_between,
    notice_fields,
    of_chat,
    of_chats,
    order_of,
    read_counted_question,
    read_notice,
    update_id_of,
    update_path,
)
from shared.application.policy import Policy
from shared.application.ports.store import Document, DocumentStore, Filter, Order
from shared.domain.chats.hours import timezone_named
from shared.domain.delivery.limits import HOUR, CountedQuestion, Limit, chat_limit
from shared.domain.text.language import Language
from shared.locales import say

BY_TIME = Order(COUNTED_AT)

CLOCKS_APART = timedelta(minutes=1)
"""The most that the clocks of two instances differ by: what was taken in at closer times is ordered by its id."""


class Ask(NamedTuple):
    """A question that counts.

    Attributes:
        per_user, per_chat: Limits of a sliding hour.
        tells: Whether the first one over a limit in an hour of the clock is answered by a notice in the chat.
        before: The id of the chat as a basic group: what was asked there counts as well.
    """

    chat_id: int
    user_id: int
    per_user: int
    per_chat: int
    tells: bool = True
    before: int | None = None


async def reached_limit(store: DocumentStore, ask: Ask, update_id: UpdateId, at: datetime) -> Limit | None:
    """Return which limit a question is over, or None. Costs two reads as long as nobody asks too much.

    Args:
        update_id: Its record is stored by now,
        at: and was taken in then.
    """
    questions = _questions(ask, at - HOUR, at + CLOCKS_APART)
    mine = [*questions, asked_by(ask.user_id)]
    own, everybody = await asyncio.gather(*(store.count("updates", where=each) for each in (mine, questions)))
    if own > ask.per_user and await _count_own_before(store, ask, update_id, at) >= ask.per_user:
        first = await store.query("updates", where=mine, order_by=[BY_TIME], limit=1)
        return Limit("member", min((read_counted_question(each).at for each in first), default=at) + HOUR)
    if everybody <= ask.per_chat:
        return None
    before: list[CountedQuestion] = []
    async for page in _pages_before(store, questions, update_id, at, limit=ask.per_chat):
        before += page
        if limit := chat_limit(before, per_user=ask.per_user, per_chat=ask.per_chat):
            return limit
    return None


async def was_asked(store: DocumentStore, chat_id: int, *, after: datetime, now: datetime) -> bool:
    """Return whether somebody asked the bot something in a chat after an instant, by a command or a button too; what
    was over a limit does not count."""
    where = [of_chat(chat_id), *counted_between(after, now + CLOCKS_APART)]
    return bool(await store.query("updates", where=where, order_by=[BY_TIME], limit=1, fields=[COUNTED_AT]))


def _questions(ask: Ask, after: datetime, until: datetime) -> list[Filter]:
    where = of_chat(ask.chat_id) if ask.before is None else of_chats([ask.before, ask.chat_id])
    return [where, *counted_between(after, until)]


def _comes_before(other: Document, update_id: UpdateId, at: datetime) -> bool:
    """Return whether another question came before one, by their ids where clocks do not tell."""
    known, when = update_id_of(other), read_counted_question(other).at
    if abs(when - at) >= CLOCKS_APART:
        return when < at
    if isinstance(known, int) and isinstance(update_id, int):
        return known < update_id
    return (when, *order_of(known)) < (at, *order_of(update_id))


async def _count_own_before(store: DocumentStore, ask: Ask, update_id: UpdateId, at: datetime) -> int:
    """Return how many questions of its author come before one, or that it is as many as they may ask. Those over a
    limit may vanish meanwhile: they are not needed to tell that it is over, too."""
    mine, surely = asked_by(ask.user_id), _questions(ask, at - HOUR, at - CLOCKS_APART)
    earlier = await store.count("updates", where=[*surely, mine])
    about_then = [*_questions(ask, at - CLOCKS_APART, at + CLOCKS_APART), mine]
    async for page in _pages_before(store, about_then, update_id, at, limit=ask.per_user):
        earlier += len(page)
        if earlier >= ask.per_user:
            break
    return earlier


async def _pages_before(
    store: DocumentStore, where: Sequence[Filter], update_id: UpdateId, at: datetime, *, limit: int
) -> AsyncIterator[list[CountedQuestion]]:
    """Yield the questions that come before one, oldest first: so many are read as a limit is, then twice as many and
    so on, for what was asked beyond a limit and is not judged yet may be any number."""
    last, fields = None, ["user_id", COUNTED_AT]
    while True:
        page = await store.query("updates", where=where, order_by=[BY_TIME], limit=limit, after=last, fields=fields)
        yield [read_counted_question(each) for each in page if _comes_before(each, update_id, at)]
        if len(page) < limit:
            return
        last, limit = page[-1], 2 * limit


async def may_tell(store: DocumentStore, ask: Ask, limit: Limit, update_id: UpdateId, *, now: datetime) -> bool:
    """Return whether this question is the one that is answered by a notice in this hour of the clock, and take it."""
    whom = str(ask.user_id) if limit.whose == "member" else "chat"
    name = hashlib.sha256(f"{ask.chat_id}|{whom}|{now:%Y%m%d%H}".encode()).hexdigest()[:32]
    path = update_path(f"told-{name}")
    if await store.create(path, notice_fields(update_id, now=now)):
        return True
    told = await store.get(path)
    return told is not None and read_notice(told) == str(update_id)


def limit_notice(policy: Policy, state: ChatState, language: Language, limit: Limit) -> str:
    """Return the reply when a caller exceeds a limit, as Telegram HTML: how long the bot rests, by the chat's clock."""
    zone = timezone_named(state.timezone or policy.timezone)
    until = (limit.until + timedelta(seconds=59)).astimezone(zone)  # not a minute too early
    return say(language, f"too_many_asks_{limit.whose}", until=f"{until:%H:%M}")
