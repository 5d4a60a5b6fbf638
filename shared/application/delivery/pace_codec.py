"""The document that keeps a chat's pace (`shared.domain.delivery.pace`).

`chats/{c}/pace/current` holds instants, user ids and counts, no words. It is read and written in the transactions of
the ledger, so keeping the pace costs no further round trip."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Any

from shared.application.ports.store import Document, Set
from shared.domain.conversation.messages import SCHEMA
from shared.domain.delivery.pace import Pace, Reserved, SendingTurn, tidy

_KEPT = timedelta(days=1)
"""After the last answer; nothing in it matters for longer than an hour, but what waits must keep its order."""


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
