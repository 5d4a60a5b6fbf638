"""The documents of chunks, meta summaries and episodes, and the one that counts what is left to do for them."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from enum import Enum
from typing import Any, Final, Literal, NamedTuple, get_args

from shared.application.derived_codec import DerivedCodec
from shared.application.documents import upkeep_path
from shared.application.ports.store import Document, Filter, Increment, Upsert
from shared.application.recall.note_codec import (
    NOT_DERIVED,
    NoteTexts,
    StoredNote,
    kind_of,
    new_note_fields,
    notes_path,
    read_note_fields,
)
from shared.domain.conversation.messages import SCHEMA
from shared.domain.recall.index.note import NoteKind

AWAITS_EPISODE = Filter("told", "==", False)
"""Chunks with messages that no episode holds yet."""

_IN_NO_META: Final = "none"
"""Stored in `meta` of a chunk that tells nothing, so that it is not among those that wait for a meta summary."""


class InMeta(Enum):
    """The state of a chunk towards the meta summaries; stored with `meta_id` in one field, `meta`."""

    AWAITED = "awaited"
    """No meta summary holds it yet (stored as None)."""

    LEFT_OUT = "left out"
    """It tells nothing that one could hold (stored as "none")."""

    HELD = "held"
    """One holds it (stored as that one's id)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Chunk(StoredNote):
    """The dual memory of ten messages.

    Attributes:
        sent_at, threads: When each of `message_ids` was sent, and in which topic (0: none).
        awaiting_episode: Positions in `message_ids` of those that no episode holds yet, ascending; absent in documents
            from before there were episodes: none.
        in_meta: Whether a meta summary holds it.
        meta_id: Which one, when one does.
    """

    sent_at: tuple[datetime, ...] = ()
    threads: tuple[int, ...] = ()
    awaiting_episode: tuple[int, ...] = ()
    in_meta: InMeta
    meta_id: str | None = None

    @property
    def awaits_meta(self) -> bool:
        """Return whether it is to be put together with other chunks."""
        return self.in_meta is InMeta.AWAITED


def new_note_path(chat_id: int, kind: NoteKind, first: int, last: int, *, level: int = 0) -> str:
    """Return where a note about the messages from one to another is stored; `level` of a meta summary, from 1."""
    return f"{notes_path(chat_id, kind)}/{f'{level}-' if level else ''}{first}-{last}"


_CHUNK_NAMES = {"sent_at": "sent", "awaiting_episode": "untold"}
_CHUNK = DerivedCodec(Chunk, names=_CHUNK_NAMES, apart=(*NOT_DERIVED, "in_meta", "meta_id"))


def read_chunk(document: Document) -> Chunk:
    """Read the document of a chunk."""
    held_by = document.data.get("meta")
    in_meta = InMeta.AWAITED if held_by is None else InMeta.LEFT_OUT if held_by == _IN_NO_META else InMeta.HELD
    meta_id = held_by if in_meta is InMeta.HELD else None
    return _CHUNK.read(document.data, **read_note_fields(document), in_meta=in_meta, meta_id=meta_id)


def chunk_to_fields(chunk: Chunk) -> dict[str, Any]:
    """A chunk as first stored."""
    own = _CHUNK.changes(message_ids=chunk.message_ids, sent_at=chunk.sent_at, threads=chunk.threads)
    return {**new_note_fields(chunk), **own, **episode_mark_fields(chunk.awaiting_episode), **in_meta_fields(chunk)}


def in_meta_for(texts: NoteTexts) -> InMeta:
    """Return where a chunk of these texts stands as long as no meta summary holds it."""
    return InMeta.AWAITED if texts.told else InMeta.LEFT_OUT


def in_meta_fields(chunk: Chunk) -> dict[str, str | None]:
    """The change that says where a chunk stands towards the meta summaries."""
    return {"meta": _IN_NO_META if chunk.in_meta is InMeta.LEFT_OUT else chunk.meta_id}


def episode_mark_fields(awaiting_episode: Sequence[int]) -> dict[str, Any]:
    """The changes that say which messages of a chunk no episode holds yet, by their positions."""
    return {"untold": list(awaiting_episode), "told": not awaiting_episode}


AWAITS_META = Filter("meta", "==", None)
"""Nodes that no meta summary holds yet: chunks that tell something, and meta summaries."""


@dataclass(frozen=True, slots=True, kw_only=True)
class MetaSummary(StoredNote):
    """A summary of ten nodes.

    Attributes:
        level: From 1; the nodes of level 1 are chunks, those of others meta summaries one level below.
        nodes: Ids of its nodes, as they were put together.
        meta_id: The meta summary that holds it; None: none yet.
    """

    level: int
    nodes: tuple[str, ...] = ()
    meta_id: str | None = None

    @property
    def awaits_meta(self) -> bool:
        """Return whether it is to be put together with others of its level."""
        return self.meta_id is None


_META = DerivedCodec(MetaSummary, names={"meta_id": "meta"}, apart=NOT_DERIVED)


def read_meta_summary(document: Document) -> MetaSummary:
    """Read the document of a meta summary."""
    return _META.read(document.data, **read_note_fields(document))


def meta_to_fields(meta: MetaSummary) -> dict[str, Any]:
    """A meta summary as first stored."""
    return {**new_note_fields(meta), "level": meta.level, "nodes": list(meta.nodes), "meta": meta.meta_id}


def at_level(level: int) -> Filter:
    """Meta summaries of one level."""
    return Filter("level", "==", level)


def held_fields(meta_id: str) -> dict[str, str]:
    """The change by which a node is held by a meta summary."""
    return {"meta": meta_id}


@dataclass(frozen=True, slots=True, kw_only=True)
class Episode(StoredNote):
    """A conversation that is over.

    Attributes:
        thread_id: The topic of the forum in which it began, or None.
    """

    thread_id: int | None = None


_EPISODE = DerivedCodec(Episode, apart=NOT_DERIVED)


def read_episode(document: Document) -> Episode:
    """Read the document of an episode."""
    return _EPISODE.read(document.data, **read_note_fields(document))


def episode_to_fields(episode: Episode) -> dict[str, Any]:
    """An episode as first stored."""
    ids = list(episode.message_ids)
    return {**new_note_fields(episode), "thread_id": episode.thread_id, "message_ids": ids, "messages": len(ids)}


def read_node(document: Document) -> Chunk | MetaSummary:
    """Read the document of a chunk or a meta summary, whichever it is by its path."""
    return read_chunk(document) if kind_of(document.path) == "chunk" else read_meta_summary(document)


def read_note(document: Document) -> Chunk | MetaSummary | Episode:
    """Read the document of a chunk, a meta summary or an episode, whichever it is by its path."""
    return read_episode(document) if kind_of(document.path) == "episode" else read_node(document)


WorkKind = Literal["made", "stale", "waits"]
"""Work that may be left to do: new chunks or episodes, stale notes, notes that wait for the model or embedder."""

WORK_KINDS: tuple[WorkKind, ...] = get_args(WorkKind)


class UpkeepLedger(NamedTuple):
    """The counts of what was left to do in a chat, and of what was done of it.

    Attributes:
        left, seen: How often something of a kind was left to do, and how many of these times it was done; a kind that
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
    def open_kinds(self) -> set[WorkKind]:
        """The kinds of work of which some is still to be done."""
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


def mark_work_due(chat_id: int, *what: WorkKind) -> Upsert:
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
