"""Queries as the SDK takes them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from google.cloud import firestore
from google.cloud.firestore_v1.base_query import FieldFilter

from infra.firestore.codec import encode, field_path
from shared.application.ports.store import Filter, Order

_MAX_ALTERNATIVES = 30


def query_where(client: firestore.AsyncClient, collection: str, where: Sequence[Filter]) -> Any:
    """Return the query of a collection's documents that fit.

    Raises:
        ValueError: Not the path of a collection, or too many alternatives.
    """
    parts = collection.split("/")
    if len(parts) % 2 == 0 or not all(parts):
        raise ValueError(f"Not the path of a collection: {collection!r}")
    query = client.collection(*parts)._query()
    for each in where:
        if each.op == "in" and len(each.value) > _MAX_ALTERNATIVES:
            raise ValueError(f"`in` takes at most {_MAX_ALTERNATIVES} values, not {len(each.value)}")
        value = encode(each.value, each.field)
        query = query.where(filter=FieldFilter(field_path(each.field), each.op, value))
    return query


def matches_nothing(where: Sequence[Filter]) -> bool:
    """Return whether a filter allows nothing, which Firestore refuses to be asked."""
    return any(each.op == "in" and not each.value for each in where)


def direction(order: Order) -> str:
    """Return the SDK's name of an order's direction."""
    return "DESCENDING" if order.descending else "ASCENDING"
