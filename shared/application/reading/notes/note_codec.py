"""The document of a note of whichever kind."""

from __future__ import annotations

from shared.application.ports.store import Document
from shared.application.reading.notes.chunk_codec import Chunk, read_chunk
from shared.application.reading.notes.episode_codec import Episode, read_episode
from shared.application.reading.notes.meta_codec import MetaSummary, read_meta_summary
from shared.application.recall.note_codec import kind_of


def read_node(document: Document) -> Chunk | MetaSummary:
    """Read the document of a chunk or a meta summary, whichever it is by its path."""
    return read_chunk(document) if kind_of(document.path) == "chunk" else read_meta_summary(document)


def read_note(document: Document) -> Chunk | MetaSummary | Episode:
    """Read the document of a chunk, a meta summary or an episode, whichever it is by its path."""
    return read_episode(document) if kind_of(document.path) == "episode" else read_node(document)
