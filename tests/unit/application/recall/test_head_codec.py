"""Which segment a message belongs in."""

from hypothesis import given, settings
from hypothesis import strategies as st

from shared.application.ports.store import Document
from shared.application.recall.head_codec import head_of, head_write
from shared.application.recall.placing import IndexChange, ensure_segment, place
from shared.domain.recall.index.segment import Segment
from tests.support.builders import message

CHAT = -1001


def apply(documents, head, change):
    """Place a change as a worker does; the documents and the head afterwards."""
    head = ensure_segment(head)
    homes = {head.home(message_id).number for message_id in change.ids}
    segments = {number: documents.get(number, Segment.build()) for number in homes}
    head, writes = place(CHAT, head, segments, change)
    for write in writes:
        number = int(write.path[-4:])
        if hasattr(write, "data"):
            documents[number] = Segment.decode(write.data["payload"])
        else:
            del documents[number]
    return documents, head


def test_a_head_reads_back_as_it_was_written():
    _, head = apply({}, head_of(None), IndexChange((message(),)))
    document = Document("chats/-1001/index/head", dict(head_write(CHAT, head).changes))
    assert head_of(document) == head


def test_a_mark_of_a_segment_that_is_no_more_is_forgotten():
    document = Document("chats/-1001/index/head", {"segments": [], "broken": [3]})
    assert head_of(document).broken == frozenset()


@settings(max_examples=15, deadline=None, database=None)
@given(st.lists(st.tuples(st.integers(-1500, 3000).filter(bool), st.integers(1, 700)), max_size=5))
def test_in_whatever_order_messages_come_each_is_in_its_one_segment(stretches):
    documents, head, expected = {}, head_of(None), set()
    for first, count in stretches:
        batch = tuple(message("так", message_id=n) for n in range(first, first + count) if n)
        documents, head = apply(documents, head, IndexChange(batch))
        expected |= {m.message_id for m in batch}
    held = {number: [m.message_id for m in segment.messages()] for number, segment in documents.items()}
    assert sorted(message_id for ids in held.values() for message_id in ids) == sorted(expected)
    assert all(head.home(message_id).number == number for number, ids in held.items() for message_id in ids)
    assert [entry.messages for entry in head.entries] == [len(held[entry.number]) for entry in head.entries]
    assert max(map(len, held.values()), default=0) <= 1000


def test_what_goes_leaves_no_empty_segment():
    messages = tuple(message("так", message_id=n) for n in range(1, 1500))
    documents, head = apply({}, head_of(None), IndexChange(messages))
    assert sorted(documents) == [1, 2]
    documents, head = apply(documents, head, IndexChange(without=frozenset(range(1, 1001))))
    assert (sorted(documents), [entry.number for entry in head.entries]) == ([2], [2])
    documents, head = apply(documents, head, IndexChange((message("знов", message_id=5),)))
    assert [m.message_id for m in documents[2].messages()][:2] == [5, 1001]
