"""The notes of a chat as one searchable whole."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from shared.domain.recall.index.layers import Layers, last_of_each, stack_columns, take_rows
from shared.domain.recall.index.note import Note
from shared.domain.recall.index.notes import NoteColumns, Notes, VectorKind
from shared.domain.recall.index.postings import Counts, Postings, Rows
from shared.domain.recall.index.talk import Int64


class NoteCorpus:
    """Notes in the order of the first message that they are about; of several with one key the last layer's counts.

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
        self._layers = arranged.in_one_piece() if in_one_piece else arranged
        self._parts = tuple(layers)
        self._model = model
        self._norms: dict[VectorKind | None, NDArray[np.float32]] = {}
        self.columns: NoteColumns = NoteColumns(*take_rows(columns, order))
        self.size: int = len(order)

    @property
    def index(self) -> Postings | None:
        """All postings, when they are in one piece."""
        return self._layers.index

    @property
    def nbytes(self) -> int:
        """Return what it takes in memory beside its layers, about."""
        return sum(column.nbytes for column in self.columns) + self._layers.nbytes

    @property
    def firsts(self) -> Int64:
        """Id of the first message that each is about."""
        return self.columns.firsts

    @property
    def lasts(self) -> Int64:
        """Id of the last message that each is about."""
        return self.columns.lasts

    @property
    def lengths(self) -> NDArray[np.int32]:
        """Terms in each."""
        return self.columns.lengths

    @cached_property
    def sent_at(self) -> Int64:
        """Return when the last message of each was sent, in seconds of UTC since 1970."""
        return self.columns.ends_us // 1_000_000

    def postings(self, term: str) -> tuple[Rows, Counts]:
        """The rows that hold a term, ascending, and how often."""
        return self._layers.postings(term)

    def note(self, row: int) -> Note:
        """One note, its vector as it was rounded."""
        return self._layers.item(row)

    def item(self, row: int) -> Note:
        """One item of the layers: a note."""
        return self._layers.item(row)

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
            self._norms[kind] = self._place_columns(
                [part.norms(kind) for part in self._parts] if kind is not None else []
            )
        return self._norms[kind]

    def vector_kinds(self) -> Counter[VectorKind]:
        """Return how many vectors of which model and size there are."""
        return self._kinds

    def _place_columns(self, columns: Sequence[NDArray[np.float32]]) -> NDArray[np.float32]:
        """A column of each layer as one."""
        placed = np.zeros(self.size, np.float32)
        for column, places in zip(columns, self._layers.places, strict=bool(columns)):
            placed[places[places >= 0]] = column[places >= 0]
        return placed

    @cached_property
    def _kinds(self) -> Counter[VectorKind]:
        return sum((part.vector_kinds() for part in self._parts), Counter[VectorKind]())

    @cached_property
    def _kind(self) -> VectorKind | None:
        fitting = [(count, kind) for kind, count in self._kinds.items() if self._model in (None, kind.model)]
        return max(fitting)[1] if fitting else None


_NOTHING = Notes.of([])
