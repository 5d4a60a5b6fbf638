"""A chat brought back from an export: checked whole, compared with the store, and only then written.

What holds after an import: the chat's documents are those of the file, none more and none less. Only what is noted of
the archive stays as it is, and what is noted of the nights where nothing else of the chat's own document differs. A
run that dies is repeated: what is there already is not written again, and the chat's own document, by which the chat is
known, comes last. Sixteen bytes are held for each document, and a few megabytes beside.
"""

import logging
from collections.abc import AsyncIterator
from datetime import UTC, datetime
from itertools import chain
from typing import NamedTuple

from shared.application.app import App
from shared.application.archive.exporting import DocumentLine, TransferProgress, chat_documents, plain_lines, read_line
from shared.application.archive.keeping import latest_export
from shared.application.archive.record_codec import record_path
from shared.application.archive.verifying import MOST_PROBLEMS, Known, Source, Verified, count_bytes, verify_export
from shared.application.conversation.tombstones import chat_tombstone, member_tombstone, message_tombstone, read_ends
from shared.application.documents import chat_path
from shared.application.ports.objects import ObjectStore
from shared.application.ports.store import Create, Delete, DocumentStore, Set, Write
from shared.domain.errors import ArchiveUnavailable, ExportRefused, ObjectRefused, SettingsError, UnstorableDocument
from shared.domain.text.plain import one_line

log = logging.getLogger(__name__)
_MOST_WRITES = 400
_MOST_BATCH_BYTES = 4 << 20
"""Bytes of lines in a batch: Firestore takes requests of 10 MiB."""


class Imported(NamedTuple):
    """The result of an import: documents written, found as they should be, and removed because the file lacks them."""

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
        tally: Kept up to date, for the progress shown; both readings count.

    Raises:
        ExportRefused: See `verify_export`; or it is of another chat, it holds what was forgotten since, or the store
            holds other documents of the chat and `replace` is not given.
        Contention: Without `replace`, somebody made a document meanwhile.
    """
    tally = tally or TransferProgress()
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
    async for path, document in chat_documents(store, chat_id):
        number = known.find(path)
        if document.path == record_path(chat_id):  # of the archive it knows more than any export does
            if number is not None:
                known.held[number] = True
            continue
        if number is None:
            complaint = "is not in the export"
        elif known.differs(number, path, document):
            complaint = "differs"
        else:
            continue
        if len(odd) < MOST_PROBLEMS:
            odd.append(one_line(f"{document.path} {complaint}"))
    return tuple(odd)


async def _write(
    store: DocumentStore, chat_id: int, source: Source, known: Known, *, replace: bool, tally: TransferProgress
) -> tuple[int, Write | None]:
    """Write what the store has not, in batches; how many, and the write of the chat's own document, still to come."""
    batch, size, written = list[Write](), 0, 0
    chat: Write | None = None
    async for entry, length in _entries(source, tally):
        number = known.find(entry.path)
        if number is None or known.held[number]:
            continue
        path = f"{chat_path(chat_id)}/{entry.path}".removesuffix("/")
        write = Set(path, entry.data) if replace else Create(path, entry.data)
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


async def _entries(source: Source, tally: TransferProgress) -> AsyncIterator[tuple[DocumentLine, int]]:
    """The documents of a file that was verified, with the lengths of their lines."""
    lines = plain_lines(count_bytes(source(), tally))
    await anext(lines)  # the header
    async for line in lines:
        if isinstance(found := read_line(line.decode()), DocumentLine):
            yield found, len(line)


async def _remove_others(store: DocumentStore, chat_id: int, known: Known) -> int:
    """Remove what is not in the file; how many documents."""
    gone, removed = list[Write](), 0
    async for path, document in chat_documents(store, chat_id):
        if known.find(path) is None and document.path != record_path(chat_id):
            gone.append(Delete(document.path))
            removed += 1
        if len(gone) == _MOST_WRITES:
            await store.batch(gone)
            gone = []
    await store.batch(gone)
    return removed


async def check_nothing_was_forgotten(store: DocumentStore, archive: ObjectStore | None, verified: Verified) -> None:
    """Look up the tombstones of the chat, the members and the messages of an export; a read each.

    What is derived from a forgotten member's words (summaries, the index) cannot be told from the rest, so such a file
    is refused as a whole. The archive's own exports are made anew when somebody is forgotten; only files kept elsewhere
    are ever refused.

    Raises:
        ExportRefused: One of them was forgotten after the export was made; it says when, and what there is instead.
    """
    chat_id, made_at, _ = verified.header
    members = (member_tombstone(chat_id, user_id) for user_id in sorted(verified.members))
    messages = (message_tombstone(chat_id, message_id) for message_id in verified.messages)
    held = await read_ends(store, chain([chat_tombstone(chat_id)], members, messages))
    barring = {path: until for path, until in held.items() if until >= made_at}
    if not barring:
        return
    last = max(barring.values())
    when = f"was forgotten on {last.astimezone(UTC):%Y-%m-%d at %H:%M} UTC, after it was made, and stays forgotten"
    newer = await _later_export(archive, chat_id, last)
    instead = "The archive holds no later one" if newer is None else f"Restore {newer} of the archive instead"
    whole = chat_tombstone(chat_id) in barring
    what = f"All that the export holds of chat {chat_id}" if whole else "Something that the export holds"
    raise ExportRefused(f"{what} {when}. {instead}")


async def _later_export(archive: ObjectStore | None, chat_id: int, moment: datetime) -> str | None:
    """Return the key of the archive's youngest export, if it was written since and can be looked up."""
    try:
        newest = None if archive is None else await latest_export(archive, chat_id)
    except (ArchiveUnavailable, ObjectRefused, SettingsError) as error:  # only the advice needs it
        log.warning("the archive could not be asked for a later export: %s", error)
        return None
    return newest.key if newest is not None and newest.modified_at >= moment else None
