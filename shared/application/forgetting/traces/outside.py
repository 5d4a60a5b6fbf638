"""Forgets words of a chat that lie outside of it: unsent answers, bodies of updates that failed, and in Telegram.

What the bot itself said in Telegram is deleted as far as it still lets a bot, by a task of its own, so that no
forgetting waits. It is enqueued before the messages' documents are deleted, which tell the ids; it holds ids and no
words, and is idempotent.
"""

import hashlib
import logging
import re
from collections.abc import Callable, Collection, Mapping, Sequence
from datetime import datetime, timedelta
from typing import Any, NamedTuple

from shared.application.app import App
from shared.application.bulk import delete_all, each_document, write_all
from shared.application.dead_letter_codec import LETTERS, words_of_letter
from shared.application.delivery.ledger_codec import (
    asked_by,
    done_with_update,
    nobodys_fields,
    of_chat,
    open_in,
    read_asked,
)
from shared.application.delivery.outbox_codec import read_unsent
from shared.application.documents import answer_path
from shared.application.forgetting.traces.scope import ForgottenWords, Scope, texts
from shared.application.payload_codec import payload_of, read_payload
from shared.application.ports.store import Delete, Document, DocumentStore, Filter, Transaction, Upsert
from shared.application.ports.system import Clock
from shared.application.ports.tasks import Task, TaskQueue
from shared.domain.delivery.outcomes import AnswerOutcome
from shared.domain.errors import BadPayload, ChatForbidden, ChatMigrated, MessageRejected

log = logging.getLogger(__name__)

WITHIN = timedelta(hours=48)
"""The age up to which a message can be deleted (Bot API, deleteMessage)."""

AT_ONCE = 100
"""Most messages of one call (Bot API, deleteMessages)."""

_TARGET = "/maintenance/unsay"

_TAKEN_BACK = done_with_update(AnswerOutcome.FORGOTTEN)
_MESSAGE = re.compile(r'"message_id"\s*:\s*(-?\d{1,19})(?!\d)')
_NAMES_A_CHAT = re.compile(r'"(?:chat|chat_id)"\s*:')


class Unsaying(NamedTuple):
    """A request to delete messages of the bot in Telegram: at least one of them, at most `AT_ONCE`."""

    chat_id: int
    message_ids: tuple[int, ...]


async def take_back_answers(store: DocumentStore, chat_id: int) -> int:
    """Drop every answer in a chat that was not sent whole (it may quote anything), and return how many there were.

    An instance that is sending one right now loses its lease on it.
    """
    return await _take_back_those(store, chat_id, lambda _: True)


async def take_back_retelling(
    store: DocumentStore, chat_id: int, words: ForgottenWords, *, given: Collection[str], but: Collection[int]
) -> int:
    """Drop those unsent answers that repeat a word, or were made from what is somebody's, and return how many.

    Args:
        given: Paths of what such answers were made from.
        but: Messages: a reply to one of these goes only when it was made from such.
    """

    def retells(document: Document) -> bool:
        if answer_path(chat_id, document.id) in given:
            return True
        unsent = read_unsent(document)
        if unsent is None or unsent.reply_to in but:
            return False
        return any(map(words.echo_in, texts(list(unsent.stored_pieces or ()))))

    return await _take_back_those(store, chat_id, retells)


async def _take_back_those(store: DocumentStore, chat_id: int, which: Callable[[Document], bool]) -> int:
    found = await store.query("updates", where=open_in(chat_id))
    return sum([await _take_back(store, chat_id, document) for document in found if which(document)])


async def _take_back(store: DocumentStore, chat_id: int, document: Document) -> bool:
    async def drop(tx: Transaction) -> bool:
        current = await tx.get(document.path)
        unsent = None if current is None else read_unsent(current)
        if unsent is None:
            return False
        tx.write(Upsert(document.path, _TAKEN_BACK))
        if unsent.is_given:  # it may be too new to have been found by what is in it
            tx.write(Delete(answer_path(chat_id, document.id)))
        return True

    return await store.transaction(drop)


