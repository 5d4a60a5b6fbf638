r"""Members' words as data: no character of them can end a line, open a tag or a marker, or hide (law 12).

A backslash stands before `\`, `[`, `]` and `<`; line breaks and invisible characters are written as `\n`, `\u202e` or
`\U000e0001`. Only Spomyn writes a bare `[` or `<`. `unescaped(escaped(text)) == text` for every text.
"""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache

_OURS = r"\[]<"
_HIDDEN = ("Cc", "Cf", "Cs", "Zl", "Zp")
_JOINER = "\u200d"  # emoji are made with it; between letters it shows as nothing and changes nothing
_ESCAPE = re.compile(r"\\(u[0-9a-f]{4}|U[0-9a-f]{8}|.)", re.DOTALL)
_NEEDS = re.compile(r"[\[\]<\\]")


def escape_line(text: str, *, keep: str = "") -> str:
    r"""The text on one line, nothing in it ours.

    Args:
        keep: Control characters that stay as they are, like "\n" where a text has a part of its own.
    """
    if text.isprintable() and not _NEEDS.search(text):
        return text
    return "".join(char if char in keep else _escape_char(char) for char in text)


def unescape_line(text: str) -> str:
    """Undo `escape_line`."""
    return _ESCAPE.sub(lambda match: _read(match.group(1)), text)


@lru_cache(maxsize=2_000)
def _escape_char(char: str) -> str:
    if char in _OURS:
        return f"\\{char}"
    if char == "\n":
        return "\\n"
    if char == _JOINER or unicodedata.category(char) not in _HIDDEN:
        return char
    code = ord(char)
    return f"\\u{code:04x}" if code <= 0xFFFF else f"\\U{code:08x}"


def _read(code: str) -> str:
    if code == "n":
        return "\n"
    return chr(int(code[1:], 16)) if len(code) > 1 else code
