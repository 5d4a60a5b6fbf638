"""Ends answers that are not sent: those nobody wants any more, those that Telegram refuses, and those whose delivery
stays unknown; and says how often an unforeseen failure is tried again."""

import asyncio
import json
import logging
from collections.abc import Callable
from dataclasses import replace
from typing import Any, NamedTuple

from shared.application.app import App
from shared.application.chats.chat_codec import ChatState
from shared.application.dead_letters import give_up
from shared.application.delivery.ledger_codec import (
    KEPT,
    LedgerEntry,
    UpdateId,
    asked_by,
    done_with_update,
    ended_by,
    of_chat,
    open_in,
    order_of,
    read_entry,
    reopened_fields,
    uncounted_fields,
    update_id_of,
    update_path,
    yielding_field,
)
from shared.application.ports.chat import ChatGateway
from shared.application.ports.store import DocumentStore, Set, Transaction, Upsert
from shared.application.ports.system import Clock
from shared.application.schedule import ANSWER
from shared.domain.conversation.messages import SCHEMA, Message, migrated_message_id
from shared.domain.delivery.outcomes import AnswerOutcome
from shared.domain.errors import ChatForbidden, PermanentError, PrivateChatClosed, SendUncertain, TransientError

log = logging.getLogger(__name__)


class OpenUpdate(NamedTuple):
    """An update that is still to be answered, or to be answered to the end."""

    update_id: UpdateId
    entry: LedgerEntry


async def open_updates(
    store: DocumentStore, chat_id: int, user_id: int, *, before: int | None = None
) -> list[OpenUpdate]:
    """Return what a member asked in a chat and is still to be answered, oldest first.

    Args:
        before: The id that the chat had as a basic group; what was asked there bears the ids of messages of now.
    """
    found = await store.query("updates", where=[*open_in(chat_id), asked_by(user_id)])
    mine = [OpenUpdate(update_id_of(document), read_entry(document)) for document in found]
    for update_id, entry in [] if before is None else await open_updates(store, before, user_id):
        message_id = None if entry.message_id is None else migrated_message_id(entry.message_id)
        mine.append(OpenUpdate(update_id, replace(entry, message_id=message_id)))
    return sorted(mine, key=lambda each: (str(each.entry.asked_at), order_of(each.update_id)))


async def close_as(
    store: DocumentStore, update_id: UpdateId, outcome: AnswerOutcome, *, by: UpdateId | None = None
) -> bool:
    """End an update with an outcome, whoever is answering it: they find out before their next piece, and stop. What was
    not even to be answered does not count against the limits of asking.

    Args:
        by: The update that ends it, if one does.

    Returns:
        Whether it was still open.
    """
    path = update_path(update_id)
    more = uncounted_fields() if by is None else yielding_field(by)

    async def close(tx: Transaction) -> bool:
        document = await tx.get(path)
        if document is None or not read_entry(document).is_open:
            return False
        tx.write(Upsert(path, {**done_with_update(outcome), **more}))
        return True

    return await store.transaction(close)


async def stop_answers(
    store: DocumentStore, state: ChatState, user_id: int, which: Callable[[OpenUpdate], bool], *, by: UpdateId
) -> None:
    """End answers to a member in a chat; what was sent of them stays. Commands and presses, which do something, go on.

    Args:
        by: The update that wants it; whatever asks comes before it.
    """
    mine = await open_updates(store, state.chat_id, user_id, before=state.migrated_from)
    wanted = [each for each in mine if each.entry.asks in ("question", "unasked") and which(each)]
    await asyncio.gather(*(close_as(store, each.update_id, AnswerOutcome.STOPPED, by=by) for each in wanted))


async def stop_older(store: DocumentStore, state: ChatState, message: Message, update_id: int) -> None:
    """End what the author of a message asked before it in its chat."""
    newest = message.message_id
    await stop_answers(store, state, message.user_id, lambda each: (each.entry.message_id or 0) < newest, by=update_id)


async def has_stopped(store: DocumentStore, state: ChatState, update_id: UpdateId) -> bool:
    """Return whether an update ended any answer of its chat."""
    here = [[of_chat(each), ended_by(update_id)] for each in (state.chat_id, state.migrated_from) if each is not None]
    return any([await store.query("updates", where=where, limit=1, fields=["state"]) for where in here])


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
        await note_unsent(app.store, app.clock, chat_id, update_id, "it was not made, or Telegram refused it", error)
    return AnswerOutcome.REJECTED


async def check_that_telegram_answers(gateway: ChatGateway, chat_id: int) -> None:
    """Raise `SendUncertain` while Telegram is away: sending again would only be one more time of which nobody knows."""
    try:
        await gateway.show_typing(chat_id)
    except PermanentError:  # an answer all the same
        return
    except TransientError as error:
        raise SendUncertain("nobody knows whether it arrived, and Telegram is away") from error


async def note_uncertain(store: DocumentStore, clock: Clock, chat_id: int, update_id: UpdateId) -> None:
    """Write down that of a piece of an answer nobody will know whether it arrived.

    Raises:
        TransientError: It cannot be written down now.
    """
    log.warning("an answer was sent as often as it may be, and may not have arrived")
    await note_unsent(store, clock, chat_id, update_id, "nobody knows whether a piece of the answer arrived")


async def note_unsent(
    store: DocumentStore, clock: Clock, chat_id: int, update_id: UpdateId, why: str, error: PermanentError | None = None
) -> None:
    """Write down an answer of which something was not sent; where an update asked for it, it can be answered anew.

    Raises:
        TransientError: It cannot be written down now.
    """
    task = {"target": ANSWER, "update_id": update_id} if isinstance(update_id, int) else {}
    body = json.dumps({**task, "chat_id": chat_id, "unsent": str(update_id)}).encode()
    await give_up(store, clock, kind="task", body=body, reason=why, error=error, chat_id=chat_id)


async def reopen(store: DocumentStore, update_id: UpdateId) -> None:
    """Have an update answered anew whose answer was given up; nothing of any other."""
    path = update_path(update_id)

    async def open_again(tx: Transaction) -> None:
        document = await tx.get(path)
        if document is not None and read_entry(document).is_unsent:
            tx.write(Upsert(path, reopened_fields()))

    await store.transaction(open_again)


MOST_ATTEMPTS = 5
"""Then it is a dead letter: a bug of the moment is over by then, and of the ten attempts that the queue
gives a task enough are left for what comes behind."""


async def count_failure(store: DocumentStore, clock: Clock, what: str) -> int:
    """Count one more failure; how many there were of this name within the time for which the ledger keeps an update.

    Args:
        what: Names what failed: the same at every attempt, and nothing else's. No "/" in it.

    Raises:
        TransientError: It cannot be counted now.
    """

    async def count(tx: Transaction) -> int:
        known = await tx.get(_path(what))
        attempts = 1 if known is None else read_entry(known).attempts + 1
        tx.write(Set(_path(what), _fields(clock, attempts)))
        return attempts

    return await store.transaction(count)


async def leave_one_attempt(store: DocumentStore, clock: Clock, what: str) -> None:
    """Have the next failure of this name be the last one."""
    await store.set(_path(what), _fields(clock, MOST_ATTEMPTS - 1))


def _path(what: str) -> str:
    return update_path(f"failed-{what}")


def _fields(clock: Clock, attempts: int) -> dict[str, Any]:
    now = clock.now()
    return {"schema": SCHEMA, "attempts": attempts, "at": now, "expire_at": now + KEPT}
