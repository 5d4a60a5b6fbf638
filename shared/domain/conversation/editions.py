"""How a message read when: agreement and answers count only for the wording that they were given to.

A message that was edited keeps, for each time that its words are known, a mark of them, never the words. What follows
is a function of that set, in whatever order the original and its edits were delivered (law 10).

Two texts are one wording when they differ only in spaces, in letter case, or in the full stops and exclamation marks at
the end: such an edit drops nobody's agreement. Any other sign may turn the sense ("?", a comma, a digit) and counts.
"""

from __future__ import annotations

import hashlib
import unicodedata
from collections.abc import Iterable
from datetime import datetime
from typing import NamedTuple

MOST_EDITIONS = 50
"""Editions of one message that are known, the newest; what was agreed to before them counts no more."""

_AT_THE_END = " .!…"


class Edition(NamedTuple):
    """Since when a message has had a wording.

    Attributes:
        at: When it was sent, or edited; Telegram tells whole seconds.
        update_id: Of the update that told the edit, 0 of the original: of two in one second the later one.
        mark: Mark of its words (`wording_mark`).
    """

    at: datetime
    update_id: int
    mark: str


def wording_mark(text: str) -> str:
    """Twelve hex digits for a wording, the same for texts that differ in nothing that matters."""
    plain = " ".join(unicodedata.normalize("NFKC", text).casefold().split()).rstrip(_AT_THE_END)
    return hashlib.sha256(plain.encode("utf-8", "surrogatepass")).hexdigest()[:12]


def joined_editions(*known: Iterable[Edition]) -> tuple[Edition, ...]:
    """All of them, oldest first; of too many the newest. A union, so order and repetition change nothing."""
    return tuple(sorted({each for editions in known for each in editions})[-MOST_EDITIONS:])


def worded_at(editions: Iterable[Edition], sent_at: datetime) -> datetime:
    """Since when a message reads as it does now: the begin of the last stretch of editions with one wording.

    Args:
        editions: Of an edited message, oldest first; none of one that never was.
        sent_at: When it was sent.
    """
    since, mark = sent_at, None
    for edition in editions:
        if edition.mark != mark:
            since, mark = edition.at, edition.mark
    return since


def read_the_same_at(editions: Iterable[Edition], at: datetime) -> bool:
    """Return whether a message read at some time as it reads now, for sure.

    What it read before its first known edition nobody knows, nor which of the words of one second were seen: then no.
    """
    known = list(editions)
    if not known:
        return True
    before = [edition.mark for edition in known if edition.at < at][-1:]
    within = [edition.mark for edition in known if edition.at == at]
    return bool(before) and {*before, *within} == {known[-1].mark}
