"""Values of documents: taken in once, checked, and copied for each reader."""

from __future__ import annotations

import math
from collections.abc import Mapping
from datetime import UTC, datetime
from functools import lru_cache
from typing import Any

from infra.sqlite.codec import decode, encode
from shared.application.ports.store import Vector

_OPEN = frozenset({dict, list})
"""Types whose values somebody could change."""

_ALWAYS = frozenset({type(None), bool, bytes})
"""Types of which a document can hold every value."""

_INT64 = range(-(1 << 63), 1 << 63)


class _Unusual(Exception):
    """A value that only the codec can judge."""


def take_in(data: Mapping[str, Any]) -> dict[str, Any]:
    """Return the fields as a document keeps them.

    Raises:
        ValueError: No document can hold them; the message says which and why.
    """
    try:
        return {
            _key(key): each
            if (kind := type(each)) in _ALWAYS or (kind is str and each.isascii())  # most fields of most documents
            else _taken(each)
            for key, each in data.items()
        }
    except _Unusual:
        return decode(encode(data, ""))


def take_in_value(value: Any) -> Any:
    """Return one value as a document keeps it.

    Raises:
        ValueError: None can hold it; the message says why.
    """
    try:
        return _taken(value)
    except _Unusual:
        return decode(encode({"value": value}, ""))["value"]


def _taken(value: Any) -> Any:
    kind = type(value)
    if kind is str:
        return value if value.isascii() or _is_text(value) else _refuse()
    if kind in _ALWAYS:
        return value
    if kind is int:
        return value if value in _INT64 else _refuse()
    if kind is float:
        return value if math.isfinite(value) else _refuse()
    if kind is datetime:
        return value if value.tzinfo is UTC else _refuse()
    if kind is dict:
        return {_key(key): _taken(each) for key, each in value.items()}
    if kind is list or kind is tuple:
        taken = [_taken(each) for each in value]
        return _refuse() if any(type(each) in (list, Vector) for each in taken) else taken
    return _refuse()


@lru_cache(maxsize=10_000, typed=True)
def _key(key: Any) -> str:
    return key if type(key) is str and key and not key.startswith("__") and _is_text(key) else _refuse()


def _is_text(text: str) -> bool:
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True


def _refuse() -> Any:
    raise _Unusual


def copied(value: Any) -> Any:
    """Return a copy that its owner may change."""
    if type(value) is dict:
        copy = value.copy()
        for key, each in value.items():
            if type(each) in _OPEN:
                copy[key] = copied(each)
        return copy
    if type(value) is list:
        return [copied(each) if type(each) in _OPEN else each for each in value]
    return value
