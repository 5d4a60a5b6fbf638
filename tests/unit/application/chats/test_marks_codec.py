"""What is noted of a chat's nights is read back, and what is no mark is none."""

from datetime import timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from shared.application.chats.marks_codec import MalformedChat, Mark, marks_fields, read_marks, read_record
from shared.application.ports.store import Document
from tests.support.queues import NOON

CHAT = "chats/-100"
HOUR = timedelta(hours=1)

moments = st.integers(min_value=-1_000, max_value=1_000).map(lambda hours: NOON + hours * HOUR)
marks = st.builds(Mark, moments, st.none() | moments, st.text(), st.text())


@given(marks=st.dictionaries(st.sampled_from(("decay", "dedup", "culture")), marks))
def test_what_is_written_is_read_back(marks):
    assert read_marks(Document(CHAT, marks_fields(marks))) == marks


def test_a_document_without_marks_has_none_and_never_changed():
    record = read_record(Document(CHAT, {}))
    assert (record.marks, record.changed_at) == ({}, None)


def test_the_memory_changed_when_it_last_learnt_was_reset_or_forgot():
    data = {"last_active_at": NOON, "learn_from": NOON + HOUR, "forgotten_at": NOON - HOUR}
    assert read_record(Document(CHAT, data)).changed_at == NOON + HOUR


@pytest.mark.parametrize(
    ("path", "data"),
    [
        ("chats/abc", {}),
        ("chats/007", {}),
        (CHAT, {"opted_out": 5}),
        (CHAT, {"culture_summary": {}, "learn_from": NOON}),
        (CHAT, {"last_active_at": "2026"}),
        (CHAT, {"last_active_at": NOON, "learn_from": 3}),
    ],
)
def test_a_document_that_is_no_chats_is_said_to_be_malformed(path, data):
    with pytest.raises(MalformedChat, match=path.rsplit("/", 1)[-1]):
        read_record(Document(path, data))


@pytest.mark.parametrize("data", [{"active": False}, {"migrated_to": -200}])
def test_a_chat_that_was_left_or_has_moved_is_not_tended(data):
    assert read_record(Document(CHAT, {"active": True})).wants("culture")
    assert not read_record(Document(CHAT, {"active": True, **data})).wants("culture")
