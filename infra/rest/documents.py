"""Checks the values of a document, whichever way it goes to Firestore.

The server checks most of it; here is what it would let through, or refuse without naming the field.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from datetime import datetime
from typing import Any

from shared.application.ports.store import Create, Increment, Upsert, Vector, Write
from shared.domain.errors import UnstorableDocument

MAX_DIMENSIONS = 2048


def check_value(value: Any, field: str, vector: Callable[[Vector], Any]) -> Any:
    """Return a value as it may be stored, its vectors made by `vector`; `field` names it in errors.

    Raises:
        ValueError: No document can hold it.
    """
    match value:
        case str():
            check_text(value, field)
        case float():
            _require(math.isfinite(value), field, "is not a finite number")
        case datetime():
            _require(value.tzinfo is not None, field, "is a datetime without a time zone")
        case Vector():
            _require(len(value) <= MAX_DIMENSIONS, field, f"has more than {MAX_DIMENSIONS} dimensions")
            return vector(value)
        case Mapping():
            return {
                _key(key, field): check_value(item, f"{field}.{key}" if field else key, vector)
                for key, item in value.items()
            }
        case None | bool() | int() | bytes():
            return value
        case _:
            # By exact type: the transforms of the port are tuples too, and have no place inside a value.
            _require(type(value) in {list, tuple}, field, f"holds a {type(value).__name__}, which no document can")
            return [check_value(element, f"{field}[{index}]", vector) for index, element in enumerate(value)]
    return value


def _key(key: Any, field: str) -> str:
    _require(isinstance(key, str) and key != "", field, "has a key that is empty or not a string")
    check_text(key, f"{field}.{key}")
    return str(key)


def check_text(text: str, name: str) -> None:
    """Refuse what UTF-8 cannot hold.

    Raises:
        ValueError: `text` holds a lone surrogate; `name` says where.
    """
    try:
        text.encode()
    except UnicodeEncodeError as error:
        raise ValueError(f"{name!r} holds a lone surrogate, which is not Unicode text") from error


def _require(condition: bool, field: str, complaint: str) -> None:
    if not condition:
        raise ValueError(f"{field or 'The document'!r} {complaint}")


def paths_of(writes: Sequence[Write]) -> tuple[str, ...]:
    """Return where they write."""
    return tuple(write.path for write in writes)


@contextmanager
def refusals(paths: tuple[str, ...]) -> Iterator[None]:
    """Name the documents in what the codec, the SDK (TypeError too) or the server says against them."""
    try:
        yield
    except (ValueError, TypeError) as error:
        raise UnstorableDocument(str(error), paths=paths) from error


def is_repeatable(write: Write) -> bool:
    """Return whether doing it again after a broken connection is the same as doing it once."""
    match write:
        case Create():
            return False
        case Upsert(_, changes):
            return not any(isinstance(change, Increment) for change in changes.values())
    return True
