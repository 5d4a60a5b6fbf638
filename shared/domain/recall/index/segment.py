"""A segment: up to a thousand messages and the notes about them, ready to be searched, in one compressed document.

It is never changed, only replaced. Its bytes are the same for the same content, and they say themselves whether they
are whole: anything wrong with them is `SegmentUnreadable`, and no other error.
"""

from __future__ import annotations

import json
import struct
import zlib
from collections.abc import Container, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import islice, pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from shared.domain.conversation.messages import Message
from shared.domain.errors import PermanentError
from shared.domain.recall.index.note import Note
from shared.domain.recall.index.notes import NOTES_A_BLOCK, NoteColumns, Notes
from shared.domain.recall.index.postings import Postings
from shared.domain.recall.index.talk import MESSAGES_A_BLOCK, Blocks, Columns, IndexedTalk
from shared.domain.recall.index.vectors import NO_VECTORS, TextVector, VectorKind, Vectors
from shared.domain.text.terms import TERMS_VERSION

MOST_MESSAGES = 1_000
"""Messages in a segment (design, Retrieval: about 1,000)."""

MOST_BYTES = 700_000
"""Bytes of an encoded segment, when it can be divided: a document holds 1 MiB, and base64 makes a third more of it."""

VERSION, _WITHOUT_MESSAGES_VECTORS = 3, 2
_MAGIC = b"SPOM"
_FRAME = struct.Struct("<4sBII")  # magic, version, checksum, length of the packed columns
_LENGTH = struct.Struct("<I")
_TYPES = frozenset({"<i8", "<u8", "<i4", "<u2", "|i1", "|u1"})


class SegmentUnreadable(PermanentError):
    """The bytes are no whole segment of this version: cut, altered, or from another release."""


@dataclass(frozen=True, eq=False)
class Segment:
    """Messages and notes of one chat, with the terms they are found by.

    Attributes:
        terms_version: Which analysis of words the postings come from (`TERMS_VERSION` when built now).
    """

    talk: IndexedTalk
    memory: Notes
    terms_version: int = TERMS_VERSION

    @classmethod
    def build(
        cls,
        messages: Sequence[Message] = (),
        notes: Sequence[Note] = (),
        *,
        earlier: Segment | None = None,
        vectors: Mapping[int, TextVector] = NO_VECTORS,
    ) -> Segment:
        """Analyse and pack; the order does not matter, of several with one id the last counts.

        Args:
            earlier: A segment whose analysis and vectors are used again for texts that have not changed.
            vectors: Of messages, by id.

        Raises:
            ValueError: The messages are of different chats.
        """
        same_terms = earlier is not None and earlier.terms_version == TERMS_VERSION
        return cls(
            IndexedTalk.of(messages, earlier.talk if earlier else None, vectors, same_terms=same_terms),
            Notes.of(notes, earlier.memory if earlier and same_terms else None),
        )

    def messages(self) -> list[Message]:
        """All messages, by id."""
        return self.talk.messages()

    def notes(self) -> list[Note]:
        """All notes, by the first message that they are about."""
        return self.memory.notes()

    def change(
        self,
        messages: Iterable[Message] = (),
        notes: Iterable[Note] = (),
        *,
        vectors: Mapping[int, TextVector] = NO_VECTORS,
        without: Container[int] = (),
        without_notes: Container[tuple[str, str]] = (),
    ) -> Segment:
        """Put these messages with their vectors and these notes in, and take those of these ids and keys out."""
        kept = [message for message in self.messages() if message.message_id not in without]
        kept_notes = [note for note in self.notes() if note.key not in without_notes]
        return Segment.build([*kept, *messages], [*kept_notes, *notes], earlier=self, vectors=vectors)

    @cached_property
    def nbytes(self) -> int:
        """Return what it takes in memory, about; counted once, for every question asks."""
        return sum(column.nbytes for column in _columns(self)) + sum(map(len, _blocks(self)))

    def encode(self) -> bytes:
        """Pack it as bytes: a frame with version and checksum, the packed columns, the blocks."""
        columns, blocks = _columns(self), _blocks(self)
        header = {
            "terms": self.terms_version,
            "chat": self.talk.chat_id,
            "names": list(self.talk.names.items()),
            "vectors": [part.own_vectors.kinds for part in (self.talk, self.memory)],
            "columns": [(column.dtype.str, len(column)) for column in columns],
            "blocks": [len(block) for block in blocks],
            "talk_blocks": len(self.talk.rest.blocks),
        }
        text = json.dumps(header, separators=(",", ":")).encode()
        raw = b"".join([_LENGTH.pack(len(text)), text, *(column.tobytes() for column in columns)])
        packed = zlib.compress(raw)
        body = packed + b"".join(blocks)
        return _FRAME.pack(_MAGIC, VERSION, zlib.crc32(body, len(packed)), len(packed)) + body

    @classmethod
    def decode(cls, payload: bytes) -> Segment:
        """Return the segment that was encoded.

        Raises:
            SegmentUnreadable: The bytes are cut, altered, or of another version.
        """
        try:
            return _decode(payload)
        except (ValueError, KeyError, TypeError, IndexError, struct.error, zlib.error) as error:
            raise SegmentUnreadable(f"A segment of {len(payload)} bytes cannot be read: {error}") from error


