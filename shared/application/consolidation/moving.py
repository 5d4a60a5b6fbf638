"""CONTEXT.md of a chat that moves to a new id."""

from __future__ import annotations

import logging
from collections.abc import Mapping
from datetime import datetime, tzinfo
from typing import Any

from shared.application.consolidation.board_codec import BoardUnreadable, StoredBoard, board_fields, read_stored_board
from shared.application.ports.store import Document
from shared.domain.consolidation import Item, read_back, render

log = logging.getLogger(__name__)


def joined_context(known: Document | None, moved: Document, *, now: datetime, zone: tzinfo) -> Mapping[str, Any]:
    """The fields of a chat's CONTEXT.md when that of the chat that it was comes to it; of two, both in one.

    Of two, one that cannot be read is left out.

    Args:
        known: What the chat has already.
        moved: What comes, with its message ids as they are under the new id.
        zone: In which the time of the update is told.
    """
    there, brought = _readable(known), _readable(moved)
    if known is None or there is None:
        return moved.data
    if brought is None:
        return known.data
    both = _join_boards(there, brought, now)
    return board_fields(both._replace(text=render(both.items, language=both.language, updated_at=now, zone=zone)))


def _readable(document: Document | None) -> StoredBoard | None:
    try:
        return read_stored_board(document) if document is not None else None
    except BoardUnreadable as error:
        log.warning("a chat moves: %s", error)
        return None


def _join_boards(there: StoredBoard, moved: StoredBoard, now: datetime) -> StoredBoard:
    """Both boards as one, with what was changed by hand; what was closed after its last mention stays closed."""
    here, brought = (read_back(b.text, b.items, language=b.language, now=now) for b in (there, moved))
    closed = {i.id: i for i in (*moved.closed, *brought.dismissed, *there.closed, *here.dismissed)}
    items = {i.id: i for i in (*brought.items, *here.items) if i.by_hand or not _is_over(i, closed.get(i.id))}
    return there._replace(
        revision=max(there.revision, moved.revision) + 1,
        items=tuple(items.values()),
        closed=tuple(closed.values()),
        language=there.language if there.items else moved.language,
        updated_at=now,
        until=max(filter(None, (there.until, moved.until)), default=None),
    )


def _is_over(item: Item, closed: Item | None) -> bool:
    return closed is not None and closed.mentioned_at >= item.mentioned_at
