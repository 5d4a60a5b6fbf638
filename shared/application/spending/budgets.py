"""The model's budgets of a chat and its members: what it costs, counted per day, and capped.

What a call may take at most is booked before it is made, and what it took instead of that when it is over or given up.
Both are increments, so nobody waits for anybody; the store tells what an increment came to, so of many calls at once
each knows those that were booked before it, and is made only if there is room for it beside them. A process that dies
leaves its estimate booked: that call is likely to be paid, too (see `MOST_DEATHS`).
"""

import asyncio
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from math import inf
from typing import Literal

from shared.application.app import App
from shared.application.chats.chat_codec import ChatState
from shared.application.chats.choices import choices_for
from shared.application.documents import usage_path
from shared.application.policy import Policy
from shared.application.ports.model import ModelReply, Purpose
from shared.application.ports.store import Create, Delete, DocumentStore, Sums, Upsert
from shared.application.spending.usage_codec import (
    cost_of,
    notice_fields,
    read_spending,
    spending_fields,
    spending_path,
    tokens_of,
    usage_fields,
)
from shared.application.telemetry import note_usage
from shared.domain.conversation.messages import SCHEMA
from shared.domain.errors import ModelUnavailable, OverBudget, PathTaken, TransientError

Budget = Literal["chat", "member"]
"""The owner of a day's budget."""

MOST_DEATHS = 2
"""The number of runs that may die of one thing; then the model is asked no more: it may be what they die of."""

_KEPT = timedelta(days=2)


async def over_budget(app: App, state: ChatState, user_id: int | None = None) -> Budget | None:
    """Return which of today's budgets is used up: the chat's, which may be of its own choice, else that of the member
    who asks; None while the model may be asked.

    Args:
        user_id: None for the chat's own work. Who edits what was learnt from pays for its being learnt from again.
    """
    most, today = choices_for(app.policy, state).tokens_per_day, app.clock.now().date()
    if most == 0:
        return "chat"
    paths = [usage_path(state.chat_id, today)]
    if user_id is not None:
        paths.append(spending_path(state.chat_id, user_id, today))
    spent = [tokens_of(document) for document in await app.store.get_many(paths)]
    if spent[0] >= most:
        return "chat"
    return "member" if user_id is not None and spent[1] >= app.policy.tokens_per_member else None


async def is_news(app: App, state: ChatState, what: Budget | Literal["offline"], user_id: int, update_id: int) -> bool:
    """Return whether the answer to an update is the first today after a budget was used up, or ("offline") without a
    model; the same update may ask again.

    Never when the model is switched off: then nothing was used up.
    """
    chosen = choices_for(app.policy, state).tokens_per_day if what == "chat" else app.policy.tokens_per_member
    if chosen == 0 and what != "offline":
        return False
    now = app.clock.now()
    path = spending_path(state.chat_id, f"told-{user_id}" if what == "member" else what, now.date())
    told = notice_fields(update_id, user_id=user_id if what == "member" else None, expire_at=now + _KEPT)
    known = await app.store.get(path)
    if known is None and await app.store.create(path, told):  # one of all wins, and nobody waits
        return True
    return read_spending(known or await app.store.get(path)).told == update_id


@dataclass(frozen=True, slots=True)
class Booking:
    """The tokens that one call may take, booked before it is made: on that day it is settled, too.

    Attributes:
        user_id: The member who asked or edited, or None.
        tokens: At most, as estimated.
        mark: The document that says, from its booking till it is settled, that it is under way; None: it has none.
    """

    chat_id: int
    user_id: int | None
    at: datetime
    tokens: int
    mark: str | None = None

    def writes(self, tokens: int, *calls: tuple[Purpose, ModelReply]) -> list[Upsert]:
        """Return what adds calls, and so many tokens beside them, to what the chat and the member took."""
        day = self.at.date()
        writes = [Upsert(usage_path(self.chat_id, day), usage_fields(calls, day, tokens=tokens))]
        if self.user_id is not None:
            replies = [reply for _, reply in calls]
            own = spending_fields(self.user_id, replies, expire_at=self.at + _KEPT, tokens=tokens)
            writes.append(Upsert(spending_path(self.chat_id, self.user_id, day), own))
        return writes

    def require_room(self, policy: Policy, state: ChatState, sums: Sequence[Sums]) -> None:
        """Do nothing while the budgets have room for the call, by what its own booking came to.

        The first call of a day is made however small the budget is, or what waits for it would wait for ever. Where
        members have no budget at all, what they edited is the chat's matter.

        Raises:
            OverBudget: One has no room.
        """
        chat: tuple[Budget, float] = ("chat", choices_for(policy, state).tokens_per_day)
        member: tuple[Budget, float] = ("member", policy.tokens_per_member or inf)
        for (whose, most), after in zip((chat, member), sums, strict=False):
            is_first = after["tokens"] == self.tokens
            if after["tokens"] > most and not (is_first and most > 0):
                raise OverBudget(whose)


async def book(store: DocumentStore, booking: Booking, about: str) -> tuple[Booking, Sequence[Sums]]:
    """Book a call, with one of the day's marks of what it is about ("": none), and return what its increments came to.

    Raises:
        ModelUnavailable: All marks are of calls that are under way, or died; nothing was booked.
    """
    writes = booking.writes(booking.tokens)
    if not about:
        return booking, await store.batch(writes)
    for number in range(MOST_DEATHS):
        mark = spending_path(booking.chat_id, f"{about}-{number}", booking.at.date())
        with suppress(PathTaken):  # in one batch: what is marked is booked, once
            sums = await store.batch([*writes, Create(mark, {"schema": SCHEMA, "expire_at": booking.at + _KEPT})])
            return replace(booking, mark=mark), sums[: len(writes)]
    raise ModelUnavailable("today's calls about it died, or are under way")


async def settle(store: DocumentStore, booking: Booking, *calls: tuple[Purpose, ModelReply]) -> None:
    """Book what was really called in place of what was booked before; also when nobody waits any longer: what was
    answered is paid.

    Where that cannot be written the mark goes by itself, for nobody died: a store repeats a deletion after a brief
    fault, but not what adds. The estimate stays booked then; and the mark, too, where the store is away for longer.
    """
    for _, reply in calls:
        note_usage(reply.usage, cost_of(reply, booking.at.date()))
    marks = [] if booking.mark is None else [booking.mark]
    settling = asyncio.ensure_future(store.batch([*booking.writes(-booking.tokens, *calls), *map(Delete, marks)]))
    try:
        try:
            await asyncio.shield(settling)
        finally:
            await settling
    except TransientError:
        for mark in marks:
            await store.delete(mark)
        raise
