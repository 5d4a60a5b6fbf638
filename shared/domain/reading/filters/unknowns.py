"""Unknown information: a content that says what nobody said, or only guesses.

A hedge is forgiven when the quote hedges, too; "not mentioned" only when the quote tells that the speaker kept
something from somebody.
"""

from __future__ import annotations

from shared.domain.reading.matching.marks import read_marks
from shared.domain.text.words import analyse

_MARKS = read_marks(__package__, "unknowns")
_UNKNOWN = _MARKS["unknown"]
_UNSAID = _MARKS["unsaid"]
_NOTHING = _MARKS["nothing"]
_HEDGE = _MARKS["hedge"]
_UNSURE = _MARKS["unsure"]


def is_unknown(content: str, said: str) -> bool:
    """Return whether a content tells of something unknown, unsaid or guessed, which its quote does not tell itself."""
    words, quoted = analyse(content), analyse(said)
    if _HEDGE.mark(words) and not _UNSURE.mark(quoted):
        return True
    return any(marks.mark(words) and not marks.mark(quoted) for marks in (_UNKNOWN, _UNSAID, _NOTHING))
