"""Sending answers: each piece once, recorded as the bot's own message, under the chat's current id."""

from __future__ import annotations

import logging
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass

from shared.application.app import App
from shared.application.documents import message_path, new_message_fields
from shared.application.ledger import Lease, Ledger
from shared.application.ports import OutgoingText, SentMessage, Set
from shared.domain.errors import ChatForbidden, ChatMigrated, PermanentError, SendUncertain, TransientError
from shared.domain.messages import Message

log = logging.getLogger(__name__)

Compose = Callable[[], Awaitable[Sequence[OutgoingText]]]


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
    except TransientError:
        await ledger.release(lease)
        raise
    except PermanentError as error:
        outcome = await _give_up(app, to, error)
    await ledger.finish(lease, outcome)
    return outcome


async def _fill_and_send(app: App, ledger: Ledger, lease: Lease, to: Destination, compose: Compose) -> str:
    if lease.outbox is None:
        lease = await ledger.fill(lease, await compose())
    pieces = lease.outbox or ()
    while lease.sent < len(pieces):
        await ledger.sending(lease)
        lease = await _send_next(app, ledger, lease, to, pieces)
    return "answered"


async def _send_next(app: App, ledger: Ledger, lease: Lease, to: Destination, pieces: Sequence[OutgoingText]) -> Lease:
    piece = pieces[lease.sent]
    reply_to = to.reply_to if lease.sent == 0 else None
    try:
        sent = await app.gateway.send(to.chat_id, piece, reply_to=reply_to, thread_id=to.thread_id)
    except ChatMigrated as error:
        sent = await app.gateway.send(error.new_chat_id, piece)
    return await ledger.sent(lease, [_own_message(app, to, piece, sent, reply_to)])


def _own_message(app: App, to: Destination, piece: OutgoingText, sent: SentMessage, reply_to: int | None) -> Set:
    message = Message(
        chat_id=to.chat_id,
        message_id=sent.message_id,
        sent_at=sent.sent_at,
        user_id=app.policy.bot_id,
        name=app.policy.bot_names[0],
        username=app.policy.bot_username,
        text=piece.plain,
        is_bot=True,
        reply_to=reply_to,
        thread_id=to.thread_id,
    )
    return Set(
        message_path(to.chat_id, sent.message_id),
        new_message_fields(message, now=app.clock.now(), retention=app.policy.retention),
    )


async def _give_up(app: App, to: Destination, error: PermanentError) -> str:
    if isinstance(error, ChatForbidden):
        await app.chats.change(to.chat_id, {"active": False, "inactive_reason": str(error)[:200]})
        return "inactive"
    log.warning("answer in chat %s not sent: %s", to.chat_id, error)
    return "uncertain" if isinstance(error, SendUncertain) else "rejected"
