"""What is seen of a run from outside the product: every state of every answer that was ever written down."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from math import inf
from typing import Any

from shared.application.conversation.message_codec import ChunkState, chunk_state_of
from shared.application.delivery.answer import AnswerPiece
from shared.application.delivery.ledger_codec import LedgerEntry, read_entry
from shared.application.delivery.parcels import read_waiting
from shared.application.ports.chat import OutgoingText
from shared.application.ports.store import Document
from shared.application.recall.head_codec import segment_of
from tests.simulation.peers.bot_api import Part
from tests.simulation.peers.errands import Errand, at_work
from tests.simulation.world import World

_SPENT = re.compile(r"/(?:usage|spending)/")


@dataclass(slots=True)
class Recorded:
    """An answer as its documents said in the course of time.

    Attributes:
        entry: As it stands now.
        since: Virtual seconds at which it was first written.
        over_at: Virtual seconds at which it was done; None: it never was.
        chat_id: Where it was asked, also when nothing of that is kept any more.
        pieces: What was to be said where, as written last: (chat, plain text), in private at the member's own chat.
        waits_since: Virtual seconds since when it waits for room in its chat; None: it never did.
        place: By what it is ordered among those that wait.
        texts: What each piece may be said as, wherever it goes.
        marks: By the number of a piece, each time that it was marked as being sent, with the errand that did.
        rests: Virtual seconds since which its first piece was marked while it waited, until which it was to rest, and
            at which that changed.
    """

    entry: LedgerEntry
    since: float
    over_at: float | None = None
    chat_id: int = 0
    pieces: tuple[tuple[int, str], ...] = ()
    outcomes: list[str] = field(default_factory=list)
    waits_since: float | None = None
    place: Any = None
    texts: tuple[tuple[str, ...], ...] = ()
    marks: dict[int, list[tuple[float, Errand]]] = field(default_factory=dict)
    rests: list[tuple[float, float, float]] = field(default_factory=list)

    def note_end(self, now: float) -> None:
        """Note when it is done for the first time."""
        if self.over_at is None and not self.entry.is_open:
            self.over_at = now

    @property
    def marked(self) -> range:
        """Return the numbers of the pieces that are being sent now."""
        entry = self.entry
        return range(0) if entry.sending is None else range(entry.sent, entry.sending + 1)


class Observer:
    """Looks at each commit.

    Attributes:
        begun_anew: Days of spending that were deleted: of who is forgotten nothing is kept.
        read_at, found_at: Virtual seconds at which a message left the unread ones for a chunk, and at which the index
            held it first, by chat and message id.
    """

    def __init__(self, world: World) -> None:
        self.answers: dict[str, Recorded] = {}
        self.begun_anew = set[str]()
        self.read_at: dict[tuple[int, int], float] = {}
        self.found_at: dict[tuple[int, int], float] = {}
        self._world = world
        self._sending: dict[str, Recorded] = {}
        self._sent: dict[Part, tuple[float, Errand]] = {}
        world.commits = self._note
        world.api.parts_of = self._parts_of

    def _note(self, path: str, data: Mapping[str, Any] | None) -> None:
        if path.startswith("chats/"):
            self._note_memory(path, data)
        if not path.startswith("updates/"):
            return
        name = path.partition("/")[2]
        if data is None:
            self._sending.pop(name, None)
            return
        entry = read_entry(Document(path, dict(data)))
        known = self.answers.setdefault(name, Recorded(LedgerEntry(), self._world.loop.time()))
        was, known.entry = (known.entry.sent, known.entry.doubts, known.marked), entry
        known.chat_id = entry.chat_id or known.chat_id
        known.note_end(self._world.loop.time())
        if entry.is_waiting and known.waits_since is None:
            known.waits_since, known.place = self._world.loop.time(), read_waiting(Document(path, dict(data))).place
        if entry.outcome and entry.outcome not in known.outcomes:
            known.outcomes.append(entry.outcome)
        if entry.outbox is not None:
            known.pieces = tuple(self._shown(piece, entry.chat_id) for piece in entry.outbox)
            known.texts = tuple(tuple(_texts(piece)) for piece in entry.outbox)
        self._note_rest(known)
        if known.marked and was != (entry.sent, entry.doubts, known.marked):
            for number in known.marked:
                known.marks.setdefault(number, []).append((self._world.loop.time(), at_work.get()))
        if known.marked:
            self._sending[name] = known
        else:
            self._sending.pop(name, None)

    def _note_memory(self, path: str, data: Mapping[str, Any] | None) -> None:
        if data is None:
            self.begun_anew |= {path} if _SPENT.search(path) else set()
            return
        document = Document(path, data)
        _, chat_id, kind, *_ = [*document.path.split("/"), ""]
        now = self._world.loop.time()
        if kind == "messages" and chunk_state_of(document) is ChunkState.READ:
            self.read_at.setdefault((int(chat_id), int(document.id)), now)
        elif kind == "index" and not document.path.endswith("/head"):
            for message in segment_of(document)[0].messages():
                self.found_at.setdefault((int(chat_id), message.message_id), now)

    def _note_rest(self, known: Recorded) -> None:
        now, entry = self._world.loop.time(), known.entry
        if known.rests and known.rests[-1][2] == inf:
            known.rests[-1] = (*known.rests[-1][:2], now)
        if entry.is_waiting and entry.sent == 0 and entry.sending is not None and entry.lease_until is not None:
            known.rests.append((now, (entry.lease_until - self._world.begin).total_seconds(), inf))

    def _parts_of(self, text: str) -> tuple[Part, ...]:
        """Return the pieces in a text that the errand of now was the last to mark. Answers may say the same: then it is
        those that were not sent since they were marked, unless all were."""
        errand = at_work.get()
        parts = {
            (name, number): known.marks[number][-1]
            for name, known in self._sending.items()
            for number in known.marked
            if known.marks[number][-1][1] is errand and any(each in text for each in known.texts[number])
        }
        marked = {part: mark for part, mark in parts.items() if self._sent.get(part) is not mark} or parts
        self._sent |= marked
        return tuple(marked)

    def _shown(self, piece: AnswerPiece, chat_id: int) -> tuple[int, str]:
        """Where a piece goes, and what it says there: who never wrote to the bot has no private chat with it."""
        if piece.private_to is None or piece.private_to in self._world.api.chats or piece.otherwise is None:
            return piece.private_to or chat_id, _plain(piece.content)
        return chat_id, _plain(piece.otherwise)


def _texts(piece: AnswerPiece) -> list[str]:
    return [_plain(each) for each in (piece.content, piece.otherwise) if each is not None]


def _plain(content: Any) -> str:
    text = content if isinstance(content, OutgoingText) else content.caption
    return text.plain or "[file]"
