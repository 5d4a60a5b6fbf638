"""An export read to its end: whether all of it can be used, and what is in it.

Sixteen bytes are held for each document: enough to know it again.
"""

from __future__ import annotations

import hashlib
import re
from array import array
from bisect import bisect_left
from collections.abc import AsyncIterable, AsyncIterator, Callable, Mapping, Sequence
from typing import Any, NamedTuple

from shared.application.archive.exporting import (
    DocumentLine,
    Header,
    Trailer,
    TransferProgress,
    entry_text,
    plain_lines,
    read_header,
    read_line,
)
from shared.application.chats.chat_codec import MARKS_FIELD
from shared.application.people.member_codec import named_user
from shared.application.ports.store import Document
from shared.domain.errors import ExportRefused
from shared.domain.text.plain import one_line

Source = Callable[[], AsyncIterable[bytes]]
"""Opens the same file anew: it is read more than once."""

MOST_PROBLEMS = 20
"""Lines of what is wrong that are worth reading."""


class Known:
    """The documents of a file: a hash of each path, a hash of each content, and whether the store has just that.

    Attributes:
        held: By number, 1 for a document that the store has in its place, and that stays.
    """

    def __init__(self, paths: array[int], contents: array[int]) -> None:
        order = sorted(range(len(paths)), key=paths.__getitem__)
        self._paths = array("Q", map(paths.__getitem__, order))
        self._contents = array("Q", map(contents.__getitem__, order))
        self.held = bytearray(len(order))

    def repeated(self) -> bool:
        """Return whether a path is there twice."""
        return any(self._paths[n] == self._paths[n - 1] for n in range(1, len(self._paths)))

    def find(self, path: str) -> int | None:
        """The number of the document at a path, relative to the chat's."""
        wanted = _hash(path)
        at = bisect_left(self._paths, wanted)
        return at if at < len(self._paths) and self._paths[at] == wanted else None

    def differs(self, number: int, path: str, stored: Document) -> bool:
        """Note and return whether the store has another document in a document's place."""
        try:
            self.held[number] = self._contents[number] == _hash(content_of(path, stored.data))
        except ValueError:  # exports have no form for it, so no file can hold it
            self.held[number] = False
        return not self.held[number]


class Verified(NamedTuple):
    """An export that is whole: its header, its last line, and what is known of its documents.

    Attributes:
        members: User ids of the members and authors in it.
        messages: Ids of the messages in it.
    """

    header: Header
    trailer: Trailer
    known: Known
    members: frozenset[int]
    messages: Sequence[int]


async def verify_export(source: Source, *, tally: TransferProgress | None = None) -> Verified:
    """Read an export to its end and check all of it; nothing is written.

    Raises:
        ExportRefused: It is damaged, half-written, of another format or version, or holds what no store can; the
            problems say where, twenty at most.
    """
    tally = tally or TransferProgress()
    check = _ArchiveCheck(tally)
    try:
        async for line in plain_lines(count_bytes(source(), tally)):
            check.line(line)
    except ValueError as error:
        check.problem(str(error))
    return check.verdict()


class _ArchiveCheck:
    """One pass over a file."""

    def __init__(self, tally: TransferProgress) -> None:
        self._tally = tally
        self._digest = hashlib.sha256()
        self._number = 0
        self._header: Header | None = None
        self._trailer: Trailer | None = None
        self._paths, self._contents = array("Q"), array("Q")
        self._members, self._messages = set[int](), array("q")
        self._problems: list[str] = []

    def problem(self, what: str) -> None:
        """Note what is wrong in the line that was read last."""
        if len(self._problems) < MOST_PROBLEMS:
            self._problems.append(one_line(f"line {self._number}: {what}"))

    def line(self, line: bytes) -> None:
        """Take the next line."""
        self._number += 1
        try:
            self._read(line)
        except UnicodeDecodeError:
            self.problem("it is no UTF-8 text")
        except ValueError as error:
            self.problem(str(error))

    def _read(self, line: bytes) -> None:
        text = line.decode()
        if self._number == 1:
            self._header = read_header(text)
        elif self._trailer is not None:
            raise ValueError("something follows the last line")
        else:
            self._take(read_line(text))
        self._digest.update(line)

    def _take(self, found: DocumentLine | Trailer) -> None:
        if isinstance(found, DocumentLine):
            self._paths.append(_hash(found.path))
            self._contents.append(_hash(content_of(*found)))
            self._tally.documents += 1
            self._note_people(found)
            return
        self._trailer = found
        if found.sha256 != self._digest.hexdigest() and not self._problems:
            raise ValueError("the checksum differs: the export is damaged")
        if found.documents != len(self._paths) and not self._problems:
            raise ValueError(f"{found.documents} documents are promised and {len(self._paths)} are there")

    def _note_people(self, entry: DocumentLine) -> None:
        collection, _, name = entry.path.partition("/")
        if collection in ("messages", "members") and (user_id := named_user(entry.data)) is not None:
            self._members.add(user_id)
        if collection == "members" and name.isdecimal():
            self._members.add(int(name))
        if collection == "messages" and re.fullmatch(r"-?\d{1,18}", name):
            self._messages.append(int(name))

    def verdict(self) -> Verified:
        """Return what was read, when all of it is well."""
        known = Known(self._paths, self._contents)
        if self._trailer is None and not self._problems:
            self.problem("the last line is missing: the export is half-written")
        if not known.held and not self._problems:
            self.problem("it holds no document")
        if known.repeated() and not self._problems:
            self.problem("a document is there twice")
        if self._header is None or self._trailer is None or self._problems:
            raise ExportRefused("The export cannot be used", problems=tuple(self._problems))
        return Verified(self._header, self._trailer, known, frozenset(self._members), self._messages)


def content_of(path: str, data: Mapping[str, Any]) -> str:
    """Return what a document says, by which it is compared: its line, of the chat's own without what is noted of its
    nights.

    An export of the night is made before its own job is noted as done.

    Raises:
        ValueError: Exports have no form for it.
    """
    return entry_text(path, data if path else {name: value for name, value in data.items() if name != MARKS_FIELD})


async def count_bytes(chunks: AsyncIterable[bytes], tally: TransferProgress) -> AsyncIterator[bytes]:
    """Yield the bytes as they are, counted for the progress shown."""
    async for chunk in chunks:
        tally.size += len(chunk)
        yield chunk


def _hash(text: str) -> int:
    return int.from_bytes(hashlib.blake2b(text.encode(), digest_size=8).digest())
