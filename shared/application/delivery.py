"""Sending answers: each piece once, recorded as the bot's own message, under the chat's current id."""

from __future__ import annotations

import logging
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, replace

from shared.application.answer import Answer, Piece
from shared.application.app import App
from shared.application.documents import message_path, new_message_fields
from shared.application.ledger import Lease, LeaseLost, Ledger
from shared.application.migration import begin_migration
from shared.application.ports.chat import Outgoing, SentMessage
from shared.application.ports.store import Set, Write
from shared.domain.errors import (
    ChatForbidden,
    ChatMigrated,
    MessageRejected,
    PermanentError,
    SendUncertain,
    SettingsError,
    TransientError,
)
from shared.domain.messages import Message

log = logging.getLogger(__name__)

Compose = Callable[[], Awaitable[Answer]]


@dataclass(frozen=True, slots=True)
class Destination:
    """Where an answer goes: chat, topic, and the message it replies to."""

    chat_id: int
    reply_to: int | None = None
    thread_id: int | None = None


async def answer_once(app: App, update_id: int, to: Destination, compose: Compose) -> str:
    """Answer one update exactly once, whatever is delivered again.

    Args:
        compose: Makes the pieces; called once per lease unless an earlier attempt already recorded them.

    Returns:
        What became of it: "answered", "already answered", "uncertain", "inactive" or "rejected".

    Raises:
        TransientError: Nothing more could be sent now; a redelivery goes on from there.
    """
    ledger = Ledger(app.store, app.clock, app.ids)
    lease = await ledger.take(update_id)
    if lease is None:
        return "already answered"
    try:
        outcome = await _fill_and_send(app, ledger, lease, to, compose)
    except LeaseLost:
        return "taken over"
    except Unrecorded:
        raise  # the lease stays as it is: whoever goes on must take the piece as sent
    except TransientError as error:
        await ledger.release(lease, retry_after=error.retry_after)
        raise
    except SettingsError:
        await ledger.release(lease)
        raise
    except PermanentError as error:
        outcome = await _give_up(app, to, error)
    await ledger.finish(lease, outcome)
    return outcome


class Unrecorded(TransientError):
    """A piece was sent, but that could not be written down."""


async def _fill_and_send(app: App, ledger: Ledger, lease: Lease, to: Destination, compose: Compose) -> str:
    if lease.outbox is None:
        lease = await ledger.fill(lease, await compose(), chat_id=to.chat_id, retention=app.policy.retention)
    elif lease.sent < len(lease.outbox):
        await ledger.resume(lease)
    outcome = "answered"
    for piece in (lease.outbox or ())[lease.sent :]:
        sent, there = await _send(app, to, piece, first=lease.sent == 0)
        if sent is None:
            outcome = "uncertain"
        lease = await _record(ledger, lease, [] if sent is None else [_own_message(app, lease, there, piece, sent)])
        to = replace(to if piece.private_to is not None else there, reply_to=None)
    return outcome


async def _send(app: App, to: Destination, piece: Piece, *, first: bool) -> tuple[SentMessage | None, Destination]:
    """What became of the piece, None when nobody knows, and where it went."""
    to = to if first else replace(to, reply_to=None)
    if piece.private_to is not None and piece.private_to != to.chat_id:
        try:
            return await _send_to(app, Destination(piece.private_to), piece.content)
        except (ChatForbidden, MessageRejected):
            if piece.otherwise is None:
                raise
            return await _send_to(app, to, piece.otherwise)
    return await _send_to(app, to, piece.content)


async def _send_to(app: App, to: Destination, content: Outgoing) -> tuple[SentMessage | None, Destination]:
    try:
        return await app.gateway.send(to.chat_id, content, reply_to=to.reply_to, thread_id=to.thread_id), to
    except SendUncertain as error:
        log.warning("an answer in chat %s may not have been sent: %s", to.chat_id, error)
        return None, to
    except ChatMigrated as error:
        await begin_migration(app, to.chat_id, error.new_chat_id)
        there = Destination(error.new_chat_id)
        return await app.gateway.send(there.chat_id, content), there


async def _record(ledger: Ledger, lease: Lease, also: Sequence[Write]) -> Lease:
    try:
        return await ledger.sent(lease, also)
    except TransientError as error:
        raise Unrecorded(f"update {lease.update_id}: a sent piece could not be recorded") from error


def _own_message(app: App, lease: Lease, to: Destination, piece: Piece, sent: SentMessage) -> Set:
    message = Message(
        chat_id=to.chat_id,
        message_id=sent.message_id,
        sent_at=sent.sent_at,
        user_id=app.policy.bot_id,
        name=app.policy.bot_names[0],
        username=app.policy.bot_username,
        text=piece.content.plain,
        is_bot=True,
        reply_to=to.reply_to,
        thread_id=to.thread_id,
    )
    fields = new_message_fields(message, now=app.clock.now(), retention=app.policy.retention)
    answer = lease.update_id if lease.is_given else None
    return Set(message_path(to.chat_id, sent.message_id), {**fields, "asks": piece.asks, "answer": answer})


async def _give_up(app: App, to: Destination, error: PermanentError) -> str:
    if isinstance(error, ChatForbidden):
        await app.chats.retire(to.chat_id, str(error))
        return "inactive"
    log.warning("answer in chat %s not sent: %s", to.chat_id, error)
    return "rejected"
