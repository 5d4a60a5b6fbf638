"""Marks: phrases of which any one, anywhere in a sentence, says what kind of sentence it is.

Most sentences carry no mark, so each set of marks is first asked for by the words that its phrases cannot do without:
that is one comparison of sets, and nothing is searched when it fails.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from shared.domain.reading.matching.phrases import Phrase, PhraseMatch
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
        """Whether any of the phrases is found."""
        return not self.heads.isdisjoint(words.atoms) and self.find(words) is not None

    def _possible(self, words: AnalysedText) -> list[Phrase]:
        """The phrases of which a head is among the words, in order."""
        heads = self.heads & words.atoms
        numbers = {number for head in heads for number in self._by_head[head]}
        return [self._phrases[number] for number in sorted(numbers)]
