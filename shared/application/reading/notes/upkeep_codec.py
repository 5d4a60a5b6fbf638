"""The document that counts what is left to do for a chat's chunks, meta summaries and episodes (`upkeep_path`)."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from datetime import datetime
from typing import Any, Literal, NamedTuple, get_args

from shared.application.documents import upkeep_path
from shared.application.ports.store import Document, Increment, Upsert
from shared.domain.conversation.messages import SCHEMA

WorkKind = Literal["made", "stale", "waits"]
"""What may be left to do: of new chunks or episodes, of stale notes, of notes that wait for the model or embedder."""

WORK_KINDS: tuple[WorkKind, ...] = get_args(WorkKind)


class UpkeepLedger(NamedTuple):
    """What was left to do in a chat, and what was seen to.

    Attributes:
        left, seen: How often something of a kind was left to do, and how many of these times were seen to; a kind that
            is not in it: never.
        due_at: When the conversation that goes on would be over; None: none goes on.
        backends: Which model and embedder there were when what waits for them was seen to; None: never yet (stored as
            `minds`).
    """

    left: Mapping[WorkKind, int]
    seen: Mapping[WorkKind, int]
    due_at: datetime | None = None
    backends: str | None = None

    @property
    def unseen(self) -> set[WorkKind]:
        """The kinds of which something was left to do that was not seen to."""
        return {kind for kind in WORK_KINDS if self.left.get(kind, 0) != self.seen.get(kind, 0)}


def read_upkeep(document: Document) -> UpkeepLedger:
    """Read what is counted of a chat."""
    data = document.data
    return UpkeepLedger(
        left={kind: data[kind] for kind in WORK_KINDS if kind in data},
        seen=data.get("seen") or {},
        due_at=data.get("due_at"),
        backends=data.get("minds"),
    )


def left_to_do(chat_id: int, *what: WorkKind) -> Upsert:
    """The write that has the next task of the chat see to something.

    It belongs into the transaction that leaves it to do.
    """
    return Upsert(upkeep_path(chat_id), {"schema": SCHEMA, **{kind: Increment(1) for kind in what}})


def seen_fields(
    ledger: UpkeepLedger, done: Collection[WorkKind], *, due_at: datetime | None, backends: str
) -> dict[str, Any]:
    """The changes that say what was seen to.

    Args:
        ledger: As it was read before: what was left to do since then is not seen to.
        backends: Noted when what waits for them is among it.
    """
    seen = {**ledger.seen, **{kind: ledger.left.get(kind, 0) for kind in done}}
    return {"schema": SCHEMA, "seen": seen, "due_at": due_at} | ({"minds": backends} if "waits" in done else {})
