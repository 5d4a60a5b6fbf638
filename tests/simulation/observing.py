"""What is seen of a run from outside the product: every state of every answer that was ever written down."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from shared.application.delivery.ledger_codec import LedgerEntry, read_entry
from shared.application.ports.chat import OutgoingText
from shared.application.ports.store import Document
from tests.simulation.world import World


@dataclass(slots=True)
class Recorded:
    """An answer as its documents said in the course of time.

    Attributes:
        entry: As it stands now.
        since: Virtual seconds at which it was first written.
        pieces: What was to be said where, as written last: (chat, plain text), in private at the member's own chat.
    """

    entry: LedgerEntry
    since: float
    pieces: tuple[tuple[int, str], ...] = ()
    outcomes: list[str] = field(default_factory=list)


class Observer:
    """Looks at each commit."""

    def __init__(self, world: World) -> None:
        self.answers: dict[str, Recorded] = {}
        self._world = world
        world.commits = self._note

    def _note(self, path: str, data: Mapping[str, Any] | None) -> None:
        if data is None or not path.startswith("updates/"):
            return
        name = path.partition("/")[2]
        entry = read_entry(Document(path, dict(data)))
        known = self.answers.setdefault(name, Recorded(entry, self._world.loop.time()))
        known.entry = entry
        if entry.outcome and entry.outcome not in known.outcomes:
            known.outcomes.append(entry.outcome)
        if entry.outbox is not None:
            known.pieces = tuple((piece.private_to or entry.chat_id, _plain(piece.content)) for piece in entry.outbox)


def _plain(content: Any) -> str:
    text = content if isinstance(content, OutgoingText) else content.caption
    return text.plain or "[file]"
