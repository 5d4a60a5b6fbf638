"""The document that keeps a chat's pace."""

from datetime import UTC, datetime

from shared.application.delivery.pace_codec import pace_from, pace_write
from shared.application.ports.store import Document
from shared.domain.delivery.pace import Pace, Reserved, SendingTurn

NOON = datetime(2026, 11, 6, 12, tzinfo=UTC)


def test_the_pace_document_gives_back_what_it_was_given():
    pace = Pace((NOON,), {"7": Reserved(2, NOON)}, {"101": (NOON, NOON)}, {"chat": NOON}, 5, 4, SendingTurn("t", NOON))
    write = pace_write(-1, pace, now=NOON)
    assert pace_from(Document(write.path, dict(write.data))) == pace
    assert pace_from(None) == Pace()
