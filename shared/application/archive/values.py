"""The values of documents as JSON, and back again without loss.

What JSON has no word for is an object with one key: an instant `{"$t": "<ISO, UTC, microseconds>"}`, bytes
`{"$b": "<base64>"}`, a vector `{"$v": "<base64 of little-endian float64>"}`. A key of a document that begins with "$"
has another "$" before it. Integers and floats are told apart as JSON writes them (1 and 1.0).

Both ways are strict: what no store can hold is neither written nor read, so an import fails before its first write.
"""

from __future__ import annotations

import base64
import json
import math
from array import array
from collections.abc import Mapping
from datetime import UTC, datetime
from functools import lru_cache
from sys import byteorder
from typing import Any, NoReturn

from shared.application.ports.store import Vector

MAX_DIMENSIONS = 2048
"""Components of a vector (Firestore's limit)."""

_MAX_DEPTH = 20
_MAX_KEY_BYTES = 1_500
_INT64 = range(-(1 << 63), 1 << 63)
_SWAPPED = byteorder == "big"


def dump(value: Any) -> str:
    """Canonical JSON: no spaces, keys in order, no line break."""
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"), sort_keys=True, allow_nan=False)


def load(text: str) -> Any:
    """JSON as written by `dump`, typed values still packed.

    Raises:
        ValueError: It is no JSON, or holds a key twice or a number that is not finite.
    """
    try:
        return json.loads(text, object_pairs_hook=_unique, parse_constant=_refuse)
    except RecursionError as error:
        raise ValueError("it is nested too deep") from error


def pack(value: Any, field: str = "", depth: int = 0) -> Any:
    """A value of a document as JSON data.

    Raises:
        ValueError: It holds something that no document can; the message names the field.
    """
    match value:
        case None | str() | int() | float():
            return _check_value(value, field)
        case datetime():
            _require(value.tzinfo is not None, field, "is a datetime without a time zone")
            return {"$t": value.astimezone(UTC).isoformat(timespec="microseconds")}
        case Vector():
            return {"$v": base64.b64encode(_little_endian(array("d", _vector(value, field))).tobytes()).decode("ascii")}
        case bytes():
            return {"$b": base64.b64encode(value).decode("ascii")}
        case Mapping():
            _require(depth < _MAX_DEPTH, field, "is nested too deep")
            return {
                f"${key}" if _check_key(key, field)[0] == "$" else key: pack(item, _field_path(field, key), depth + 1)
                for key, item in value.items()
            }
        case list():
            _require(depth < _MAX_DEPTH, field, "is nested too deep")
            _require(not any(type(each) in {list, Vector} for each in value), field, "holds a list in a list")
            return [pack(each, f"{field}[{index}]", depth + 1) for index, each in enumerate(value)]
        case _:
            return _require(False, field, f"holds a {type(value).__name__}, for which exports have no form")


def unpack(value: Any, field: str = "", depth: int = 0) -> Any:
    """Return the value that `pack` made this of.

    Raises:
        ValueError: It is not what `pack` makes; the message names the field and, of an unknown type, the type.
    """
    match value:
        case None | str() | int() | float():
            return _check_value(value, field)
        case list():
            _require(depth < _MAX_DEPTH, field, "is nested too deep")
            found = [unpack(each, f"{field}[{index}]", depth + 1) for index, each in enumerate(value)]
            _require(not any(type(each) in {list, Vector} for each in found), field, "holds a list in a list")
            return found
        case dict():
            _require(depth < _MAX_DEPTH, field, "is nested too deep")
            marks = [key for key in value if key.startswith("$") and not key.startswith("$$")]
            if marks:
                _require(len(value) == 1, field, f"has the type {marks[0]} beside other keys")
                return _decode_typed(marks[0], value[marks[0]], field)
            return {
                _check_key(key.removeprefix("$"), field): unpack(item, _field_path(field, key), depth + 1)
                for key, item in value.items()
            }
        case _:  # the JSON parser makes no other
            return _require(False, field, f"holds a {type(value).__name__}")


def _decode_typed(mark: str, text: Any, field: str) -> Any:
    _require(mark in ("$t", "$b", "$v"), field, f"is of the unknown type {mark}")
    _require(isinstance(text, str), field, f"holds no text under {mark}")
    try:
        if mark == "$t":
            return _instant(text)
        raw = base64.b64decode(text, validate=True)
        return raw if mark == "$b" else _vector(Vector(_little_endian(array("d", raw))), field)
    except ValueError as error:
        raise ValueError(f"{_name_of_field(field)} is no {mark}: {error}") from error


def _instant(text: str) -> datetime:
    instant = datetime.fromisoformat(text)
    if instant.tzinfo is None or instant.astimezone(UTC).isoformat(timespec="microseconds") != text:
        raise ValueError("not an instant in UTC with microseconds")
    return instant


def _little_endian(numbers: array[float]) -> array[float]:
    if _SWAPPED:
        numbers.byteswap()
    return numbers


def _vector(vector: Vector, field: str) -> Vector:
    _require(len(vector) <= MAX_DIMENSIONS, field, f"has more than {MAX_DIMENSIONS} dimensions")
    _require(all(map(math.isfinite, vector)), field, "holds a number that is not finite")
    return vector


def _check_value(value: str | float | None, field: str) -> str | float | None:
    match value:
        case str():
            _require(_is_unicode(value), field, "holds a lone surrogate, which is not Unicode text")
        case int():
            _require(value in _INT64, field, "does not fit 64 bits")
        case float():
            _require(math.isfinite(value), field, "is not a finite number")
    return value


def _check_key(key: Any, field: str) -> str:
    complaint = _complaint(key) if isinstance(key, str) else "has a key that is not a string"
    if complaint:
        raise ValueError(f"{_name_of_field(field)} {complaint}")
    return str(key)


@lru_cache(maxsize=4096)  # documents of a kind have the same keys, and these checks were a third of an import
def _complaint(key: str) -> str:
    """Return what is wrong with a key, or nothing."""
    if not key:
        return "has a key that is empty"
    if not _is_unicode(key):
        return "has a key with a lone surrogate, which is not Unicode text"
    if len(key.encode()) > _MAX_KEY_BYTES:
        return f"has a key of more than {_MAX_KEY_BYTES} bytes"
    reserved = len(key) > 3 and key.startswith("__") and key.endswith("__")
    return f"has the reserved key {key}" if reserved else ""


def _is_unicode(text: str) -> bool:
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True


def _unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):
        raise ValueError("a key is there twice")
    return found


def _refuse(constant: str) -> NoReturn:
    raise ValueError(f"{constant} is not a finite number")


def _field_path(field: str, key: str) -> str:
    return f"{field}.{key}" if field else str(key)


def _name_of_field(field: str) -> str:
    return repr(field[:200]) if field else "the document"


def _require(condition: bool, field: str, complaint: str) -> None:
    if not condition:
        raise ValueError(f"{_name_of_field(field)} {complaint}")
