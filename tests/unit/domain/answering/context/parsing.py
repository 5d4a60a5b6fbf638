"""Reads back what the two formats of talk write."""

from __future__ import annotations

import json
import re
from datetime import UTC, date, datetime
from typing import Any

from shared.domain.answering.context.body import Body
from shared.domain.answering.context.compact import END, Entry, Moment, Said
from shared.domain.answering.context.escaping import unescape_line
from shared.domain.answering.context.meta_parts import _MINUTE, _PREFIX, Meta, format_meta

_STRING = r'"(?:[^"\\]|\\.)*"'
_MARK = re.compile(rf"(\[[a-z_]+(?: {_STRING})?(?:: {_STRING})?\])(?: |\Z)")
_FIELD = re.compile(r'([a-z_]+)=("(?:[^"\\]|\\.)*"|\S+)(?: |\Z)')
_MOMENT = re.compile(r"\[(?:(\d{4}-\d\d-\d\d) )?(\d\d:\d\d)\]")
_SAID = re.compile(r"(?:#(-?\d+) )?([^:#→\[\]<>\\\n]+(?:#\d+)?)(?: → ([^:#→\[\]<>\\\n]+(?:#\d+)?))?: (.*)")


def parse_talk(written: str) -> list[Entry]:
    """Inverse of `format_talk`, with or without the end marker.

    Raises:
        ValueError: A line is none of this format.
    """
    lines = written.split("\n") if written else []
    return [_parse_entry(line) for line in (lines[:-1] if lines[-1:] == [END] else lines)]


def _parse_entry(line: str) -> Entry:
    if moment := _MOMENT.fullmatch(line):
        return Moment(moment[2], date.fromisoformat(moment[1]) if moment[1] else None)
    said = _SAID.fullmatch(line)
    if said is None:
        raise ValueError(f"no line of a compact talk: {line[:60]!r}")
    return Said(said[2], parse_body(said[4]), said[3], int(said[1]) if said[1] else None)


def parse_meta(part: str) -> Meta:
    """Inverse of `format_meta`.

    Raises:
        ValueError: It is no meta part.
    """
    if not part.startswith(_PREFIX):
        raise ValueError("a meta part begins with [meta]")
    fields: dict[str, Any] = {match[1]: _read(match[1], match[2]) for match in _FIELD.finditer(part, len(_PREFIX))}
    try:
        meta = Meta(**fields)
    except TypeError as error:
        raise ValueError(f"no meta part: {error}") from error
    if format_meta(meta) != part:
        raise ValueError("the fields of a meta part stand in another order")
    return meta


def _read(name: str, value: str) -> int | str | datetime:
    if value.startswith('"'):
        text: str = json.loads(value)
        return text
    return datetime.strptime(value, _MINUTE).replace(tzinfo=UTC) if name == "time" else int(value)


def parse_body(written: str) -> Body:
    """Inverse of `format_body`."""
    match = _MARK.match(written)
    return Body(unescape_line(written[match.end() :]), match[1]) if match else Body(unescape_line(written))
