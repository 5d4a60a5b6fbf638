"""Which indexes Firestore needs for a query, and whether `firestore.indexes.json` declares them.

The emulator serves every query, production refuses one that no index serves. The rules (Firestore's documentation,
"Index types" and "Index merging"): every field has indexes of its own unless it is exempt; equality on any number of
fields, `in` and `array_contains` among them, is served by merging those. What has an order beside an equality, or two
orders, needs composite indexes that end in exactly that order, and equality is merged from as many as are needed. A
range orders by its field. An index is read in one direction.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from functools import cache, cached_property
from pathlib import Path
from typing import Any, NamedTuple

from shared.application.ports.store import Document, Filter, Order

FILE = Path(__file__).resolve().parents[3] / "firestore.indexes.json"
_RANGES = frozenset({"<", "<=", ">", ">="})
_CONTAINS = "CONTAINS"


class UndeclaredQuery(AssertionError):
    """Firestore would refuse this query."""


class Shape(NamedTuple):
    """A query without its values.

    Attributes:
        group: Id of the collection, wherever it lies.
        equal: (field, "" or "CONTAINS") that are filtered for a value or a choice of values.
        order: (field, "ASCENDING" or "DESCENDING") of the rest, ranges included; ties by id need nothing.
    """

    group: str
    equal: frozenset[tuple[str, str]]
    order: tuple[tuple[str, str], ...] = ()


def shape_of(collection: str, where: Sequence[Filter], order_by: Sequence[Order] = ()) -> Shape:
    """The shape of a query of the DocumentStore port.

    An order by a field that equals one value orders nothing. Ranges that no order names follow the orders, by name.
    """
    equal = frozenset((f.field, _CONTAINS if f.op == "array_contains" else "") for f in where if f.op not in _RANGES)
    single = {f.field for f in where if f.op == "=="}
    order = [(o.field, "DESCENDING" if o.descending else "ASCENDING") for o in order_by if o.field not in single]
    ranged = {f.field for f in where if f.op in _RANGES} - {field for field, _ in order}
    direction = order[-1][1] if order else "ASCENDING"
    order += [(field, direction) for field in sorted(ranged)]
    return Shape(collection.rsplit("/", 1)[-1], equal, tuple(order))


class Declared(NamedTuple):
    """What `firestore.indexes.json` says: composite indexes by the shape that each serves, and exempt fields."""

    composite: frozenset[Shape]
    exempt: frozenset[tuple[str, str]]

    def serving(self, shape: Shape) -> frozenset[Shape] | None:
        """The composite indexes with which Firestore serves a query: empty where it needs none, None if it cannot."""
        if shape in self.composite:
            return frozenset({shape})
        if self._by_itself(shape):
            return frozenset()
        merged = frozenset(index for index in self.composite if shape.order and _goes_into(index, shape))
        covered = frozenset[tuple[str, str]]().union(*(index.equal for index in merged))
        return merged if merged and covered == shape.equal else None

    def _by_itself(self, shape: Shape) -> bool:
        """Whether the indexes that every field has are enough."""
        fields = [*(field for field, _ in shape.equal), *(field for field, _ in shape.order)]
        alone = not shape.order or (len(shape.order) == 1 and not shape.equal)
        return alone and not any(self._is_exempt(shape.group, field) for field in fields)

    def _is_exempt(self, group: str, field: str) -> bool:
        parts = field.split(".")
        return any((group, ".".join(parts[:n])) in self.exempt for n in range(1, len(parts) + 1))


def _goes_into(index: Shape, shape: Shape) -> bool:
    alike = (index.group, index.order) == (shape.group, shape.order)
    return alike and index.equal <= shape.equal


def declared_in(text: str) -> Declared:
    """The content of `firestore.indexes.json`.

    Raises:
        ValueError: An index is of a collection group, which no query of the port asks for, or a field's override is
            no plain exemption.
    """
    read = json.loads(text)
    for each in read["indexes"]:
        if each["queryScope"] != "COLLECTION":
            raise ValueError(f"Nothing asks a collection group: {each}")
    for each in read["fieldOverrides"]:
        if each["indexes"]:
            raise ValueError(f"Only exemptions are understood here: {each}")
    exempt = ((each["collectionGroup"], each["fieldPath"]) for each in read["fieldOverrides"])
    return Declared(frozenset(map(_composite, read["indexes"])), frozenset(exempt))


def _composite(index: dict[str, Any]) -> Shape:
    """The query that an index is for: its last field gives the order."""
    *first, last = index["fields"]
    return Shape(index["collectionGroup"], _equal(first), ((last["fieldPath"], last["order"]),))


def _equal(fields: Iterable[dict[str, Any]]) -> frozenset[tuple[str, str]]:
    return frozenset((field["fieldPath"], field.get("arrayConfig", "")) for field in fields)


@cache
def declared() -> Declared:
    """What the repository's file says."""
    return declared_in(FILE.read_text("utf-8"))


def require_index(shape: Shape, indexes: Declared | None = None) -> None:
    """Do nothing for a query that Firestore serves.

    Raises:
        UndeclaredQuery: It would refuse it for want of an index.
    """
    if (indexes or declared()).serving(shape) is None:
        raise UndeclaredQuery(f"firestore.indexes.json declares no index that serves {shape}")


class IndexedQueries:
    """Before a store in the order of classes: it refuses what Firestore would refuse for want of an index."""

    @cached_property
    def shapes(self) -> set[Shape]:
        """Of all queries so far."""
        return set()

    async def query(self: Any, collection: str, **options: Any) -> list[Document]:
        self._require(shape_of(collection, options.get("where", ()), options.get("order_by", ())))
        return await super().query(collection, **options)  # type: ignore[misc]

    async def count(self: Any, collection: str, *, where: Sequence[Filter] = ()) -> int:
        self._require(shape_of(collection, where))
        return await super().count(collection, where=where)  # type: ignore[misc]

    def _require(self, shape: Shape) -> None:
        self.shapes.add(shape)
        require_index(shape)
