r"""Members' words as data: no character of them can end a line, open a tag or a marker, or hide (law 12).

A backslash stands before `\`, `[`, `]` and `<`; line breaks and invisible characters are written as `\n`, `\u202e` or
`\U000e0001`. Only Spomyn writes a bare `[` or `<`. It can be undone for every text.
"""

import re
import unicodedata
from functools import lru_cache

from shared.domain.conversation.media import mark
from shared.domain.conversation.messages import Message

_OURS = r"\[]<"
_HIDDEN = ("Cc", "Cf", "Cs", "Zl", "Zp")
_JOINER = "\u200d"  # emoji are made with it; between letters it shows as nothing and changes nothing
_NEEDS = re.compile(r"[\[\]<\\]")


def escape_line(text: str, *, keep: str = "") -> str:
    r"""The text on one line, nothing in it ours.

    Args:
        keep: Control characters that stay as they are, like "\n" where a text has a part of its own.
    """
    if text.isprintable() and not _NEEDS.search(text):
        return text
    return "".join(char if char in keep else _escape_char(char) for char in text)


def format_body(message: Message, *, keep: str = "") -> str:
    """Write what a message says as data: whether the words are another's, what it carries besides them, then its text;
    the kind where it has neither.

    Args:
        keep: As of `escape_line`.
    """
    carries = mark(message) or ("" if message.text else f"[{message.kind}]")
    forwarded = "[forwarded]" if message.forwarded else ""
    return " ".join(filter(None, (forwarded, carries, escape_line(message.text, keep=keep))))


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
