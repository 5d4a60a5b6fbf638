"""Reading what is replayed: JSON lines of messages, or an export of Telegram Desktop.

Whatever is wrong is said in one sentence that names the file and the line (of an export: the message).
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from infra.local.raw_updates import Entry, LocalChat, Person
from infra.telegram_export import ExportError, LeftOut, MessageReader, exported_chat
from shared.domain.messages import Message

LOCAL_CHAT = LocalChat(-1001, "supergroup", "Spomyn")
"""The chat of typed and scripted messages."""

FIRST_USER = 101
"""Members without an id are numbered from here, in order of appearance."""

_PAUSE = timedelta(seconds=20)  # between messages that do not say when they were sent
_LATEST = datetime(9000, 1, 1, tzinfo=UTC)
_LONE_SURROGATE = re.compile("[\ud800-\udfff]")


class ScriptError(Exception):
    """The file cannot be replayed; the message says where and why."""


@dataclass(frozen=True, slots=True)
class Script:
    """A chat and its messages, in the order in which they come."""

    chat: LocalChat
    entries: tuple[Entry, ...]

    @property
    def ids(self) -> frozenset[int]:
        """The ids that messages have of their own."""
        return frozenset(entry.message_id for entry in self.entries if entry.message_id is not None)

    @property
    def admins(self) -> frozenset[int]:
        """Who is marked as an administrator anywhere."""
        return frozenset(entry.person.user_id for entry in self.entries if entry.is_admin)


def read_script(path: Path, *, now: datetime) -> Script:
    """Read a script of either format.

    Args:
        now: When a script begins whose first message does not say when it was sent.

    Raises:
        ScriptError: The file is missing, unreadable or not of either format.
    """
    try:
        text = path.read_text(encoding="utf-8-sig")
    except OSError as error:
        raise ScriptError(f"{path} cannot be read: {error.strerror or error}.") from error
    except UnicodeDecodeError as error:
        raise ScriptError(f"{path} is not UTF-8 text.") from error
    export = _export(text)
    script = _from_lines(path, text, now) if export is None else _from_export(path, export)
    if not script.entries:
        raise ScriptError(f"{path} holds no message.")
    return script


def _export(text: str) -> dict[str, Any] | None:
    """The document of an export; a script of JSON lines is none, whether or not it is well formed."""
    try:
        document = json.loads(text)
    except (ValueError, RecursionError):
        return None
    return document if isinstance(document, dict) and isinstance(document.get("messages"), list) else None


class _Fields:
    """Typed access to one JSON object; errors say where it stands."""

    def __init__(self, fields: object, where: str) -> None:
        if not isinstance(fields, dict):
            raise ScriptError(f"{where}: not a JSON object.")
        self._fields: Mapping[str, Any] = fields
        self.where = where

    def has(self, key: str) -> bool:
        return self._fields.get(key) is not None

    def value(self, key: str) -> Any:
        return self._fields.get(key)

    def text(self, key: str) -> str | None:
        value = self._of(key, str, "text")
        return None if value is None else _LONE_SURROGATE.sub("\ufffd", value)

    def flag(self, key: str) -> bool:
        return bool(self._of(key, bool, "true or false"))

    def integer(self, key: str) -> int | None:
        value: int | None = self._of(key, int, "a whole number")
        if value is not None and abs(value) >= 1 << 52:
            raise ScriptError(f'{self.where}: "{key}" is too large.')
        return value

    def positive(self, key: str) -> int | None:
        value = self.integer(key)
        if value is not None and value < 1:
            raise ScriptError(f'{self.where}: "{key}" must be 1 or more, not {value}.')
        return value

    def _of(self, key: str, kind: type, expected: str) -> Any:
        value = self._fields.get(key)
        if value is not None and type(value) is not kind:  # not isinstance: true is no whole number
            raise ScriptError(f'{self.where}: "{key}" must be {expected}, not {json.dumps(value)[:40]}.')
        return value


# --- JSON lines --------------------------------------------------------------------------------


def _from_lines(path: Path, text: str, now: datetime) -> Script:
    objects = [
        _Fields(_json(line, f"{path}:{number}"), f"{path}:{number}")
        for number, line in enumerate(text.split("\n"), 1)
        if line.strip()
    ]
    _check_ids(objects)
    people, entries = _People(), list[Entry]()
    for fields in objects:
        otherwise = entries[-1].date + _PAUSE if entries else now
        entries.append(_entry(fields, people.person(fields), _date(fields, otherwise)))
    return Script(LOCAL_CHAT, tuple(entries))


def _json(line: str, where: str) -> object:
    try:
        return json.loads(line)
    except (ValueError, RecursionError) as error:
        reason = error.msg if isinstance(error, json.JSONDecodeError) else str(error)
        raise ScriptError(f"{where}: not JSON ({reason}); one message object a line is expected.") from error


def _check_ids(objects: Sequence[_Fields]) -> None:
    given: dict[int, str] = {}
    for fields in objects:
        message_id = fields.positive("message_id")
        if message_id in given:
            raise ScriptError(f'{fields.where}: "message_id" {message_id} stands already in {given[message_id]}.')
        if message_id is not None:
            given[message_id] = fields.where


class _People:
    """Members named without an id have the same one throughout."""

    def __init__(self) -> None:
        self._ids: dict[str, int] = {}

    def person(self, fields: _Fields) -> Person:
        user_id, name = fields.integer("user_id"), (fields.text("name") or "").strip()
        if user_id is None and not name:
            raise ScriptError(f'{fields.where}: neither "user_id" nor "name" says who speaks.')
        if user_id is None:
            user_id = self._ids.setdefault(name, FIRST_USER + len(self._ids))
        username = fields.text("username") or None
        return Person(user_id, name or username or f"user {user_id}", username, fields.flag("is_bot"))


def _entry(fields: _Fields, person: Person, date: datetime) -> Entry:
    text = fields.text("text")
    if text is None:
        raise ScriptError(f'{fields.where}: "text" is missing.')
    return Entry(
        fields.integer("message_id"),
        date,
        person,
        text,
        is_admin=fields.flag("is_admin"),
        reply_to=fields.positive("reply_to"),
        forwarded=fields.flag("forwarded"),
    )


def _date(fields: _Fields, otherwise: datetime) -> datetime:
    given = fields.text("date")
    if given is None:
        return otherwise
    try:
        date = datetime.fromisoformat(given)
    except ValueError as error:
        raise ScriptError(f'{fields.where}: "date" {given[:40]!r} is not like 2026-03-06T18:20:00+00:00.') from error
    return _checked(date.astimezone(UTC) if date.tzinfo else date.replace(tzinfo=UTC), fields)


def _checked(date: datetime, fields: _Fields) -> datetime:
    if not datetime(1970, 1, 1, tzinfo=UTC) <= date < _LATEST:
        raise ScriptError(f'{fields.where}: "date" lies outside the years 1970 to 8999.')
    return date


# --- Telegram Desktop --------------------------------------------------------------------------


def _from_export(path: Path, export: dict[str, Any]) -> Script:
    """Service messages and messages without text are left out; who administrates is not exported."""
    chat = _exported_chat(path, export)
    reader = MessageReader(chat.chat_id)
    entries = (_exported_entry(path, number, reader.read(each)) for number, each in enumerate(export["messages"], 1))
    return Script(chat, tuple(entry for entry in entries if entry is not None))


def _exported_chat(path: Path, export: dict[str, Any]) -> LocalChat:
    try:
        chat_id, kind, title = exported_chat(export)
    except ExportError as error:
        raise ScriptError(f"{path} is {error}.") from error
    if kind == "channel" or chat_id is None:
        raise ScriptError(f"{path} is not the export of a group, or does not tell its id.")
    return LocalChat(chat_id, kind, title or "Spomyn")


def _exported_entry(path: Path, number: int, read: Message | LeftOut) -> Entry | None:
    if isinstance(read, LeftOut):
        if read.failed:
            label = f"number {number}" if read.message_id is None else read.message_id
            raise ScriptError(f"{path}: message {label}: {read.reason}.")
        return None
    if not read.text:
        return None
    person = Person(read.user_id, read.name)
    said = Entry(read.message_id, read.sent_at, person, read.text)
    return replace(said, reply_to=read.reply_to, forwarded=read.forwarded)
