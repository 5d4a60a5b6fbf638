"""Cleans a model's answer before it is sent: removes the marks in which the context was told.

Code stays as it is, but for meta lines and end markers, which are never anybody's text.
"""

import re
from collections.abc import Callable, Collection, Mapping, Sequence
from datetime import datetime, tzinfo
from functools import lru_cache

from shared.domain.delivery.markup import literal
from shared.domain.text.plain import one_line

_META = re.compile(r"\[(?:meta|now)\].*$", re.MULTILINE | re.IGNORECASE)
_MARKERS = re.compile(r"\[(?:/?respond|meta|end|now)\]", re.IGNORECASE)
_CODE = re.compile(r"(```.*?(?:```|\Z)|`[^`\n]+`)", re.DOTALL)
_MOMENT = re.compile(r"^[ \t]*\[(?:\d{4}-\d\d-\d\d(?: \d\d:\d\d)?|\d\d:\d\d)\][ \t]*(?:\n|$|(?=\S))", re.MULTILINE)
_CITED = re.compile(r"[ \t]?\[#(-?\d+(?:\s*,\s*#?-?\d+)*)\](?!\()")
_NUMBER = re.compile(r"-?\d+")
_LINKED = re.compile(r"\bt\.me/(?:c/)?\w+(?:/\d+)?/(\d{1,18})\b")
_NAME_CHARS = 64  # a display name (Bot API, User: first and last name)
_INSIDE = "\0"  # before what follows code: no beginning of a line


def clean_answer(text: str, *, bot_names: Sequence[str], handles: Collection[str] = ()) -> str:
    """The answer without meta lines, markers, moments, headers of transcript lines and numbers of handles.

    Args:
        bot_names: "name:" at the beginning of a line is no part of an answer.
        handles: Of the people in the context. "Оля: …" stays (a list of who said what is an answer), "Тарас → Оля: …",
            "#12 Оля: …" and "Оля#2: …" lose their header.
    Returns:
        Markdown without three line breaks in a row; may be "".
    """
    body = _MARKERS.sub("", _META.sub("", text))
    body = _change_outside_code(body, lambda prose: _without_headers(prose, tuple(bot_names), tuple(handles)))
    return re.sub(r"\n{3,}", "\n\n", body).strip()


def cited_ids(text: str) -> frozenset[int]:
    """Ids of the messages that an answer cites (`[#12]`) or links to, as it was written or as it was sent."""
    numbers = [number for match in _CITED.finditer(text) for number in _NUMBER.findall(match[1])]
    return frozenset(map(int, [*numbers, *_LINKED.findall(text)]))


def cite(sent_at: datetime, link: str | None, name: str, zone: tzinfo) -> str:
    """Return the Markdown that stands for a citation: a link, or who said it, if one did, and when where there is none
    to follow."""
    if link is not None:
        return f"[↗]({link})"
    said_by = f"{literal(one_line(name, _NAME_CHARS))}, " if name else ""
    return f"({said_by}{sent_at.astimezone(zone):%d.%m.%Y})"


def with_citations(text: str, citations: Mapping[int, str]) -> str:
    """Replace numbers (`[#12]`) by what stands for them (`cite`); that of a message not known here is left out."""
    return _change_outside_code(text, lambda prose: _CITED.sub(lambda match: _render(match[1], citations), prose))


def _render(numbers: str, citations: Mapping[int, str]) -> str:
    known = dict.fromkeys(citations[int(number)] for number in _NUMBER.findall(numbers) if int(number) in citations)
    return "".join(f" {citation}" for citation in known)


def _change_outside_code(text: str, change: Callable[[str], str]) -> str:
    """Every piece that is no code, changed."""
    pieces = _CODE.split(text)
    pieces[::2] = [
        change(piece) if index == 0 else change(_INSIDE + piece)[1:] for index, piece in enumerate(pieces[::2])
    ]
    return "".join(pieces)


def _without_headers(prose: str, bot_names: tuple[str, ...], handles: tuple[str, ...]) -> str:
    plain = _header(bot_names, handles).sub("", _MOMENT.sub("", prose))
    numbered = _numbered_handle_pattern(handles)
    return numbered.sub(r"\1", plain) if numbered else plain


@lru_cache(maxsize=64)
def _header(bot_names: tuple[str, ...], handles: tuple[str, ...]) -> re.Pattern[str]:
    """The header of a line of a compact talk, at the beginning of a line of an answer."""
    bot = _join_alternatives(bot_names)
    person = _join_alternatives((*bot_names, *handles))
    arrow = rf"[ \t]*(?:→|->)[ \t]*{person}"
    alternatives = (
        rf"#-?\d+[ \t]+{person}(?:{arrow})?",
        rf"{person}{arrow}",
        rf"{arrow}",
        rf"{bot}(?:#\d+)?",
        *([_join_alternatives(numbered)] if (numbered := tuple(h for h in handles if "#" in h)) else []),
    )
    return re.compile(rf"^[ \t]*(?:{'|'.join(alternatives)})[ \t]*:(?!/)[ \t]*", re.MULTILINE | re.IGNORECASE)


@lru_cache(maxsize=64)
def _numbered_handle_pattern(handles: tuple[str, ...]) -> re.Pattern[str] | None:
    names = sorted({handle.rpartition("#")[0] for handle in handles if "#" in handle}, key=len, reverse=True)
    if not names:
        return None
    return re.compile(rf"(?<!\w)({'|'.join(map(re.escape, names))})#\d+(?!\w)")


def _join_alternatives(names: Sequence[str]) -> str:
    """Longest first, so that "Оля#2" is not read as "Оля"."""
    return f"(?:{'|'.join(map(re.escape, sorted(set(names), key=lambda name: (-len(name), name))))})"
