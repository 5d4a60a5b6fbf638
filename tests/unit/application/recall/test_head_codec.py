"""Which segment a message belongs in."""

import pytest

from shared.application.documents import index_head_path
from shared.application.ports.store import Document
from shared.application.recall.head_codec import broken_fields, head_of, head_write, segment_of, segment_write
from shared.application.recall.placing import IndexChange
from shared.domain.recall.index.segment import Segment, SegmentUnreadable
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


async def test_a_segment_that_cannot_be_read_is_marked_once(sqlite_store):
    _, head = apply({}, head_of(None), IndexChange((message(),)))
    await sqlite_store.batch([head_write(CHAT, head)])
    number, path = head.entries[0].number, index_head_path(CHAT)
    for _ in range(2):
        await sqlite_store.update(path, broken_fields([number]))
    assert head_of(await sqlite_store.get(path)) == head._replace(broken=frozenset({number}))


def test_a_segment_is_read_as_it_was_written():
    written = segment_write(CHAT, 1, Segment.build([message()]).encode())
    segment, revision = segment_of(Document(written.path, dict(written.data)))
    assert [each.message_id for each in segment.messages()] == [message().message_id]
    assert revision == written.data["revision"]


@pytest.mark.parametrize("document", [None, Document("chats/1/index/seg-0001", {"payload": "text"})])
def test_a_segment_that_is_missing_or_holds_no_bytes_cannot_be_read(document):
    with pytest.raises(SegmentUnreadable):
        segment_of(document)
