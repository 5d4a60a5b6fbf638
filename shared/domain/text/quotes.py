"""Whether a quote is really in a text, and where (law 1: code checks it, not a prompt).

Quotes match after NFC, case folding and white-space folding; nothing else is forgiven.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator

from shared.domain.text.language import fold

_FIRST_VOWEL_JAMO, _LAST_JAMO = "\u1160", "\u11ff"  # NFC makes syllables of them, though they do not "combine"


def verify_quote(quote: str, text: str) -> bool:
    """Return whether `quote` occurs in `text`; an empty or blank quote never does."""
    needle = fold(quote)
    return bool(needle) and needle in fold(text)


def find_verbatim(quote: str, text: str) -> str | None:
    """The exact substring of `text` that `quote` names, first occurrence, or None.

    What is returned occurs in `text` character for character, however the quote was typed.
    """
    needle = fold(quote)
    if not needle:
        return None
    if quote in text:
        return quote.strip()
    folded, spans = _folded_with_spans(text)
    start = folded.find(needle)
    if start < 0:
        return None
    return text[spans[start][0] : spans[start + len(needle) - 1][1]]


def _folded_with_spans(text: str) -> tuple[str, list[tuple[int, int]]]:
    """`fold(text)`, and for each of its characters the span of `text` that it stands for."""
    folded: list[str] = []
    spans: list[tuple[int, int]] = []
    for start, end in _clusters(text):
        cluster = unicodedata.normalize("NFC", unicodedata.normalize("NFC", text[start:end]).casefold())
        if cluster.isspace():
            cluster = "" if not folded or folded[-1] == " " else " "
        folded += cluster
        spans += [(start, end)] * len(cluster)
    return "".join(folded), spans


def _clusters(text: str) -> Iterator[tuple[int, int]]:
    """Spans of one character with what follows it that NFC may join to it; white space stands alone, as in `fold`."""
    start = 0
    for index in range(1, len(text) + 1):
        char = text[index : index + 1]
        joins = char and (unicodedata.combining(char) or _FIRST_VOWEL_JAMO <= char <= _LAST_JAMO)
        if not joins or text[index - 1].isspace():
            yield start, index
            start = index
