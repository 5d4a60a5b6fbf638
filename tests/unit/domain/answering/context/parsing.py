"""Reads back what the two formats of talk write."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from datetime import UTC, date, datetime
from typing import Any, NamedTuple

from shared.domain.answering.context.compact import END
from shared.domain.conversation.media import mark
from shared.domain.conversation.messages import Message


class Body(NamedTuple):
    """What was said, the mark of what it carries besides words, and whether these are another's."""

    text: str
    mark: str = ""
    forwarded: bool = False


class Moment(NamedTuple):
    """When the lines below were said: `clock` is "18:20", `day` None where it is still the same."""

    clock: str
    day: date | None = None


class Said(NamedTuple):
    """One message: by whom, to whom, and its id where it may be cited."""

    speaker: str
    body: Body
    to: str | None = None
    message_id: int | None = None


_MINUTE, _PREFIX = "%Y-%m-%dT%H:%MZ", "[meta] "
_FIELDS = (
    *("chat_id", "thread_id", "message_id", "user_id", "name", "username", "time"),
    *("reply_to_message_id", "reply_to_user_id", "reply_to_name", "reply_excerpt"),
)
_NEEDED = {"chat_id", "message_id", "name", "time"}
_ESCAPE = re.compile(r"\\(u[0-9a-f]{4}|U[0-9a-f]{8}|.)", re.DOTALL)
_STRING = r'"(?:[^"\\]|\\.)*"'
_MARK = re.compile(rf"(\[[a-z_]+(?: {_STRING})?(?:: {_STRING})?\])(?: |\Z)")
_FIELD = re.compile(r'([a-z_]+)=("(?:[^"\\]|\\.)*"|\S+)(?: |\Z)')
_MOMENT = re.compile(r"\[(?:(\d{4}-\d\d-\d\d) )?(\d\d:\d\d)\]")
_SAID = re.compile(r"(?:#(-?\d+) )?([^:#→\[\]<>\\\n]+(?:#\d+)?)(?: → ([^:#→\[\]<>\\\n]+(?:#\d+)?))?: (.*)")


def body_of(message: Message) -> Body:
    """What a message says: its words, and what else it carries; the kind where it has neither."""
    carries = mark(message) or ("" if message.text else f"[{message.kind}]")
    return Body(message.text, carries, message.forwarded)


def parse_talk(written: str) -> list[Moment | Said]:
    """The lines of a compact talk, with or without the end marker.

    Raises:
        ValueError: A line is none of this format.
    """
    lines = written.split("\n") if written else []
    return [_parse_line(line) for line in (lines[:-1] if lines[-1:] == [END] else lines)]


def _parse_line(line: str) -> Moment | Said:
    if moment := _MOMENT.fullmatch(line):
        return Moment(moment[2], date.fromisoformat(moment[1]) if moment[1] else None)
    said = _SAID.fullmatch(line)
    if said is None:
        raise ValueError(f"no line of a compact talk: {line[:60]!r}")
    return Said(said[2], parse_body(said[4]), said[3], int(said[1]) if said[1] else None)


def parse_meta(part: str) -> Mapping[str, Any]:
    """The fields of a meta part.

    Raises:
        ValueError: It is no meta part.
    """
    if not part.startswith(_PREFIX):
        raise ValueError("a meta part begins with [meta]")
    found = list(_FIELD.finditer(part, len(_PREFIX)))
    names = [match[1] for match in found]
    if "".join(match[0] for match in found) != part[len(_PREFIX) :] or not _NEEDED.issubset(names):
        raise ValueError("no meta part")
    if names != [name for name in _FIELDS if name in names]:
        raise ValueError("the fields of a meta part stand in another order")
    return {match[1]: _read(match[1], match[2]) for match in found}


def _read(name: str, value: str) -> int | str | datetime:
    if value.startswith('"'):
        text: str = json.loads(value)
        return text
    return datetime.strptime(value, _MINUTE).replace(tzinfo=UTC) if name == "time" else int(value)


def parse_body(written: str) -> Body:
    """Inverse of `format_body`."""
    body = written.removeprefix("[forwarded]").removeprefix(" ") if written.startswith("[forwarded]") else written
    match = _MARK.match(body)
    text = unescape_line(body[match.end() :] if match else body)
    return Body(text, match[1] if match else "", body is not written)


def unescape_line(text: str) -> str:
    """Undo `escape_line`."""
    return _ESCAPE.sub(lambda match: _read_escaped(match.group(1)), text)


def _read_escaped(code: str) -> str:
    if code == "n":
        return "\n"
    return chr(int(code[1:], 16)) if len(code) > 1 else code
