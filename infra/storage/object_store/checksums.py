"""The checksums that are kept of an object's bytes, and compared when they are read.

An object of one part carries its SHA-256 in its metadata. That of several parts is not known when they begin to go up:
they carry the SHA-256 of the parts' SHA-256, which the service computes, too (GCS does not: then there is none).
"""

from __future__ import annotations

import base64
import hashlib
from collections.abc import AsyncIterable, AsyncIterator, Mapping
from typing import Any, NamedTuple

SUM = "sha256"
PART_SIZE = "part-bytes"
"""Names in an object's metadata."""


class Recorded(NamedTuple):
    """The checksum that came with an object."""

    checksum: str | None
    part_bytes: int | None = None

    @classmethod
    def of(cls, found: Mapping[str, Any]) -> Recorded:
        """Read the checksums from the answer to a head or a get."""
        metadata = found.get("Metadata", {})
        composite, part_bytes = found.get("ChecksumSHA256"), metadata.get(PART_SIZE)
        if composite and part_bytes and part_bytes.isdecimal():
            digest = base64.b64decode(composite.partition("-")[0]).hex()
            return cls(f"{digest}-{part_bytes}", int(part_bytes))
        return cls(metadata.get(SUM))

    def digest(self) -> Digest:
        """Return a digest to be fed with the object's bytes."""
        return Digest(self.part_bytes)


class Digest:
    """SHA-256 of a stream, or of the SHA-256 of its parts."""

    def __init__(self, part_bytes: int | None) -> None:
        self._part_bytes = part_bytes
        self._whole, self._part, self._filled = hashlib.sha256(), hashlib.sha256(), 0

    def update(self, piece: bytes) -> None:
        """Take the next bytes."""
        if self._part_bytes is None:
            self._whole.update(piece)
            return
        while piece:
            head, piece = piece[: self._part_bytes - self._filled], piece[self._part_bytes - self._filled :]
            self._part.update(head)
            self._filled += len(head)
            if self._filled == self._part_bytes:
                self._end_part()

    def hexdigest(self) -> str:
        """Return the checksum as `ObjectInfo.checksum` holds it."""
        if self._part_bytes is None:
            return self._whole.hexdigest()
        if self._filled:
            self._end_part()
        return f"{self._whole.hexdigest()}-{self._part_bytes}"

    def _end_part(self) -> None:
        self._whole.update(self._part.digest())
        self._part, self._filled = hashlib.sha256(), 0


async def split_parts(chunks: AsyncIterable[bytes], size: int) -> AsyncIterator[bytes]:
    """Yield the bytes in parts of `size`, the last one smaller; none at all of nothing."""
    part = bytearray()
    async for chunk in chunks:
        part += chunk
        while len(part) >= size:
            yield bytes(part[:size])
            del part[:size]
    if part:
        yield bytes(part)
