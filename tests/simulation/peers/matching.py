"""Filters, orders and cursors as Firestore understands them, over plain values."""

from __future__ import annotations

import operator
from collections.abc import Callable, Mapping, Sequence
from datetime import UTC, datetime
from typing import Any, TypeVar

from infra.sqlite.codec import encode
from infra.sqlite.queries import MAX_ALTERNATIVES
from shared.application.ports.store import Document, Filter, Order, Vector
from tests.simulation.peers.values import take_in_value

Match = Callable[[Mapping[str, Any]], bool]
S = TypeVar("S")

_MISSING = object()
_COMPARABLE = (bool, int, float, str, datetime)
_RANKS = {type(None): 0, bool: 1, int: 2, float: 2, datetime: 3, str: 4, bytes: 5, list: 6, Vector: 7}
_LAST_PLAIN = 5
_KINDS = {place: frozenset(kind for kind in _RANKS if _RANKS[kind] == place) for place in _RANKS.values()}
_OPERATORS: dict[str, Callable[[Any, Any], bool]] = {
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
}
_PLAIN_OPERATORS = {"==": operator.eq, **_OPERATORS}


def matcher(where: Filter) -> Match:
    """Return what tells whether a document passes a filter.

    Raises:
        ValueError: The filter's value does not go with its operator.
    """
    field, op, value = where
    parts = _parts(field)
    if value is None and op != "==":
        raise ValueError(f"{op!r} on {field!r} does not take None")
    if op == "in" and len(value) > MAX_ALTERNATIVES:
        raise ValueError(f"`in` takes at most {MAX_ALTERNATIVES} values, not {len(value)}")
    if op in _OPERATORS and not isinstance(value, _COMPARABLE):
        raise ValueError(f"{op!r} on {field!r} does not take a {type(value).__name__}")
    wanted = take_in_value(list(value) if op == "in" else value)
    if len(parts) == 1 and (place := rank(wanted)) <= _LAST_PLAIN and op in _PLAIN_OPERATORS:
        name, kinds, holds = parts[0], _KINDS[place], _PLAIN_OPERATORS[op]
        return lambda data: type(found := data.get(name, _MISSING)) in kinds and bool(holds(found, wanted))
    return lambda data: _passes(_value_at(data, parts), op, wanted)


def _passes(found: Any, op: str, wanted: Any) -> bool:
    if found is _MISSING:
        return False
    match op:
        case "==":
            return same(found, wanted)
        case "in":
            return any(each is not None and same(found, each) for each in wanted)
        case "array_contains":
            return type(found) is list and any(same(each, wanted) for each in found)
    return rank(found) == rank(wanted) and _OPERATORS[op](found, wanted)


def same(one: Any, other: Any) -> bool:
    """Return whether two values are equal in a document, where true is not 1."""
    if rank(one) != rank(other):
        return False
    if isinstance(one, list) and not isinstance(one, Vector):
        return len(one) == len(other) and all(map(same, one, other))
    if isinstance(one, dict):
        return one.keys() == other.keys() and all(same(one[key], other[key]) for key in one)
    return bool(one == other)


def rank(value: Any) -> int:
    """Return the place of a value's type in Firestore's order of types."""
    return _RANKS.get(type(value), 8)


def sort_key(value: Any) -> tuple[Any, ...]:
    """Return what puts values into Firestore's order."""
    place = rank(value)
    if place in {0, 6, 7, 8}:
        return (place, "" if value is None else encode(value, ""))
    return (place, value.astimezone(UTC) if isinstance(value, datetime) else value)


def ordered(documents: list[tuple[str, S]], order_by: Sequence[Order], after: Document | None) -> list[tuple[str, S]]:
    """Return documents (by id) in order, those without a field of the order left out, and only what follows `after`.

    Raises:
        ValueError: `after` lacks a field of the order.
    """
    if not order_by and after is None:
        return sorted(documents, key=operator.itemgetter(0))
    orders = [(_parts(order.field), order.descending) for order in order_by]
    descending_ids = bool(order_by) and order_by[-1].descending
    rows = [
        (name, stored, values)
        for name, stored in documents
        for values in [[_value_at(stored.data, parts) for parts, _ in orders]]  # type: ignore[attr-defined]
        if not any(value is _MISSING for value in values)
    ]
    rows.sort(key=lambda row: row[0], reverse=descending_ids)
    for index in range(len(orders) - 1, -1, -1):
        rows.sort(key=lambda row: sort_key(row[2][index]), reverse=orders[index][1])
    if after is not None:
        cursor = [_cursor(after, order.field, parts) for order, (parts, _) in zip(order_by, orders, strict=True)]
        rows = [row for row in rows if _is_beyond(row[0], row[2], after.id, cursor, orders, descending_ids)]
    return [(name, stored) for name, stored, _ in rows]


def _is_beyond(
    name: str, values: list[Any], after_name: str, cursor: list[Any], orders: list[Any], descending_ids: bool
) -> bool:
    for value, at, (_, descending) in zip(values, cursor, orders, strict=True):
        one, other = sort_key(value), sort_key(at)
        if one != other:
            return one < other if descending else one > other
    return name < after_name if descending_ids else name > after_name


def _cursor(after: Document, field: str, parts: list[str]) -> Any:
    value = _value_at(after.data, parts)
    if value is _MISSING:
        raise ValueError(f"The cursor {after.path!r} lacks the field {field!r} of the order")
    return value


def _parts(field: str) -> list[str]:
    parts = field.split(".")
    if not all(parts):
        raise ValueError(f"Not a field: {field!r}")
    return parts


def _value_at(data: Any, parts: list[str]) -> Any:
    for part in parts:
        if not isinstance(data, dict) or part not in data:
            return _MISSING
        data = data[part]
    return data
