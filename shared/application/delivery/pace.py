"""The document that keeps a chat's pace (`shared.domain.delivery.pace`), and what is said to who asks too much.

`chats/{c}/pace/current` holds instants, user ids and counts, no words. It is read and written in the transactions of
the ledger, so keeping the pace costs no further round trip.
"""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime, timedelta
from typing import Any, NamedTuple

from shared.application.chats.chat_codec import ChatState
from shared.application.policy import Policy
from shared.application.ports.store import Document, DocumentStore, Set, Transaction
from shared.application.ports.system import Clock
from shared.domain.chats.timezones import timezone_named
from shared.domain.conversation.messages import SCHEMA
from shared.domain.delivery.pace import Limit, Pace, Reserved, SendingTurn, tidy, without_member
from shared.domain.text.language import Language
from shared.locales import say

_KEPT = timedelta(days=1)
"""After the last answer; nothing in it matters for longer than an hour, but what waits must keep its order."""


class Ask(NamedTuple):
    """A question that counts.

    Attributes:
        per_user, per_chat: Limits of a sliding hour.
        tells: Whether the first one over a limit is answered by a notice in the chat.
    """

    chat_id: int
    user_id: int
    per_user: int
    per_chat: int
    tells: bool = True


def pace_path(chat_id: int) -> str:
    """Return what was said and asked in a chat lately (see `shared.domain.delivery.pace.Pace`)."""
    return f"chats/{chat_id}/pace/current"


def pace_from(document: Document | None) -> Pace:
    """Inverse of `pace_write`; an absent document is an empty one."""
    if document is None:
        return Pace()
    data = document.data
    turn = data["turn"]
    return Pace(
        tuple(data["sent"]),
        {each["by"]: Reserved(each["pieces"], each["until"]) for each in data["reserved"]},
        {each["user_id"]: tuple(each["at"]) for each in data["asked"]},
        {each["user_id"]: each["at"] for each in data["told"]},
        data["last"],
        data["served"],
        None if turn is None else SendingTurn(turn["token"], turn["until"]),
        data.get("erased_at"),
    )


def pace_write(chat_id: int, pace: Pace, *, now: datetime) -> Set:
    """The write that keeps it, without what is over."""
    pace = tidy(pace, now)
    turn = None if pace.turn is None else pace.turn._asdict()
    fields: dict[str, Any] = {
        "schema": SCHEMA,
        "sent": list(pace.sent),
        "reserved": [{"by": key, **held._asdict()} for key, held in pace.reserved.items()],
        "asked": [{"user_id": user, "at": list(times)} for user, times in pace.asked.items()],
        "told": [{"user_id": user, "at": at} for user, at in pace.told.items()],
        "last": pace.last,
        "served": pace.served,
        "turn": turn,
        "erased_at": pace.erased_at,
        "expire_at": now + _KEPT,
    }
    return Set(pace_path(chat_id), fields)


async def note_erasure(store: DocumentStore, clock: Clock, chat_id: int, user_id: int | None = None) -> None:
    """Let no answer be said that is being made right now: it may have been made from what is gone by now. The member
    whose words they were, if it was one, is taken out of what was asked lately."""
    now = clock.now()

    async def note(tx: Transaction) -> None:
        pace = replace(pace_from(await tx.get(pace_path(chat_id))), erased_at=now)
        tx.write(pace_write(chat_id, pace if user_id is None else without_member(pace, str(user_id)), now=now))

    await store.transaction(note)


def limit_notice(policy: Policy, state: ChatState, language: Language, limit: Limit) -> str:
    """Return what is said to who asks too much, as Telegram HTML: until when the bot rests, by the chat's clock."""
    zone = timezone_named(state.timezone or policy.timezone)
    until = (limit.until + timedelta(seconds=59)).astimezone(zone)  # not a minute too early
    return say(language, f"too_many_asks_{limit.whose}", until=f"{until:%H:%M}")
