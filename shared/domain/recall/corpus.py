"""What a chat said, as one searchable whole over its segments and the messages that are in none yet.

Rows stand in the order of talk: by topic, then time, then id. A message that several layers hold counts once, as the
last layer has it. Sealed segments are joined once; the open one and the tail are laid over them by array operations, so
a new message costs no loop over the old ones.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from shared.domain.messages import Message
from shared.domain.recall.layers import Layers, last_of_each, stacked, taken
from shared.domain.recall.note import Note
from shared.domain.recall.note_corpus import NoteCorpus
from shared.domain.recall.postings import Counts, Postings, Rows
from shared.domain.recall.segment import MOST_MESSAGES, Segment
from shared.domain.recall.talk import IS_BOT, IS_FORWARD, Columns, Int64, Talk


class Corpus:
    """Messages in the order of talk, and the notes about them.

    Attributes:
        size: How many messages.
        notes: Summaries and episodes, searchable in the same way.
        names: Names and usernames seen of each user, oldest first.
    """

    def __init__(
        self,
        layers: Sequence[Talk | Corpus] = (),
        notes: NoteCorpus | None = None,
        *,
        in_one_piece: bool = False,
        names_before: Mapping[int, tuple[str, ...]] | None = None,
    ) -> None:
        """Lay the layers over one another.

        Args:
            names_before: Names as they were known; when nothing was added, `names` is this very object, so that what a
                caller derived from it still holds.
            in_one_piece: Join the postings: slower now, faster later.
        """
        columns = Columns(*stacked([_NOTHING.columns, *(layer.columns for layer in layers)]))
        kept = last_of_each(columns.message_ids)
        keys = (columns.message_ids, columns.sent_us, columns.threads)
        order = kept[np.lexsort([key[kept] for key in keys])]
        arranged: Layers[Message] = Layers.of(layers, [layer.size for layer in layers], order)
        self._layers = arranged.in_one_piece() if in_one_piece else arranged
        self.columns: Columns = Columns(*taken(columns, order))
        self.size: int = len(order)
        names = _names(layers)
        self.names = names_before if names_before is not None and names_before == names else names
        self.notes = NoteCorpus() if notes is None else notes

    @classmethod
    def of(cls, messages: Iterable[Message], notes: Iterable[Note] = ()) -> Corpus:
        """A corpus of these, as it would be read from segments."""
        ordered = sorted(messages, key=lambda message: message.message_id)
        stretches = (ordered[at : at + MOST_MESSAGES] for at in range(0, len(ordered), MOST_MESSAGES))
        memory = Segment.build(notes=list(notes))
        return cls.of_segments([*(Segment.build(stretch) for stretch in stretches), memory])

    @classmethod
    def of_segments(cls, segments: Sequence[Segment], *, model: str | None = None) -> Corpus:
        """Everything that the segments hold, in one piece; the vectors of `model`, if one is named."""
        notes = NoteCorpus([segment.memory for segment in segments], model=model, in_one_piece=True)
        return cls([segment.talk for segment in segments], notes, in_one_piece=True)

    @property
    def index(self) -> Postings | None:
        """All postings, when they are in one piece."""
        return self._layers.index

    @property
    def nbytes(self) -> int:
        """What it takes in memory beside its layers, about: each column twice for what is made of it when asked."""
        return 2 * sum(column.nbytes for column in self.columns) + self._layers.nbytes + self.notes.nbytes

    @property
    def message_ids(self) -> Int64:
        """Telegram's id of each."""
        return self.columns.message_ids

    @cached_property
    def sent_at(self) -> Int64:
        """When each was sent, in seconds of UTC since 1970."""
        return self.columns.sent_us // 1_000_000

    @property
    def speakers(self) -> Int64:
        """User id of who says it."""
        return self.columns.speakers

    @property
    def threads(self) -> Int64:
        """Topic of each, 0 for none."""
        return self.columns.threads

    @property
    def lengths(self) -> NDArray[np.int32]:
        """Terms in each."""
        return self.columns.lengths

    @cached_property
    def bots(self) -> NDArray[np.bool_]:
        """Whether a bot says it."""
        marked: NDArray[np.bool_] = (self.columns.flags & IS_BOT) != 0
        return marked

    @cached_property
    def forwards(self) -> NDArray[np.bool_]:
        """Whether it is somebody else's words."""
        marked: NDArray[np.bool_] = (self.columns.flags & IS_FORWARD) != 0
        return marked

    @cached_property
    def replies(self) -> NDArray[np.int32]:
        """Row of the message replied to, -1 when there is none or it is not known."""
        rows = np.full(self.size, -1, np.int32)
        replying = np.flatnonzero(self.columns.reply_ids)
        rows[replying] = self.rows_of(self.columns.reply_ids[replying])
        return rows

    def rows_of(self, message_ids: Int64) -> NDArray[np.int32]:
        """Rows of messages by id, -1 for those that are not here."""
        if not self.size:
            return np.full(len(message_ids), -1, np.int32)
        by_id, sorted_ids = self._by_id
        at = np.minimum(sorted_ids.searchsorted(message_ids), self.size - 1)
        return np.where(sorted_ids[at] == message_ids, by_id[at], -1).astype(np.int32)

    def postings(self, term: str) -> tuple[Rows, Counts]:
        """The rows that hold a term, ascending, and how often."""
        return self._layers.postings(term)

    def message(self, row: int) -> Message:
        """One message, as it was said."""
        return self._layers.item(row)

    def item(self, row: int) -> Message:
        """As `message`."""
        return self._layers.item(row)

    @cached_property
    def _by_id(self) -> tuple[NDArray[Any], Int64]:
        by_id = self.message_ids.argsort(kind="stable")
        return by_id, self.message_ids[by_id]


def _names(layers: Iterable[Talk | Corpus]) -> Mapping[int, tuple[str, ...]]:
    known: dict[int, tuple[str, ...]] = {}
    for layer in layers:
        if not known:
            known = dict(layer.names)
            continue
        news = [(user_id, names) for user_id, names in layer.names.items() if known.get(user_id) != names]
        known |= {user_id: tuple(dict.fromkeys(known.get(user_id, ()) + names)) for user_id, names in news}
    return known


_NOTHING = Talk.of([])
