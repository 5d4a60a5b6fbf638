"""A chat's objects in the archive: written behind a fence, and erased for good.

    chats/{chat_id}/CONTEXT.md                    what is going on in the chat, for people
    chats/{chat_id}/export-{YYYYMMDD}.jsonl.gz    its memory on a UTC day; the bucket's lifecycle ends old ones

What was forgotten must not reach the archive by an export that began before. So a run notes that it writes, and looks
when it has written whether anything was erased meanwhile (`erasures` in `chats/{c}/upkeep/archive`); then it erases
what it wrote. A run that dies in between leaves its note, and the next one erases.
"""

import logging
from collections.abc import Awaitable, Callable, Mapping
from datetime import datetime
from typing import Any

from shared.application.app import App
from shared.application.archive.exporting import TransferProgress, export_chat
from shared.application.archive.record_codec import (
    ArchiveRecord,
    erased_fields,
    export_fields,
    finished_fields,
    read_archive_record,
    record_path,
    writing_fields,
)
from shared.application.chats.chat_codec import read_chat
from shared.application.documents import chat_path
from shared.application.ports.objects import ObjectInfo, ObjectStore
from shared.application.ports.store import DocumentStore, Transaction, Upsert
from shared.domain.errors import Contention, NothingToExport, ObjectLocked, PreconditionFailed, SettingsError

log = logging.getLogger(__name__)

GZIP, MARKDOWN = "application/gzip", "text/markdown; charset=utf-8"


def folder(chat_id: int) -> str:
    """Return what all keys of a chat begin with."""
    return f"chats/{chat_id}/"


def context_key(chat_id: int) -> str:
    """Return the key of the CONTEXT.md."""
    return f"{folder(chat_id)}CONTEXT.md"


def export_key(chat_id: int, day: datetime) -> str:
    """Return the key of the export of a UTC day."""
    return f"{folder(chat_id)}export-{day:%Y%m%d}.jsonl.gz"


def configured_archive(archive: ObjectStore | None) -> ObjectStore:
    """The archive.

    Raises:
        SettingsError: There is none.
    """
    if archive is None:
        raise SettingsError("SPOMYN_ARCHIVE is not set, and it is needed because the archive is asked for.")
    return archive


async def latest_export(archive: ObjectStore | None, chat_id: int) -> ObjectInfo | None:
    """The youngest export of a chat in the archive."""
    newest = None
    async for info in configured_archive(archive).list(f"{folder(chat_id)}export-"):
        newest = info  # by key is by day
    return newest


async def write_fenced(
    store: DocumentStore, archive: ObjectStore | None, chat_id: int, write: Callable[[], Awaitable[Mapping[str, Any]]]
) -> None:
    """Have `write` put objects; what it returns is noted in the record.

    Raises:
        NothingToExport: The chat is not there, or not under this id.
        Contention: Something was forgotten meanwhile; what was written is erased again.
    """
    paths = [chat_path(chat_id), record_path(chat_id)]

    async def begin(tx: Transaction) -> ArchiveRecord:
        chat, document = await tx.get_many(paths)
        if chat is None or read_chat(chat_id, chat).migrated_to is not None:
            raise NothingToExport(f"there is no chat {chat_id}")
        record = read_archive_record(document)
        if not record.is_fenced:
            tx.write(Upsert(record_path(chat_id), writing_fields(record.erasures)))
        return record

    async def finish(tx: Transaction) -> bool:
        chat, record = await tx.get_many(paths)
        if chat is None or record is None or read_archive_record(record).erasures != known.erasures:
            return False
        tx.write(Upsert(record_path(chat_id), finished_fields(changes)))
        return True

    while (known := await store.transaction(begin)).is_fenced:
        await erase_archive(store, archive, chat_id)
    changes = await write()
    if not await store.transaction(finish):
        await erase_archive(store, archive, chat_id)
        raise Contention(f"something of chat {chat_id} was forgotten while it was archived")


async def store_export(app: App, chat_id: int, *, tally: TransferProgress | None = None) -> ObjectInfo:
    """Put the chat's export of today into the archive, in place of one that is there.

    Raises:
        NothingToExport: There is no such chat.
        Contention: Something was forgotten meanwhile; try again.
        PreconditionFailed: Another run was faster.
    """
    written: list[ObjectInfo] = []
    now = app.clock.now()

    async def write() -> Mapping[str, Any]:
        written.append(await put_export(app, chat_id, now, anew=True, tally=tally))
        return export_fields(written[-1], now)

    await write_fenced(app.store, app.archive, chat_id, write)
    return written[-1]


async def put_export(
    app: App, chat_id: int, now: datetime, *, anew: bool, tally: TransferProgress | None = None
) -> ObjectInfo:
    """Store an export as `store_export` does, without the fence; one of today is as good, unless it is made `anew`."""
    archive, key = configured_archive(app.archive), export_key(chat_id, now)
    there = await archive.head(key)
    if there is not None and not anew:
        return there
    chunks = export_chat(app.store, app.clock, chat_id, tally=tally)
    conditions: dict[str, Any] = {"if_none_match": True} if there is None else {"if_match": there.etag}
    try:
        return await archive.put(key, chunks, content_type=GZIP, **conditions)
    except PreconditionFailed:
        there = await archive.head(key)
        if anew or there is None:
            raise
        return there  # of a run at the same time


async def erase_archive(store: DocumentStore, archive: ObjectStore | None, *chat_ids: int) -> int:
    """Erase every object of chats, with all versions and unfinished uploads; how many. Without an archive, none.

    So goes what is there of the group that it was before it became a supergroup. Erase from the store first: an export
    that begins afterwards must not find it.

    Raises:
        ObjectLocked: The bucket keeps some; everything else is gone, and no reader finds them.
    """
    if archive is None:
        return 0
    erased, locked = 0, list[ObjectLocked]()
    for chat_id in chat_ids:
        await store.update(record_path(chat_id), erased_fields())
        before = read_chat(chat_id, await store.get(chat_path(chat_id))).migrated_from
        for one in (chat_id,) if before is None else (chat_id, before):
            try:
                erased += await archive.erase(folder(one))
            except ObjectLocked as error:
                locked.append(error)
    if locked:
        keys = tuple(key for error in locked for key in error.keys)
        raise ObjectLocked("; ".join(map(str, locked)), keys=keys) from locked[0]
    return erased


async def rewrite_archive(app: App, chat_id: int) -> int:
    """Replace the chat's archive, if there is one, after somebody was forgotten; return how many objects were erased.

    Raises:
        ObjectLocked: See `erase_archive`; the new ones are there all the same.
    """
    from shared.application.archive.nightly import archive_chat

    if app.archive is None:
        return 0
    locked: ObjectLocked | None = None
    erased = 0
    try:
        erased = await erase_archive(app.store, app.archive, chat_id)
    except ObjectLocked as error:
        locked = error
    await archive_chat(app, await app.chats.state(chat_id, fresh=True))
    if locked is not None:
        raise locked
    return erased


async def erase_old_id(store: DocumentStore, archive: ObjectStore | None, old_id: int) -> bool:
    """Erase what is archived under the id that a chat had before, once nothing is stored under it; whether it is."""
    async for _ in store.subtree(chat_path(old_id)):
        return False
    try:
        await configured_archive(archive).erase(folder(old_id))
    except ObjectLocked as error:
        log.warning("the archive keeps objects of the chat's old id: %s", error)
    return True
