"""A note is read as what its path says that it is."""

import pytest

from shared.application.ports.store import Document
from shared.application.reading.notes.chunk_codec import Chunk
from shared.application.reading.notes.episode_codec import Episode
from shared.application.reading.notes.meta_codec import MetaSummary
from shared.application.reading.notes.note_codec import read_note
from tests.support.builders import at


@pytest.mark.parametrize(("collection", "kind"), [("chunks", Chunk), ("metas", MetaSummary), ("episodes", Episode)])
def test_a_note_is_read_as_what_its_path_says(collection, kind):
    fields = {"first": 1, "last": 10, "first_at": at(1), "last_at": at(10), "level": 1}
    assert type(read_note(Document(f"chats/1/{collection}/1-10", fields))) is kind
