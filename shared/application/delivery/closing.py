"""Ends answers from outside: of who wants none any more, or whose newer question is answered for both."""

from __future__ import annotations

from typing import NamedTuple

from shared.application.delivery.ledger_codec import (
    LedgerEntry,
    UpdateId,
    asked_by,
    done_with_update,
    open_in,
    read_entry,
    update_id_of,
    update_path,
)
from shared.application.ports.store import DocumentStore, Transaction, Upsert
from shared.domain.delivery.outcomes import AnswerOutcome


class OpenUpdate(NamedTuple):
    """An update that is still to be answered, or to be answered to the end."""

    update_id: UpdateId
    entry: LedgerEntry


async def open_updates(store: DocumentStore, chat_id: int, user_id: int) -> list[OpenUpdate]:
    """Return what a member asked in a chat and is still to be answered, oldest first."""
    found = await store.query("updates", where=[*open_in(chat_id), asked_by(user_id)])
    mine = [OpenUpdate(update_id_of(document), read_entry(document)) for document in found]
    return sorted(mine, key=lambda each: (str(each.entry.received_at), str(each.update_id).zfill(20)))


async def close_as(
    store: DocumentStore, update_id: UpdateId, outcome: AnswerOutcome, *, merged_into: UpdateId | None = None
) -> bool:
    """End an update with an outcome, whoever is answering it: they find out before their next piece, and stop.

    Args:
        merged_into: The update whose answer serves this one as well.

    Returns:
        Whether it was still open.
    """
    path = update_path(update_id)
    more = {} if merged_into is None else {"merged_into": merged_into}

    async def close(tx: Transaction) -> bool:
        document = await tx.get(path)
        if document is None or not read_entry(document).is_open:
            return False
        tx.write(Upsert(path, {**done_with_update(outcome), **more}))
        return True

    return await store.transaction(close)


async def is_ours(store: DocumentStore, update_id: UpdateId, token: str) -> bool:
    """Return whether who answers an update by this token still may: nobody ended it or took it over."""
    document = await store.get(update_path(update_id))
    return document is not None and read_entry(document).is_leased_by(token)