async def forget_asking(store: DocumentStore, scope: Scope) -> None:
    """Take a member out of the records of what was asked; what they asked and is not answered yet is not any more."""
    if scope.user_id is not None:
        await _forget_asked(store, [of_chat(scope.chat_id), asked_by(scope.user_id)], until=scope.until)


async def forget_all_asking(store: DocumentStore, chat_id: int) -> None:
    """Take a chat out of the records of what was asked there; nothing of it is answered any more."""
    await _forget_asked(store, [of_chat(chat_id)], until=None)


async def _forget_asked(store: DocumentStore, where: Sequence[Filter], *, until: datetime | None) -> None:
    """Do it for those that are done, and for the others as far as they were asked until an instant."""
    found = [(document.path, read_asked(document)) for document in await store.query("updates", where=where)]
    writes = [
        Upsert(path, {**_TAKEN_BACK, **nobodys_fields()} if asked.is_open else nobodys_fields())
        for path, asked in found
        if asked.is_by(None, until=until)
    ]
    await write_all(store, writes)


async def delete_dead_letters(store: DocumentStore, scope: Scope | None, chat_id: int, words: ForgottenWords) -> int:
    """Delete the recorded bodies of updates that may hold the words, and return how many.

    Those are the bodies that name the chat, and the member or a message in it.

    Args:
        scope: None for everything of the chat.
    """
    letters = each_document(store, LETTERS)
    return await delete_all(store, [d.path async for d in letters if names_chat(d, scope, chat_id, words)])


def names_chat(letter: Document, scope: Scope | None, chat_id: int, words: ForgottenWords) -> bool:
    """Return whether a dead letter may hold something of a chat, or of a scope in it.

    One that names another chat does not, whatever words are in it.
    """
    body, reason = words_of_letter(letter)
    repeats = words.occur_in_any((body, reason))
    if not _names(body, chat_id):
        return repeats and _NAMES_A_CHAT.search(body) is None
    if repeats or scope is None or (scope.user_id is not None and _names(body, scope.user_id)):
        return True
    return not scope.message_ids.isdisjoint(int(each) for each in _MESSAGE.findall(body))


def _names(body: str, number: int) -> bool:
    return re.search(rf"(?<![\d-]){number}(?!\d)", body) is not None


async def unsay_later(queue: TaskQueue, clock: Clock, chat_id: int, said: Mapping[int, datetime]) -> int:
    """Have messages of the bot deleted in Telegram; return how many stay there because they are too old.

    Args:
        said: Ids, with when each was sent.
    """
    now = clock.now()
    # What was said under the chat's old id has a negative id here, and no message in Telegram.
    young = sorted(each for each, at in said.items() if now - at < WITHIN and each > 0)
    for start in range(0, len(young), AT_ONCE):
        page = young[start : start + AT_ONCE]
        name = hashlib.sha256(f"{chat_id}|{page}".encode()).hexdigest()[:32]
        payload = payload_of(Unsaying(chat_id, tuple(page))) | {"target": _TARGET}
        await queue.enqueue(Task(f"unsay-{name}", _TARGET, payload, now))
    return len(said) - len(young)


async def unsay(app: App, payload: Mapping[str, Any]) -> dict[str, int]:
    """Delete the messages that the payload of an `Unsaying` names, and return how many it names.

    Raises:
        BadPayload: The payload is not of its shape.
        TransientError: Run it again.
    """
    chat_id, message_ids = read_payload(Unsaying, payload)
    if not 0 < len(message_ids) <= AT_ONCE:
        raise BadPayload(f"unsay needs 1 to {AT_ONCE} message_ids")
    try:
        await app.gateway.delete(chat_id, message_ids)
    except (ChatForbidden, ChatMigrated, MessageRejected) as error:
        log.warning("messages could not be deleted: %s", error)
        return {"deleted": 0}
    return {"deleted": len(message_ids)}
