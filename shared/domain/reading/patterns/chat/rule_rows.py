"""How rules are said: rows about what is forbidden and what everybody is to do, and marks, in both languages.

Whether the words are about the chat at all is decided in `rules`.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from shared.domain.reading.matching.tables import Table, read_marks
from shared.domain.reading.patterns.row_tables import read_rows
from shared.domain.text.data_files import Words, expressions, read_data


def _lists() -> Mapping[str, Words]:
    file = read_data(__package__, "rule_lists")
    verbs = {name: tuple(_in_persons(table, file["bases"])) for name, table in file["verbs"].items()}
    return {name: tuple(words.split()) for name, words in file["lists"].items()} | verbs


def _in_persons(table: Mapping[str, str], bases: Mapping[str, str]) -> Iterator[str]:
    for word in table["words"].split():
        for verb in bases[word[1:]].split() if word.startswith("@") else (word,):
            yield from (f"{verb}#{person}" for person in table["persons"].split())


_LISTS = _lists()
FORMS = expressions(__package__, "rule_forms")
MARKS = read_marks(__package__, "rules", _LISTS)
RULES = Table(read_rows(__package__, "rule_rows", {"lang": "uk", "category": "rule", "confidence": 0.92}), _LISTS)
"""Rows in the order in which they are tried; the language of a row says nothing, phrases of both stand together."""
