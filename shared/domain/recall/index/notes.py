"""Notes as columns: ranges, postings and vectors of summaries and episodes, their texts packed; and a chat's as one."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from shared.domain.people.naming import plain_names
from shared.domain.recall.index.layers import Layers, last_of_each, stack_columns, take_rows
from shared.domain.recall.index.note import Note
from shared.domain.recall.index.postings import Counts, Postings, Rows, analyse, term_hash
from shared.domain.recall.index.talk import Blocks, Int64, instant, microseconds

NOTES_A_BLOCK = 8
"""Packed together: one is read in 70 µs; 32 would save a tenth of the bytes and take 270 µs."""

_UNPACKED = 25_000
"""Numbers unpacked at once: 100 kB, which the allocator has at hand."""

_STEPS = 127
_SMALLEST = 2.0**-100


class VectorKind(NamedTuple):
    """The embedder and the size of vectors: only vectors of one kind can be compared."""

    model: str
    size: int


class NoteColumns(NamedTuple):
    """The columns that ranking looks at, a row a note.

    Attributes:
        keys: Hash of kind and id.
        firsts, lasts: Message ids covered.
        ends_us: When the last of these was sent, in microseconds of UTC since 1970.
        lengths: Terms in it.
    """

    keys: NDArray[np.uint64]
    firsts: Int64
    lasts: Int64
    ends_us: Int64
    lengths: NDArray[np.int32]


@dataclass(frozen=True, slots=True, eq=False)
class Notes:
    """Notes ordered by the first message that they are about, then kind and id.

    A vector is kept as 8-bit steps of a power of two, which is exact when it is packed again.

    Attributes:
        dimensions: Of each vector, 0 for none.
        exponents: Binary exponent of each vector's step.
        steps: All vectors, one after another.
        models: Name of the embedder of each, or None.
        rest: Everything else.
    """

    columns: NoteColumns
    dimensions: NDArray[np.int32]
    exponents: NDArray[np.int8]
    steps: NDArray[np.int8]
    index: Postings
    models: tuple[str | None, ...]
    rest: Blocks

    @classmethod
    def of(cls, notes: Sequence[Note], earlier: Notes | None = None) -> Notes:
        """Build them; of several with one key the last counts. What `earlier` has analysed is not read again."""
        by_key = {note.key: note for note in notes}
        ordered = sorted(by_key.values(), key=lambda note: (note.first, note.kind, note.id))
        rest = earlier.rest if earlier is not None else ()
        rows = {note.key: row for row, note in enumerate(ordered)}
        known = [(old, rows.get((kind, note_id)), text) for old, (kind, note_id, _, text) in enumerate(rest)]
        same = {old: row for old, row, text in known if row is not None and ordered[row].text == text}
        told = [plain_names(note.text) for note in ordered]
        analysis = analyse(told, earlier.index if earlier is not None else None, same)
        packed = [_pack_vector(note.embedding or ()) for note in ordered]
        columns = NoteColumns(
            keys=np.array([term_hash("\n".join(note.key)) for note in ordered], np.uint64),
            firsts=np.array([note.first for note in ordered], np.int64),
            lasts=np.array([note.last for note in ordered], np.int64),
            ends_us=np.array([microseconds(note.last_at) for note in ordered], np.int64),
            lengths=analysis.lengths,
        )
        return cls(
            columns=columns,
            dimensions=np.array([len(note.embedding or ()) for note in ordered], np.int32),
            exponents=np.array([exponent for exponent, _ in packed], np.int8),
            steps=np.concatenate([np.empty(0, np.int8), *(steps for _, steps in packed)]),
            index=analysis.index,
            models=tuple(note.embedding_model for note in ordered),
            rest=Blocks.of([(n.kind, n.id, microseconds(n.first_at), n.text) for n in ordered], NOTES_A_BLOCK),
        )

    @property
    def size(self) -> int:
        """Return how many notes."""
        return len(self.columns.keys)

    def postings(self, term: str) -> tuple[Rows, Counts]:
        return self.index.find(term)

    def item(self, row: int) -> Note:
        return self._note(row, self.rest.row(row))

    def notes(self) -> list[Note]:
        """All of them."""
        return [self._note(row, rest) for row, rest in enumerate(self.rest)]

    def vector(self, row: int) -> NDArray[np.float32]:
        """The vector of one note; empty when it has none."""
        start = int(self.dimensions[:row].sum())
        steps = self.steps[start : start + int(self.dimensions[row])]
        return np.ldexp(steps.astype(np.float32), int(self.exponents[row]))

    def vector_kinds(self) -> Counter[VectorKind]:
        """Return how many vectors of which model and size there are."""
        kinds = zip(self.models, map(int, self.dimensions), strict=True)
        return Counter(VectorKind(model, size) for model, size in kinds if model is not None and size)

    def products(self, vector: NDArray[np.float32], kind: VectorKind) -> NDArray[np.float32]:
        """The dot product of each vector of one kind with this one, 0 for a note without."""
        return self._map(kind, lambda steps: steps @ vector)

    def norms(self, kind: VectorKind) -> NDArray[np.float32]:
        """The length of each vector of one kind, 0 for a note without."""
        return self._map(kind, lambda steps: np.sqrt(np.einsum("ij,ij->i", steps, steps)))

    def _map(self, kind: VectorKind, of: Callable[[NDArray[np.float32]], NDArray[np.float32]]) -> NDArray[np.float32]:
        """A number for each vector of one kind, unpacked a stretch at a time: a large array costs more than its sum."""
        fitting = np.array([model == kind.model for model in self.models], np.bool_) & (self.dimensions == kind.size)
        steps = self.steps if fitting.all() else self.steps[np.repeat(fitting, self.dimensions)]
        rows, stretch = steps.reshape(-1, kind.size), max(1, _UNPACKED // kind.size)
        found = [of(rows[at : at + stretch].astype(np.float32)) for at in range(0, len(rows), stretch)]
        numbers = np.zeros(self.size, np.float32)
        if found:
            numbers[fitting] = np.ldexp(np.concatenate(found), self.exponents[fitting].astype(np.int32))
        return numbers

    def _note(self, row: int, rest: Any) -> Note:
        kind, note_id, first_us, text = rest
        vector = tuple(self.vector(row).tolist())
        return Note(
            kind=kind,
            id=note_id,
            first=int(self.columns.firsts[row]),
            last=int(self.columns.lasts[row]),
            first_at=instant(first_us),
            last_at=instant(int(self.columns.ends_us[row])),
            text=text,
            embedding=vector or None,
            embedding_model=self.models[row],
        )


def _pack_vector(vector: Sequence[float]) -> tuple[int, NDArray[np.int8]]:
    """Exponent and steps: the largest component takes 64 to 127 steps of 2 ** exponent."""
    values = np.array(vector, np.float64)
    largest = float(np.abs(values).max(initial=0.0))
    if not np.isfinite(largest) or largest < _SMALLEST:
        return 0, np.zeros(len(values), np.int8)
    exponent = min(int(np.ceil(np.log2(largest / _STEPS))), 127)
    return exponent, np.clip(np.rint(np.ldexp(values, -exponent)), -_STEPS, _STEPS).astype(np.int8)


class NoteCorpus:
    """A `Layer` of notes by the first message that they are about; of several with one key the last layer's counts.

    Attributes:
        size: How many.
        firsts, lasts: Message ids covered.
        lengths: Terms in each.
    """

    def __init__(
        self, layers: Sequence[Notes | NoteCorpus] = (), *, model: str | None = None, in_one_piece: bool = False
    ) -> None:
        """Lay the layers over one another.

        Args:
            model: Whose vectors to show; without a name the model that made most.
            in_one_piece: Join the postings: slower now, faster later.
        """
        columns = NoteColumns(*stack_columns([_NOTHING.columns, *(layer.columns for layer in layers)]))
        kept = last_of_each(columns.keys)
        order = kept[np.lexsort((columns.keys[kept], columns.firsts[kept]))]
        arranged: Layers[Note] = Layers.of(layers, [layer.size for layer in layers], order)
        self._layers = arranged.join_postings() if in_one_piece else arranged
        self._parts = tuple(layers)
        self._model = model
        self._norms: dict[VectorKind | None, NDArray[np.float32]] = {}
        self.columns: NoteColumns = NoteColumns(*take_rows(columns, order))
        self.size: int = len(order)
        self.firsts, self.lasts, self.lengths = self.columns.firsts, self.columns.lasts, self.columns.lengths

    @property
    def index(self) -> Postings | None:
        return self._layers.index

    @property
    def nbytes(self) -> int:
        """Return what it takes in memory beside its layers, about."""
        return sum(column.nbytes for column in self.columns) + self._layers.nbytes

    @cached_property
    def sent_at(self) -> Int64:
        """Return when the last message of each was sent, in seconds of UTC since 1970."""
        return self.columns.ends_us // 1_000_000

    def postings(self, term: str) -> tuple[Rows, Counts]:
        return self._layers.postings(term)

    def item(self, row: int) -> Note:
        """One note, its vector as it was rounded."""
        return self._layers.item(row)

    note = item

    @property
    def vector_model(self) -> str | None:
        """Return who made the vectors that are compared."""
        return self._kind.model if self._kind is not None else None

    @property
    def vector_size(self) -> int:
        """Components of each of these, 0 when no note has one."""
        return self._kind.size if self._kind is not None else 0

    def products(self, vector: NDArray[np.float32], kind: VectorKind | None = None) -> NDArray[np.float32]:
        """The dot product of each note's vector with this one, 0 where a note has none of this model and size."""
        kind = kind or self._kind
        return self._place_columns([part.products(vector, kind) for part in self._parts] if kind is not None else [])

    def norms(self, kind: VectorKind | None = None) -> NDArray[np.float32]:
        """The length of each note's vector: near 1, for they are rounded, or 0; remembered."""
        kind = kind or self._kind
        if kind not in self._norms:
            norms = [part.norms(kind) for part in self._parts] if kind is not None else []
            self._norms[kind] = self._place_columns(norms)
        return self._norms[kind]

    def vector_kinds(self) -> Counter[VectorKind]:
        """Return how many vectors of which model and size there are."""
        return sum((part.vector_kinds() for part in self._parts), Counter[VectorKind]())

    def _place_columns(self, columns: Sequence[NDArray[np.float32]]) -> NDArray[np.float32]:
        """A column of each layer as one."""
        placed = np.zeros(self.size, np.float32)
        for column, places in zip(columns, self._layers.places, strict=bool(columns)):
            placed[places[places >= 0]] = column[places >= 0]
        return placed

    @cached_property
    def _kind(self) -> VectorKind | None:
        fitting = [(count, kind) for kind, count in self.vector_kinds().items() if self._model in (None, kind.model)]
        return max(fitting)[1] if fitting else None


_NOTHING = Notes.of([])
