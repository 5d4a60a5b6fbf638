"""What is left to do is counted, and so is what was seen to."""

from hypothesis import given
from hypothesis import strategies as st

from shared.application.ports.store import Document, Increment
from shared.application.reading.notes.upkeep_codec import WORK_KINDS, left_to_do, read_upkeep, seen_fields
from tests.support.builders import at

COUNTS = st.dictionaries(st.sampled_from(WORK_KINDS), st.integers(1, 9))
KINDS = st.sets(st.sampled_from(WORK_KINDS))


def test_what_is_left_to_do_is_counted_up():
    path, changes = left_to_do(-100, "made", "waits")
    assert path == "chats/-100/upkeep/derived"
    assert (changes["made"], changes["waits"], "stale" in changes) == (Increment(1), Increment(1), False)


@given(left=COUNTS, seen=COUNTS, done=KINDS)
def test_what_was_seen_to_is_no_longer_left_and_the_rest_is(left, seen, done):
    document = Document("chats/-100/upkeep/derived", {**left, "seen": seen})
    before = read_upkeep(document)
    fields = seen_fields(before, done, due_at=at(5), backends="model none")
    after = read_upkeep(Document(document.path, document.data | fields))
    assert after.unseen == before.unseen - done
    assert after.due_at == at(5)
    assert after.backends == ("model none" if "waits" in done else None)


@given(left=COUNTS)
def test_what_comes_while_it_is_seen_to_is_left(left):
    before = read_upkeep(Document("chats/-100/upkeep/derived", left))
    fields = seen_fields(before, WORK_KINDS, due_at=None, backends="none none")
    more = {kind: left.get(kind, 0) + 1 for kind in WORK_KINDS}
    assert read_upkeep(Document("chats/-100/upkeep/derived", more | fields)).unseen == set(WORK_KINDS)


def test_a_chat_of_which_nothing_is_counted_has_nothing_left_to_do():
    ledger = read_upkeep(Document("chats/-100/upkeep/derived", {"schema": 1}))
    assert (ledger.unseen, ledger.due_at, ledger.backends) == (set(), None, None)
