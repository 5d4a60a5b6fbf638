"""Nothing that was forgotten comes back with an old export.

What is derived from a forgotten member's words (summaries, the index) cannot be told from the rest, so such a file is
refused as a whole. The archive's own exports are made anew when somebody is forgotten; only files kept elsewhere are
ever refused.
"""

from __future__ import annotations

import logging
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime
from itertools import chain, islice
from typing import TYPE_CHECKING

from shared.application.archive.keeping import latest_export
from shared.application.archive.verifying import Verified
from shared.application.conversation.tombstone_codec import read_tombstone
from shared.application.conversation.tombstones import chat_tombstone, member_tombstone, message_tombstone
from shared.application.ports.store import Document, DocumentStore
from shared.domain.errors import ArchiveUnavailable, ExportRefused, ObjectRefused, SettingsError

if TYPE_CHECKING:
    from shared.application.ports.objects import ObjectStore


log = logging.getLogger(__name__)

_AT_ONCE = 300


async def check_nothing_was_forgotten(store: DocumentStore, archive: ObjectStore | None, verified: Verified) -> None:
    """Look up the tombstones of the chat, the members and the messages of an export; a read each.

    Raises:
        ExportRefused: One of them was forgotten after the export was made; it says when, and what there is instead.
    """
    header, paths = verified.header, _tombstones(verified)
    barring = list[Document]()
    while page := list(islice(paths, _AT_ONCE)):
        found = await store.get_many(page)
        barring += [mark for mark in found if mark is not None and read_tombstone(mark).until >= header.exported_at]
    if barring:
        raise ExportRefused(await _explain_refusal(archive, header.chat_id, barring))


async def _explain_refusal(archive: ObjectStore | None, chat_id: int, barring: Sequence[Document]) -> str:
    """Return why an export is of no use any more, and which one is, if any."""
    last: datetime = max(read_tombstone(mark).until for mark in barring)
    when = f"was forgotten on {last.astimezone(UTC):%Y-%m-%d at %H:%M} UTC, after it was made, and stays forgotten"
    newer = await _later_export(archive, chat_id, last)
    instead = "The archive holds no later one" if newer is None else f"Restore {newer} of the archive instead"
    whole = any(mark.path == chat_tombstone(chat_id) for mark in barring)
    what = f"All that the export holds of chat {chat_id}" if whole else "Something that the export holds"
    return f"{what} {when}. {instead}"


async def _later_export(archive: ObjectStore | None, chat_id: int, moment: datetime) -> str | None:
    """The key of the archive's youngest export, if it was written at a moment or later and can be looked up."""
    try:
        newest = None if archive is None else await latest_export(archive, chat_id)
    except (ArchiveUnavailable, ObjectRefused, SettingsError) as error:  # only the advice needs it
        log.warning("the archive could not be asked for a later export: %s", error)
        return None
    return newest.key if newest is not None and newest.modified_at >= moment else None


def _tombstones(verified: Verified) -> Iterator[str]:
    chat_id = verified.header.chat_id
    return chain(
        [chat_tombstone(chat_id)],
        (member_tombstone(chat_id, user_id) for user_id in sorted(verified.members)),
        (message_tombstone(chat_id, message_id) for message_id in verified.messages),
    )
