"""The documents of chunks: what is stored of ten messages that were read together."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from enum import Enum
from typing import Any, Final

from shared.application.documents import chunks_path
from shared.application.ports.store import Document, Filter
from shared.application.recall.note_codec import NoteTexts, StoredNote, new_note_fields, read_note_fields

AWAITS_EPISODE = Filter("told", "==", False)
"""Chunks with messages that no episode holds yet."""

_IN_NO_META: Final = "none"
"""Stored in `meta` of a chunk that tells nothing, so that it is not among those that wait for a meta summary."""


class InMeta(Enum):
    """Where a chunk stands towards the meta summaries; stored with `meta_id` in one field, `meta`."""

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


def new_chunk_path(chat_id: int, first: int, last: int) -> str:
    """Return where a chunk from one message to another is stored."""
    return f"{chunks_path(chat_id)}/{first}-{last}"


def read_chunk(document: Document) -> Chunk:
    """Read the document of a chunk."""
    data = document.data
    held_by = data.get("meta")
    in_meta = InMeta.AWAITED if held_by is None else InMeta.LEFT_OUT if held_by == _IN_NO_META else InMeta.HELD
    return Chunk(
        **read_note_fields(document),
        sent_at=tuple(data.get("sent", ())),
        threads=tuple(data.get("threads", ())),
        awaiting_episode=tuple(data.get("untold", ())),
        in_meta=in_meta,
        meta_id=held_by if in_meta is InMeta.HELD else None,
    )


def chunk_to_fields(chunk: Chunk) -> dict[str, Any]:
    """A chunk as first stored."""
    return {
        **new_note_fields(chunk),
        "message_ids": list(chunk.message_ids),
        "sent": list(chunk.sent_at),
        "threads": list(chunk.threads),
        **episode_mark_fields(chunk.awaiting_episode),
        **in_meta_fields(chunk),
    }


def in_meta_for(texts: NoteTexts) -> InMeta:
    """Return where a chunk of these texts stands as long as no meta summary holds it."""
    return InMeta.AWAITED if texts.told else InMeta.LEFT_OUT


def in_meta_fields(chunk: Chunk) -> dict[str, str | None]:
    """The change that says where a chunk stands towards the meta summaries."""
    return {"meta": _IN_NO_META if chunk.in_meta is InMeta.LEFT_OUT else chunk.meta_id}


def episode_mark_fields(awaiting_episode: Sequence[int]) -> dict[str, Any]:
    """The changes that say which messages of a chunk no episode holds yet, by their positions."""
    return {"untold": list(awaiting_episode), "told": not awaiting_episode}
