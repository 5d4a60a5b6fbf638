"""What the model costs a chat and its members: counted per day, and capped.

Whether something of the budget is left is asked before each call, and a call is booked when it is over; calls that are
made at once, when the last of them is: whoever dies meanwhile has these few uncounted, and asks again. So a budget is
exceeded by no more than the calls that were under way when it ended: one for each answer that was being made (at most
`Policy.asks_per_chat`, in practice one or two), and one for each task of the chat at that moment.
"""

from __future__ import annotations

from collections import Counter
from datetime import date, timedelta
from typing import Literal

from shared.application.app import App
from shared.application.chats.chat_codec import ChatState
from shared.application.chats.choices import choices_for
from shared.application.documents import usage_path
from shared.application.ports.model import ModelReply, Purpose
from shared.application.ports.store import DocumentStore, Increment, Transaction, Upsert
from shared.application.ports.system import Clock
from shared.application.telemetry import note_usage
from shared.domain.conversation.messages import SCHEMA

Budget = Literal["chat", "member"]
"""Whose budget of a day."""

_KEPT = timedelta(days=2)


def spending_path(chat_id: int, whom: int | Literal["chat"], day: date) -> str:
    """Return what the answers to one member, and their edits, cost on one UTC day, and whether they were told that it
    was too much; under "chat" whether everybody was.

    Fields: `user_id`, `tokens`, `calls`, `told` (the update whose answer says it), `expire_at`.
    """
    return f"chats/{chat_id}/spending/{whom}-{day.isoformat()}"


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
    spent = [0 if each is None else each.data.get("tokens", 0) for each in await app.store.get_many(paths)]
    if spent[0] >= most:
        return "chat"
    return "member" if user_id is not None and spent[1] >= app.policy.tokens_per_member else None


async def is_over_budget(app: App, state: ChatState, user_id: int | None = None) -> bool:
    """Return whether the model may not be asked any more today (see `over_budget`)."""
    return await over_budget(app, state, user_id) is not None


async def is_news(app: App, state: ChatState, budget: Budget, user_id: int, update_id: int) -> bool:
    """Return whether the answer to an update is the first today after the budget was used up; the same update may ask
    again.

    Never when the model is switched off: then nothing was used up.
    """
    chosen = choices_for(app.policy, state).tokens_per_day if budget == "chat" else app.policy.tokens_per_member
    if chosen == 0:
        return False
    now = app.clock.now()
    path = spending_path(state.chat_id, "chat" if budget == "chat" else user_id, now.date())

    async def claim(tx: Transaction) -> bool:
        document = await tx.get(path)
        told = document.data.get("told") if document is not None else None
        if told is None:
            whose = {} if budget == "chat" else {"user_id": user_id}
            tx.write(Upsert(path, {"schema": SCHEMA, **whose, "told": update_id, "expire_at": now + _KEPT}))
        return told in (None, update_id)

    return await app.store.transaction(claim)


async def book_usage(
    store: DocumentStore, clock: Clock, chat_id: int, *calls: tuple[Purpose, ModelReply], user_id: int | None = None
) -> None:
    """Add calls, in one write, to the chat's usage of today (UTC), and to that of the member who asked or edited."""
    now, counts = clock.now(), Counter[str]()
    for purpose, reply in calls:
        usage = reply.usage
        note_usage(usage)
        counts.update({"calls": 1, "tokens": usage.total, "cached_tokens": usage.cached})
        by_purpose = {"calls": 1, "input_tokens": usage.input, "output_tokens": usage.output}
        counts.update({f"{purpose}_{name}": n for name, n in (by_purpose | {"cached_tokens": usage.cached}).items()})
    added = {name: Increment(number) for name, number in counts.items()}
    booked = [Upsert(usage_path(chat_id, now.date()), {"schema": SCHEMA, **added})]
    if user_id is not None:
        own = {"schema": SCHEMA, "user_id": user_id, "calls": added["calls"], "tokens": added["tokens"]}
        booked.append(Upsert(spending_path(chat_id, user_id, now.date()), {**own, "expire_at": now + _KEPT}))
    await store.batch(booked)
