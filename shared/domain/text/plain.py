"""Text as Telegram counts it, and text that cannot pretend to be anything else (law 12)."""

import json
import re
import unicodedata
from bisect import bisect_right
from collections.abc import Iterator
from itertools import accumulate

from shared.domain.text.language import fold

TELEGRAM_LIMIT = 4096
"""UTF-16 code units in one message (Bot API, sendMessage)."""

SENTENCE_END = re.compile(r"(?<=[.!?…])\s+(?![^«»“”\n]{0,100}[»”])|\n+")
"""The space between two sentences; none inside of quotation marks, where a point may belong to a name."""

_BORDERS = ("\n\n", "\n", ". ", "! ", "? ", "… ", "; ", ", ", " ")
_TURNS = frozenset(("LRE", "RLE", "LRO", "RLO", "PDF", "LRI", "RLI", "FSI", "PDI"))
_HIDDEN = ("Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp")


def utf16_length(text: str) -> int:
    """Length in UTF-16 code units: what Telegram limits and entity offsets count."""
    return len(text) + sum(1 for char in text if ord(char) > 0xFFFF)


def split_text(text: str, limit: int = TELEGRAM_LIMIT) -> list[str]:
    """Cut a text into messages of at most `limit` UTF-16 units, none empty.

    Cuts at the last paragraph, line, sentence, clause or word border in the second half of the piece, in that order of
    preference; a word longer than a piece is cut between characters.
    """
    pieces, rest = [], text.strip()
    while utf16_length(rest) > limit:
        head = rest[: bisect_right(list(accumulate(map(utf16_length, rest[:limit]))), limit)]
        borders = ((head.rfind(border, len(head) // 2), border) for border in _BORDERS)
        cut = next((at + len(border) for at, border in borders if at > 0), len(head))
        pieces.append(rest[:cut].rstrip())
        rest = rest[cut:].lstrip()
    return [piece for piece in [*pieces, rest] if piece]


def inert(text: str) -> str:
    r"""A member's text with every `[`, `<` and `\` escaped, so that no marker or tag of ours can appear in it.

    Only Spomyn writes an unescaped `[` or `<`. `unescaped(inert(text)) == text` for every text.
    """
    return text.replace("\\", "\\\\").replace("[", "\\[").replace("<", "\\<")


def unescape_inert(text: str) -> str:
    r"""Undo `inert`."""
    chars = iter(text)
    return "".join(next(chars, "") if char == "\\" else char for char in chars)


def quote_inline(text: str) -> str:
    """A name or other short text as one JSON string: quotes, line breaks, controls, direction marks and every `[`
    become escapes, so it can neither end its own field nor look like another line."""
    written = json.dumps(text, ensure_ascii=False)
    if written.isprintable() and "[" not in written and "<" not in written:
        return written
    return "".join(map(_escape_hidden, written))


def _escape_hidden(char: str) -> str:
    if char in "[<":
        return f"\\u{ord(char):04x}"
    return json.dumps(char)[1:-1] if unicodedata.category(char) in _HIDDEN else char


def is_control(char: str) -> bool:
    """Return whether a character is none of a sentence: a control but white space, or one that turns the writing."""
    return (unicodedata.category(char) == "Cc" and not char.isspace()) or unicodedata.bidirectional(char) in _TURNS


def without_controls(text: str) -> str:
    """Return a text without the characters that `is_control` names."""
    return "".join(char for char in text if not is_control(char))


def is_blank(text: str) -> bool:
    """Return whether nothing in the text can be seen: it is empty, or of spaces and invisible characters."""
    return all(char.isspace() or unicodedata.category(char) in _HIDDEN for char in text)


def one_line(text: str, limit: int = 300) -> str:
    """Visible characters on one line, at most `limit` long (then it is cut as `cut_between_words` does)."""
    visible = text if text.isprintable() else "".join(" " if unicodedata.category(c) in _HIDDEN else c for c in text)
    return cut_between_words(" ".join(visible.split()), limit)


def cut_between_words(text: str, limit: int) -> str:
    """Return a text of at most `limit` characters: whole, or its beginning with an ellipsis.

    It is cut between two words of the second half; only where there is no such place in the midst of one.
    """
    if len(text) <= limit:
        return text
    head = text[: max(0, limit - 1)]
    at = len(head) if text[len(head)].isspace() else head.rfind(" ", len(head) // 2)
    return (head[:at] if at > 0 else head).rstrip() + "…"


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
    folded, spans = _fold_with_spans(text)
    start = folded.find(needle)
    if start < 0:
        return None
    return text[spans[start][0] : spans[start + len(needle) - 1][1]]


def _fold_with_spans(text: str) -> tuple[str, list[tuple[int, int]]]:
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
