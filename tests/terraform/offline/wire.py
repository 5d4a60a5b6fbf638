"""Protocol buffers and msgpack as Terraform's plugin protocol uses them: fields by number, values as plain Python.

Written out because the one package that brings the generated messages pins a protobuf below ours; the protocol needs
two wire types.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

import msgpack

_VARINT, _BYTES = 0, 2
_UNKNOWN_EXTENSION = 0


class Unknown:
    """A value that is known only after apply."""


UNKNOWN = Unknown()


def message(*fields: tuple[int, str | bytes | int | Iterable[bytes]]) -> bytes:
    """Encode (number, value) pairs; zero and empty values are left out, an iterable is a repeated field."""
    return b"".join(_field(number, value) for number, value in fields)


def _field(number: int, value: str | bytes | int | Iterable[bytes]) -> bytes:
    if isinstance(value, int):
        return _varint(number << 3 | _VARINT) + _varint(value) if value else b""
    if isinstance(value, str):
        value = value.encode()
    if isinstance(value, bytes):
        return _varint(number << 3 | _BYTES) + _varint(len(value)) + value if value else b""
    return b"".join(_varint(number << 3 | _BYTES) + _varint(len(each)) + each for each in value)


def _varint(value: int) -> bytes:
    encoded = bytearray()
    while value > 0x7F:
        encoded.append(value & 0x7F | 0x80)
        value >>= 7
    return bytes([*encoded, value])


def fields(encoded: bytes) -> dict[int, bytes | int]:
    """Decode one message: the last value of each field."""
    return dict(_decoded(encoded))


def _decoded(encoded: bytes) -> Iterator[tuple[int, bytes | int]]:
    at = 0
    while at < len(encoded):
        key, at = _read_varint(encoded, at)
        value, at = _read_varint(encoded, at)
        if key & 7 == _VARINT:
            yield key >> 3, value
        elif key & 7 == _BYTES:
            yield key >> 3, encoded[at : at + value]
            at += value
        else:
            raise ValueError(f"wire type {key & 7} is not used by the plugin protocol")


def _read_varint(encoded: bytes, at: int) -> tuple[int, int]:
    value = shift = 0
    while True:
        byte = encoded[at]
        value |= (byte & 0x7F) << shift
        at, shift = at + 1, shift + 7
        if byte < 0x80:
            return value, at


def dynamic(value: Any) -> bytes:
    """A DynamicValue, with `UNKNOWN` where it is not known."""
    return message((1, msgpack.packb(value, default=_as_extension)))


def plain(encoded: bytes) -> Any:
    """What a DynamicValue holds."""
    return msgpack.unpackb(bytes(fields(encoded)[1]), ext_hook=lambda *_: UNKNOWN)


def _as_extension(value: object) -> object:
    if value is UNKNOWN:
        return msgpack.ExtType(_UNKNOWN_EXTENSION, b"\x00")
    raise TypeError(f"{value!r} has no place in a DynamicValue")
