"""Applies the changes of `update` and `upsert` to a document, as Firestore does it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from shared.application.ports.store import DELETE_FIELD, ArrayUnion, Increment, Sums

_INT64_MIN, _INT64_MAX = -(1 << 63), (1 << 63) - 1


def apply_changes(data: Mapping[str, Any], changes: Mapping[str, Any]) -> dict[str, Any]:
    """The document after replacing, incrementing, extending or removing its top-level fields."""
    changed = dict(data)
    for field, change in changes.items():
        if change is DELETE_FIELD:
            changed.pop(field, None)
        else:
            changed[field] = _apply_change(changed.get(field), change)
    return changed


def sums_of(changes: Mapping[str, Any], changed: Mapping[str, Any]) -> Sums:
    """Return what the increments among some changes came to."""
    return {field: changed[field] for field, change in changes.items() if isinstance(change, Increment)}


def _apply_change(old: Any, change: Any) -> Any:
    match change:
        case Increment(by=by):
            return _increment(old, by)
        case ArrayUnion(values=values):
            return _unite(old if isinstance(old, list) else [], values)
    return change


def _increment(old: Any, by: float) -> int | float:
    if not _is_number(old):
        return by
    total = old + by
    return min(max(total, _INT64_MIN), _INT64_MAX) if isinstance(total, int) else total


def _unite(old: list[Any], values: tuple[Any, ...]) -> list[Any]:
    united = list(old)
    for value in values:
        if not any(_same(value, other) for other in united):
            united.append(value)
    return united


def _same(one: Any, other: Any) -> bool:
    # In Python True == 1; in a document they are two values.
    return one == other and isinstance(one, bool) == isinstance(other, bool)


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)
