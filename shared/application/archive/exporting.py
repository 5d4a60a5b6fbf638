"""A chat's subtree as an export: gzip of JSON lines.

    {"chat_id": -100…, "exported_at": {"$t": …}, "format": "spomyn-export", "spomyn": "0.1.0", "version": 1}
    {"data": {…}, "path": ""}                       the chat's own document
    {"data": {…}, "path": "messages/17"}            every other one, its path relative to the chat's
    {"documents": 2, "sha256": "…"}                 how many there were; SHA-256 of all bytes before this line

The same documents in the same order at the same instant make the same bytes. Only the whole file is an export: without
its last line it is half-written.
"""

import hashlib
import re
import zlib
from collections.abc import AsyncIterable, AsyncIterator, Iterator
from dataclasses import dataclass
from datetime import datetime
from typing import Any, NamedTuple

from shared.application.archive.values import dump, load, pack, unpack
from shared.application.documents import chat_path
from shared.application.ports.store import Document, DocumentStore
from shared.application.ports.system import Clock
from shared.domain.errors import ExportRefused, NothingToExport

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


@dataclass(slots=True)
class TransferProgress:
    """The progress of an export or an import: documents, and bytes of the compressed file."""

    documents: int = 0
    size: int = 0


async def export_chat(
    store: DocumentStore, clock: Clock, chat_id: int, *, tally: TransferProgress | None = None
) -> AsyncIterator[bytes]:
    """Yield everything under a chat and its own document as a file, about 64 KiB at a time, holding one of them.

    It is no snapshot: what is written meanwhile may or may not be in it, each document whole.

    Args:
        tally: Kept up to date, for the progress shown.

    Raises:
        NothingToExport: There is no document.
        ExportRefused: A document holds something that no export has a form for; named are its path and field.
    """
    tally = tally or TransferProgress()
    gzip, waiting = zlib.compressobj(_LEVEL, zlib.DEFLATED, _GZIP), bytearray()
    async for line in _lines(store, Header(chat_id, clock.now()), tally):
        waiting += gzip.compress(line)
        if len(waiting) >= _OUT:
            tally.size += len(waiting)
            yield bytes(waiting)
            waiting.clear()
    waiting += gzip.flush()
    tally.size += len(waiting)
    yield bytes(waiting)


async def _lines(store: DocumentStore, header: Header, tally: TransferProgress) -> AsyncIterator[bytes]:
    fields, documents = {"format": FORMAT, "version": VERSION, **header._asdict()}, 0
    line = f"{dump({name: pack(value) for name, value in fields.items()})}\n".encode()
    digest = hashlib.sha256(line)
    yield line
    async for path, document in chat_documents(store, header.chat_id):
        try:
            line = f"{entry_text(path, document.data)}\n".encode()
        except ValueError as error:
            raise ExportRefused(f"{document.path} cannot be exported", problems=(str(error),)) from error
        digest.update(line)
        documents += 1
        tally.documents = documents
        yield line
    if not documents:
        raise NothingToExport(f"there is nothing of chat {header.chat_id}")
    yield f"{dump({'documents': documents, 'sha256': digest.hexdigest()})}\n".encode()


async def chat_documents(store: DocumentStore, chat_id: int) -> AsyncIterator[tuple[str, Document]]:
    """Yield a chat's own document, if there is one, and all below it, each with its path as in an export."""
    chat = await store.get(chat_path(chat_id))
    if chat is not None:
        yield "", chat
    async for document in store.subtree(chat_path(chat_id)):
        yield document.path.removeprefix(f"{chat_path(chat_id)}/"), document


def entry_text(path: str, data: Any) -> str:
    """Return the line of a document, without its end.

    Raises:
        ValueError: It holds a value of a kind that exports have no form for.
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
