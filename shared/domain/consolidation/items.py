"""One thing that a group is doing, owes, talks about or prefers, with the words that show it (law 1)."""

import hashlib
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date, datetime
from enum import StrEnum
from typing import NamedTuple

from shared.domain.text.language import Language, fold
from shared.domain.text.plain import one_line

MOST_TEXT = 200
"""Characters of a generated item's line: a sentence, not a message."""

MOST_QUOTES = 3
"""Quotes kept with an item: the one that its line is worded by, and the newest."""

MOST_NAME = 40
"""Characters kept of the name of whoever began it."""


class Section(StrEnum):
    """The parts of CONTEXT.md, in their order. `NOTES` has no heading of its own: lines that only people write."""

    ONGOING = "ongoing"
    PENDING = "pending"
    TOPICS = "topics"
    PREFERENCES = "preferences"
    NOTES = "notes"


class Quote(NamedTuple):
    """Verbatim words of a stored message by its author."""

    message_id: int
    user_id: int
    text: str
    sent_at: datetime


@dataclass(frozen=True, slots=True)
class Item:
    """One line of CONTEXT.md.

    Attributes:
        text: One visible line, at most `MOST_TEXT` characters; of a hand-written item the line as people wrote it
            (without the "- " in the four sections), however long.
        quotes: What shows it, oldest first, at most `MOST_QUOTES`; none of a line that people wrote themselves.
        mentioned_at: The last mention, aware; of a closed item when it was closed, of a hand-written one when written.
        started_by: Whose words began it, or None.
        starter: What they were called then, "" when nobody knows.
        due: The day by which it is to be done or on which it takes place.
        by_hand: People wrote or changed the line: it is never pruned, merged over or rewritten.
        language: Of the line's own words ("until", "asked by").
        name: What it goes by, when it was first worded otherwise; "" for its text.
    """

    section: Section
    text: str
    quotes: tuple[Quote, ...]
    mentioned_at: datetime
    started_by: int | None = None
    starter: str = ""
    due: date | None = None
    by_hand: bool = False
    language: Language = "uk"
    name: str = ""

    @property
    def id(self) -> str:
        """Identifies it however it is worded later: 16 hex digits of a hash of its section and what it goes by."""
        said = f"{self.section}\x1f{self.name or fold(self.text)}"
        return hashlib.sha256(said.encode("utf-8", "surrogatepass")).hexdigest()[:16]


def in_order(items: Iterable[Item]) -> list[Item]:
    """Items as they stand in the document: hand-written ones first, as they come, then those last mentioned first."""
    return sorted(items, key=lambda i: (False, 0.0, "") if i.by_hand else (True, -i.mentioned_at.timestamp(), i.id))


@dataclass(frozen=True, slots=True)
class Suggestion:
    """An item that somebody proposes, not verified yet.

    Attributes:
        quotes: (message id, words of that message).
        due: The day it is due, if the proposer says so.
        same_as: Id of a known item that it continues, or None.
    """

    section: Section
    text: str
    quotes: tuple[tuple[int, str], ...]
    due: date | None = None
    same_as: str | None = None


def owner_of(text: str) -> tuple[str, str]:
    """Return who owes what a line says, "" when it does not tell, and what ("Тарас: забронювати квитки")."""
    owner, colon, task = text.partition(": ")
    return (owner, task) if colon else ("", text)


def line_text(text: str) -> str:
    """Any text as the text of a generated item: one visible line without a bullet, at most `MOST_TEXT` long."""
    return one_line(one_line(text, MOST_TEXT * 4).lstrip("-*•·–—#> "), MOST_TEXT)
