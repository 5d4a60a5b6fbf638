"""Typed access to a script's JSON objects; whatever is wrong is said in one sentence that names file and line."""

from __future__ import annotations

import difflib
import json
import re
from collections.abc import Collection, Mapping
from datetime import UTC, datetime
from typing import Any

_LATEST = datetime(9000, 1, 1, tzinfo=UTC)
_LONE_SURROGATE = re.compile("[\ud800-\udfff]")


class ScriptError(Exception):
    """The file cannot be replayed; the message says where and why."""


class ScriptFields:
    """One JSON object.

    Args:
        where: The file and line, for errors.
    """

    def __init__(self, fields: object, where: str) -> None:
        if not isinstance(fields, dict):
            raise ScriptError(f"{where}: not a JSON object.")
        self._fields: Mapping[str, Any] = fields
        self.where = where

    def error(self, reason: str) -> ScriptError:
        """Return an error that says where it is wrong."""
        return ScriptError(f"{self.where}: {reason}.")

    def refuse_unknown(self, known: Collection[str], what: str) -> None:
        """Refuse keys that mean nothing in `what`.

        Raises:
            ScriptError: There is one.
        """
        for key in self._fields:
            if key not in known:
                close = difflib.get_close_matches(key, known, 1)
                meant = f'did you mean "{close[0]}"?' if close else f"known are {', '.join(sorted(known))}."
                raise ScriptError(f'{self.where}: "{key[:40]}" means nothing in {what}; {meant}')

    def has(self, key: str) -> bool:
        """Return whether there is a value; an explicit null is none."""
        return self._fields.get(key) is not None

    def value(self, key: str) -> Any:
        return self._fields.get(key)

    def find(self, key: str) -> ScriptFields | None:
        """Return an object inside this one."""
        value = self._read_kind(key, dict, "an object")
        return None if value is None else ScriptFields(value, f"{self.where}: {key}")

    def text(self, key: str) -> str | None:
        value = self._read_kind(key, str, "text")
        return None if value is None else _LONE_SURROGATE.sub("\ufffd", value)

    def flag(self, key: str) -> bool:
        return bool(self._read_kind(key, bool, "true or false"))

    def integer(self, key: str) -> int | None:
        value: int | None = self._read_kind(key, int, "a whole number")
        if value is not None and abs(value) >= 1 << 52:
            raise self.error(f'"{key}" is too large')
        return value

    def positive(self, key: str) -> int | None:
        value = self.integer(key)
        if value is not None and value < 1:
            raise self.error(f'"{key}" must be 1 or more, not {value}')
        return value

    def one_of(self, key: str, known: Collection[str]) -> str | None:
        value = self.text(key)
        if value is not None and value not in known:
            raise self.error(f'"{key}" is one of {", ".join(known)}, not "{value[:40]}"')
        return value

    def date(self, key: str) -> datetime | None:
        """Return an instant; one without an offset is UTC's."""
        given = self.text(key)
        if given is None:
            return None
        try:
            date = datetime.fromisoformat(given)
        except ValueError as error:
            raise self.error(f'"{key}" {given[:40]!r} is not like 2026-03-06T18:20:00+00:00') from error
        try:
            date = date.astimezone(UTC) if date.tzinfo else date.replace(tzinfo=UTC)
        except OverflowError:
            date = _LATEST
        if not datetime(1970, 1, 1, tzinfo=UTC) <= date < _LATEST:
            raise self.error(f'"{key}" lies outside the years 1970 to 8999')
        return date

    def _read_kind(self, key: str, kind: type, expected: str) -> Any:
        value = self._fields.get(key)
        if value is not None and type(value) is not kind:  # not isinstance: true is no whole number
            raise self.error(f'"{key}" must be {expected}, not {json.dumps(value)[:40]}')
        return value
