"""Marks: phrases of which any one, anywhere in a sentence, says what kind of sentence it is.

Most sentences carry no mark, so each set of marks is first asked for by the words that its phrases cannot do without:
that is one comparison of sets, and nothing is searched when it fails.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from shared.domain.reading.matching.phrases import Phrase, PhraseMatch
from shared.domain.text.data_files import DataFileError, join_lines, read_data
from shared.domain.text.words import AnalysedText


class Marks:
    """Phrases, one a line, in the order in which they are tried.

    Attributes:
        heads: Words of which one must be there for any of the phrases to be found.

    Raises:
        ValueError: A phrase is malformed, or could be found without any particular word.
    """

    def __init__(self, source: str, lists: Mapping[str, Iterable[str]] | None = None) -> None:
        self._phrases = [Phrase(line.strip(), lists or {}) for line in source.strip().splitlines()]
        if headless := [phrase.source for phrase in self._phrases if not phrase.heads]:
            raise ValueError(f"phrases that no word gives away: {headless}")
        self._by_head: dict[str, list[int]] = {}
        for number, phrase in enumerate(self._phrases):
            for head in phrase.heads:
                self._by_head.setdefault(head, []).append(number)
        self.heads = frozenset(self._by_head)

    def find(self, words: AnalysedText) -> PhraseMatch | None:
        """The first phrase that is found, wherever it stands."""
        if self.heads.isdisjoint(words.atoms):
            return None
        for phrase in self._possible(words):
            if found := phrase.search(words):
                return found
        return None

    def begin(self, words: AnalysedText) -> PhraseMatch | None:
        """The first phrase with which the sentence begins."""
        if self.heads.isdisjoint(words.atoms):
            return None
        for phrase in self._possible(words):
            if found := phrase.match(words):
                return found
        return None

    def mark(self, words: AnalysedText) -> bool:
        """Return whether any of the phrases is found."""
        return not self.heads.isdisjoint(words.atoms) and self.find(words) is not None

    def _possible(self, words: AnalysedText) -> list[Phrase]:
        """The phrases of which a head is among the words, in order."""
        heads = self.heads & words.atoms
        numbers = {number for head in heads for number in self._by_head[head]}
        return [self._phrases[number] for number in sorted(numbers)]


def read_marks(package: str, name: str, lists: Mapping[str, Iterable[str]] | None = None) -> Mapping[str, Marks]:
    """Return the marks of a data file beside a package, each key's array of phrases.

    Args:
        package: Dotted name of the reader's package.
        name: The file, without its suffix.
        lists: Those that its phrases name.

    Raises:
        DataFileError: A value is not an array of phrases, or one of them is malformed.
    """
    where = f"{package}/{name}.toml"
    return {key: _marks(phrases, lists, f"{where}: {key}") for key, phrases in read_data(package, name).items()}


def _marks(phrases: object, lists: Mapping[str, Iterable[str]] | None, where: str) -> Marks:
    if not isinstance(phrases, tuple) or not all(isinstance(phrase, str) for phrase in phrases):
        raise DataFileError(f"{where}: an array of phrases is expected")
    try:
        return Marks("\n".join(map(join_lines, phrases)), lists)
    except ValueError as error:
        raise DataFileError(f"{where}: {error}") from error
