"""Documents as JSON text that SQLite can filter and sort, and back again without loss.

Invariant: `decode(encode(x)) == x`, and two values of one type compare in SQL as they compare in Firestore.
Datetimes become `{"$t": "<ISO, UTC, microseconds>"}` (fixed width, so text order is time order), vectors
`{"$v": "<base64 of float64>"}`, bytes `{"$b": "<base64>"}`. A "$" in a key of the document itself is escaped.
"""

from __future__ import annotations

import base64
import json
import math
import re
from array import array
from collections.abc import Callable, Mapping
from datetime import UTC, datetime
from functools import lru_cache
from typing import Any

from shared.application.ports.store import Vector

MAX_DIMENSIONS = 2048
_INT64 = range(-(1 << 63), 1 << 63)

# SQLite compares the raw text of keys, so a stored key must never need a JSON escape.
_UNSAFE_IN_KEY = re.compile(r'[\x00-\x1f"\\%$]')
_ESCAPED_IN_KEY = re.compile(r"%([0-9a-f]{2})")


def encode(value: Any, field: str) -> str:
    """Canonical JSON text of one value; `field` names it in errors (ValueError)."""
    try:
        packed = _pack(value)
    except _UnfitValue as error:
        where = (error.nested_in(field) if field else error).path
        raise ValueError(f"{where or 'The document'!r} {error.complaint}") from error
    return _ENCODER.encode(packed)


def decode(text: str) -> Any:
    """The value that `encode` was given."""
    value = (_UNESCAPING if "%" in text else _DECODER).decode(text)
    return _with_nul(value) if "\\u0001" in text else value


def unpack_vector(text: str) -> array[float]:
    """The numbers behind a `$v`."""
    return array("d", base64.b64decode(text))


def escape_key(key: str) -> str:
    """A key as stored: safe inside the quotes of a SQLite JSON path."""
    return _UNSAFE_IN_KEY.sub(lambda match: f"%{ord(match[0]):02x}", key)


def check_text(text: str, name: str) -> None:
    """Refuse what UTF-8 cannot hold.

    Raises:
        ValueError: `text` holds a lone surrogate; `name` says where.
    """
    try:
        text.encode()
    except UnicodeEncodeError as error:
        raise ValueError(f"{name!r} holds a lone surrogate, which is not Unicode text") from error


class _UnfitValue(Exception):
    """A value that no document can hold; where it stands is added on the way up, so that what fits pays nothing."""

    def __init__(self, complaint: str, *, path: str = "") -> None:
        super().__init__(complaint)
        self.complaint, self.path = complaint, path

    def nested_in(self, step: str) -> _UnfitValue:
        """Return the complaint as seen from the value around it."""
        dot = "." if self.path and not self.path.startswith("[") else ""
        return _UnfitValue(self.complaint, path=f"{step}{dot}{self.path}")


def _pack(value: Any) -> Any:
    match value:
        case None | bool():
            return value
        case str():
            return _pack_text(value)
        case int():
            _require(value in _INT64, "does not fit 64 bits")
        case float():
            _require(math.isfinite(value), "is not a finite number")
        case datetime():
            _require(value.tzinfo is not None, "is a datetime without a time zone")
            return {"$t": value.astimezone(UTC).isoformat(timespec="microseconds")}
        case Vector():
            return {"$v": _pack_vector(value)}
        case bytes():
            return {"$b": base64.b64encode(value).decode("ascii")}
        case list():
            return _pack_list(value)
        case dict() | Mapping():  # a dict is told at once, an abstract class asks around
            return dict(_pack_field(key, item) for key, item in value.items())
        case _:
            return _pack_list(value)
    return value


def _pack_field(key: Any, value: Any) -> tuple[str, Any]:
    _require(isinstance(key, str) and key != "", "has a key that is empty or not a string")
    try:
        return _pack_key(key), _pack(value)
    except _UnfitValue as error:
        raise error.nested_in(key) from None


def _pack_text(text: str) -> str:
    _check_encodable(text)
    # SQLite's JSON functions end a text at NUL; this escape has none and keeps the order.
    return text.replace("\x01", "\x01\x02").replace("\x00", "\x01\x01")


@lru_cache(maxsize=4096)
def _pack_key(key: str) -> str:
    _require(not (len(key) > 3 and key.startswith("__") and key.endswith("__")), "is reserved")
    _check_encodable(key)
    return escape_key(key)


def _check_encodable(text: str) -> None:
    try:
        text.encode()
    except UnicodeEncodeError as error:
        raise _UnfitValue("holds a lone surrogate, which is not Unicode text") from error


def _pack_vector(vector: Vector) -> str:
    _require(len(vector) <= MAX_DIMENSIONS, f"has more than {MAX_DIMENSIONS} dimensions")
    _require(all(map(math.isfinite, vector)), "holds a number that is not finite")
    return base64.b64encode(array("d", vector).tobytes()).decode("ascii")


def _pack_list(value: Any) -> list[Any]:
    # By exact type: the transforms of the port are tuples too, and have no place inside a value.
    _require(type(value) in {list, tuple}, f"holds a {type(value).__name__}, which no document can")
    nested = any(type(element) in {list, tuple, Vector} for element in value)
    _require(not nested, "has a list or a vector directly inside a list")
    return [_pack_element(index, element) for index, element in enumerate(value)]


def _pack_element(index: int, element: Any) -> Any:
    try:
        return _pack(element)
    except _UnfitValue as error:
        raise error.nested_in(f"[{index}]") from None


def _require(condition: bool, complaint: str) -> None:
    if not condition:
        raise _UnfitValue(complaint)


def _decode_typed(fields: dict[str, Any]) -> Any:
    """A map as it was, or the value that stands behind its only key."""
    if len(fields) != 1:
        return fields
    ((key, text),) = fields.items()
    read = _TYPED.get(key)
    return fields if read is None else read(text)


def _with_keys(fields: dict[str, Any]) -> Any:
    value = _decode_typed(fields)
    return {_unescape_key(key): item for key, item in fields.items()} if value is fields else value


def _with_nul(value: Any) -> Any:
    match value:
        case str():
            return value.replace("\x01\x01", "\x00").replace("\x01\x02", "\x01") if "\x01" in value else value
        case list():
            return [_with_nul(element) for element in value]
        case dict():
            return {key: _with_nul(item) for key, item in value.items()}
    return value


@lru_cache(maxsize=4096)
def _unescape_key(key: str) -> str:
    return _ESCAPED_IN_KEY.sub(lambda match: chr(int(match[1], 16)), key)


_TYPED: Mapping[str, Callable[[str], Any]] = {
    "$t": datetime.fromisoformat,
    "$v": lambda text: Vector(unpack_vector(text)),
    "$b": base64.b64decode,
}

# Made once: `json.dumps` and `json.loads` make them for each call that asks for more than their defaults.
_ENCODER = json.JSONEncoder(ensure_ascii=False, separators=(",", ":"), sort_keys=True)
_DECODER = json.JSONDecoder(object_hook=_decode_typed)
_UNESCAPING = json.JSONDecoder(object_hook=_with_keys)
