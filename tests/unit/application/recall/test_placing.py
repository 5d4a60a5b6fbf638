"""Each message is in one segment, and no segment is empty."""

from hypothesis import given, settings
from hypothesis import strategies as st

from shared.application.recall.head_codec import head_of
from shared.application.recall.placing import IndexChange
from tests.support.builders import message
from tests.unit.application.recall.indexed import apply


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
