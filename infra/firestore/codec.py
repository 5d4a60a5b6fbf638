"""Documents as the Firestore SDK takes and gives them."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import Any

from google.cloud import firestore
from google.cloud.firestore_v1.field_path import FieldPath
from google.cloud.firestore_v1.vector import Vector as FirestoreVector

from infra.rest.documents import check_value
from shared.application.ports.store import DELETE_FIELD, ArrayUnion, Document, Increment, Vector


def field_path(name: str) -> str:
    """A field or dotted path, its odd characters quoted."""
    return str(FieldPath(*name.split(".")).to_api_repr())


def cursor_value(after: Document, field: str) -> Any:
    """Return what a cursor holds for one field of the order.

    Raises:
        ValueError: The document lacks the field.
    """
    value: Any = after.data
    for part in field.split("."):
        if not isinstance(value, Mapping) or part not in value:
            raise ValueError(f"The cursor {after.path!r} lacks the field {field!r} of the order")
        value = value[part]
    return encode(value, field)


def encode_change(change: Any, field: str) -> Any:
    """A value of `update` or `upsert`: a transform, or what `encode` takes."""
    match change:
        case Increment(by=by):
            return firestore.Increment(by)
        case ArrayUnion(values=values):
            return _Union(encode(list(values), field))
    return firestore.DELETE_FIELD if change is DELETE_FIELD else encode(change, field)


class _Union(firestore.ArrayUnion):
    """Takes no values too, as the server does: an absent list becomes an empty one. The SDK refuses that."""

    def __init__(self, values: list[Any]) -> None:
        self._values = values


def encode(value: Any, field: str) -> Any:
    """A value for the SDK; `field` names it in errors.

    Raises:
        ValueError: No document can hold it.
    """
    return check_value(value, field, FirestoreVector)


def document_of(row: Any) -> Document:
    """The document of an SDK snapshot that exists."""
    # Its public `to_dict` would copy everything once more, which takes longer than all the rest of reading it.
    return Document(row.reference.path, _decode(row._data))


def _decode(value: Any) -> Any:
    match value:
        case datetime():
            # The SDK's subclass carries nanoseconds; documents are plain data.
            return datetime.combine(value.date(), value.timetz())
        case FirestoreVector():
            return Vector(value)
        case dict():
            return {key: _decode(item) for key, item in value.items()}
        case list():
            return [_decode(element) for element in value]
    return value