def divide_segment(segment: Segment, *, growing: bool) -> list[tuple[Segment, bytes]]:
    """The segment and its payload; or several, in the order of ids, when it is too large for one.

    Args:
        growing: What comes next will stand at its end: then the first thousand messages are left behind, full. Else it
            is halved.
    """
    payload = segment.encode()
    cut = _cut(segment, growing=growing)
    if cut is None or (segment.talk.size <= MOST_MESSAGES and len(payload) <= MOST_BYTES):
        return [(segment, payload)]
    messages, notes = segment.messages(), segment.notes()
    left = [m for m in messages if m.message_id < cut], [note for note in notes if note.first < cut]
    right = [m for m in messages if m.message_id >= cut], [note for note in notes if note.first >= cut]
    below, above = (Segment.build(*part, earlier=segment) for part in (left, right))
    return [*divide_segment(below, growing=False), *divide_segment(above, growing=growing)]


def _cut(segment: Segment, *, growing: bool) -> int | None:
    """The lowest id of the right part, or None when there is nothing to divide."""
    ids = segment.talk.columns.message_ids
    if growing and len(ids) > MOST_MESSAGES:
        return int(ids[MOST_MESSAGES])
    points = np.unique(np.concatenate((ids, segment.memory.columns.firsts)))
    return int(points[len(points) // 2]) if len(points) > 1 else None


def _columns(segment: Segment) -> list[NDArray[Any]]:
    talk, memory = segment.talk, segment.memory
    # Row numbers in 16 bits: a segment has no more.
    of_talk, of_notes = (index._replace(rows=index.rows.astype(np.uint16)) for index in (talk.index, memory.index))
    return [
        *(*talk.columns, *of_talk, *memory.columns, *of_notes),
        *(column.ravel() for each in (talk, memory) for column in (each.own_vectors.numbers, each.own_vectors.steps)),
    ]


def _blocks(segment: Segment) -> tuple[bytes, ...]:
    return segment.talk.rest.blocks + segment.memory.rest.blocks


def _decode(encoded: bytes) -> Segment:
    magic, version, checksum, packed = _FRAME.unpack_from(encoded)
    body = encoded[_FRAME.size :]
    if magic != _MAGIC or version not in (VERSION, _WITHOUT_MESSAGES_VECTORS):
        raise ValueError(f"it is of version {version}, not {VERSION}")
    if checksum != zlib.crc32(body, packed):
        raise ValueError("its checksum is wrong")
    raw = zlib.decompress(body[:packed])
    header_length = _LENGTH.unpack_from(raw)[0]
    header = json.loads(raw[_LENGTH.size : _LENGTH.size + header_length])
    columns = _split_columns(raw, _LENGTH.size + header_length, header["columns"])
    edges = np.cumsum([packed, *header["blocks"]])
    if edges[-1] != len(body):
        raise ValueError("its blocks are not whole")
    blocks = [body[low:high] for low, high in pairwise(edges)]
    at = header["talk_blocks"]
    take = iter(columns)
    talk_columns, index = Columns(*islice(take, len(Columns._fields))), Postings(*islice(take, len(Postings._fields)))
    names = {user_id: tuple(names) for user_id, names in header["names"]}
    note_columns = NoteColumns(*islice(take, len(NoteColumns._fields)))
    note_index = Postings(*islice(take, len(Postings._fields)))
    if version == VERSION:
        kinds = [tuple(VectorKind(*kind) for kind in each) for each in header["vectors"]]
        pairs = [(each, next(take), next(take)) for each in kinds]
        said, told = (
            Vectors(each, rows, steps.reshape(len(rows), steps.size // max(len(rows), 1)))
            for each, rows, steps in pairs
        )
    else:
        said = Vectors.of(len(talk_columns.message_ids), NO_VECTORS)
        sizes, _, steps = take
        each = zip(header["models"], np.split(steps, sizes.cumsum()), strict=False)
        known = {row: TextVector.of(model, tuple(vector.tolist())) for row, (model, vector) in enumerate(each)}
        told = Vectors.of(len(sizes), known)
    talk = IndexedTalk(header["chat"], talk_columns, index, names, Blocks(tuple(blocks[:at]), MESSAGES_A_BLOCK), said)
    memory = Notes(note_columns, note_index, Blocks(tuple(blocks[at:]), NOTES_A_BLOCK), told)
    return Segment(talk, memory, header["terms"])


def _split_columns(raw: bytes, start: int, shapes: Sequence[tuple[str, int]]) -> list[NDArray[Any]]:
    columns = []
    for kind, count in shapes:
        if kind not in _TYPES:
            raise ValueError(f"it has a column of type {kind!r}")
        columns.append(np.frombuffer(raw, kind, count, start).copy())
        start += columns[-1].nbytes
    return columns
