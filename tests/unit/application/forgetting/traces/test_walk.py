"""Texts, people, messages and instants are found in a document however deep they lie, also in fields nobody knows."""

from datetime import UTC

import pytest
from hypothesis import given
from hypothesis import strategies as st

from shared.application.forgetting.traces.walk import (
    Reference,
    begun_at,
    collection_of,
    instant_of,
    is_chat,
    messages_listed,
    people_listed,
    quotes,
    references,
    texts,
)
from shared.application.ports.store import Document
from tests.support.builders import at

PLANTED = "planted phrase"


def test_references_and_texts_are_found_however_deep_they_lie():
    quote, voice = {"message_id": 1, "quote": "a"}, {"user_id": 2, "by": [{"user_id": 3, "why": "b"}]}
    value = {"evidence": [quote], "others": {"x": ({"voices": [voice]},)}, "at": at(1).astimezone(UTC), "n": 5}
    found = list(references(value))
    assert [each.fields for each in found] == [quote, voice, voice["by"][0]]
    assert found[0] == Reference(None, 1, None, "a", quote)
    assert list(quotes(value)) == found[:1]
    assert list(references("user_id")) == []
    assert list(texts({"a": "one", "b": ["two", {"c": "three"}], "d": 4, "e": None})) == ["one", "two", "three"]


ANYTHING = st.recursive(
    st.none() | st.integers() | st.text(max_size=5) | st.just(PLANTED),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=15,
)


@given(ANYTHING)
def test_no_text_is_overlooked_wherever_it_stands(document):
    assert list(texts(document)).count(PLANTED) == repr(document).count(PLANTED)


@given(ANYTHING)
def test_nobody_is_overlooked_who_is_named_beside_anything(document):
    named = {"before": [document], "quote": {"deep": [{"user_id": 5, "with": document}]}}
    assert 5 in {each.user_id for each in references(named)}


@pytest.mark.parametrize("name", ["sent_at", "at", "last_seen_at"])
def test_whatever_the_instant_of_what_was_said_is_called_it_is_found(name):
    (found,) = references({"user_id": 2, name: at(3)})
    assert found.said_at == at(3)


def test_a_document_lies_in_one_collection_of_its_chat_however_deep():
    assert collection_of(Document("chats/-1/facts/a", {})) == "facts"
    assert collection_of(Document("chats/-1/facts/a/versions/1", {})) == "facts"
    assert collection_of(Document("chats/-1", {})) == collection_of(Document("updates/7", {})) == ""


def test_a_chats_own_document_is_told_from_those_below_it():
    paths = ["chats/-1", "chats/-1/facts/a", "updates/7"]
    assert [is_chat(Document(path, {})) for path in paths] == [True, False, False]


def test_people_and_messages_are_found_where_they_are_only_listed():
    fields = {"people": [1, 2], "speakers": None, "reacted_by": [3, "x"], "subject": "user:104"}
    assert list(people_listed(fields)) == [1, 2, 3, 104]
    assert list(people_listed({"subject": "chat"})) == []
    assert list(messages_listed({"message_ids": [5, None], "evidence_message_ids": [6]})) == [5, 6]


def test_a_document_begins_when_it_was_said_or_first_seen():
    assert begun_at({"sent_at": at(1), "first_seen_at": at(2)}) == at(1)
    assert begun_at({"first_seen_at": at(2), "made_at": at(1)}) == at(2)
    assert begun_at({"made_at": at(1)}) is None


def test_the_instant_of_a_document_is_the_first_that_it_tells():
    assert instant_of({"made_at": at(2), "sent_at": at(1)}) == at(1)
    assert instant_of({"updated_at": at(2), "sent_at": "yesterday"}) == at(2)
    assert instant_of({"text": "x"}) is None
