"""Messages as columns: what ranking looks at as numbers, and everything else packed until a hit is shown."""

from __future__ import annotations

import json
import zlib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from functools import lru_cache
from typing import Any, NamedTuple, cast

import numpy as np
from numpy.typing import NDArray

from shared.domain.conversation.messages import MediaFile, Message, migrated_message_id
from shared.domain.recall.index.postings import Counts, Postings, Rows, analyse
from shared.domain.recall.index.vectors import NO_VECTORS, SpreadVectors, TextVector, Vectors

Int64 = NDArray[np.int64]

IS_BOT, IS_FORWARD = 1, 2

MESSAGES_A_BLOCK = 32
"""Packed together: one is read in 60 µs, and chatter still shrinks to less than half."""

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_MICROSECOND = timedelta(microseconds=1)


@dataclass(frozen=True, slots=True)
class Blocks:
    """Rows of JSON in order, compressed in blocks: one is read back without unpacking the others.

    With `size` rows to a block: the fewer, the sooner one is read, and the less they shrink.
    """

    blocks: tuple[bytes, ...]
    size: int

    @classmethod
    def of(cls, rows: Sequence[Any], size: int) -> Blocks:
        """Compress rows of plain JSON values."""
        stretches = (rows[start : start + size] for start in range(0, len(rows), size))
        texts = (json.dumps(each, ensure_ascii=False, separators=(",", ":")) for each in stretches)
        return cls(tuple(zlib.compress(text.encode("utf-8", "surrogatepass")) for text in texts), size)

    def row(self, index: int) -> Any:
        """One row."""
        return _open(self.blocks[index // self.size])[index % self.size]

    def __iter__(self) -> Iterator[Any]:
        for block in self.blocks:
            yield from _open(block)


@lru_cache(maxsize=16)  # what is found and its neighbours stand in few blocks, and are looked at row by row
def _open(block: bytes) -> list[Any]:
    rows: list[Any] = json.loads(zlib.decompress(block))
    return rows


class Columns(NamedTuple):
    """The columns that ranking looks at, a row a message.

    Attributes:
        sent_us: When it was sent, in microseconds of UTC since 1970.
        threads: Topic, 0 for none.
        reply_ids: Id of the message replied to, 0 for none.
        flags: `IS_BOT`, `IS_FORWARD`.
        lengths: Terms in it.
    """

    message_ids: Int64
    sent_us: Int64
    speakers: Int64
    threads: Int64
    reply_ids: Int64
    flags: NDArray[np.uint8]
    lengths: NDArray[np.int32]


@dataclass(frozen=True, slots=True, eq=False)
class IndexedTalk:
    """Messages of one chat in the order of their ids.

    Attributes:
        chat_id: The chat; 0 when there is no message.
        index: Rows by term.
        names: What each speaker is called here, in the order seen.
        rest: Everything else of each message.
        own_vectors: Of those that have been embedded.
    """

    chat_id: int
    columns: Columns
    index: Postings
    names: Mapping[int, tuple[str, ...]]
    rest: Blocks
    own_vectors: Vectors

    @classmethod
    def of(
        cls,
        messages: Sequence[Message],
        earlier: IndexedTalk | None = None,
        vectors: Mapping[int, TextVector] = NO_VECTORS,
        *,
        same_terms: bool = True,
    ) -> IndexedTalk:
        """Build it; of several messages with one id the last counts. What `earlier` has analysed is not read again.

        Args:
            earlier: Its vectors are kept, too, of messages that have not changed.
            vectors: By the ids of messages; they count instead of those.
            same_terms: Whether `earlier` was analysed as texts are now.

        Raises:
            ValueError: The messages are of different chats.
        """
        by_id = {message.message_id: message for message in messages}
        ordered = [by_id[message_id] for message_id in sorted(by_id)]
        if len(chats := {message.chat_id for message in ordered}) > 1:
            raise ValueError(f"Messages of {len(chats)} chats do not go together")
        same = _same(earlier, ordered) if earlier is not None else {}
        known = earlier.index if earlier is not None and same_terms else None
        analysis = analyse([indexed_text(m) for m in ordered], known, same if same_terms else {})
        kept = {row: earlier.own_vectors.get(old) for old, row in same.items()} if earlier is not None else {}
        kept |= {row: vectors[m.message_id] for row, m in enumerate(ordered) if m.message_id in vectors}
        columns = Columns(
            message_ids=_int64([m.message_id for m in ordered]),
            sent_us=_int64([microseconds(m.sent_at) for m in ordered]),
            speakers=_int64([m.user_id for m in ordered]),
            threads=_int64([m.thread_id or 0 for m in ordered]),
            reply_ids=_int64([m.reply_to or 0 for m in ordered]),
            flags=np.array([IS_BOT * m.is_bot + IS_FORWARD * m.forwarded for m in ordered], np.uint8),
            lengths=analysis.lengths,
        )
        rest = Blocks.of([_rest(m) for m in ordered], MESSAGES_A_BLOCK)
        own = Vectors.of(len(ordered), kept)
        return cls(next(iter(chats), 0), columns, analysis.index, _names(ordered), rest, own)

    @property
    def size(self) -> int:
        """Return how many messages."""
        return len(self.columns.message_ids)

    @property
    def vectors(self) -> SpreadVectors:
        return self.own_vectors.spread()

    def postings(self, term: str) -> tuple[Rows, Counts]:
        return self.index.find(term)

    def item(self, row: int) -> Message:
        return self._message(row, self.rest.row(row))

    def move(self, chat_id: int) -> IndexedTalk:
        """Return the talk of a basic group as it is under the id of the supergroup that it became."""
        ids, replies = self.columns.message_ids, self.columns.reply_ids
        shift = migrated_message_id(0)
        moved = self.columns._replace(message_ids=ids + shift, reply_ids=np.where(replies == 0, 0, replies + shift))
        return replace(self, chat_id=chat_id, columns=moved)

    def messages(self) -> list[Message]:
        """All of them, by id."""
        return [self._message(row, rest) for row, rest in enumerate(self.rest)]

    def _message(self, row: int, rest: Any) -> Message:
        text, media_text, name, username, kind, is_admin, quote, edited_us, media = rest
        columns = self.columns
        flags = int(columns.flags[row])
        return Message(
            chat_id=self.chat_id,
            message_id=int(columns.message_ids[row]),
            sent_at=instant(int(columns.sent_us[row])),
            user_id=int(columns.speakers[row]),
            name=name,
            username=username,
            text=text,
            kind=kind,
            is_bot=bool(flags & IS_BOT),
            is_admin=is_admin,
            reply_to=int(columns.reply_ids[row]) or None,
            quote=quote,
            thread_id=int(columns.threads[row]) or None,
            forwarded=bool(flags & IS_FORWARD),
            edited_at=None if edited_us is None else instant(edited_us),
            media=None if media is None else MediaFile.of_stored(media),
            media_text=media_text,
        )


def indexed_text(message: Message) -> str:
    """Return what a message is found by."""
    return f"{message.text}\n{message.media_text}" if message.media_text else message.text


def microseconds(at: datetime) -> int:
    """Microseconds of UTC since 1970."""
    return (at - _EPOCH) // _MICROSECOND


def instant(us: int) -> datetime:
    """Return the moment so many microseconds after 1970 began, in UTC."""
    return _EPOCH + us * _MICROSECOND


def _same(earlier: IndexedTalk, messages: Sequence[Message]) -> dict[int, int]:
    """Rows of `earlier` whose text and author's name have not changed, with their rows in `messages`."""
    rows = {message.message_id: row for row, message in enumerate(messages)}
    pairs = ((old, rows.get(m.message_id), m) for old, m in enumerate(earlier.messages()))
    known = ((old, row, m, messages[row]) for old, row, m in pairs if row is not None)
    return {old: row for old, row, m, n in known if (m.name, indexed_text(m)) == (n.name, indexed_text(n))}


def _names(messages: Sequence[Message]) -> dict[int, tuple[str, ...]]:
    seen: dict[int, dict[str, None]] = {}
    for message in messages:
        names = seen.setdefault(message.user_id, {})
        names |= {name: None for name in (message.name, message.username) if name}
    return {user_id: tuple(names) for user_id, names in seen.items()}


def _rest(m: Message) -> tuple[Any, ...]:
    edited = None if m.edited_at is None else microseconds(m.edited_at)
    media = None if m.media is None else m.media.stored_fields()
    return m.text, m.media_text, m.name, m.username, m.kind, m.is_admin, m.quote, edited, media


def _int64(values: Sequence[int]) -> Int64:
    return cast("Int64", np.array(values, np.int64))
