"""Writes as the SDK takes them."""

from __future__ import annotations

from google.cloud import firestore
from google.cloud.firestore_v1.field_path import FieldPath

from infra.firestore.codec import encode, encode_change
from shared.application.ports.store import Create, Delete, Set, Upsert, Write


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
