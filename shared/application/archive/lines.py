"""The format of an export: gzip of JSON lines.

    {"chat_id": -100…, "exported_at": {"$t": …}, "format": "spomyn-export", "spomyn": "0.1.0", "version": 1}
    {"data": {…}, "path": ""}                       the chat's own document
    {"data": {…}, "path": "messages/17"}            every other one, its path relative to the chat's
    {"documents": 2, "sha256": "…"}                 how many there were; SHA-256 of all bytes before this line

The same documents in the same order at the same instant make the same bytes. Only the whole file is an export: without
its last line it is half-written.
"""

from __future__ import annotations

import hashlib
import re
import zlib
from collections.abc import AsyncIterable, AsyncIterator, Iterator
from datetime import datetime
from typing import Any, NamedTuple

from shared.application.archive.values import dump, load, pack, unpack

FORMAT, VERSION = "spomyn-export", 1
SPOMYN = "0.1.0"
"""Version of Spomyn that writes; for people, not checked on reading."""

MAX_LINE = 3 << 20
"""Bytes of a line: a document of 1 MiB, all of it bytes in base64 or escaped text, and room to spare."""

_OUT = 1 << 16
_GZIP = 31  # zlib's window bits for gzip with the largest window; the header's time is 0
_LEVEL = 6
_MAX_PATH_BYTES = 1_500
_SHA256 = re.compile(r"[0-9a-f]{64}")
_DAMAGED = "it is damaged or half-written"


class Header(NamedTuple):
    """First line of an export: of which chat and of when it is."""

    chat_id: int
    exported_at: datetime
    spomyn: str = SPOMYN


class DocumentLine(NamedTuple):
    """A line with a document: its path relative to the chat's ("" is the chat's own) and its fields."""

    path: str
    data: dict[str, Any]


class Trailer(NamedTuple):
    """Last line of an export: number of documents, and SHA-256 in hex of all lines before."""

    documents: int
    sha256: str


class Compressor:
    """Makes the file, line by line, and its last line."""

    def __init__(self) -> None:
        self._gzip = zlib.compressobj(_LEVEL, zlib.DEFLATED, _GZIP)
        self._digest = hashlib.sha256()
        self._ready = bytearray()
        self.documents = 0

    def header(self, header: Header) -> None:
        """Take the first line."""
        fields = {"format": FORMAT, "version": VERSION, **header._asdict()}
        self._take(dump({name: pack(value) for name, value in fields.items()}))

    def entry(self, path: str, data: Any) -> None:
        """Take a document.

        Raises:
            ValueError: It holds a value of a kind that exports have no form for.
        """
        self._take(entry_text(path, data))
        self.documents += 1

    def ready(self) -> bytes:
        """Return what is compressed so far when it is worth handing on, else nothing."""
        return self._drain() if len(self._ready) >= _OUT else b""

    def finish(self) -> bytes:
        """Take the last line; the rest of the file."""
        self._take(dump({"documents": self.documents, "sha256": self._digest.hexdigest()}))
        self._ready += self._gzip.flush()
        return self._drain()

    def _take(self, text: str) -> None:
        line = f"{text}\n".encode()
        self._digest.update(line)
        self._ready += self._gzip.compress(line)

    def _drain(self) -> bytes:
        drained = bytes(self._ready)
        self._ready.clear()
        return drained


def entry_text(path: str, data: Any) -> str:
    """The line of a document, without its end.

    Raises:
        ValueError: See `Compressor.entry`.
    """
    return dump({"path": path, "data": pack(data)})


async def plain_lines(chunks: AsyncIterable[bytes]) -> AsyncIterator[bytes]:
    """The lines of a compressed file, each with its line feed, holding one of them at a time.

    Raises:
        ValueError: It is no gzip file, it is cut off, something follows it, or a line is longer than `MAX_LINE`.
    """
    unzip, rest = zlib.decompressobj(_GZIP), bytearray()
    async for chunk in chunks:
        if unzip.eof and chunk:
            raise ValueError(f"{_DAMAGED}: something follows its end")
        for plain in _decompress(unzip, chunk):
            rest += plain
            *whole, last = rest.split(b"\n")
            if max(map(len, (*whole, last))) > MAX_LINE:
                raise ValueError(f"a line is longer than {MAX_LINE} bytes")
            for line in whole:
                yield bytes(line) + b"\n"
            rest = last
    if unzip.unused_data:
        raise ValueError(f"{_DAMAGED}: something follows its end")
    if not unzip.eof or rest:
        raise ValueError(f"{_DAMAGED}: it breaks off")


def _decompress(unzip: Any, chunk: bytes) -> Iterator[bytes]:
    """The plain bytes of a chunk, a bounded number at a time: a small file may hold very much."""
    try:
        plain = unzip.decompress(chunk, _OUT)
        yield plain
        while unzip.unconsumed_tail or len(plain) == _OUT:
            plain = unzip.decompress(unzip.unconsumed_tail, _OUT)
            yield plain
    except zlib.error as error:
        raise ValueError(f"{_DAMAGED}: {error}") from error


def read_header(text: str) -> Header:
    """The first line.

    Raises:
        ValueError: It is not the first line of an export of this version.
    """
    found = load(text)
    if not isinstance(found, dict) or found.get("format") != FORMAT:
        raise ValueError("it is no export of Spomyn")
    if found.get("version") != VERSION:
        raise ValueError(f"it is of version {found.get('version')!r}, and this Spomyn reads version {VERSION}")
    match {name: unpack(value, name) for name, value in found.items()}:
        case {"chat_id": int(chat_id), "exported_at": datetime() as exported_at, "spomyn": str(spomyn), **rest}:
            if set(rest) == {"format", "version"} and not isinstance(chat_id, bool):
                return Header(chat_id, exported_at, spomyn)
    raise ValueError("the header is not of its form")


def read_line(text: str) -> DocumentLine | Trailer:
    """Another line.

    Raises:
        ValueError: It is neither a document that a store can hold nor the last line; the message names the path.
    """
    match load(text):
        case {"path": str(path), "data": dict(data), **rest} if not rest:
            check_path(path)
            try:
                return DocumentLine(path, unpack(data))
            except ValueError as error:
                raise ValueError(f"{path or 'the chat'}: {error}") from error
        case {"documents": int(documents), "sha256": str(sha256), **rest} if not rest and _SHA256.fullmatch(sha256):
            return Trailer(documents, sha256)
    raise ValueError("it is neither a document nor the end")


def check_path(path: str) -> None:
    """Accept "" and `collection/id` pairs.

    Raises:
        ValueError: It is no path of a document under a chat.
    """
    if path == "":
        return
    parts = path.split("/")
    odd = len(parts) % 2 or any(part in ("", ".", "..") or re.fullmatch(r"__.*__", part) for part in parts)
    if odd or len(path.encode()) > _MAX_PATH_BYTES:
        raise ValueError(f"{path[:200]!r} is no path of a document")
