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
from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Any

from shared.application.ports.store import Vector

MAX_BYTES = 1 << 20
MAX_DIMENSIONS = 2048
_INT64 = range(-(1 << 63), 1 << 63)

# SQLite compares the raw text of keys, so a stored key must never need a JSON escape.
_UNSAFE_IN_KEY = re.compile(r'[\x00-\x1f"\\%$]')
_ESCAPED_IN_KEY = re.compile(r"%([0-9a-f]{2})")


def encode_document(data: Mapping[str, Any]) -> str:
    """The stored text of a whole document.

    Raises:
        ValueError: A field holds what a document cannot hold, or the document is over 1 MiB.
    """
    text = encode(data, "")
    if len(text.encode()) > MAX_BYTES:
        raise ValueError("The document is over 1 MiB")
    return text


def encode(value: Any, field: str) -> str:
    """Canonical JSON text of one value; `field` names it in errors (ValueError)."""
    return json.dumps(_pack(value, field), ensure_ascii=False, separators=(",", ":"), sort_keys=True)


def decode(text: str) -> Any:
    """The value that `encode` was given."""
    return _unpack(json.loads(text))


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


def _pack(value: Any, field: str) -> Any:
    match value:
        case None | bool():
            return value
        case str():
            return _pack_text(value, field)
        case int():
            _require(value in _INT64, field, "does not fit 64 bits")
        case float():
            _require(math.isfinite(value), field, "is not a finite number")
        case datetime():
            _require(value.tzinfo is not None, field, "is a datetime without a time zone")
            return {"$t": value.astimezone(UTC).isoformat(timespec="microseconds")}
        case Vector():
            return {"$v": _pack_vector(value, field)}
        case bytes():
            return {"$b": base64.b64encode(value).decode("ascii")}
        case Mapping():
            return {_pack_key(key, field): _pack(item, _below(field, key)) for key, item in value.items()}
        case _:
            return _pack_list(value, field)
    return value


def _pack_text(text: str, field: str) -> str:
    check_text(text, field)
    # SQLite's JSON functions end a text at NUL; this escape has none and keeps the order.
    return text.replace("\x01", "\x01\x02").replace("\x00", "\x01\x01")


def _pack_key(key: Any, field: str) -> str:
    _require(isinstance(key, str) and key != "", field, "has a key that is empty or not a string")
    _require(not (len(key) > 3 and key.startswith("__") and key.endswith("__")), _below(field, key), "is reserved")
    check_text(key, _below(field, key))
    return escape_key(key)


def _pack_vector(vector: Vector, field: str) -> str:
    _require(len(vector) <= MAX_DIMENSIONS, field, f"has more than {MAX_DIMENSIONS} dimensions")
    _require(all(map(math.isfinite, vector)), field, "holds a number that is not finite")
    return base64.b64encode(array("d", vector).tobytes()).decode("ascii")


def _pack_list(value: Any, field: str) -> list[Any]:
    # By exact type: the transforms of the port are tuples too, and have no place inside a value.
    _require(type(value) in {list, tuple}, field, f"holds a {type(value).__name__}, which no document can")
    nested = any(type(element) in {list, tuple, Vector} for element in value)
    _require(not nested, field, "has a list or a vector directly inside a list")
    return [_pack(element, f"{field}[{index}]") for index, element in enumerate(value)]


def _below(field: str, key: str) -> str:
    return f"{field}.{key}" if field else key


def _require(condition: bool, field: str, complaint: str) -> None:
    if not condition:
        raise ValueError(f"{field or 'The document'!r} {complaint}")


def _unpack(value: Any) -> Any:
    match value:
        case str():
            return value.replace("\x01\x01", "\x00").replace("\x01\x02", "\x01") if "\x01" in value else value
        case list():
            return [_unpack(element) for element in value]
        case {"$t": text}:
            return datetime.fromisoformat(text)
        case {"$v": text}:
            return Vector(unpack_vector(text))
        case {"$b": text}:
            return base64.b64decode(text)
        case dict():
            return {_unescape_key(key): _unpack(item) for key, item in value.items()}
    return value


def _unescape_key(key: str) -> str:
    return _ESCAPED_IN_KEY.sub(lambda match: chr(int(match[1], 16)), key)
