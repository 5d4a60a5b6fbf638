"""The documents of meta summaries, and what chunks and meta summaries say of the one that holds them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from shared.application.documents import metas_path
from shared.application.ports.store import Document, Filter
from shared.application.recall.note_codec import StoredNote, new_note_fields, read_note_fields

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
    nodes: tuple[str, ...]
    meta_id: str | None = None

    @property
    def awaits_meta(self) -> bool:
        """Return whether it is to be put together with others of its level."""
        return self.meta_id is None


def new_meta_path(chat_id: int, level: int, first: int, last: int) -> str:
    """Return where a meta summary about these messages is stored."""
    return f"{metas_path(chat_id)}/{level}-{first}-{last}"


def read_meta_summary(document: Document) -> MetaSummary:
    """Read the document of a meta summary."""
    data = document.data
    return MetaSummary(
        **read_note_fields(document),
        level=data["level"],
        nodes=tuple(data.get("nodes", ())),
        meta_id=data.get("meta"),
    )


def meta_to_fields(meta: MetaSummary) -> dict[str, Any]:
    """A meta summary as first stored."""
    own = {"level": meta.level, "nodes": list(meta.nodes), "meta": meta.meta_id}
    return {**new_note_fields(meta), **own}


def at_level(level: int) -> Filter:
    """Meta summaries of one level."""
    return Filter("level", "==", level)


def held_fields(meta_id: str) -> dict[str, str]:
    """The change by which a node is held by a meta summary."""
    return {"meta": meta_id}
