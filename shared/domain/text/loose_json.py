"""JSON as language models write it: one pass, never an exception, time linear in the length.

Strict JSON is read as such. Anything else goes through a forgiving reader: prose and fences around, comments, trailing
or missing commas, single and typographic quotes, Python's literals, bare keys, wrong brackets. What a cut-off end
leaves unfinished is dropped; what was whole inside of it is kept.
"""

import html
import json
import math
import re
from dataclasses import dataclass, field
from typing import Any

MAX_DEPTH = 200
"""Brackets within brackets that are followed; more deeply nested ones are no answer."""

_BRACKET = re.compile(r"[\[{]")
_SPACE = re.compile(r"(?:\s|\ufeff|//[^\n]*|/\*(?:[^*]|\*(?!/))*(?:\*/|\Z)|(?<=\s)#[^\n]*)+")
_BARE = re.compile(r"(?:[+-]?[\d.]+|null|true|false|None|True|False)(?=\s)|[^\s,:\[\]{}][^,:\[\]{}\n]*")
_OPENING = {'"': '"', "'": "'", "“": "“”\"", "”": "“”\"", "„": "“”\"", "«": "»", "`": "`"}  # fmt: skip
_NEXT_QUOTE = {closing: re.compile(rf"[\\{closing}]") for closing in _OPENING.values()}
_AFTER_STRING = re.compile(
    r"""\s{0,200}(?:\Z|[:}\]]|//|/\*|#|,\s{0,200}(?:\Z|["'“”„«`\[\]{},]|//|/\*|#"""
    r"""|-?\d|\w{1,40}\s?:|null|true|false|None|True|False))"""
    r"|\s{0,200}\n\s{0,200}[\"'“”„«`{}\[\]]"
)
_WORDS = {"null": None, "none": None, "true": True, "false": False, "nan": math.nan, "infinity": math.inf,
          "inf": math.inf, "-infinity": -math.inf, "undefined": None}  # fmt: skip
_NUMBER = re.compile(r"[+-]?(?:\d{1,400}(?:\.\d{0,400})?|\.\d{1,400})(?:[eE][+-]?\d{1,4})?")
_ESCAPE = re.compile(r'(\\(?:u[0-9a-fA-F]{4}|["\\/bfnrt]))|\\?(.)', re.DOTALL)


def read_loosely(text: str) -> tuple[Any, ...]:
    """Return the outermost arrays and objects of `text`, in order; never raises."""
    try:
        whole = json.loads(text)
    except (ValueError, RecursionError):
        return _forgiving(text)
    if isinstance(whole, str):  # a document within a string
        return _forgiving(whole)
    return (whole,) if isinstance(whole, list | dict) else ()


def _forgiving(text: str) -> tuple[Any, ...]:
    """The text as it stands, then as escaped for HTML, then as escaped for a string: whichever holds an object."""
    read = tuple(_LooseReader(text).read())
    for written, meant in (("&quot;", html.unescape), ("&#34;", html.unescape), ('\\"', _unescape)):
        if any(map(_holds_fields, read)):
            break
        if written in text and any(map(_holds_fields, again := tuple(_LooseReader(meant(text)).read()))):
            read = again
    return read


def _unescape(text: str) -> str:
    return text.replace('\\"', '"').replace("\\n", "\n")


def _holds_fields(value: Any) -> bool:
    """Return whether a key of an object, at any depth, is a plain word."""
    stack = [value]
    while stack:
        inner = stack.pop()
        if isinstance(inner, dict):
            if any(key.isidentifier() for key in inner):
                return True
            stack += inner.values()
        elif isinstance(inner, list):
            stack += inner
    return False


@dataclass(slots=True)
class _Frame:
    """An array or object that is still open."""

    closing: str
    items: list[Any] = field(default_factory=list)
    fields: dict[str, Any] = field(default_factory=dict)
    key: str | None = None
    has_key: bool = False  # a colon followed the key

    def put(self, value: Any) -> None:
        """Take a value, or, in an object, what may be the next key."""
        if self.closing == "]":
            self.items.append(value)
        elif self.has_key:
            self.fields[self.key or ""] = value
            self.key, self.has_key = None, False
        elif isinstance(value, list | dict):
            self.items.append(value)
        else:
            self.key = str(value)

    def whole(self) -> Any:
        return self.items if self.closing == "]" or (self.items and not self.fields) else self.fields


class _LooseReader:
    """Reads one text from left to right; outside of brackets everything is prose."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._at = 0
        self._open: list[_Frame] = []
        self._values: list[Any] = []

    def read(self) -> list[Any]:
        """The arrays and objects of the text."""
        while self._at < len(self._text):
            self._step()
        inside = (inner for frame in self._open for inner in (*frame.items, *frame.fields.values()))
        return self._values + [inner for inner in inside if isinstance(inner, list | dict)]  # whole as the text ended

    def _step(self) -> None:
        if not self._open:  # prose
            bracket = _BRACKET.search(self._text, self._at)
            self._at = bracket.start() if bracket else len(self._text)
            if bracket:
                self._begin(bracket.group())
            return
        if space := _SPACE.match(self._text, self._at):
            self._at = space.end()
            return
        char = self._text[self._at]
        if char in "[{":
            self._begin(char)
        elif char in "]}":
            self._end(char)
        elif char in ",:":
            self._separate(char)
        elif char in _OPENING:
            self._open[-1].put(self._string(char))
        else:
            word = _BARE.match(self._text, self._at)
            self._at = word.end() if word else self._at + 1
            self._open[-1].put(_literal(word.group().strip() if word else ""))

    def _begin(self, char: str) -> None:
        self._at += 1
        if len(self._open) < MAX_DEPTH:
            self._open.append(_Frame("]" if char == "[" else "}"))

    def _end(self, char: str) -> None:
        """Close the innermost bracket of this kind, and with it what was left open inside."""
        self._at += 1
        if not any(frame.closing == char for frame in self._open):
            return
        while self._open:
            frame = self._open.pop()
            if self._open:
                self._open[-1].put(frame.whole())
            else:
                self._values.append(frame.whole())
            if frame.closing == char:
                return

    def _separate(self, char: str) -> None:
        self._at += 1
        frame = self._open[-1]
        if char == ":":
            frame.has_key = frame.key is not None
        else:
            frame.key, frame.has_key = None, False

    def _string(self, opening: str) -> str:
        """A string up to a quotation mark that something of JSON follows; one that is never closed goes to the end."""
        closing, start = _OPENING[opening], self._at + 1
        at = start
        while mark := _NEXT_QUOTE[closing].search(self._text, at):
            if mark.group() == "\\":
                at = mark.end() + 1
            elif _AFTER_STRING.match(self._text, mark.end()):
                self._at = mark.end()
                return _decode_string(self._text[start : mark.start()])
            else:
                at = mark.end()
        self._at, self._open[-1].key = len(self._text), None
        return ""


def _literal(word: str) -> Any:
    folded = word.casefold()
    if folded in _WORDS:
        return _WORDS[folded]
    if _NUMBER.fullmatch(word):
        return float(word) if not word.lstrip("+-").isdigit() else int(word)
    return word


def _decode_string(inner: str) -> str:
    if "\\" not in inner:
        return inner
    return str(json.loads(f'"{_ESCAPE.sub(_escape_backslash, inner)}"', strict=False))


def _escape_backslash(match: re.Match[str]) -> str:
    """A character as JSON writes it: escapes that it does not know lose their backslash."""
    return match[1] or {'"': '\\"', "\\": ""}.get(match[2], match[2])
