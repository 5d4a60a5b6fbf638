"""What the model wrote about the board, read tolerantly: form is forgiven, and nothing of it is believed yet.

Every entry that cannot be used is refused with a reason, so that somebody sees when a model writes nonsense.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from datetime import date
from typing import Any, NamedTuple

from shared.domain.consolidation.items import Item, Section, Suggestion
from shared.domain.reading.summaries.wording import clean_line
from shared.domain.text.dates import meant_iso_day
from shared.domain.text.loose_json import read_loosely

MAX_RAW = 200_000
"""Characters of an answer that are read; a longer one is a runaway model."""

MOST_ITEMS = 40
"""Entries taken of one answer: more than any board has place for."""

MOST_QUOTES = 3

_TEXT_CHARS, _QUOTE_CHARS, _SHOWN = 400, 1_000, 80
_MAX_DEPTH = 4
_NEAR: Mapping[str, Section] = {
    **{str(section): section for section in Section if section is not Section.NOTES},
    **dict.fromkeys(("project", "projects", "plan", "plans", "goal", "goals"), Section.ONGOING),
    **dict.fromkeys(("followup", "followups", "follow_ups", "todo", "task", "tasks", "reminder"), Section.PENDING),
    **dict.fromkeys(("topic", "recent", "recent_topics", "recent topics"), Section.TOPICS),
    **dict.fromkeys(("preference", "rule", "rules"), Section.PREFERENCES),
}


class Rejection(NamedTuple):
    """Something that did not get onto the board: what it says (shortened), and why in one word."""

    text: str
    reason: str


class Answered(NamedTuple):
    """What could be read of an answer about the board."""

    suggestions: tuple[Suggestion, ...] = ()
    refused: tuple[Rejection, ...] = ()


class Settling(NamedTuple):
    """An item that the model takes for settled, and the words that are to show it."""

    item: Item
    message_id: int
    quote: str


class SettledReply(NamedTuple):
    """What could be read of an answer about settled items."""

    entries: tuple[Settling, ...] = ()
    refused: tuple[Rejection, ...] = ()


def read_suggestions(raw: str, board: Sequence[Item], *, instructions: str = "") -> Answered:
    """Read what the model suggests; never raises.

    Args:
        board: The items that it was shown, in the order of their numbers from 1.
        instructions: The prompt's own text: what repeats it is no suggestion.
    """
    suggestions: list[Suggestion] = []
    refused: list[Rejection] = []
    for entry in _entries(raw, "text"):
        read = _suggestion(entry, board, instructions) if isinstance(entry, Mapping) else entry
        if isinstance(read, Suggestion):
            suggestions.append(read)
        else:
            refused.append(read)
    return Answered(tuple(suggestions), tuple(refused))


def read_settled(raw: str, board: Sequence[Item]) -> SettledReply:
    """Read which items the model takes for settled; never raises."""
    entries: list[Settling] = []
    refused: list[Rejection] = []
    for entry in _entries(raw, "item"):
        read = _settling(entry, board) if isinstance(entry, Mapping) else entry
        if isinstance(read, Settling):
            entries.append(read)
        else:
            refused.append(read)
    return SettledReply(tuple(entries), tuple(refused))


def _entries(raw: str, key: str) -> Iterator[Mapping[str, Any] | Rejection]:
    """Objects with this key in order, wrappers opened, and what could not be read or is too much."""
    read = read_loosely(raw[:MAX_RAW])
    if not read.values:
        yield Rejection(_shorten_value(raw), "malformed")
        return
    for count, entry in enumerate(_objects(read.values, key)):
        yield entry if count < MOST_ITEMS else Rejection(_shorten_value(entry.get(key)), "too_many")


def _objects(value: Any, key: str, depth: int = 0) -> Iterator[Mapping[str, Any]]:
    if isinstance(value, Mapping) and key in value:
        yield value
    elif depth < _MAX_DEPTH and isinstance(value, Mapping | list | tuple):
        for inner in value.values() if isinstance(value, Mapping) else value:
            yield from _objects(inner, key, depth + 1)


def _suggestion(entry: Mapping[str, Any], board: Sequence[Item], instructions: str) -> Suggestion | Rejection:
    written = entry["text"]
    text = clean_line(written, instructions=instructions, most_chars=_TEXT_CHARS) if isinstance(written, str) else ""
    section, quotes = _section(entry.get("section")), _quotes(entry)
    if not text:
        return Rejection(
            _shorten_value(written), "instructs" if isinstance(written, str) and written.strip() else "malformed"
        )
    if section is None:
        return Rejection(_shorten_value(text), "wrong_section")
    if not quotes:
        return Rejection(_shorten_value(text), "no_quote")
    known = _item_of_number(entry.get("same_as"), board)
    return Suggestion(section, text, quotes, _day(entry.get("due")), known.id if known is not None else None)


def _settling(entry: Mapping[str, Any], board: Sequence[Item]) -> Settling | Rejection:
    item, message_id, quote = (
        _item_of_number(entry["item"], board),
        _integer(entry.get("message_id")),
        entry.get("quote"),
    )
    if item is None:
        return Rejection(_shorten_value(entry["item"]), "unknown_item")
    if message_id is None or not isinstance(quote, str) or not quote.strip():
        return Rejection(_shorten_value(item.text), "no_quote")
    return Settling(item, message_id, quote[:_QUOTE_CHARS])


def _quotes(entry: Mapping[str, Any]) -> tuple[tuple[int, str], ...]:
    """The quotes that are of their form, in a list or standing in the item itself."""
    given = entry.get("quotes")
    found = [quote for quote in given if isinstance(quote, Mapping)] if isinstance(given, list) else [entry]
    typed = ((_integer(quote.get("message_id")), quote.get("quote")) for quote in found)
    whole = [(at, text[:_QUOTE_CHARS]) for at, text in typed if at is not None and isinstance(text, str)]
    return tuple((at, text) for at, text in whole if text.strip())[:MOST_QUOTES]


def _section(value: Any) -> Section | None:
    return _NEAR.get(value.strip().casefold()) if isinstance(value, str) else None


def _item_of_number(value: Any, board: Sequence[Item]) -> Item | None:
    number = _integer(value)
    return board[number - 1] if number is not None and 0 < number <= len(board) else None


def _integer(value: Any) -> int | None:
    """A whole number, also one in quotes or after "#"."""
    if isinstance(value, bool):
        return None
    if isinstance(value, str) and value.strip().removeprefix("#").removeprefix("-").isdecimal():
        return int(value.strip().removeprefix("#")[:19])
    return value if isinstance(value, int) else None


def _day(value: Any) -> date | None:
    return meant_iso_day(value) if isinstance(value, str) else None


def _shorten_value(value: Any) -> str:
    return str(value)[:_SHOWN]
