"""Phrases found by the words that they cannot do without: most of a table is never tried on a sentence.

A `Table` holds rows, each with its phrases. `Marks` are phrases of which any one, anywhere in a sentence, says what
kind of sentence it is; most sentences carry none, and then one comparison of sets is all that is done.
"""

from collections.abc import Iterable, Mapping, Sequence

from shared.domain.reading.matching.phrases import Phrase, PhraseMatch
from shared.domain.reading.matching.rows import PatternRow
from shared.domain.text.data_files import DataFileError, join_lines, read_data
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
    """Phrases, one a line, in the order in which they are tried.

    Raises:
        ValueError: A phrase is malformed, or could be found without any particular word.
    """

    def __init__(self, source: str, lists: Lists | None = None) -> None:
        self._phrases = [Phrase(line.strip(), lists or {}) for line in source.strip().splitlines()]
        self._index = _PhraseIndex(self._phrases)
        if headless := [self._phrases[number].source for number in self._index.headless]:
            raise ValueError(f"phrases that no word gives away: {headless}")

    def find(self, words: AnalysedText) -> PhraseMatch | None:
        """The first phrase that is found, wherever it stands."""
        if self._index.heads.isdisjoint(words.atoms):
            return None
        found = (self._phrases[number].search(words) for number in self._index.possible(words))
        return next(filter(None, found), None)

    def begin(self, words: AnalysedText) -> PhraseMatch | None:
        """The first phrase with which the sentence begins."""
        if self._index.heads.isdisjoint(words.atoms):
            return None
        found = (self._phrases[number].match(words) for number in self._index.possible(words))
        return next(filter(None, found), None)

    def mark(self, words: AnalysedText) -> bool:
        """Return whether any of the phrases is found."""
        return self.find(words) is not None


class NamedMarks(dict[str, Marks]):
    """The marks of a file, by their names there."""

    def stand_in(self, words: AnalysedText, *names: str) -> bool:
        """Return whether any of these marks is found."""
        return any(self[name].mark(words) for name in names)


def read_marks(package: str, name: str, lists: Lists | None = None) -> NamedMarks:
    """Return the marks of a data file beside a package, each key's array of phrases, which may name the lists.

    Raises:
        DataFileError: A value is not an array of phrases, or one of them is malformed.
    """
    found = NamedMarks()
    for key, phrases in read_data(package, name).items():
        where = f"{package}/{name}.toml: {key}"
        if not isinstance(phrases, tuple) or not all(isinstance(phrase, str) for phrase in phrases):
            raise DataFileError(f"{where}: an array of phrases is expected")
        try:
            found[key] = Marks("\n".join(map(join_lines, phrases)), lists)
        except ValueError as error:
            raise DataFileError(f"{where}: {error}") from error
    return found
