"""What is seen of a run from outside the product: every state of every answer that was ever written down."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from shared.application.delivery.answer import AnswerPiece
from shared.application.delivery.ledger_codec import LedgerEntry, read_entry
from shared.application.delivery.parcels import waiting_from
from shared.application.ports.chat import OutgoingText
from shared.application.ports.store import Document
from tests.simulation.world import World

_SPENT = re.compile(r"/(?:usage|spending)/")


@dataclass(slots=True)
class Recorded:
    """An answer as its documents said in the course of time.

    Attributes:
        entry: As it stands now.
        since: Virtual seconds at which it was first written.
        pieces: What was to be said where, as written last: (chat, plain text), in private at the member's own chat.
        waits_since: Virtual seconds since when it waits for room in its chat; None: it never did.
        place: By what it is ordered among those that wait.
    """

    entry: LedgerEntry
    since: float
    pieces: tuple[tuple[int, str], ...] = ()
    outcomes: list[str] = field(default_factory=list)
    waits_since: float | None = None
    place: Any = None


class Observer:
    """Looks at each commit.

    Attributes:
        begun_anew: Days of spending that were deleted: of who is forgotten nothing is kept.
    """

    def __init__(self, world: World) -> None:
        self.answers: dict[str, Recorded] = {}
        self.begun_anew = set[str]()
        self._world = world
        world.commits = self._note

    def _note(self, path: str, data: Mapping[str, Any] | None) -> None:
        if data is None and _SPENT.search(path):
            self.begun_anew.add(path)
        if data is None or not path.startswith("updates/"):
            return
        name = path.partition("/")[2]
        entry = read_entry(Document(path, dict(data)))
        known = self.answers.setdefault(name, Recorded(entry, self._world.loop.time()))
        known.entry = entry
        if entry.is_waiting and known.waits_since is None:
            known.waits_since, known.place = self._world.loop.time(), waiting_from(Document(path, dict(data))).place
        if entry.outcome and entry.outcome not in known.outcomes:
            known.outcomes.append(entry.outcome)
        if entry.outbox is not None:
            known.pieces = tuple(self._shown(piece, entry.chat_id) for piece in entry.outbox)

    def _shown(self, piece: AnswerPiece, chat_id: int) -> tuple[int, str]:
        """Where a piece goes, and what it says there: who never wrote to the bot has no private chat with it."""
        if piece.private_to is None or piece.private_to in self._world.api.chats or piece.otherwise is None:
            return piece.private_to or chat_id, _plain(piece.content)
        return chat_id, _plain(piece.otherwise)


def _plain(content: Any) -> str:
    text = content if isinstance(content, OutgoingText) else content.caption
    return text.plain or "[file]"
