"""The codec of a chat's CONTEXT.md with the items that it was rendered from.

The fields that it has for those who only use its text are read by `chats.context_codec`; beside them it has `language`
(of its headings), `items` and `closed` (done or dismissed ones, with their words) and `message_ids` (where the quoted
words are from, closed items included).
"""

from collections.abc import Sequence
from datetime import datetime
from typing import Any, NamedTuple

from shared.application.chats.context_codec import context_path, revision_path, revisions_path
from shared.application.derived_codec import DerivedCodec
from shared.application.ports.store import Document, DocumentStore
from shared.domain.consolidation.items import Item
from shared.domain.errors import PermanentError
from shared.domain.text.language import Language

BY_HAND = "hand"
"""Says in `made_by` that an operator wrote it."""


class ContextFileUnreadable(PermanentError):
    """The document of a chat's CONTEXT.md is not of its form; the message says which one."""


class ContextFile(NamedTuple):
    """CONTEXT.md with its items. What `ContextText` has under the same name means the same.

    Attributes:
        items, closed: What it tells now, and what was done or dismissed.
        language: Of its headings.
    """

    revision: int = 0
    text: str = ""
    items: tuple[Item, ...] = ()
    closed: tuple[Item, ...] = ()
    language: Language = "uk"
    updated_at: datetime | None = None
    until: datetime | None = None
    made_by: str = ""


_ITEM = DerivedCodec(Item, needed=["started_by", "starter", "due", "by_hand", "language", "name"])
_FILE = DerivedCodec(ContextFile, apart=["items", "closed"])


async def load_context_file(store: DocumentStore, chat_id: int, revision: int | None = None) -> ContextFile | None:
    """Return the present CONTEXT.md, or an earlier one; None when there is none."""
    path = context_path(chat_id) if revision is None else revision_path(chat_id, revision)
    document = await store.get(path)
    return None if document is None else read_context_file(document)


async def read_revisions(store: DocumentStore, chat_id: int) -> list[ContextFile]:
    """Return what it was before, oldest first."""
    return [read_context_file(document) for document in await store.query(revisions_path(chat_id))]


def read_context_file(document: Document | None) -> ContextFile:
    """Return the file that is stored; a chat without one has an empty one. A document of text alone has no items yet.

    Raises:
        ContextFileUnreadable: Its items are not of their form.
    """
    if document is None:
        return ContextFile()
    try:
        items, closed = (tuple(map(_ITEM.read, document.data.get(name, ()))) for name in ("items", "closed"))
    except (AttributeError, LookupError, TypeError, ValueError) as error:
        raise ContextFileUnreadable(
            f"{document.path} holds no items of CONTEXT.md: restore or delete it ({error!r})"
        ) from error
    return _FILE.read(document.data, items=items, closed=closed)


def context_file_fields(file: ContextFile) -> dict[str, Any]:
    """Return the document."""
    items, closed = ([{"id": each.id, **_ITEM.fields(each)} for each in some] for some in (file.items, file.closed))
    every = (*file.items, *file.closed)
    return {
        **_FILE.document(file),
        "items": items,
        "closed": closed,
        "user_ids": sorted(people_of(every)),
        "message_ids": sorted({quote.message_id for item in every for quote in item.quotes}),
    }


def people_of(items: Sequence[Item]) -> set[int]:
    """Return whose words or names are in these items."""
    quoted = {quote.user_id for item in items for quote in item.quotes}
    return quoted | {item.started_by for item in items if item.started_by is not None}
