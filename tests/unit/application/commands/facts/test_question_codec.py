"""What the group was asked about a fact is read back."""

from hypothesis import given
from hypothesis import strategies as st

from shared.application.commands.facts.question_codec import AskedAbout, asked_about_fields, read_asked_about
from shared.application.ports.store import Document
from tests.support.builders import START


@given(fact=st.text(min_size=1), marks=st.lists(st.text()))
def test_what_is_written_is_read_back(fact, marks):
    document = Document("chats/-1/questions/tea", asked_about_fields(fact, marks, at=START))
    assert read_asked_about(document) == AskedAbout(fact, tuple(marks))


def test_a_document_without_marks_is_of_a_fact_that_nothing_was_asked_about():
    assert read_asked_about(Document("chats/-1/questions/tea", {"schema": 1})) == AskedAbout("tea")
