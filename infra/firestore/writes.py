"""Writes as the SDK takes them."""

from __future__ import annotations

from typing import cast

from google.cloud import firestore
from google.cloud.firestore_v1._helpers import decode_value
from google.cloud.firestore_v1.field_path import FieldPath
from google.cloud.firestore_v1.types import WriteResult

from infra.firestore.codec import encode, encode_change
from shared.application.ports.store import ArrayUnion, Create, Delete, Increment, Set, Sums, Upsert, Write


def add_write(write: Write, reference: firestore.AsyncDocumentReference, batch: firestore.AsyncWriteBatch) -> None:
    """Add a write to a batch of the SDK, encoded."""
    match write:
        case Create(_, data):
            batch.create(reference, encode(data, ""))
        case Set(_, data):
            batch.set(reference, encode(data, ""))
        case Upsert(_, changes):
            encoded = {field: encode_change(change, field) for field, change in changes.items()}
            # Naming the fields replaces them whole; `True` would merge into maps.
            batch.set(reference, encoded, merge=[FieldPath(field) for field in changes] or True)
        case Delete():
            batch.delete(reference)


def sums_of(write: Write, result: WriteResult) -> Sums:
    """Return what the increments of a write came to: the server tells it of each transform, which the SDK sends by
    name."""
    changes = write.changes if isinstance(write, Upsert) else {}
    names = sorted(field for field, change in changes.items() if isinstance(change, Increment | ArrayUnion))
    told = {field: decode_value(value, None) for field, value in zip(names, result.transform_results, strict=True)}
    return {field: cast("int | float", told[field]) for field in names if isinstance(changes[field], Increment)}
