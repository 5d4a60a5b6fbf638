"""Phrases found by the words that they cannot do without: most of a table is never tried on a sentence.

A `Table` holds rows, each with its phrases. `Marks` are phrases of which any one, anywhere in a sentence, says what
kind of sentence it is; most sentences carry none, and then one comparison of sets is all that is done.
"""

from collections.abc import Iterable, Mapping, Sequence

from shared.domain.reading.matching.phrases import Phrase, PhraseMatch
from shared.domain.reading.matching.rows import PatternRow
from shared.domain.text.data_files import join_lines, read_data
from shared.domain.text.words import AnalysedText

Lists = Mapping[str, Iterable[str]]


class _PhraseIndex:
    """Phrases by the words of which one must be there for them to be found (`heads`)."""

    def __init__(self, phrases: Sequence[Phrase]) -> None:
        self.headless = [number for number, phrase in enumerate(phrases) if not phrase.heads]
        self._by_head: dict[str, list[int]] = {}
        for number, phrase in enumerate(phrases):
            for head in phrase.heads:
                self._by_head.setdefault(head, []).append(number)
        self.heads = frozenset(self._by_head)

    def possible(self, words: AnalysedText) -> list[int]:
        """The numbers of those that may be found, in order."""
        numbers = set(self.headless)
        for head in words.atoms & self.heads:
            numbers.update(self._by_head[head])
        return sorted(numbers)


class Table:
    """Rows in the order in which they are tried.

    Raises:
        ValueError: Two rows have the same name, or a phrase is malformed.
    """

    def __init__(self, rows: Sequence[PatternRow], lists: Lists) -> None:
        names = [row.name for row in rows]
        if doubled := {name for name in names if names.count(name) > 1}:
            raise ValueError(f"rows with the same name: {sorted(doubled)}")
        self.rows = tuple(rows)
        self._tried = [(row, Phrase(source, lists)) for row in rows for source in row.phrases]
        self._index = _PhraseIndex([phrase for _, phrase in self._tried])

    def possible(self, words: AnalysedText) -> list[tuple[PatternRow, Phrase]]:
        """The rows, each with one of its phrases, that may be found among the words, in order."""
        tried = (self._tried[number] for number in self._index.possible(words))
        return [
            (row, phrase) for row, phrase in tried if len(phrase.needed) < 2 or not phrase.is_missing(words, but_head=1)
        ]


class Marks:
    """Phrases, in the order in which they are tried.

    Raises:
        ValueError: A phrase is malformed, or could be found without any particular word.
    """

    def __init__(self, phrases: Iterable[str], lists: Lists | None = None) -> None:
        self._phrases = [Phrase(each, lists or {}) for each in phrases]
        self._index = _PhraseIndex(self._phrases)
        if headless := [self._phrases[number].source for number in self._index.headless]:
            raise ValueError(f"phrases that no word gives away: {headless}")

    def find(self, words: AnalysedText) -> PhraseMatch | None:
        """The first phrase that is found, wherever it stands."""
        return next(filter(None, (phrase.search(words) for phrase in self._possible(words))), None)

    def begin(self, words: AnalysedText) -> PhraseMatch | None:
        """The first phrase with which the sentence begins."""
        return next(filter(None, (phrase.match(words) for phrase in self._possible(words))), None)

    def _possible(self, words: AnalysedText) -> list[Phrase]:
        none = self._index.heads.isdisjoint(words.atoms)
        return [] if none else [self._phrases[number] for number in self._index.possible(words)]

    def mark(self, words: AnalysedText) -> bool:
        """Return whether any of the phrases is found."""
        return self.find(words) is not None


class NamedMarks(dict[str, Marks]):
    """The marks of a file, by their names there."""

    def stand_in(self, words: AnalysedText, *names: str) -> bool:
        """Return whether any of these marks is found."""
        return any(self[name].mark(words) for name in names)


def read_marks(package: str, name: str, lists: Lists | None = None) -> NamedMarks:
    """Return the marks of a data file beside a package, each key's array of phrases, which may name the lists."""
    return NamedMarks((key, Marks(map(join_lines, told), lists)) for key, told in read_data(package, name).items())
