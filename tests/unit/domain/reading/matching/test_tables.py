"""A table tries only rows whose words are all there, each under its own name."""

import re
from types import MappingProxyType

import pytest

from shared.domain.reading.matching import tables
from shared.domain.reading.matching.rows import PatternRow
from shared.domain.reading.matching.tables import Marks, Table, read_marks
from shared.domain.text.words import analyse

LISTS = {"i": ("=я",), "adv": ("вже", "давно", "now")}


def _row(name: str, *phrases: str) -> PatternRow:
    return PatternRow(name=name, lang="en", category="topic", key="k", confidence=0.8, phrases=phrases, hit="", miss="")


def test_a_table_tries_only_rows_whose_words_are_all_there_in_order() -> None:
    table = Table([_row("cat", "my cat"), _row("any", "_ _"), _row("dog", "my dog", "my? dog", "a dog")], LISTS)
    assert [(row.name, phrase.source) for row, phrase in table.possible(analyse("my dog"))] == [
        ("any", "_ _"),
        ("dog", "my dog"),
        ("dog", "my? dog"),
    ]


def test_two_rows_of_one_name_are_refused() -> None:
    with pytest.raises(ValueError, match="same name"):
        Table([_row("cat", "cat"), _row("cat", "dog")], LISTS)


@pytest.fixture
def given(monkeypatch):
    def read(phrases, lists=None):
        monkeypatch.setattr(tables, "read_data", lambda *_: MappingProxyType({"greets": phrases}))
        return read_marks("some.package", "words", lists)["greets"]

    return read


def test_any_phrase_anywhere_marks_a_sentence():
    found = Marks(["good morning", "hello"])
    assert [found.mark(analyse(text)) for text in ("well, hello", "a good morning", "good")] == [True, True, False]


def test_a_sentence_may_have_to_begin_with_the_phrase():
    found = Marks(["hello"])
    assert found.begin(analyse("hello there"))
    assert not found.begin(analyse("well, hello"))


def test_marks_are_read_with_the_lists_that_they_name(given):
    assert given(("@greeting\n  there",), {"greeting": ("hello",)}).mark(analyse("hello there"))


@pytest.mark.parametrize("phrases", [("_ _",), ("(hello",), ("@nobody",)])
def test_what_are_no_phrases_is_told(given, phrases):
    with pytest.raises(ValueError, match=re.escape(phrases[0])):
        given(phrases)
