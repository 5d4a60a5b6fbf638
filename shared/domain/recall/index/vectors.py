"""Vectors of texts in rows: eight bits a component, kept with who made them and compared with those alone.

Only the direction counts, so no scale is kept. Of a longer vector of a message its first components are: current
embedders put into them what tells most, and others lose little.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from hashlib import blake2b
from types import MappingProxyType
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from shared.domain.conversation.messages import Message

MOST_COMPONENTS = 256
"""The components of a message's vector, a byte each (at most 260 bytes a message)."""

_MOST_TEXT = 2_000
"""Characters of a message that are embedded: how it begins tells what it is about."""

_STEPS, _KEY = 127, 8

_TINY = 1e-8  # square of a length that is only what rounding left

NO_VECTORS: Mapping[int, TextVector] = MappingProxyType({})

Steps = NDArray[np.int8]
Floats = NDArray[np.float32]


class VectorKind(NamedTuple):
    """The embedder and the size of vectors: only vectors of one kind can be compared."""

    model: str
    size: int


class TextVector(NamedTuple):
    """A vector, a byte a component, and the name of the embedder that made it."""

    model: str
    steps: bytes

    @classmethod
    def of(cls, model: str | None, vector: Sequence[float] | None) -> TextVector | None:
        """Pack a vector; None where there is none, or it has no direction."""
        steps = pack_steps(vector or ())
        return cls(model, steps) if model and steps else None


class AskedVector(NamedTuple):
    """The embedding of a question, and the name of the embedder that made it."""

    model: str
    components: Sequence[float]

    def direction_in(self, kinds: frozenset[VectorKind], most: int | None = None) -> tuple[VectorKind, Floats] | None:
        """Return which of some kinds it compares with, and its direction; of `most` components if it has more."""
        values = np.asarray(self.components[:most], np.float32)
        kind, length = VectorKind(self.model, len(values)), float(np.linalg.norm(values))
        return (kind, values / length) if kind in kinds and 0 < length < np.inf else None


def embedded_text(message: Message) -> str:
    """Return what of a message is embedded: who says it and what; "" where nothing may be found by it."""
    said = "\n".join(filter(None, (message.text.strip(), message.media_text.strip())))
    is_found = bool(said) and not message.is_bot and message.kind != "command"
    return f"{message.name}: {said}"[:_MOST_TEXT] if is_found else ""


def pack_steps(vector: Sequence[float]) -> bytes:
    """Return a vector's direction, a byte a component; b"" when it has none."""
    values = np.array(vector, np.float64)
    largest = float(np.abs(values).max(initial=0.0))
    if not np.isfinite(largest) or largest <= 0:
        return b""
    return np.rint(values / largest * _STEPS).astype(np.int8).tobytes()


def pack_vectors(vectors: Mapping[str, Sequence[float]]) -> tuple[bytes, ...]:
    """Return the vectors of some texts, each after a hash of its text, by which it is found again."""
    steps = {text: pack_steps(vector[:MOST_COMPONENTS]) for text, vector in sorted(vectors.items())}
    return tuple(_key(text) + packed for text, packed in steps.items() if packed)


def find_vectors(packed: Iterable[bytes], texts: Mapping[int, str], model: str) -> dict[int, TextVector]:
    """Return the vectors of texts, by the numbers these have; a text that has changed since has none.

    Args:
        packed: As `pack_vectors` made it of what `model` gave.
    """
    known = {each[:_KEY]: TextVector(model, each[_KEY:]) for each in packed}
    return {number: known[_key(text)] for number, text in texts.items() if text and _key(text) in known}


def are_vectors_of(packed: Iterable[bytes], texts: Iterable[str]) -> bool:
    """Return whether each of some packed vectors is of one of these texts."""
    return {each[:_KEY] for each in packed} <= set(map(_key, texts))


def _key(text: str) -> bytes:
    return blake2b(text.encode("utf-8", "surrogatepass"), digest_size=_KEY).digest()


