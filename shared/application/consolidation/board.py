"""CONTEXT.md of a chat as it is stored: the text that answers are given, and the items that it was rendered from.

`chats/{c}/context/current` holds the present one, `…/revisions/{n}` what it was before, with `expire_at`. Fields:
`schema`, `text`, `updated_at`, `revision`, `language` (of its headings), `items` and `closed` (done or dismissed ones,
with their words), `made_by` ("<model>/<prompt version>", "offline" or "hand"), `until` (talk was read up to there),
`user_ids` and `message_ids` (whose words are quoted, and where from, closed items included).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any, NamedTuple

from shared.application.documents import chat_path
from shared.application.ports.store import Document, DocumentStore
from shared.domain.consolidation import Item, item_from_fields, item_to_fields
from shared.domain.conversation.messages import SCHEMA
from shared.domain.errors import PermanentError
from shared.domain.text.language import Language

BY_HAND = "hand"
"""In `made_by`: an operator wrote it."""


class BoardUnreadable(PermanentError):
    """The document of a chat's CONTEXT.md is not of its form; the message says which one."""


class StoredBoard(NamedTuple):
    """What is stored, read.

    Attributes:
        revision: 0 before there was ever an item.
        updated_at: When its words last changed, or None.
        until: Talk was read up to there, or None.
    """

    revision: int = 0
    text: str = ""
    items: tuple[Item, ...] = ()
    closed: tuple[Item, ...] = ()
    language: Language = "uk"
    updated_at: datetime | None = None
    until: datetime | None = None
    made_by: str = ""


def context_path(chat_id: int) -> str:
    """The present CONTEXT.md."""
    return f"{chat_path(chat_id)}/context/current"


def revisions_path(chat_id: int) -> str:
    """The collection of what it was before."""
    return f"{context_path(chat_id)}/revisions"


def revision_path(chat_id: int, revision: int) -> str:
    """One of these; ids sort as their numbers do."""
    return f"{revisions_path(chat_id)}/{revision:06d}"


async def read_board(store: DocumentStore, chat_id: int, revision: int | None = None) -> StoredBoard | None:
    """The present CONTEXT.md, or an earlier one; None when there is none."""
    path = context_path(chat_id) if revision is None else revision_path(chat_id, revision)
    document = await store.get(path)
    return None if document is None else board_from(document)


async def read_revisions(store: DocumentStore, chat_id: int) -> list[StoredBoard]:
    """Return what it was before, oldest first."""
    return [board_from(document) for document in await store.query(revisions_path(chat_id))]


def board_from(document: Document | None) -> StoredBoard:
    """Inverse of `board_fields`; a chat without one has an empty board. A document of text alone has no items yet.

    Raises:
        BoardUnreadable: Its items are not of their form.
    """
    if document is None:
        return StoredBoard()
    data = document.data
    try:
        items, closed = _items(data.get("items", ())), _items(data.get("closed", ()))
    except (LookupError, TypeError, ValueError) as error:
        raise BoardUnreadable(
            f"{document.path} holds no items of CONTEXT.md: restore or delete it ({error!r})"
        ) from error
    return StoredBoard(
        revision=data.get("revision", 0),
        text=data.get("text", ""),
        items=items,
        closed=closed,
        language="en" if data.get("language") == "en" else "uk",
        updated_at=data.get("updated_at"),
        until=data.get("until"),
        made_by=data.get("made_by", ""),
    )


def board_fields(board: StoredBoard) -> dict[str, Any]:
    """As stored."""
    quotes = [quote for item in (*board.items, *board.closed) for quote in item.quotes]
    return {
        "schema": SCHEMA,
        "revision": board.revision,
        "text": board.text,
        "items": [item_to_fields(item) for item in board.items],
        "closed": [item_to_fields(item) for item in board.closed],
        "language": board.language,
        "updated_at": board.updated_at,
        "until": board.until,
        "made_by": board.made_by,
        "user_ids": sorted(people_of((*board.items, *board.closed))),
        "message_ids": sorted({quote.message_id for quote in quotes}),
    }


def people_of(items: Sequence[Item]) -> set[int]:
    """Return whose words or names are in these items."""
    quoted = {quote.user_id for item in items for quote in item.quotes}
    return quoted | {item.started_by for item in items if item.started_by is not None}


def _items(stored: Sequence[Mapping[str, Any]]) -> tuple[Item, ...]:
    return tuple(map(item_from_fields, stored))
