"""The nightly job `archive`: CONTEXT.md when it changed, and an export every few days of a chat that was active."""

import hashlib
import logging
from collections.abc import AsyncIterator, Mapping
from datetime import datetime
from typing import Any

from shared.application.app import App
from shared.application.archive.exporting import TransferProgress
from shared.application.archive.keeping import (
    MARKDOWN,
    configured_archive,
    context_key,
    erase_old_id,
    folder,
    put_export,
    write_fenced,
)
from shared.application.archive.record_codec import (
    ArchiveRecord,
    context_field,
    export_fields,
    midnight,
    read_archive_record,
    record_fields,
    record_path,
)
from shared.application.chats.chat_codec import ChatState, read_chat
from shared.application.chats.context_codec import context_path, read_context_text
from shared.application.chats.job import JobResult
from shared.application.conversation.message_codec import read_message
from shared.application.conversation.message_queries import LAST_RECEIVED_FIRST
from shared.application.conversation.tombstones import chat_tombstone
from shared.application.documents import chat_path, messages_path
from shared.domain.errors import NothingToExport

log = logging.getLogger(__name__)


async def archive_chat(app: App, state: ChatState) -> JobResult:
    """Bring a chat's objects in the archive up to date; nothing without an archive, or of a chat that is gone or moved.

    Three reads and no write when nothing is due (of a chat in private mode four: nothing else tells that it talks).

    Raises:
        Contention: Something was forgotten meanwhile.
        ArchiveUnavailable: Later it may go.
    """
    if app.archive is None:
        return JobResult()
    chat_id = state.chat_id
    paths = [chat_path(chat_id), record_path(chat_id), context_path(chat_id)]
    stored, record, context = await app.store.get_many(paths)
    if record is None and await app.store.get(chat_tombstone(chat_id)) is not None:
        # A run died while the whole chat was forgotten. Where the store is empty for another reason, nothing is erased:
        # then the archive is all there is.
        await app.archive.erase(folder(chat_id))
    chat = read_chat(chat_id, stored)
    if stored is None or chat.migrated_to is not None:
        return JobResult()
    job = _ArchiveRun(app, state, chat, read_archive_record(record), read_context_text(context).text)
    active = await job.was_active()
    counts = await job.run(active=active)
    return JobResult(counts, job.next_at(active=active, exported="exports" in counts))


class _ArchiveRun:
    """One run."""

    def __init__(self, app: App, state: ChatState, chat: ChatState, known: ArchiveRecord, context: str) -> None:
        self._app, self._chat, self._known, self._context = app, chat, known, context.encode()
        self._now, self._last = app.clock.now(), known.exported_on
        self._context_sum = hashlib.sha256(self._context).hexdigest() if context else None
        self._private = state.is_private(by_default=app.policy.private_mode)

    async def was_active(self) -> bool:
        """Return whether the chat's memory changed since its last export."""
        if self._last is None or self._has_changed_after(self._last):
            return True
        if not self._private:
            return False
        messages = messages_path(self._chat.chat_id)
        newest = await self._app.store.query(messages, order_by=[LAST_RECEIVED_FIRST], limit=1)
        return any(read_message(message).received_at > self._last for message in newest)

    def next_at(self, *, active: bool, exported: bool) -> datetime | None:
        """Return when there may be something to export although nothing more is said."""
        if exported:
            # What was said today, before the export, counts as after it.
            today = midnight(self._now)
            return today + self._app.policy.archive_every if self._private or self._has_changed_after(today) else None
        if self._last is not None and (active or self._private):
            return self._last + self._app.policy.archive_every
        return None

    def _has_changed_after(self, moment: datetime) -> bool:
        return any(at is not None and at > moment for at in (self._chat.last_active_at, self._chat.learn_from))

    async def run(self, *, active: bool) -> dict[str, int]:
        """Write what is due; counts of it."""
        counts: dict[str, int] = {}
        export = active and (self._last is None or self._now - self._last >= self._app.policy.archive_every)
        is_new = self._context_sum != self._known.context_sha256

        async def write() -> Mapping[str, Any]:
            changes = await self._write_context() if is_new else {}
            counts.update({"contexts": 1} if is_new else {})
            return {**changes, **(await self._write_export(counts) if export else {})}

        if not (export or is_new):
            return counts
        try:
            await write_fenced(self._app.store, self._app.archive, self._chat.chat_id, write)
        except NothingToExport:  # forgotten, or moved, since it was read
            return {}
        log.debug("archive %s", counts)
        return counts

    async def _write_context(self) -> dict[str, Any]:
        archive, key = configured_archive(self._app.archive), context_key(self._chat.chat_id)
        if self._context_sum is None:
            await archive.delete(key)
        else:
            await archive.put(key, _yield_once(self._context), content_type=MARKDOWN)
        return context_field(self._context_sum)

    async def _write_export(self, counts: dict[str, int]) -> dict[str, Any]:
        tally = TransferProgress()
        info = await put_export(self._app, self._chat.chat_id, self._now, anew=False, tally=tally)
        counts |= {"exports": 1, "documents": tally.documents, "bytes": tally.size}
        old_id = self._chat.migrated_from
        if old_id is None or old_id == self._known.moved_from:
            return export_fields(info, self._now)
        is_erased = await erase_old_id(self._app.store, self._app.archive, old_id)
        return export_fields(info, self._now) | (record_fields(moved_from=old_id) if is_erased else {})


async def _yield_once(content: bytes) -> AsyncIterator[bytes]:
    yield content
