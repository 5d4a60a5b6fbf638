"""Codecs of frozen classes, derived from their fields: a field of the class is one of the document.

Members of enums are kept as their values, days as text, tuples as lists, sets as sorted ones, classes within a class as
maps, by `of_stored` and `stored_fields` of those that have these. What a class's fields are is looked up when its first
document is read or written: a module that only names its codec pays nothing for it.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping
from datetime import date, datetime
from enum import Enum
from functools import cached_property
from types import MappingProxyType, UnionType
from typing import Any, Generic, NamedTuple, TypeVar, Union, get_args, get_origin, get_type_hints

from shared.application.ports.store import Document
from shared.domain.conversation.messages import SCHEMA

Kept = TypeVar("Kept")
_Convert = Callable[[Any], Any] | None


class KeptField(NamedTuple):
    """One field of a class: its name there and in documents, whether it has a default and may be None, and how it is
    read and written; None: as it is."""

    name: str
    stored: str
    has_default: bool
    may_be_none: bool
    read: _Convert
    write: _Convert

    def convert(self, value: Any) -> Any:
        """Return a value as it stands in documents."""
        return value if self.write is None or value is None else self.write(value)


class DerivedCodec(Generic[Kept]):
    """Reads and writes what documents hold of one class, a dataclass or a NamedTuple.

    Args:
        kept: The class.
        names: What fields are called in documents, where they have another name there.
        sparse: Fields that a document is without when they are empty.
        apart: Fields that are none of the document's: whoever reads one gives them, or they have their defaults.
        needed: Fields that a document must have although the class has defaults for them.
        parts: Codecs of classes within this one that are not derived from their fields alone.
    """

    def __init__(
        self,
        kept: type[Kept],
        *,
        names: Mapping[str, str] = MappingProxyType({}),
        sparse: Collection[str] = (),
        apart: Collection[str] = (),
        needed: Collection[str] = (),
        parts: Collection[DerivedCodec[Any]] = (),
    ) -> None:
        self.kept, self._names, self._sparse = kept, names, frozenset(sparse)
        self._apart, self._needed = apart, needed
        self._parts = {part.kept: part for part in parts}

    def read(self, data: Mapping[str, Any], **given: Any) -> Kept:
        """Return what a document holds. A field that it lacks, or has as None where that cannot be, has its default.

        Args:
            given: Fields that are known from elsewhere.

        Raises:
            KeyError: A field without a default is missing.
        """
        for name, stored, has_default, may_be_none, read, _ in self._fields:
            if name in given:
                continue
            if stored not in data:
                if not has_default:
                    raise KeyError(stored)
            elif (value := data[stored]) is not None:
                given[name] = value if read is None else read(value)
            elif may_be_none or not has_default:
                given[name] = None if read is None or may_be_none else read(None)
        return self.kept(**given)

    def of(self, document: Document | None, **given: Any) -> Kept:
        """Return what a document holds; where there is none, all fields have their defaults."""
        return self.read({} if document is None else document.data, **given)

    def document(self, thing: Kept) -> dict[str, Any]:
        """Return a whole document."""
        return {"schema": SCHEMA, **self.fields(thing)}

    def fields(self, thing: Kept) -> dict[str, Any]:
        """Return the fields of a document; inverse of `read`."""
        written = {}
        for field in self._fields:
            value = getattr(thing, field.name)
            is_none = value is None if field.may_be_none and type(value) is int else not value  # a user's id may be 0
            if field.name not in self._sparse or not is_none:
                written[field.stored] = field.convert(value)
        return written

    def changes(self, **changed: Any) -> dict[str, Any]:
        """Return the fields of a document by which these of the class change, and no others.

        Raises:
            KeyError: The class has no such field in its documents.
        """
        known = {field.name: field for field in self._fields}
        return {known[name].stored: known[name].convert(value) for name, value in changed.items()}

    @cached_property
    def _fields(self) -> tuple[KeptField, ...]:
        hints = {name: hint for name, hint in get_type_hints(self.kept).items() if name not in self._apart}
        defaults = _defaults(self.kept) - set(self._needed)
        return tuple(self._field(name, hint, name in defaults) for name, hint in hints.items())

    def _field(self, name: str, hint: Any, has_default: bool) -> KeptField:
        kinds = get_args(hint) if get_origin(hint) in (Union, UnionType) else (hint,)
        (first, *others) = [kind for kind in kinds if kind is not type(None)]
        read, write = (None, None) if others else self._converters(first)
        return KeptField(name, self._names.get(name, name), has_default, type(None) in kinds, read, write)

    def _converters(self, kind: Any) -> tuple[_Convert, _Convert]:
        """Return how something of a kind is read and written; in tuples and sets each alike."""
        container, inner = get_origin(kind), get_args(kind)
        if container in (tuple, frozenset):
            read, write = self._converters(inner[0])
            order: Callable[[Any], list[Any]] = list if container is tuple else sorted
            return (
                container if read is None else lambda many: container(map(read, many)),
                order if write is None else lambda many: order(map(write, many)),
            )
        if isinstance(container, type):
            return None, dict if issubclass(container, Mapping) else None
        if isinstance(kind, type) and issubclass(kind, Enum):
            return kind, lambda member: member.value if isinstance(member, Enum) else member
        if kind is bool:
            return bool, None
        if kind is datetime:
            return _read_moment, None
        if kind is date:
            return date.fromisoformat, date.isoformat
        if isinstance(kind, type) and hasattr(kind, "__annotations__"):
            if hasattr(kind, "of_stored") and hasattr(kind, "stored_fields"):
                return kind.of_stored, kind.stored_fields
            part = self._parts.get(kind) or DerivedCodec(kind)
            return part.read, part.fields
        return None, None


def picked_fields(data: Mapping[str, Any], names: Iterable[str]) -> dict[str, Any]:
    """Return the fields of these names that a document, or a map in one, has; for what hands them on as they are."""
    return {name: data[name] for name in names if name in data}


def moment_in(document: Document, name: str) -> datetime:
    """Return a moment by which a document was found."""
    moment: datetime = document.data[name]
    return moment


def _defaults(kept: type[Any]) -> set[str]:
    if issubclass(kept, tuple):
        return set(getattr(kept, "_field_defaults", {}))
    from dataclasses import MISSING, fields

    return {f.name for f in fields(kept) if f.default is not MISSING or f.default_factory is not MISSING}


def _read_moment(value: Any) -> Any:
    """Return a moment; in JSON, which has none, it is text."""
    return datetime.fromisoformat(value) if isinstance(value, str) else value
