"""Marks: phrases of which any one says what kind of sentence it is, written in code or read from data."""

from types import MappingProxyType

import pytest

from shared.domain.reading.matching import marks
from shared.domain.reading.matching.marks import Marks, read_marks
from shared.domain.text.data_files import DataFileError
from shared.domain.text.words import analyse


@pytest.fixture
def given(monkeypatch):
    def read(phrases, lists=None):
        monkeypatch.setattr(marks, "read_data", lambda *_: MappingProxyType({"greets": phrases}))
        return read_marks("some.package", "words", lists)["greets"]

    return read


def test_any_phrase_anywhere_marks_a_sentence():
    found = Marks("good morning\nhello")
    assert [found.mark(analyse(text)) for text in ("well, hello", "a good morning", "good")] == [True, True, False]


def test_a_sentence_may_have_to_begin_with_the_phrase():
    found = Marks("hello")
    assert found.begin(analyse("hello there"))
    assert not found.begin(analyse("well, hello"))


def test_marks_are_read_with_the_lists_that_they_name(given):
    assert given(("@greeting\n  there",), {"greeting": ("hello",)}).mark(analyse("hello there"))


@pytest.mark.parametrize("phrases", ["hello", ("hello", 1), ("_ _",), ("(hello",), ("@nobody",)])
def test_what_are_no_phrases_is_named_with_file_and_key(given, phrases):
    with pytest.raises(DataFileError, match=r"some\.package/words\.toml: greets: "):
        given(phrases)
