"""Writes as the SDK takes them, and what it says against them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager

from google.cloud import firestore
from google.cloud.firestore_v1.field_path import FieldPath

from infra.firestore.codec import encode, encode_change
from shared.application.ports.store import (
    Create,
    Delete,
    Increment,
    Set,
    Upsert,
    Write,
)
from shared.domain.errors import UnstorableDocument


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
