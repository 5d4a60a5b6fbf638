"""The part of a long text that a question is about."""

from __future__ import annotations

import re
from collections.abc import Collection

from shared.domain.text.plain import one_line
from shared.domain.text.terms import terms_of

_PIECE = re.compile(r"\S.*?(?:[.!?…]+(?=\s)|\n|$)", re.DOTALL)
_WORD = re.compile(r"\S+")


def excerpt_around(text: str, asked: Collection[str], limit: int) -> str:
    """Return a text as it is when it is short, else its best sentence on one line with as much around it as fits.

    Args:
        asked: Terms of the question (`terms_of`). The best sentence has most of them; where none has any, the text is
            cut at its end.
    Returns:
        At most `limit` characters, with an ellipsis on each side where something was left out.
    """
    if len(text) <= limit:
        return text
    wanted = frozenset(asked)
    pieces = [(match.start(), match.end()) for match in _PIECE.finditer(text)]
    scores = [len(wanted.intersection(terms_of(text[start:end]))) for start, end in pieces]
    if not any(scores):
        return one_line(text, limit)
    start, end = pieces[scores.index(max(scores))]
    if end - start > limit - 2:
        start = _first_match(text, start, end, wanted)
        end = min(end, start + limit - 2)
    room = limit - 2 - (end - start)
    before = min(start, max(room // 2, room - (len(text) - end)))
    start, end = start - before, min(len(text), end + room - before)
    start, end = _at_words(text, start, end)
    return f"{'…' if start else ''}{one_line(text[start:end], limit)}{'…' if end < len(text) else ''}"


def _first_match(text: str, start: int, end: int, wanted: frozenset[str]) -> int:
    """Return where the first word begins that was asked for."""
    words = _WORD.finditer(text, start, end)
    return next((word.start() for word in words if not wanted.isdisjoint(terms_of(word.group()))), start)


def _at_words(text: str, start: int, end: int) -> tuple[int, int]:
    """Move both ends inwards to where words begin and end, as far as there is a space."""
    if start and not text[start - 1].isspace():
        start = next((i + 1 for i in range(start, min(start + 40, end)) if text[i].isspace()), start)
    if end < len(text) and not text[end].isspace():
        end = next((i for i in range(end - 1, max(end - 40, start), -1) if text[i].isspace()), end)
    return start, end
