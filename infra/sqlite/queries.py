"""Filters, orders and cursors of the DocumentStore port as SQL over the JSON text.

A field's value is `json_extract(data, path)`, its type `json_type(data, path)`. Parameters go through
`json_extract(?, '$')` so that both sides are read by the same parser and equal numbers stay equal.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any, NamedTuple

from infra.sqlite.codec import check_text, encode, escape_key
from shared.application.ports.store import (
    Document,
    Filter,
    Order,
)

MAX_ALTERNATIVES = 30
"""Most values of one `in` (Firestore's limit)."""

_PARAMETER = "json_extract(?, '$')"
_COMPARABLE = (bool, int, float, str, datetime)


class Condition(NamedTuple):
    """A piece of SQL and what fills its question marks."""

    sql: str
    parameters: tuple[Any, ...] = ()


class Column(NamedTuple):
    """SQL expressions of one field, found at `path` (a quoted literal)."""

    path: str

    @property
    def value(self) -> str:
        """The value; maps, lists, datetimes and vectors as their JSON text."""
        return f"json_extract(data, {self.path})"

    @property
    def type(self) -> str:
        """Return the SQL for the field's JSON type; it gives NULL when the document lacks the field."""
        return f"json_type(data, {self.path})"

    @property
    def instant_type(self) -> str:
        """'text' when the field holds a datetime."""
        return f"""json_type(data, {self.path} || '."$t"')"""


def column(field: str) -> Column:
    """Expressions for a field or a dotted path into a map.

    Raises:
        ValueError: A part of the path is empty.
    """
    parts = field.split(".")
    if not all(parts):
        raise ValueError(f"Not a field: {field!r}")
    # A literal, not a parameter: SQLite uses an expression index only for the very same text.
    path = "$" + "".join(f'."{escape_key(part)}"' for part in parts)
    return Column("'" + path.replace("'", "''") + "'")


def indexes_for(where: Sequence[Filter], order_by: Sequence[Order]) -> set[tuple[str, ...]]:
    """The fields of the indexes that a query is fast with: one of each field, or one of equal and ordering fields.

    Where a field must be equal and another gives the order, either field's own index would be walked to its end.
    """
    # Dotted paths may hold ids, which would make an index each.
    equal = [each.field for each in where if each.op == "==" and "." not in each.field]
    order = [each.field for each in order_by if "." not in each.field]
    if equal and order:
        return {tuple(dict.fromkeys([*equal, *order]))}
    fields = [*(each.field for each in where), *(each.field for each in order_by)]
    return {(field,) for field in fields if "." not in field}


def index_of(fields: Sequence[str]) -> str:
    """The statement that makes equality on fields, and a range or order on the last, fast inside each collection."""
    columns = [column(field) for field in fields]
    name = "documents_by_" + "_".join(field.encode().hex() for field in fields)
    values, present = ", ".join(of.value for of in columns), " AND ".join(f"{of.type} IS NOT NULL" for of in columns)
    return f"CREATE INDEX IF NOT EXISTS {name} ON documents (parent, {values}, id) WHERE {present}"


def filter_conditions(where: Sequence[Filter]) -> list[Condition]:
    """One condition a filter.

    Raises:
        ValueError: The filter's value does not go with its operator.
    """
    return [_condition(each) for each in where]


def present(order_by: Sequence[Order]) -> list[Condition]:
    """Leaves out the documents that lack a field of the order."""
    return [Condition(f"{column(order.field).type} IS NOT NULL") for order in order_by]


def order_clause(order_by: Sequence[Order]) -> str:
    """The ORDER BY clause, ties by id in the direction of the last order."""
    keys = [f"{column(order.field).value}{_direction(order)}" for order in order_by]
    return "ORDER BY " + ", ".join([*keys, "id" + (_direction(order_by[-1]) if order_by else "")])


def sort_after(after: Document, order_by: Sequence[Order]) -> Condition:
    """Return what sorts after a document: later in the first key, or equal there and later in the next, and so on.

    Raises:
        ValueError: `after` lacks a field of the order.
    """
    keys = [(column(order.field).value, _cursor(after, order.field), order.descending) for order in order_by]
    condition = Condition(f"id {'<' if order_by and order_by[-1].descending else '>'} ?", (after.id,))
    for value, at, descending in reversed(keys):
        later, equal = _compare_later(value, at, descending=descending), _equal(value, at)
        condition = Condition(
            f"({later.sql} OR ({equal.sql} AND {condition.sql}))",
            (*later.parameters, *equal.parameters, *condition.parameters),
        )
    return condition


def _condition(where: Filter) -> Condition:
    of = column(where.field)
    if where.value is None and where.op != "==":
        raise ValueError(f"{where.op!r} on {where.field!r} does not take None")
    match where.op:
        case "==":
            return _equals(of.value, of.type, where.value, where.field)
        case "in":
            return _match_any(of, where)
        case "array_contains":
            element = _equals("element.value", "element.type", where.value, where.field)
            anywhere = f"EXISTS (SELECT 1 FROM json_each(data, {of.path}) element WHERE {element.sql})"  # noqa: S608 literals
            return Condition(f"({of.type} = 'array' AND {anywhere})", element.parameters)
        case "<" | "<=" | ">" | ">=":
            return _range(of, where)
    raise ValueError(f"Not an operator: {where.op!r}")


def _equals(value: str, kind: str, wanted: Any, field: str) -> Condition:
    if wanted is None:
        return Condition(f"({value} IS NULL AND {kind} = 'null')")  # the first is what an index finds
    return Condition(f"({value} = {_PARAMETER} AND {kind} IN {_types(wanted)})", (encode(wanted, field),))


def _match_any(of: Column, where: Filter) -> Condition:
    if len(where.value) > MAX_ALTERNATIVES:
        raise ValueError(f"`in` takes at most {MAX_ALTERNATIVES} values, not {len(where.value)}")
    choices = [_equals(of.value, of.type, value, where.field) for value in where.value if value is not None]
    parameters = tuple(parameter for choice in choices for parameter in choice.parameters)
    return Condition(f"({' OR '.join(choice.sql for choice in choices) or '0'})", parameters)


def _range(of: Column, where: Filter) -> Condition:
    if not isinstance(where.value, _COMPARABLE):
        raise ValueError(  # noqa: TRY004 the filter is what is wrong
            f"{where.op!r} on {where.field!r} does not take a {type(where.value).__name__}"
        )
    same_type = f"{of.type} IN {_types(where.value)}"
    if isinstance(where.value, datetime):
        same_type = f"{of.instant_type} = 'text'"
    return Condition(f"({of.value} {where.op} {_PARAMETER} AND {same_type})", (encode(where.value, where.field),))


def _types(value: Any) -> str:
    match value:
        case bool():
            return "('true', 'false')"
        case int() | float():
            return "('integer', 'real')"
        case str():
            return "('text')"
        case datetime() | Mapping():
            return "('object')"
    return "('object', 'array')"


def _cursor(after: Document, field: str) -> str | None:
    value: Any = after.data
    for part in field.split("."):
        if not isinstance(value, Mapping) or part not in value:
            raise ValueError(f"The cursor {after.path!r} lacks the field {field!r} of the order")
        value = value[part]
    return None if value is None else encode(value, field)


def _compare_later(value: str, at: str | None, *, descending: bool) -> Condition:
    # NULL sorts first and compares as unknown: spell out its side.
    if at is None:
        return Condition("0" if descending else f"{value} IS NOT NULL")
    if descending:
        return Condition(f"({value} < {_PARAMETER} OR {value} IS NULL)", (at,))
    return Condition(f"{value} > {_PARAMETER}", (at,))


def _equal(value: str, at: str | None) -> Condition:
    return Condition(f"{value} IS NULL") if at is None else Condition(f"{value} = {_PARAMETER}", (at,))


def _direction(order: Order) -> str:
    return " DESC" if order.descending else ""


def statement(columns: str, collection: str, conditions: Sequence[Condition], tail: str = "") -> tuple[str, list[Any]]:
    every = [Condition("parent = ?", (check_collection(collection),)), *conditions]
    clause = " AND ".join(condition.sql for condition in every)
    values = [value for condition in every for value in condition.parameters]
    return f"SELECT {columns} FROM documents WHERE {clause} {tail}", values  # noqa: S608 values are bound


def split_path(path: str) -> tuple[str, str]:
    check_text(path, path)
    parts = path.split("/")
    if len(parts) % 2 or not all(parts):
        raise ValueError(f"Not the path of a document: {path!r}")
    return "/".join(parts[:-1]), parts[-1]


def check_collection(path: str) -> str:
    try:
        return split_path(f"{path}/any")[0]
    except ValueError as error:
        raise ValueError(f"Not the path of a collection: {path!r}") from error
