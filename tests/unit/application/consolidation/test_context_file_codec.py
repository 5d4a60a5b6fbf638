"""CONTEXT.md is read back with its items as it was written."""

import json
from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

from shared.application.chats.context_codec import context_path, read_context_text
from shared.application.consolidation.context_file_codec import (
    ContextFile,
    ContextFileUnreadable,
    context_file_fields,
    people_of,
    read_context_file,
)
from shared.application.ports.store import Document
from tests.unit.domain.consolidation.item_lists import NIGHT, by_hand, hostile_text, item, item_lists, quote

(STORED,) = context_file_fields(ContextFile(items=(item("Тарас: квитки", due=date(2026, 3, 25)),)))["items"]


def stored(fields):
    return Document(context_path(-1), fields)


@given(
    items=item_lists(texts=hostile_text),
    closed=item_lists(),
    revision=st.integers(min_value=1),
    language=st.sampled_from(("uk", "en")),
)
def test_what_is_written_is_read_back(items, closed, revision, language):
    file = ContextFile(revision, "# Зараз", tuple(items), tuple(closed), language, NIGHT, NIGHT, "offline")
    document = stored(context_file_fields(file))
    json.dumps(document.data, default=str)
    assert read_context_file(document) == file
    assert read_context_text(document).user_ids == people_of((*items, *closed))


def test_one_of_text_alone_has_no_items_yet_and_a_chat_without_one_an_empty_one():
    assert read_context_file(stored({"text": "# Зараз"})) == ContextFile(text="# Зараз")
    assert read_context_file(None) == ContextFile()


@pytest.mark.parametrize("items", [5, [5], [{"text": "без решти"}], [STORED | {"section": "weather"}]])
def test_items_of_another_form_are_said_to_be_unreadable(items):
    with pytest.raises(ContextFileUnreadable, match="context/current"):
        read_context_file(stored({"items": items}))


def test_people_are_those_who_are_quoted_and_those_who_began():
    said = item(quotes=(quote(user_id=102), quote(user_id=103)), started_by=101)
    assert people_of([said, by_hand()]) == {101, 102, 103}
