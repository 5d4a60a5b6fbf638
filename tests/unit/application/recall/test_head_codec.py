"""Which segment a message belongs in."""

from shared.application.ports.store import Document
from shared.application.recall.head_codec import head_of, head_write
from shared.application.recall.placing import IndexChange
from tests.support.builders import message
from tests.support.group import CHAT
from tests.unit.application.recall.indexed import apply


def test_a_head_reads_back_as_it_was_written():
    _, head = apply({}, head_of(None), IndexChange((message(),)))
    document = Document("chats/-1001/index/head", dict(head_write(CHAT, head).changes))
    assert head_of(document) == head


def test_a_mark_of_a_segment_that_is_no_more_is_forgotten():
    document = Document("chats/-1001/index/head", {"segments": [], "broken": [3]})
    assert head_of(document).broken == frozenset()
