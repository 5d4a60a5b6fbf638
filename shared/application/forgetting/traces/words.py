"""Tells whether a text repeats what was said, by runs of words that nobody else in the chat has said.

Pure. A text is known by its runs of three words, one of fewer words by all of them. What other members said themselves
is theirs, so runs that they use as well tell nothing.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from shared.domain.text.language import tokens

RUN = 3
"""Words of a run: two occur by chance in any two texts about one matter."""

_LONG = 4
"""Letters of a single word that may give a text away: shorter ones are mostly grammar."""

Run = tuple[str, ...]


class ForgottenWords:
    """What was said, as far as nobody else has said it.

    Attributes:
        runs: Runs of words by which a text that repeats it verbatim is recognised.
        single: Words that occur nowhere else, of at least `shortest` letters.
    """

    def __init__(self, texts: Iterable[str] = (), *, shortest: int = _LONG) -> None:
        self.runs: set[Run] = set()
        self.single: set[str] = set()
        for text in texts:
            words = tokens(text)
            self.runs |= _runs(words, RUN) if len(words) >= RUN else {tuple(words)} if len(words) > 1 else set()
            self.single |= {word for word in words if len(word) >= shortest}

    def __bool__(self) -> bool:
        return bool(self.runs or self.single)

    def leave_out(self, text: str) -> None:
        """Remove what somebody else has said as well."""
        words = tokens(text)
        self.runs -= _runs(words, RUN) | _runs(words, 2)
        self.single -= set(words)

    def repeated_in(self, text: str) -> bool:
        """Return whether the text repeats a run of it."""
        words = tokens(text)
        return not self.runs.isdisjoint(_runs(words, RUN) | _runs(words, 2))

    def repeated_in_any(self, texts: Iterable[str]) -> bool:
        """Return whether one of the texts repeats a run of it."""
        return any(self.repeated_in(text) for text in texts)

    def echoed_in(self, text: str) -> bool:
        """Return whether the text repeats at least one word that occurs nowhere else."""
        return not self.single.isdisjoint(tokens(text)) or self.repeated_in(text)


def _runs(words: Sequence[str], size: int) -> set[Run]:
    return {tuple(words[at : at + size]) for at in range(len(words) - size + 1)}
