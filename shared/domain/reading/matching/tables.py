"""Rows of phrases, found by the words that they cannot do without: most of a table is never tried on a sentence."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from shared.domain.reading.matching.phrases import Phrase
from shared.domain.reading.matching.rows import PatternRow, unique_names
from shared.domain.text.words import AnalysedText


class Table:
    """Rows in the order in which they are tried.

    Attributes:
        rows: The rows; no two have the same name.

    Raises:
        ValueError: Two rows have the same name, or a phrase is malformed.
    """

    def __init__(self, rows: Sequence[PatternRow], lists: Mapping[str, Iterable[str]]) -> None:
        self.rows = unique_names(rows)
        self._tried = [(row, Phrase(source, lists)) for row in rows for source in row.phrases]
        self._always: list[int] = []
        self._by_head: dict[str, list[int]] = {}
        for number, (_, phrase) in enumerate(self._tried):
            for head in phrase.heads:
                self._by_head.setdefault(head, []).append(number)
            if not phrase.heads:
                self._always.append(number)
        self._heads = frozenset(self._by_head)

    def possible(self, words: AnalysedText) -> list[tuple[PatternRow, Phrase]]:
        """The rows, each with one of its phrases, that may be found among the words, in order."""
        numbers = set(self._always)
        for head in words.atoms & self._heads:
            numbers.update(self._by_head[head])
        tried = (self._tried[number] for number in sorted(numbers))
        return [
            (row, phrase) for row, phrase in tried if len(phrase.needed) < 2 or not phrase.is_missing(words, but_head=1)
        ]
