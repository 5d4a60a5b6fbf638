"""Documents and writes as Firestore's REST API takes and gives them (`Value`, `Write`)."""

from __future__ import annotations

import base64
import re
from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Any

from infra.rest.documents import check_value
from shared.application.ports.store import (
    DELETE_FIELD,
    ArrayUnion,
    Create,
    Delete,
    Document,
    Increment,
    Set,
    Sums,
    Upsert,
    Vector,
    Write,
)

_INTEGERS = range(-(1 << 63), 1 << 63)
_PLAIN_NAME = re.compile("[A-Za-z_][A-Za-z0-9_]*")
_KINDS = ((type(None), "nullValue"), (float, "doubleValue"), (str, "stringValue"))
_VECTOR = {"stringValue": "__vector__"}


def fields_of(data: Mapping[str, Any]) -> dict[str, Any]:
    """Return fields as the API takes them.

    Raises:
        ValueError: No document can hold one of them.
    """
    return {name: _value(each) for name, each in check_value(data, "", _as_is).items()}


def document_of(told: Mapping[str, Any]) -> Document:
    """Return a document as the API tells it."""
    return Document(path_of(told["name"]), _plain_fields(told))


def path_of(name: str) -> str:
    """Return the path in a document's full name."""
    return name.partition("/documents/")[2]


def write_of(write: Write, name: str) -> dict[str, Any]:
    """Return a write as the API takes it.

    Args:
        name: The document's full name.

    Raises:
        ValueError: No document can hold it.
    """
    match write:
        case Create(_, data):
            return {"update": {"name": name, "fields": fields_of(data)}, "currentDocument": {"exists": False}}
        case Set(_, data):
            return {"update": {"name": name, "fields": fields_of(data)}}
        case Upsert(_, changes):
            return _upsert(changes, name)
        case Delete():
            return {"delete": name}


def _upsert(changes: Mapping[str, Any], name: str) -> dict[str, Any]:
    transforms = {field: each for field, each in changes.items() if isinstance(each, Increment | ArrayUnion)}
    values = {field: each for field, each in changes.items() if field not in transforms}
    kept = {field: each for field, each in values.items() if each is not DELETE_FIELD}
    fields = fields_of(kept)
    check_value(dict.fromkeys(changes), "", _as_is)  # names alone
    written: dict[str, Any] = {
        "update": {"name": name, "fields": fields},
        "updateMask": {"fieldPaths": [_quote_name(field) for field in values]},
    }
    if transforms:
        written["updateTransforms"] = [_transform(field, each) for field, each in transforms.items()]
    return written


def sums_of(write: Write, result: Mapping[str, Any]) -> Sums:
    """Return what the increments of a write came to: the server tells it of each transform."""
    changes = write.changes if isinstance(write, Upsert) else {}
    transforms = [field for field, each in changes.items() if isinstance(each, Increment | ArrayUnion)]
    told = zip(transforms, result.get("transformResults", ()), strict=True)
    return {field: _plain(value) for field, value in told if isinstance(changes[field], Increment)}


def _transform(field: str, change: Increment | ArrayUnion) -> dict[str, Any]:
    if isinstance(change, Increment):
        return {"fieldPath": _quote_name(field), "increment": _value(check_value(change.by, field, _as_is))}
    added = _value(check_value(list(change.values), field, _as_is))
    return {"fieldPath": _quote_name(field), "appendMissingElements": added["arrayValue"]}


def _quote_name(field: str) -> str:
    """Return the path of one field, whatever its name."""
    if _PLAIN_NAME.fullmatch(field):
        return field
    escaped = field.replace("\\", "\\\\").replace("`", "\\`")
    return f"`{escaped}`"


def _as_is(vector: Vector) -> Vector:
    return vector


def _value(value: Any) -> dict[str, Any]:
    match value:
        case bool():
            return {"booleanValue": value}
        case int():
            if value not in _INTEGERS:
                raise ValueError(f"{value} is beyond 64 bits")
            return {"integerValue": str(value)}
        case bytes():
            return {"bytesValue": base64.b64encode(value).decode()}
        case datetime():
            return {"timestampValue": value.astimezone(UTC).isoformat().replace("+00:00", "Z")}
        case Vector():
            fields = {"__type__": _VECTOR, "value": _value([float(each) for each in value])}
            return {"mapValue": {"fields": fields}}
        case Mapping():
            return {"mapValue": {"fields": {name: _value(each) for name, each in value.items()}}}
        case list():
            return {"arrayValue": {"values": [_value(each) for each in value]}}
    return {next(name for kind, name in _KINDS if isinstance(value, kind)): value}


def _plain_fields(told: Mapping[str, Any]) -> dict[str, Any]:
    return {name: _plain(each) for name, each in told.get("fields", {}).items()}


def _plain(told: Mapping[str, Any]) -> Any:
    ((kind, value),) = told.items()
    match kind:
        case "nullValue":
            return None
        case "integerValue":
            return int(value)
        case "doubleValue":
            return float(value)
        case "bytesValue":
            return base64.b64decode(value)
        case "timestampValue":
            return _instant(value)
        case "arrayValue":
            return [_plain(each) for each in value.get("values", ())]
        case "mapValue":
            fields = value.get("fields", {})
            if fields.get("__type__") == _VECTOR:
                return Vector(_plain(fields["value"]))
            return _plain_fields(value)
    return value


def _instant(told: str) -> datetime:
    """Return an instant; a document's has microseconds, whatever the digits."""
    seconds, _, fraction = told.removesuffix("Z").partition(".")
    return datetime.fromisoformat(f"{seconds}.{fraction[:6]:0<6}+00:00")
