"""What a chat takes along is numbered as in its supergroup, and nothing else of it changes."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from shared.application.ports.store import Document
from shared.application.reading.moved_codec import move_node, moved_fields, sum_counts
from shared.application.reading.notes.codec import InMeta, read_chunk, read_meta_summary
from shared.domain.conversation.messages import migrated_message_id
from tests.support.builders import at

ID = migrated_message_id
RANGE = {"first": 1, "last": 10, "first_at": at(1), "last_at": at(10), "indexed": True}


@given(first=st.integers(1, 10**6), last=st.integers(1, 10**6), level=st.sampled_from(["", "1-", "3-"]))
def test_a_note_keeps_its_level_and_is_about_the_same_messages(first, last, level):
    assert move_node(f"{level}{first}-{last}") == f"{level}{ID(first)}-{ID(last)}"


@pytest.mark.parametrize("name", ["none", "", "1-2-3-4", "а-б"])
def test_what_is_no_id_of_a_note_stays(name):
    assert move_node(name) == name


@pytest.mark.parametrize(
    ("stored", "in_meta", "meta_id"),
    [(None, InMeta.AWAITED, None), ("none", InMeta.LEFT_OUT, None), ("1-1-100", InMeta.HELD, f"1-{ID(1)}-{ID(100)}")],
)
def test_a_chunk_is_of_the_same_messages_and_held_by_the_same_meta_summary(stored, in_meta, meta_id):
    fields = RANGE | {"message_ids": [1, 10], "made_with": [7, 10], "meta": stored, "summary": "про каву"}
    chunk = read_chunk(Document("chats/2/chunks/1-10", moved_fields("chunks", fields)))
    assert (chunk.message_ids, chunk.first, chunk.last) == ((ID(1), ID(10)), ID(1), ID(10))
    assert chunk.made_with == (ID(7), ID(10))
    assert (chunk.in_meta, chunk.meta_id, chunk.awaits_index) == (in_meta, meta_id, True)


def test_a_meta_summary_holds_the_same_nodes():
    fields = RANGE | {"level": 1, "nodes": ["1-5", "6-10"], "meta": None}
    meta = read_meta_summary(Document("chats/2/metas/1-1-10", moved_fields("metas", fields)))
    assert (meta.nodes, meta.meta_id) == ((f"{ID(1)}-{ID(5)}", f"{ID(6)}-{ID(10)}"), None)


@pytest.mark.parametrize(
    ("chunk", "moved"), [("1-10", f"{ID(1)}-{ID(10)}"), (None, None), ("private", "private"), ("set-aside",) * 2]
)
def test_a_message_is_in_the_same_chunk_or_in_none_for_the_same_reason(chunk, moved):
    fields = moved_fields("messages", {"message_id": 7, "reply_to": 5, "chunk": chunk, "text": "кава"})
    assert fields == {"message_id": ID(7), "reply_to": ID(5), "chunk": moved, "text": "кава"}


def test_quotes_lead_to_the_same_messages_however_deep_they_lie():
    fields = {"others": [{"evidence": [{"message_id": 7, "answers": 0, "quote": "7"}]}], "evidence_message_ids": [7]}
    quote = {"message_id": ID(7), "answers": 0, "quote": "7"}
    moved = {"others": [{"evidence": [quote]}], "evidence_message_ids": [ID(7)]}
    assert moved_fields("facts", fields) == moved


def test_the_notes_of_an_answer_are_the_same():
    fields = {"notes": [{"kind": "chunk", "id": "1-10"}]}
    assert moved_fields("answers", fields) == {"notes": [{"kind": "chunk", "id": f"{ID(1)}-{ID(10)}"}]}


@given(
    old=st.dictionaries(st.sampled_from("abc"), st.integers(0, 9)),
    new=st.dictionaries(st.sampled_from("abc"), st.integers(0, 9)),
)
def test_a_days_costs_are_those_of_both_chats(old, new):
    added = new | sum_counts(old | {"schema": 1}, new)
    assert {name: added.get(name, 0) for name in "abc"} == {n: old.get(n, 0) + new.get(n, 0) for n in "abc"}
