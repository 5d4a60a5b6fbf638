"""Nothing that was forgotten comes back with an old export.

What is derived from a forgotten member's words (summaries, the index) cannot be told from the rest, so such a file is
refused as a whole. The archive's own exports are made anew when somebody is forgotten; only files kept elsewhere are
ever refused.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain, islice

from shared.application.app import App
from shared.application.archive.verifying import Verified
from shared.application.forgetting.tombstones import chat_tombstone, member_tombstone, message_tombstone
from shared.domain.errors import ExportRefused

_AT_ONCE = 300


async def check_nothing_was_forgotten(app: App, verified: Verified) -> None:
    """Look up the tombstones of the chat, the members and the messages of an export; a read each.

    Raises:
        ExportRefused: One of them was forgotten after the export was made.
    """
    paths = _tombstones(verified)
    while page := list(islice(paths, _AT_ONCE)):
        found = await app.store.get_many(page)
        if any(mark is not None and mark.data["until"] >= verified.header.exported_at for mark in found):
            raise ExportRefused(
                "The export holds what was forgotten after it was made: restore a later one, or one of the archive"
            )


def _tombstones(verified: Verified) -> Iterator[str]:
    chat_id = verified.header.chat_id
    return chain(
        [chat_tombstone(chat_id)],
        (member_tombstone(chat_id, user_id) for user_id in sorted(verified.members)),
        (message_tombstone(chat_id, message_id) for message_id in verified.messages),
    )
