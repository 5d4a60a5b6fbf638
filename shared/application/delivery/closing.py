"""How answers end without being said: of who wants none any more, or whose newer question is answered for both; and
those that Telegram refuses, or of which nobody will ever know."""

from __future__ import annotations

import json
import logging
from typing import Any, NamedTuple

from shared.application.app import App
from shared.application.dead_letters import give_up
from shared.application.delivery.ledger_codec import (
    LedgerEntry,
    UpdateId,
    asked_by,
    done_with_update,
    open_in,
    order_of,
    read_entry,
    uncounted_fields,
    update_id_of,
    update_path,
)
from shared.application.ports.chat import ChatGateway
from shared.application.ports.store import DocumentStore, Transaction, Upsert
from shared.domain.delivery.outcomes import AnswerOutcome
from shared.domain.errors import ChatForbidden, PermanentError, PrivateChatClosed, SendUncertain, TransientError

log = logging.getLogger(__name__)


class OpenUpdate(NamedTuple):
    """An update that is still to be answered, or to be answered to the end."""

    update_id: UpdateId
    entry: LedgerEntry


async def open_updates(store: DocumentStore, chat_id: int, user_id: int) -> list[OpenUpdate]:
    """Return what a member asked in a chat and is still to be answered, oldest first."""
    found = await store.query("updates", where=[*open_in(chat_id), asked_by(user_id)])
    mine = [OpenUpdate(update_id_of(document), read_entry(document)) for document in found]
    return sorted(mine, key=lambda each: (str(each.entry.asked_at), order_of(each.update_id)))


async def close_as(
    store: DocumentStore, update_id: UpdateId, outcome: AnswerOutcome, *, merged_into: UpdateId | None = None
) -> bool:
    """End an update with an outcome, whoever is answering it: they find out before their next piece, and stop. What was
    not even to be answered, or another answer serves, does not count against the limits of asking.

    Args:
        merged_into: The update whose answer serves this one as well.

    Returns:
        Whether it was still open.
    """
    path = update_path(update_id)
    more: dict[str, Any] = {} if merged_into is None else {"merged_into": merged_into}
    more |= {} if outcome is AnswerOutcome.STOPPED else uncounted_fields()

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


async def outcome_of(app: App, chat_id: int, update_id: UpdateId, error: PermanentError) -> AnswerOutcome:
    """Return what becomes of an answer that can never be sent; a refused one is written down.

    Raises:
        TransientError: It cannot be written down now.
    """
    if isinstance(error, ChatForbidden):
        await app.chats.retire(chat_id, str(error))
        return AnswerOutcome.INACTIVE
    log.warning("an answer was not sent: %s", error)
    if not isinstance(error, PrivateChatClosed):
        await _write_down(app, chat_id, update_id, "the answer could not be made, or Telegram refused it", error)
    return AnswerOutcome.REJECTED


async def check_that_telegram_answers(gateway: ChatGateway, chat_id: int) -> None:
    """Raise `SendUncertain` while Telegram is away: sending again would only be one more time of which nobody knows."""
    try:
        await gateway.show_typing(chat_id)
    except PermanentError:  # an answer all the same
        return
    except TransientError as error:
        raise SendUncertain("nobody knows whether it arrived, and Telegram is away") from error


async def note_uncertain(app: App, chat_id: int, update_id: UpdateId) -> None:
    """Write down that of a piece of an answer nobody will know whether it arrived.

    Raises:
        TransientError: It cannot be written down now.
    """
    log.warning("an answer was sent as often as it may be, and may not have arrived")
    await _write_down(app, chat_id, update_id, "nobody knows whether a piece of the answer arrived", None)


async def _write_down(app: App, chat_id: int, update_id: UpdateId, reason: str, error: PermanentError | None) -> None:
    body = json.dumps({"chat_id": chat_id, "unsent": str(update_id)}).encode()
    await give_up(app.store, app.clock, kind="task", body=body, reason=reason, error=error, chat_id=chat_id)
