"""Rows of JSON, compressed in small blocks: one row is read back without unpacking the others."""

from __future__ import annotations

import json
import zlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, slots=True)
class Blocks:
    """Rows in order, `size` to a block: the fewer, the sooner one is read, and the less they shrink."""

    blocks: tuple[bytes, ...]
    size: int

    @classmethod
    def of(cls, rows: Sequence[Any], size: int) -> Blocks:
        """Compress rows of plain JSON values."""
        stretches = (rows[start : start + size] for start in range(0, len(rows), size))
        return cls(tuple(zlib.compress(_text(stretch)) for stretch in stretches), size)

    def row(self, index: int) -> Any:
        """One row."""
        return self._open(index // self.size)[index % self.size]

    def __iter__(self) -> Iterator[Any]:
        for block in range(len(self.blocks)):
            yield from self._open(block)

    def _open(self, block: int) -> list[Any]:
        rows: list[Any] = json.loads(zlib.decompress(self.blocks[block]))
        return rows


def _text(rows: Sequence[Any]) -> bytes:
    return json.dumps(rows, ensure_ascii=False, separators=(",", ":")).encode("utf-8", "surrogatepass")