@dataclass(frozen=True, eq=False)
class Vectors:
    """The vectors of a stretch, one or none a row, of one kind or of several.

    Attributes:
        kinds: The kinds that there are.
        numbers: Which of them each row has, from 1 on; 0 for none.
        steps: A row each, as wide as the largest.
    """

    kinds: tuple[VectorKind, ...]
    numbers: NDArray[np.uint8]
    steps: Steps

    @classmethod
    def of(cls, rows: int, known: Mapping[int, TextVector | None]) -> Vectors:
        """Put vectors into so many rows."""
        there = {row: each for row, each in known.items() if each is not None}
        kinds = {row: VectorKind(each.model, len(each.steps)) for row, each in there.items()}
        ordered = sorted(set(kinds.values()))
        numbers = np.zeros(rows, np.uint8)
        steps = np.zeros((rows, max((kind.size for kind in ordered), default=0)), np.int8)
        for row, kind in kinds.items():
            numbers[row] = 1 + ordered.index(kind)
            steps[row, : kind.size] = np.frombuffer(there[row].steps, np.int8)
        return cls(tuple(ordered), numbers, steps)

    def get(self, row: int) -> TextVector | None:
        """Return the vector of one row."""
        kind = self.kinds[self.numbers[row] - 1] if self.numbers[row] else None
        return kind and TextVector(kind.model, self.steps[row, : kind.size].tobytes())

    def spread(self) -> SpreadVectors:
        """Return them as rows of one stretch."""
        rows = np.arange(len(self.numbers), dtype=np.int32)
        return SpreadVectors(VectorStack((self,)), rows) if self.kinds else SpreadVectors(VectorStack(), 0 * rows - 1)

    @cached_property
    def scales(self) -> dict[VectorKind, Floats]:
        """Return for each kind what each row is multiplied by to have length 1; 0 for a row without."""
        # In 32 bits whole: 2,048 squares of at most 127 are less than 2 ** 25.
        lengths = np.sqrt(np.maximum(np.einsum("ij,ij->i", self.steps, self.steps, dtype=np.int32), 1))
        return {kind: ((self.numbers == n) / lengths).astype(np.float32) for n, kind in enumerate(self.kinds, start=1)}

    @cached_property
    def totals(self) -> dict[VectorKind, Floats]:
        """Return the sum of the vectors of each kind, each of length 1."""
        return {kind: scale @ self.steps[:, : kind.size].astype(np.float32) for kind, scale in self.scales.items()}


class VectorStack:
    """The vectors of stretches one after the other, not copied, with what is the same for every question.

    Each column has a row for each of them, and a last one for whatever has no vector.

    Attributes:
        kinds: Which kinds there are.
        size: How many rows all stretches have.
    """

    def __init__(self, parts: Sequence[Vectors] = ()) -> None:
        self.parts = tuple(parts)
        self.kinds = frozenset(kind for part in parts for kind in part.kinds)
        self.size = sum(len(part.numbers) for part in parts)

    def cosines(self, kind: VectorKind, direction: Floats) -> Floats:
        """Return how near each vector of one kind is to a direction of length 1; 0 for a row without."""
        # A dot for each row: for a whole product the library wakes other threads up.
        return self.scales[kind] * self._column(kind, lambda part, _: np.vecdot(part.steps[:, : kind.size], direction))

    @cached_property
    def scales(self) -> dict[VectorKind, Floats]:
        """Return those of the stretches."""
        return {kind: self._column(kind, lambda part, kind: part.scales[kind]) for kind in self.kinds}

    def _column(self, kind: VectorKind, of: Callable[[Vectors, VectorKind], Floats]) -> Floats:
        column, start = np.zeros(self.size + 1, np.float32), 0
        for part in self.parts:
            if kind in part.kinds:
                column[start : start + len(part.numbers)] = of(part, kind)
            start += len(part.numbers)
        return column

    @cached_property
    def middles(self) -> dict[VectorKind, tuple[Floats, Floats]]:
        """Return for each kind the mean of its vectors, each of length 1, and how far each is from it, never 0."""
        return {kind: self._middle(kind) for kind in self.kinds}

    def _middle(self, kind: VectorKind) -> tuple[Floats, Floats]:
        total = np.sum([part.totals[kind] for part in self.parts if kind in part.kinds], axis=0)
        middle = np.asarray(total / np.count_nonzero(self.scales[kind]), np.float32)
        return middle, np.sqrt(np.maximum(1 - 2 * self.cosines(kind, middle) + middle @ middle, _TINY))


@dataclass(frozen=True, slots=True, eq=False)
class SpreadVectors:
    """The vectors of rows that lie in several stretches.

    Attributes:
        places: For each row where it lies in the stack; -1 for one without a vector.
    """

    stack: VectorStack
    places: NDArray[np.int32]

    @classmethod
    def join(cls, layers: Sequence[SpreadVectors]) -> SpreadVectors:
        """Join the vectors of layers whose rows are numbered through.

        The stack of one that has all vectors stays: of old messages nothing is worked out again for a new one.
        """
        stacks = [layer.stack for layer in layers if layer.stack.parts]
        stack = stacks[0] if len(stacks) == 1 else VectorStack([part for each in stacks for part in each.parts])
        starts = np.cumsum([0, *(layer.stack.size for layer in layers)], dtype=np.int32)
        places = [np.where(each.places < 0, -1, each.places + at) for each, at in zip(layers, starts, strict=False)]
        return cls(stack, np.concatenate([np.empty(0, np.int32), *places], dtype=np.int32))

    def take(self, order: NDArray[Any]) -> SpreadVectors:
        """Return those of some rows, in this order."""
        return SpreadVectors(self.stack, self.places[order])
