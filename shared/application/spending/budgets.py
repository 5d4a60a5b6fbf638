"""What the model costs a chat and its members: counted per day, and capped.

Whether something of the budget is left is asked before each call, and a call is booked when it is over or given up;
calls that are made at once, when the last of them is: only a process that is killed has them uncounted. So a budget is
exceeded by no more than the calls that were under way when it ended: one for each answer that was being made (at most
`Policy.asks_per_chat`, in practice one or two), and one for each task of the chat at that moment.
"""

import asyncio
from datetime import timedelta
from typing import Literal

from shared.application.app import App
from shared.application.chats.chat_codec import ChatState
from shared.application.chats.choices import choices_for
from shared.application.documents import usage_path
from shared.application.ports.model import ModelReply, Purpose
from shared.application.ports.store import DocumentStore, Transaction, Upsert
from shared.application.ports.system import Clock
from shared.application.spending.usage_codec import (
    cost_of,
    read_spending,
    spending_fields,
    spending_path,
    tokens_of,
    told_fields,
    usage_fields,
)
from shared.application.telemetry import note_usage

Budget = Literal["chat", "member"]
"""Whose budget of a day."""

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


async def is_over_budget(app: App, state: ChatState, user_id: int | None = None) -> bool:
    """Return whether the model may not be asked any more today (see `over_budget`)."""
    return await over_budget(app, state, user_id) is not None


async def is_news(app: App, state: ChatState, what: Budget | Literal["offline"], user_id: int, update_id: int) -> bool:
    """Return whether the answer to an update is the first today after a budget was used up, or ("offline") without a
    model; the same update may ask again.

    Never when the model is switched off: then nothing was used up.
    """
    chosen = choices_for(app.policy, state).tokens_per_day if what == "chat" else app.policy.tokens_per_member
    if chosen == 0 and what != "offline":
        return False
    now = app.clock.now()
    path = spending_path(state.chat_id, user_id if what == "member" else what, now.date())

    async def claim(tx: Transaction) -> bool:
        told = read_spending(await tx.get(path)).told
        if told is None:
            whose = user_id if what == "member" else None
            tx.write(Upsert(path, told_fields(update_id, user_id=whose, expire_at=now + _KEPT)))
        return told in (None, update_id)

    known = read_spending(await app.store.get(path)).told
    return known == update_id if known is not None else await app.store.transaction(claim)


async def book_usage(
    store: DocumentStore, clock: Clock, chat_id: int, *calls: tuple[Purpose, ModelReply], user_id: int | None = None
) -> None:
    """Add calls, in one write, to the chat's usage of today (UTC), and to that of the member who asked or edited."""
    if not calls:
        return
    now, replies = clock.now(), [reply for _, reply in calls]
    today = now.date()
    for reply in replies:
        note_usage(reply.usage, cost_of(reply, today))
    booked = [Upsert(usage_path(chat_id, today), usage_fields(calls, today))]
    if user_id is not None:
        own = spending_fields(user_id, replies, expire_at=now + _KEPT)
        booked.append(Upsert(spending_path(chat_id, user_id, today), own))
    booking = asyncio.ensure_future(store.batch(booked))
    try:
        await asyncio.shield(booking)
    finally:
        await booking  # also when nobody waits any longer: what was answered is paid
