"""A table tries only rows whose words are all there, each under its own name."""

import pytest

from shared.domain.reading.matching.rows import PatternRow
from shared.domain.reading.matching.tables import Table
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
