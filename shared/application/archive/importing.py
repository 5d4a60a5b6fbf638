"""A chat brought back from an export: checked whole, compared with the store, and only then written.

What holds after an import: the chat's documents are those of the file, none more and none less. Only what is noted of
the archive stays as it is, and what is noted of the nights where nothing else of the chat's own document differs. A
run that dies is repeated: what is there already is not written again, and the chat's own document, by which the chat is
known, comes last. Sixteen bytes are held for each document, and a few megabytes beside.
"""

from __future__ import annotations

from collections.abc import AsyncIterator
from typing import NamedTuple

from shared.application.app import App
from shared.application.archive.exporting import TransferProgress, relative
from shared.application.archive.forgotten import check_nothing_was_forgotten
from shared.application.archive.lines import DocumentLine, plain_lines, read_line
from shared.application.archive.record_codec import record_path
from shared.application.archive.verifying import (
    MOST_PROBLEMS,
    Known,
    Source,
    There,
    content_of,
    count_bytes,
    verify_export,
)
from shared.application.documents import chat_path
from shared.application.ports.store import Create, Delete, Document, DocumentStore, Set, Write
from shared.domain.errors import ExportRefused, UnstorableDocument
from shared.domain.text.plain import one_line

_MOST_WRITES = 400
_MOST_BATCH_BYTES = 4 << 20
"""Of lines in a batch: Firestore takes requests of 10 MiB."""


class Imported(NamedTuple):
    """What an import did: documents written, found as they should be, and removed because the file has them not."""

    chat_id: int
    documents: int
    written: int
    unchanged: int
    removed: int


async def import_chat(
    app: App, source: Source, *, only: int | None = None, replace: bool = False, tally: TransferProgress | None = None
) -> Imported:
    """Make a chat's documents those of an export; nothing is written unless all of it can be.

    A chat comes back under its own id only: its documents hold it.

    Args:
        source: The file; the bytes must be the same both times.
        only: The chat that it must be of, or None for any.
        replace: Overwrite documents that differ, and remove those that the file has not. Without it an import into a
            chat that holds either is refused.
        tally: Kept up to date, for who shows progress; both readings count.

    Raises:
        ExportRefused: See `verify_export`; or it is of another chat, it holds what was forgotten since, or the store
            holds other documents of the chat and `replace` is not given.
        Contention: Without `replace`, somebody made a document meanwhile.
    """
    tally = tally if tally is not None else TransferProgress()
    verified = await verify_export(source, tally=tally)
    chat_id = verified.header.chat_id
    if only not in (None, chat_id):
        raise ExportRefused(f"The export is of chat {chat_id}, not of {only}")
    await check_nothing_was_forgotten(app.store, app.archive, verified)
    odd = await _compare(app.store, chat_id, verified.known)
    if odd and not replace:
        raise ExportRefused(
            f"Chat {chat_id} holds other documents than the export (--replace overwrites)", problems=odd
        )
    written, chat = await _write(app.store, chat_id, source, verified.known, replace=replace, tally=tally)
    removed = await _remove_others(app.store, chat_id, verified.known) if odd else 0
    if chat is not None:
        await _apply(app.store, [chat])
        written += 1
    app.chats.forget(chat_id)
    app.indexes.forget(chat_id)
    documents = verified.trailer.documents
    return Imported(chat_id, documents, written, documents - written, removed)


async def _compare(store: DocumentStore, chat_id: int, known: Known) -> tuple[str, ...]:
    """Note what of the file the store has; what it has that is not in the file, a line each, twenty at most."""
    odd: list[str] = []
    async for path, document in _read_held(store, chat_id):
        number = known.find(path)
        if document.path == record_path(chat_id):  # of the archive it knows more than any export does
            if number is not None:
                known.keep(number)
            continue
        if number is None:
            complaint = "is not in the export"
        elif known.compare(number, _text(path, document)) is There.ANOTHER:
            complaint = "differs"
        else:
            continue
        if len(odd) < MOST_PROBLEMS:
            odd.append(one_line(f"{document.path} {complaint}"))
    return tuple(odd)


async def _read_held(store: DocumentStore, chat_id: int) -> AsyncIterator[tuple[str, Document]]:
    """Yield what the store has of the chat, each with its path as in an export."""
    chat = await store.get(chat_path(chat_id))
    if chat is not None:
        yield "", chat
    async for document in store.subtree(chat_path(chat_id)):
        yield relative(document.path, chat_id), document


def _text(path: str, document: Document) -> str:
    """Return what a stored document says; of one that exports have no form for, nothing that a file could hold."""
    try:
        return content_of(path, document.data)
    except ValueError:
        return ""


async def _write(
    store: DocumentStore, chat_id: int, source: Source, known: Known, *, replace: bool, tally: TransferProgress
) -> tuple[int, Write | None]:
    """Write what the store has not, in batches; how many, and the write of the chat's own document, still to come."""
    batch, size, written, chat = list[Write](), 0, 0, None
    async for entry, length in _entries(source, tally):
        number = known.find(entry.path)
        if number is None or known.there[number] == There.THE_SAME:
            continue
        write = _write_of(chat_id, entry, replace=replace)
        if entry.path == "":
            chat = write
            continue
        if len(batch) == _MOST_WRITES or (batch and size + length > _MOST_BATCH_BYTES):
            await _apply(store, batch)
            batch, size = [], 0
        batch.append(write)
        size, written = size + length, written + 1
    await _apply(store, batch)
    return written, chat


async def _apply(store: DocumentStore, batch: list[Write]) -> None:
    try:
        await store.batch(batch)
    except UnstorableDocument as error:  # what one store holds may be too large for another
        raise ExportRefused("The store refuses documents of the export", problems=(str(error),)) from error


def _write_of(chat_id: int, entry: DocumentLine, *, replace: bool) -> Write:
    path = f"{chat_path(chat_id)}/{entry.path}" if entry.path else chat_path(chat_id)
    return Set(path, entry.data) if replace else Create(path, entry.data)


async def _entries(source: Source, tally: TransferProgress) -> AsyncIterator[tuple[DocumentLine, int]]:
    """The documents of a file that was verified, with the lengths of their lines."""
    number = 0
    async for line in plain_lines(count_bytes(source(), tally)):
        number += 1
        found = read_line(line.decode()) if number > 1 else None
        if isinstance(found, DocumentLine):
            yield found, len(line)


async def _remove_others(store: DocumentStore, chat_id: int, known: Known) -> int:
    """Remove what is not in the file; how many documents."""
    gone, removed = list[Write](), 0
    async for path, document in _read_held(store, chat_id):
        if known.find(path) is None and document.path != record_path(chat_id):
            gone.append(Delete(document.path))
            removed += 1
        if len(gone) == _MOST_WRITES:
            await store.batch(gone)
            gone = []
    await store.batch(gone)
    return removed
