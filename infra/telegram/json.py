"""Typed access to the JSON of the Bot API; what is not as described raises `UnparseableUpdate` with its path."""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import UTC, datetime
from typing import Any, NamedTuple, TypeVar

from shared.domain.errors import UnparseableUpdate

T = TypeVar("T")

_INT64 = range(-(1 << 63), 1 << 63)
_DATES = range(221_845_392_000)  # 1970 to the end of year 8999: whatever is kept for years still ends in the calendar
_LONE_SURROGATE = re.compile("[\ud800-\udfff]")


class Node(NamedTuple):
    """One JSON object and the path that led to it. An explicit null counts as absent."""

    fields: dict[str, Any]
    path: str

    def _optional(self, key: str, kind: type[T]) -> T | None:
        value = self.fields.get(key)
        if value is None:
            return None
        if type(value) is not kind:  # not isinstance: True is no Integer
            raise UnparseableUpdate(f"{self.path}.{key} is not of type {kind.__name__}")
        return value

    def _present(self, key: str, value: T | None) -> T:
        if value is None:
            raise UnparseableUpdate(f"{self.path}.{key} is missing")
        return value

    def find(self, key: str) -> Node | None:
        value = self._optional(key, dict)
        return None if value is None else Node(value, f"{self.path}.{key}")

    def child(self, key: str) -> Node:
        return self._present(key, self.find(key))

    def children(self, key: str) -> Iterator[Node]:
        for index, item in enumerate(self._optional(key, list) or ()):
            path = f"{self.path}.{key}[{index}]"
            if type(item) is not dict:
                raise UnparseableUpdate(f"{path} is not of type dict")
            yield Node(item, path)

    def table(self, key: str) -> Iterator[Node]:
        """The objects of a list of lists, row by row."""
        for index, row in enumerate(self._optional(key, list) or ()):
            yield from Node({"row": row}, f"{self.path}.{key}[{index}]").children("row")

    def find_integer(self, key: str, allowed: range = _INT64) -> int | None:
        value = self._optional(key, int)
        if value is not None and value not in allowed:
            raise UnparseableUpdate(f"{self.path}.{key} is out of range")
        return value

    def integer(self, key: str) -> int:
        return self._present(key, self.find_integer(key))

    def find_date(self, key: str) -> datetime | None:
        seconds = self.find_integer(key, _DATES)
        return None if seconds is None else datetime.fromtimestamp(seconds, UTC)

    def date(self, key: str) -> datetime:
        return self._present(key, self.find_date(key))

    def find_text(self, key: str) -> str | None:
        """One U+FFFD for each lone surrogate: no store takes them, and the entities' offsets stay right."""
        value = self._optional(key, str)
        return None if value is None else _LONE_SURROGATE.sub("\ufffd", value)

    def text(self, key: str) -> str:
        return self._present(key, self.find_text(key))

    def flag(self, key: str) -> bool:
        return bool(self._optional(key, bool))

    def has(self, key: str) -> bool:
        return self.fields.get(key) is not None
