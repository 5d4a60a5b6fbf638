"""Which of a subject's facts are read, when there are more than are read at once: what counts before what is many.

A member can say a thousand things about a chat; an admin's rule is one. Facts are asked for by when they were last
confirmed, and beside them by whose word they are and by what they are about, so that no flood hides a rule.
"""

from __future__ import annotations

from collections.abc import Sequence

from shared.application.documents import facts_path
from shared.application.facts.codec import LAST_REINFORCED_AT, PINNED, about, in_category, on_authority, with_status
from shared.application.ports.store import Document, DocumentStore, Order
from shared.domain.facts.evidence.claim import Authority
from shared.domain.facts.fact import Status

_NEWEST = (Order(LAST_REINFORCED_AT, descending=True),)
_ACTIVE = with_status(Status.ACTIVE)
_SHARE = 4
"""Of each kind that counts, a quarter as many are read as of the newest."""

_CHAT = (
    on_authority(Authority.ADMIN),
    in_category("rule"),
    on_authority(Authority.CONSENSUS),
)
_MEMBER = (on_authority(Authority.ADMIN), on_authority(Authority.OWN_STATEMENT))


async def foremost_documents(
    store: DocumentStore, chat_id: int, subject: str, *, most: int, active: bool, fields: Sequence[str] | None = None
) -> list[Document]:
    """The documents of a subject's facts: all when there are fewer than `most`, else those that count and the newest.

    What an admin pinned counts, and what one said; about the chat also rules and what is a consensus, about a member
    their own word.

    Args:
        most: The newest that are read; where there are more, as many at most are read beside them.
        active: Only what is believed now.
        fields: As of `DocumentStore.query`.
    """
    where = [about(subject), *([_ACTIVE] if active else [])]
    newest = await store.query(facts_path(chat_id), where=where, order_by=_NEWEST, limit=most, fields=fields)
    if len(newest) < most:
        return newest
    share, path = max(1, most // _SHARE), facts_path(chat_id)
    found = await store.query(path, where=[*where, PINNED], limit=share, fields=fields)
    for kind in _CHAT if subject == "chat" else _MEMBER:
        found += await store.query(path, where=[*where, kind], order_by=_NEWEST, limit=share, fields=fields)
    return list({document.path: document for document in (*found, *newest)}.values())
