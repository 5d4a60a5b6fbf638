"""The part of a long text that a question is about."""

import re
from collections.abc import Collection

from shared.domain.text.plain import one_line
from shared.domain.text.terms import words_of

_WORD, _BEGINNING = re.compile(r"\S+"), re.compile(r"(?:^|[.!?…]\s+|\n)(?=\S)")


def excerpt_around(text: str, asked: Collection[str], limit: int) -> str:
    """Return a text as it is when it has `limit` characters at most, else where it says most of what was asked.

    Args:
        asked: Terms of the question; where none stands in the text, its beginning is shown.
    Returns:
        One line, from the beginning of a sentence where there is room, with an ellipsis where something was left out.
    """
    if len(text) <= limit:
        return text
    hits = [word.start() for word in _WORD.finditer(text) if not set(words_of(word[0])).isdisjoint(asked)]
    best = max(hits, key=lambda at: sum(at <= hit < at + limit // 2 for hit in hits), default=0)
    begun = max(sentence.end() for sentence in _BEGINNING.finditer(text, 0, best + 1))
    start = begun if best - begun < limit // 2 else best
    return one_line(text[start:], limit) if not start else f"…{one_line(text[start:], limit - 1)}"
