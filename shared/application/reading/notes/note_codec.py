"""The document of a note of whichever kind."""

from __future__ import annotations

from shared.application.ports.store import Document
from shared.application.reading.notes.chunk_codec import Chunk, read_chunk
from shared.application.reading.notes.episode_codec import Episode, read_episode
from shared.application.reading.notes.meta_codec import MetaSummary, read_meta_summary
from shared.application.recall.note_codec import kind_of


def read_note(document: Document) -> Chunk | MetaSummary | Episode:
    """Read the document of a chunk, a meta summary or an episode, whichever it is by its path."""
    match kind_of(document.path):
        case "chunk":
            return read_chunk(document)
        case "meta":
            return read_meta_summary(document)
        case "episode":
            return read_episode(document)
