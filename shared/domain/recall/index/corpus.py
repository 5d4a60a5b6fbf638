"""A chat's messages as one searchable whole over its segments and the messages that are in none yet.

Rows stand in the order of talk: by topic, then time, then id. A message that several layers hold counts once, as the
last layer has it. Sealed segments are joined once; the open one and the tail are laid over them by array operations, so
a new message costs no loop over the old ones.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from shared.domain.conversation.messages import Message
from shared.domain.recall.index.layers import Followed, Layers, last_of_each, stack_columns, take_rows
from shared.domain.recall.index.note import Note
from shared.domain.recall.index.notes import NoteCorpus
from shared.domain.recall.index.postings import Counts, Postings, Rows
from shared.domain.recall.index.segment import MOST_MESSAGES, Segment
from shared.domain.recall.index.talk import IS_BOT, Columns, IndexedTalk, Int64


def _column(of: Callable[[Columns], NDArray[Any]]) -> cached_property[NDArray[Any]]:
    """A column of all rows, made when it is first asked for: that of the rows before, and `of` the own."""

    def whole(corpus: Corpus) -> NDArray[Any]:
        own = of(corpus._own)
        if corpus.before is None or column.attrname is None:
            return own
        return np.concatenate((getattr(corpus.before, column.attrname), own))

    column = cached_property(whole)
    return column


class Corpus:
    """A `Layer` of messages in the order of talk, and the notes about them.

    Attributes:
        size: How many messages.
        before: A corpus whose rows are the first rows of this one, or None: what is known of them is not worked out
            again.
        notes: Summaries and episodes, searchable in the same way.
        names: Names and usernames seen of each user, oldest first.
        aliases: What else users are called, as it is believed.
        message_ids, speakers: Telegram's id of each, and the user id of its author; `bots`: whether a bot does.
        sent_at: When each was sent, in seconds of UTC since 1970.
        threads: Topic of each, 0 for none.
        lengths: Terms in each.
        vectors: Of those that have been embedded.
    """

    def __init__(
        self,
        layers: Sequence[IndexedTalk | Corpus] = (),
        notes: NoteCorpus | None = None,
        *,
        in_one_piece: bool = False,
        names_before: Mapping[int, tuple[str, ...]] | None = None,
        aliases: Mapping[int, tuple[str, ...]] | None = None,
    ) -> None:
        """Lay the layers over one another; a talk laid over a corpus costs little when all of it comes after.

        Args:
            names_before: Names as they were known; when nothing was added, `names` is this very object, so that what a
                caller derived from it still holds.
            in_one_piece: Join the postings: slower now, faster later.
        """
        self.before, self._own, self._layers = _append_layers(layers) or _arrange_layers(
            layers, in_one_piece=in_one_piece
        )
        self.size: int = len(self._own.message_ids) + (self.before.size if self.before is not None else 0)
        names = join_names(layers)
        self.names = names_before if names_before is not None and names_before == names else names
        self.aliases: Mapping[int, tuple[str, ...]] = aliases or {}
        self.notes = NoteCorpus() if notes is None else notes
        self.vectors = self._layers.vectors

    @classmethod
    def of(cls, messages: Iterable[Message], notes: Iterable[Note] = ()) -> Corpus:
        """A corpus of these, as it would be read from segments."""
        ordered = sorted(messages, key=lambda message: message.message_id)
        stretches = (ordered[at : at + MOST_MESSAGES] for at in range(0, len(ordered), MOST_MESSAGES))
        return cls.of_segments([*(Segment.build(stretch) for stretch in stretches), Segment.build(notes=list(notes))])

    @classmethod
    def of_segments(cls, segments: Sequence[Segment]) -> Corpus:
        """Everything that the segments hold, in one piece."""
        notes = NoteCorpus([segment.memory for segment in segments], in_one_piece=True)
        return cls([segment.talk for segment in segments], notes, in_one_piece=True)

    @property
    def last_place(self) -> tuple[int, int, int]:
        """Topic, time and id of the last row; there must be one."""
        if self.before is not None and not len(self._own.message_ids):
            return self.before.last_place
        return _place(self._own, -1)

    @property
    def index(self) -> Postings | None:
        return self._layers.index

    @property
    def nbytes(self) -> int:
        """Estimate its bytes beside its layers: each column counts twice, for what is made of it when asked."""
        return 2 * self.size * _ROW_BYTES + self._layers.nbytes + self.notes.nbytes

    @property
    def columns(self) -> Columns:
        """Return what ranking looks at, all of it."""
        return Columns(*stack_columns([self.before.columns, self._own])) if self.before is not None else self._own

    message_ids = _column(lambda own: own.message_ids)
    sent_at = _column(lambda own: own.sent_us // 1_000_000)
    speakers = _column(lambda own: own.speakers)
    threads = _column(lambda own: own.threads)
    lengths = _column(lambda own: own.lengths)
    bots = _column(lambda own: (own.flags & IS_BOT) != 0)

    @cached_property
    def replies(self) -> NDArray[np.int32]:
        """Row of the message replied to, -1 when there is none or it is not known."""
        rows = np.full(len(self._own.reply_ids), -1, np.int32)
        replying = np.flatnonzero(self._own.reply_ids)
        rows[replying] = self.rows_of(self._own.reply_ids[replying])
        if self.before is None:
            return rows
        grown = np.concatenate((self.before.replies, rows))
        missing, ids = self.before._unknown_replies  # a message may be known only after the reply to it
        grown[missing] = self.rows_of(ids)
        return grown

    @cached_property
    def _unknown_replies(self) -> tuple[NDArray[Any], Int64]:
        """Rows that reply to a message that is not here, and its id."""
        reply_ids = self.columns.reply_ids
        rows = np.flatnonzero((reply_ids != 0) & (self.replies < 0))
        return rows, reply_ids[rows]

    def rows_of(self, message_ids: Int64) -> NDArray[np.int32]:
        """Rows of messages by id, -1 for those that are not here."""
        if not self.size:
            return np.full(len(message_ids), -1, np.int32)
        by_id, sorted_ids = self._by_id
        at = np.minimum(sorted_ids.searchsorted(message_ids), self.size - 1)
        return np.where(sorted_ids[at] == message_ids, by_id[at], -1).astype(np.int32)

    def rows_between(self, first: np.int64, last: np.int64) -> NDArray[Any]:
        """Rows of the messages with ids from `first` to `last`, in the order of ids."""
        by_id, sorted_ids = self._by_id
        low, high = sorted_ids.searchsorted(first, "left"), sorted_ids.searchsorted(last, "right")
        return by_id[low:high]

    def newest_speakers(self, messages: int) -> list[int]:
        """Return which persons said the newest so many messages, who spoke last first."""
        by_id, _ = self._by_id
        rows = by_id[len(by_id) - min(messages, len(by_id)) :][::-1]
        return list(dict.fromkeys(self.speakers[rows[~self.bots[rows]]].tolist()))

    def postings(self, term: str) -> tuple[Rows, Counts]:
        return self._layers.postings(term)

    def item(self, row: int) -> Message:
        """One message, as it was said."""
        return self._layers.item(row)

    message = item

    @cached_property
    def _by_id(self) -> tuple[NDArray[Any], Int64]:
        own = self._own.message_ids
        if self.before is not None and self.before.size and len(own):
            by_id, sorted_ids = self.before._by_id
            if own.min() > sorted_ids[-1]:
                order = own.argsort()
                return np.concatenate((by_id, order + self.before.size)), np.concatenate((sorted_ids, own[order]))
        by_id = self.message_ids.argsort(kind="stable")
        return by_id, self.message_ids[by_id]


_Arrangement = tuple[Corpus | None, Columns, Layers[Message] | Followed[Message]]


def _append_layers(layers: Sequence[IndexedTalk | Corpus]) -> _Arrangement | None:
    """A corpus and a talk of which every message is new and comes after; None when they are no such."""
    if len(layers) != 2 or not isinstance(layers[0], Corpus) or not isinstance(layers[1], IndexedTalk):
        return None
    base, talk = layers[0], layers[1]
    columns = talk.columns
    order = np.lexsort((columns.message_ids, columns.sent_us, columns.threads))
    own = Columns(*take_rows(columns, order))
    if base.size and talk.size and (_place(own, 0) <= base.last_place or (base.rows_of(own.message_ids) >= 0).any()):
        return None
    return base, own, Followed(base, base.size, talk, order)


def _arrange_layers(layers: Sequence[IndexedTalk | Corpus], *, in_one_piece: bool) -> _Arrangement:
    """Any layers, put in order."""
    columns = Columns(*stack_columns([_NOTHING.columns, *(layer.columns for layer in layers)]))
    kept = last_of_each(columns.message_ids)
    order = kept[np.lexsort([key[kept] for key in (columns.message_ids, columns.sent_us, columns.threads)])]
    arranged: Layers[Message] = Layers.of(layers, [layer.size for layer in layers], order)
    return None, Columns(*take_rows(columns, order)), arranged.join_postings() if in_one_piece else arranged


def _place(columns: Columns, row: int) -> tuple[int, int, int]:
    """Return where a row stands in the order of talk."""
    return int(columns.threads[row]), int(columns.sent_us[row]), int(columns.message_ids[row])


def join_names(layers: Sequence[IndexedTalk | Corpus]) -> Mapping[int, tuple[str, ...]]:
    known = layers[0].names if layers else {}
    for layer in layers[1:]:
        news = [(user_id, names) for user_id, names in layer.names.items() if not {*names} <= {*known.get(user_id, ())}]
        if news:
            more = {user_id: tuple(dict.fromkeys(known.get(user_id, ()) + names)) for user_id, names in news}
            known = {**known, **more}
    return known


_NOTHING = IndexedTalk.of([])
_ROW_BYTES = sum(column.itemsize for column in _NOTHING.columns)
