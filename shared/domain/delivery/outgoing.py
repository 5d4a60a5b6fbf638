"""Restrains the bot's messages: they open nothing but web pages, and mention five people at most.

A model, a name, a title or a fact may bring links and mentions into the bot's texts. Telegram makes them of the text
that is left when the markup is taken away, so that is what is looked at, not the markup: `tg:/<b>/user</b>` is a link.
"""

import html
import re
from collections.abc import Collection, Sequence
from typing import NamedTuple

MOST_MENTIONS = 5
"""Mentions in one answer. Telegram notifies everybody whom a message mentions."""

_ATOM = re.compile(r"<[^>]*>|&(?:#\d+|#[xX][0-9a-fA-F]+|\w+);|.", re.DOTALL)
_WEB = re.compile(r"https?://[^\s\x00-\x1f]+", re.IGNORECASE)
_ADDRESS = re.compile(r"(?<![A-Za-z0-9])https?://[\w.-]+\.[a-z]{2,}(?:[/?#][\w/?#.=&%+~@:-]*)?", re.IGNORECASE)
_SCHEME = re.compile(r"([A-Za-z0-9]+):(/{2,})")
_MENTION = re.compile(r"(?<!\w)(@+)(?=[A-Za-z0-9_]{2})", re.ASCII)
_SKIPPED = frozenset("\r\u0333\u033f\u030a\u2028\u2029\u202a\u202b\u202c\u202d\u202e")
"""Telegram takes these out of what it is sent before it looks for links (`clean_input_string` of its public library):
a name may not hide behind them."""

_SUSPECT = re.compile(r"[@:&]|<a\b")
"""A character of every text that is not to be sent as it is: of a scheme, a mention, either in disguise, or a link."""

_LINK = re.compile(r'<a href="([^"]*)">(.*?)</a>', re.DOTALL)
_CODE = re.compile(r"<(/?)(?:code|pre)\b")


class Restrained(NamedTuple):
    """A text that may be sent, and how many of the mentions that were left are used up by it."""

    text: str
    mentions: int


def restrain(markup: str, *, mentions: int = MOST_MENTIONS) -> Restrained:
    """Telegram HTML that opens nothing but web pages and mentions nobody more than so many times.

    A link elsewhere keeps its words and loses its target; an address of another scheme (`tg://user?id=1`) loses its
    slashes; a mention too many loses its "@". In code Telegram finds neither, so code stays. Doing it again changes
    nothing.

    Args:
        mentions: Most that are left; not negative.
    """
    if not _SUSPECT.search(markup):
        return Restrained(markup, 0)
    atoms = _ATOM.findall(_LINK.sub(_with_web_target, markup))
    shown, places, coded = _strip_tags(atoms)
    gone, kept = _cut(shown, mentions, coded)
    for place in gone:
        atoms[places[place]] = ""
    return Restrained("".join(atoms), kept)


def restrain_plain(text: str, *, mentions: int = MOST_MENTIONS) -> Restrained:
    """Restrain a text that is sent without markup, in which nothing is code; else as `restrain`."""
    if "@" not in text and "/" not in text:
        return Restrained(text, 0)
    gone, kept = _cut(text, mentions, ())
    return Restrained("".join(char for place, char in enumerate(text) if place not in gone), kept)


def _with_web_target(link: re.Match[str]) -> str:
    return link[0] if _WEB.fullmatch(html.unescape(link[1])) else link[2]


def _strip_tags(atoms: Sequence[str]) -> tuple[str, list[int], frozenset[int]]:
    """The text that is left without the tags; of each character the atom that it comes from; which are in code."""
    chars, places, coded, depth = list[str](), list[int](), list[int](), 0
    for index, atom in enumerate(atoms):
        if atom[0] == "<" and len(atom) > 1:
            if tag := _CODE.match(atom):
                depth += -1 if tag[1] else 1
            continue
        shown = html.unescape(atom) if atom[0] == "&" else atom
        if depth > 0:
            coded += range(len(chars), len(chars) + len(shown))
        chars += shown
        places += [index] * len(shown)
    return "".join(chars), places, frozenset(coded)


def _cut(text: str, mentions: int, coded: Collection[int]) -> tuple[frozenset[int], int]:
    """Return which characters of a text have to go, and how many mentions are left in it."""
    places = [place for place, char in enumerate(text) if char not in _SKIPPED]
    read = "".join(text[place] for place in places)
    gone: list[int] = []
    for match in _SCHEME.finditer(read):
        if match[1].lower() not in ("http", "https") and places[match.start(2)] not in coded:
            gone += places[match.start(2) : match.end(2)]
    inside = [match.span() for match in _ADDRESS.finditer(read)]
    kept = 0
    for match in _MENTION.finditer(read):
        if places[match.start()] in coded or any(start < match.start() < end for start, end in inside):
            continue
        if kept < mentions:
            kept += 1
        else:
            gone += places[match.start() : match.end()]
    return frozenset(gone), kept
