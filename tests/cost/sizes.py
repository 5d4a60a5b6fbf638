"""What Firestore stores for a document: its own bytes, and those of the index entries made by themselves.

After Firestore's documentation, "Storage size calculations"; a document's own bytes are counted by `ports.limits`. A
single field's entries are one ascending and one descending, a list's one for each element.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from shared.application.ports import limits
from shared.application.ports.limits import name_bytes, text_bytes, value_bytes
from shared.application.ports.store import Document, Vector
from tests.support.google.indexes import Declared

_ENTRY = 32
_MOST_INDEXED = 1_500
"""Bytes of a value that an index entry holds."""


def document_bytes(document: Document) -> int:
    """The document without its index entries."""
    return limits.document_bytes(document.path, document.data)


def index_bytes(document: Document, indexes: Declared) -> dict[str, int]:
    """Bytes of index entries by field; fields of a map are under the map's name. Composite ones are under ""."""
    parent = document.path.rsplit("/", 2)[0] if document.path.count("/") > 1 else ""
    fixed = name_bytes(document.path) + (name_bytes(parent) if parent else 0) + _ENTRY
    group = document.path.split("/")[-2]
    found: dict[str, int] = {}
    for field, entries, size in _entries(document.data, ""):
        top = field.split(".")[0]
        if (group, top) not in indexes.exempt and (group, field) not in indexes.exempt:
            found[top] = found.get(top, 0) + entries * (fixed + text_bytes(field) + min(size, _MOST_INDEXED))
    for index in indexes.composite:
        names = [name for name, _ in (*index.equal, *index.order)]
        if index.group == group and all(name in document.data for name in names):
            values = sum(min(value_bytes(document.data[name]), _MOST_INDEXED) for name in names)
            found[""] = found.get("", 0) + fixed + values
    return found


def _entries(data: Mapping[str, Any], above: str) -> Iterator[tuple[str, int, int]]:
    """(field, how many entries of this size, size of the value)."""
    for key, value in data.items():
        field = f"{above}{key}"
        match value:
            case Vector():
                continue  # is in vector indexes only
            case Mapping():
                yield from _entries(value, f"{field}.")
            case list() | tuple():
                for element in value:
                    yield field, 1, value_bytes(element)
            case _:
                yield field, 2, value_bytes(value)
