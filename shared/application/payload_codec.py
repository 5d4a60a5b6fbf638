"""The codec of the payloads of tasks: small JSON objects, whose fields are checked as they are read.

What a task is given as a whole is a NamedTuple; instants are text in its payload, tuples are lists.
"""

from collections.abc import Mapping
from datetime import UTC, datetime
from types import NoneType, UnionType
from typing import Any, Literal, NamedTuple, TypeVar, Union, cast, get_args, get_origin, get_type_hints

from shared.domain.errors import BadPayload

_Given = TypeVar("_Given", bound=NamedTuple)
_Field = TypeVar("_Field")


def read_payload(kind: type[_Given], payload: Mapping[str, Any]) -> _Given:
    """Return what a task was given; fields of others stand beside it.

    Raises:
        BadPayload: A field is missing, or not of its kind.
    """
    hints = get_type_hints(kind)
    named = {name: payload.get(name) for name in hints if name in payload or name not in kind._field_defaults}
    try:
        given = kind._field_defaults | {name: _check(hints[name], value) for name, value in named.items()}
        return kind._make(given[name] for name in kind._fields)
    except (TypeError, ValueError) as error:
        raise BadPayload(f"the task needs {', '.join(hints)}: {error}") from error


def payload_of(given: NamedTuple) -> dict[str, Any]:
    """Return the payload that `read_payload` reads."""
    dated = {name: each.isoformat() if isinstance(each, datetime) else each for name, each in given._asdict().items()}
    return {name: list(each) if isinstance(each, tuple) else each for name, each in dated.items()}


def field_in(payload: Mapping[str, Any], name: str, kind: type[_Field]) -> _Field | None:
    """Return one field of a payload, None where it is without it.

    Raises:
        BadPayload: It is not of its kind.
    """
    try:
        return cast("_Field", _check(kind, payload[name])) if name in payload else None
    except (TypeError, ValueError) as error:
        raise BadPayload(f"{name} is wrong: {error}") from error


def number_in(payload: Mapping[str, Any], name: str) -> int:
    """Return a whole number that a payload must have.

    Raises:
        BadPayload: It is missing, or another thing.
    """
    number = field_in(payload, name, int)
    if number is None:
        raise BadPayload(f"the task needs {name}, a whole number")
    return number


def chat_in(payload: Mapping[str, Any]) -> int | None:
    """Return the chat that a payload names, whatever else is wrong with it; None for none."""
    chat_id = payload.get("chat_id")
    return chat_id if type(chat_id) is int else None


def _check(hint: Any, value: Any) -> Any:
    kinds = get_args(hint) if get_origin(hint) in (Union, UnionType) else (hint,)
    kind, inner = kinds[0], get_args(kinds[0])
    if value is None and NoneType in kinds:
        return None
    if kind is datetime:
        instant = datetime.fromisoformat(value)
        if instant.tzinfo is None:
            raise ValueError("an instant has no offset")
        return instant.astimezone(UTC)
    if get_origin(kind) is tuple and isinstance(value, list | tuple):
        return tuple(_check(inner[0], each) for each in value)
    if (value not in inner) if get_origin(kind) is Literal else type(value) is not kind:  # True is no number
        raise TypeError("a value is of another kind")
    return value
