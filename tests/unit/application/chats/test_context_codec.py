"""The text of CONTEXT.md is read as it is stored, whatever else is."""

from datetime import timedelta

from hypothesis import given
from hypothesis import strategies as st

from shared.application.chats.context_codec import (
    ContextText,
    context_fields,
    context_path,
    read_context_text,
    revision_fields,
    revision_path,
    revisions_path,
)
from shared.application.ports.store import Document
from tests.support.builders import START


def read(**data):
    return read_context_text(Document(context_path(-1), data))


@given(text=st.text(), revision=st.integers(min_value=0), people=st.frozensets(st.integers()))
def test_a_document_is_read_whether_its_items_are_of_their_form_or_not(text, revision, people):
    stored = {"text": text, "revision": revision, "updated_at": START, "items": 5, "user_ids": sorted(people)}
    assert read(**stored, **context_fields(until=START)) == ContextText(text, revision, START, START, "", people)


def test_one_of_text_alone_and_none_at_all_are_read():
    assert read(text="# Зараз") == ContextText("# Зараз")
    assert read_context_text(None) == ContextText()


def test_a_revision_says_what_was_there_and_when_it_goes():
    later = START + timedelta(days=1)
    there = Document(context_path(-1), {"text": "# Зараз", "revision": 3})
    assert revision_fields(there, expire_at=later) == {"text": "# Зараз", "revision": 3, "expire_at": later}


def test_revisions_are_sorted_by_their_numbers():
    paths = [revision_path(-1, number) for number in (9, 10, 100)]
    assert sorted(paths) == paths
    assert all(path.startswith(f"{revisions_path(-1)}/") for path in paths)
