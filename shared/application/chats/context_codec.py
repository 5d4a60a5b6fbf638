"""The codec of a chat's CONTEXT.md, as far as code that only uses its text needs: `chats/{c}/context/current`.

What it was before is in `…/revisions/{n}`, with `expire_at`. Its items are read by `consolidation.context_file_codec`.
"""

from datetime import datetime
from typing import Any, NamedTuple

from shared.application.derived_codec import DerivedCodec
from shared.application.documents import chat_path
from shared.application.ports.store import Document


class ContextText(NamedTuple):
    """CONTEXT.md without its items.

    Attributes:
        text: What answers are given; "" before there was ever an item.
        revision: 0 before there was ever an item.
        updated_at: When its words last changed, or None.
        until: Talk was read up to there, or None.
        made_by: "<model>/<prompt version>", "offline" or "hand", or "".
        user_ids: Whose words are quoted, in closed items as well.
    """

    text: str = ""
    revision: int = 0
    updated_at: datetime | None = None
    until: datetime | None = None
    made_by: str = ""
    user_ids: frozenset[int] = frozenset()


def context_path(chat_id: int) -> str:
    """Return the path of the present CONTEXT.md."""
    return f"{chat_path(chat_id)}/context/current"


def revisions_path(chat_id: int) -> str:
    """Return the collection of what it was before."""
    return f"{context_path(chat_id)}/revisions"


def revision_path(chat_id: int, revision: int) -> str:
    """Return the path of one of these; ids sort as their numbers do."""
    return f"{revisions_path(chat_id)}/{revision:06d}"


_TEXT = DerivedCodec(ContextText)

read_context_text = _TEXT.of
"""Read CONTEXT.md or an earlier revision of it; a chat without one has an empty one."""

context_fields = _TEXT.changes
"""Return the fields by which it changes."""


def revision_fields(document: Document, *, expire_at: datetime) -> dict[str, Any]:
    """Return what was there as a revision of it, which goes at an instant."""
    return {**document.data, "expire_at": expire_at}
