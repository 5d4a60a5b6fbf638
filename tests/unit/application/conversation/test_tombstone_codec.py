"""Until when a tombstone holds is written and read back."""

from shared.application.conversation.tombstone_codec import Tombstone, read_tombstone, tombstone_fields
from shared.application.ports.store import Document
from tests.support.builders import at


def test_what_is_written_is_read_back():
    assert read_tombstone(Document("tombstones/x", tombstone_fields(Tombstone(at(10))))) == Tombstone(at(10))


def test_it_bars_what_was_said_until_then_and_nothing_later():
    assert [Tombstone(at(10)).bars(at(minute)) for minute in (9, 10, 11)] == [True, True, False]
