"""Typed access to the JSON of one exported message."""

from __future__ import annotations

import re
from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Any, TypeVar

T = TypeVar("T")

CHANNELS = -1_000_000_000_000
"""The Bot API's ids of channels and supergroups count down from here."""

_PEER = re.compile(r"(user|channel|chat)(\d{1,15})")
_COMMAND = re.compile(r"/[A-Za-z0-9_]+(?:@[A-Za-z0-9_]+)?")
_LONE_SURROGATE = re.compile("[\ud800-\udfff]")
_TIMES = range(221_845_392_000)  # 1970 to about 9000, in seconds: what is later cannot be added to
_MOST_TEXT = 32_768
"""Characters, eight times what Telegram allows: longer is no message."""


class BadRecordError(Exception):
    """One message cannot be read; the message says which field is wrong."""


class ExportFields:
    """Typed access to one JSON object; errors name the field."""

    def __init__(self, fields: Mapping[str, Any]) -> None:
        self._fields = fields

    def label(self) -> int | None:
        """The message's number, where it is one."""
        number = self._fields.get("id")
        return number if type(number) is int else None

    def has(self, key: str) -> bool:
        """Return whether it is there, null counts: Telegram Desktop writes the name of a deleted account so."""
        return key in self._fields

    def text(self, key: str) -> str | None:
        value = self._read_kind(key, str, "text")
        return None if value is None else clean(value)

    def integer(self, key: str) -> int | None:
        value = self._read_kind(key, int, "a whole number")
        if value is not None and abs(value) >= 1 << 40:
            raise BadRecordError(f'"{key}" is too large')
        return value

    def _read_kind(self, key: str, kind: type[T], expected: str) -> T | None:
        value = self._fields.get(key)
        if value is None:
            return None
        if type(value) is not kind:  # not isinstance: true is no whole number
            raise BadRecordError(f'"{key}" must be {expected}')
        return value

    def peer(self, key: str) -> int:
        """A speaker's id as the Bot API gives it. Exports of 2019 and 2020 hold the bare number of the user."""
        value = self._fields.get(key)
        if type(value) is int and 0 < value < 1 << 52:
            return value
        match = _PEER.fullmatch(value) if isinstance(value, str) else None
        if match is None:
            raise BadRecordError(f'"{key}" is not like "user123"')
        number = int(match[2])
        return {"user": number, "channel": CHANNELS - number, "chat": -number}[match[1]]

    def read_text(self) -> str:
        """The text or caption: plain, or a list of plain parts and of objects with a `text`."""
        parts = self._parts()
        texts = [part.get("text") if isinstance(part, dict) else part for part in parts]
        plain = [text for text in texts if isinstance(text, str)]
        if len(plain) != len(texts):
            raise BadRecordError('"text" is neither text nor a list of texts')
        said = clean("".join(plain))
        if len(said) > _MOST_TEXT:
            raise BadRecordError(f'"text" has {len(said)} characters, more than any message')
        return said

    def begins_with_command(self) -> bool:
        """Return whether Telegram marked a bot command at the very start."""
        parts = self._parts()
        first = parts[0] if parts and isinstance(parts[0], dict) else {}
        return first.get("type") == "bot_command" and bool(_COMMAND.fullmatch(first.get("text") or ""))

    def _parts(self) -> list[Any]:
        value = self._fields.get("text")
        return value if isinstance(value, list) else [value if value is not None else ""]

    def instant(self, key: str, *, required: bool = False) -> Any:
        """Read `<key>_unixtime`; older exports have only the exporter's local time, which is taken as UTC.

        None when it is not there and not `required`.
        """
        seconds, written = self._fields.get(f"{key}_unixtime"), self.text(key)
        if seconds is None and written is None:
            if required:
                raise BadRecordError(f'"{key}" is missing')
            return None
        try:
            return _instant(int(str(seconds)) if seconds is not None else _local(written or ""))
        except ValueError as error:
            raise BadRecordError(f'"{key}" is no time between 1970 and 9000') from error


def _local(written: str) -> int:
    date = datetime.fromisoformat(written)
    return int((date if date.tzinfo else date.replace(tzinfo=UTC)).timestamp())


def _instant(seconds: int) -> datetime:
    if seconds not in _TIMES:
        raise ValueError(seconds)
    return datetime.fromtimestamp(seconds, UTC)


def clean(text: str) -> str:
    """No lone surrogates: no store takes them."""
    return _LONE_SURROGATE.sub("\ufffd", text)
