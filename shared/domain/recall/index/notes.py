"""Notes as columns: ranges, postings and vectors of summaries and episodes, their texts packed; and a chat's as one."""

from __future__ import annotations

from collections.abc import Sequence
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
from shared.domain.recall.index.vectors import SpreadVectors, Vectors

NOTES_A_BLOCK = 8
"""Packed together: one is read in 70 µs; 32 would save a tenth of the bytes and take 270 µs."""


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

    Attributes:
        rest: Everything else.
        own_vectors: Of those that have been embedded; exact when they are packed again.
    """

    columns: NoteColumns
    index: Postings
    rest: Blocks
    own_vectors: Vectors

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
        columns = NoteColumns(
            keys=np.array([term_hash("\n".join(note.key)) for note in ordered], np.uint64),
            firsts=np.array([note.first for note in ordered], np.int64),
            lasts=np.array([note.last for note in ordered], np.int64),
            ends_us=np.array([microseconds(note.last_at) for note in ordered], np.int64),
            lengths=analysis.lengths,
        )
        return cls(
            columns=columns,
            index=analysis.index,
            rest=Blocks.of([(n.kind, n.id, microseconds(n.first_at), n.text) for n in ordered], NOTES_A_BLOCK),
            own_vectors=Vectors.of(len(ordered), {row: note.vector for row, note in enumerate(ordered)}),
        )

    @property
    def size(self) -> int:
        """Return how many notes."""
        return len(self.columns.keys)

    @property
    def vectors(self) -> SpreadVectors:
        return self.own_vectors.spread()

    def postings(self, term: str) -> tuple[Rows, Counts]:
        return self.index.find(term)

    def item(self, row: int) -> Note:
        return self._note(row, self.rest.row(row))

    def notes(self) -> list[Note]:
        """All of them."""
        return [self._note(row, rest) for row, rest in enumerate(self.rest)]

    def _note(self, row: int, rest: Any) -> Note:
        kind, note_id, first_us, text = rest
        return Note(
            kind=kind,
            id=note_id,
            first=int(self.columns.firsts[row]),
            last=int(self.columns.lasts[row]),
            first_at=instant(first_us),
            last_at=instant(int(self.columns.ends_us[row])),
            text=text,
            vector=self.own_vectors.get(row),
        )


class NoteCorpus:
    """A `Layer` of notes by the first message that they are about; of several with one key the last layer's counts.

    Attributes:
        size: How many.
        firsts, lasts: Message ids covered.
        lengths: Terms in each.
    """

    def __init__(self, layers: Sequence[Notes | NoteCorpus] = (), *, in_one_piece: bool = False) -> None:
        """Lay the layers over one another, with joined postings `in_one_piece`: slower now, faster later."""
        columns = NoteColumns(*stack_columns([_NOTHING.columns, *(layer.columns for layer in layers)]))
        kept = last_of_each(columns.keys)
        order = kept[np.lexsort((columns.keys[kept], columns.firsts[kept]))]
        arranged: Layers[Note] = Layers.of(layers, [layer.size for layer in layers], order)
        self._layers = arranged.join_postings() if in_one_piece else arranged
        self.vectors = arranged.vectors
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


_NOTHING = Notes.of([])
