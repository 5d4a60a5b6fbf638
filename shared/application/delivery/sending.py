"""Sending answers: each piece once, recorded as the bot's own message, under the chat's current id, and never more of
them than the group's pace allows: what has to wait is sent by `waiting`."""

from __future__ import annotations

import hashlib
import logging
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta

from shared.application.app import App
from shared.application.chats.migration import begin_migration
from shared.application.chats.state import Chats
from shared.application.delivery.answer import Answer, AnswerPiece, restrained_answer
from shared.application.delivery.lease import Closed, Lease, LeaseLost, Memory, memory_of
from shared.application.delivery.ledger import Ledger
from shared.application.delivery.ledger_codec import UpdateId
from shared.application.delivery.own_messages import Destination, own_message
from shared.application.delivery.pace import Ask
from shared.application.policy import Policy
from shared.application.ports.chat import Outgoing, SentMessage
from shared.application.ports.store import Write
from shared.application.ports.system import Clock
from shared.application.schedule import Schedule
from shared.domain.delivery.outcomes import AnswerOutcome
from shared.domain.delivery.pace import Limit
from shared.domain.errors import (
    ChatForbidden,
    ChatMigrated,
    MessageRejected,
    PermanentError,
    SendBroken,
    SendUncertain,
    SettingsError,
    TransientError,
    UnstorableDocument,
)

log = logging.getLogger(__name__)

Compose = Callable[[], Awaitable[Answer]]

SLOT = timedelta(seconds=10)
"""What waits is sent at full multiples of this: a burst asks for few tasks, and more of it is merged."""


@dataclass(frozen=True, slots=True)
class Asker:
    """Who asks, where that is limited (`Policy.asks_per_user`, `asks_per_chat`).

    Attributes:
        decline: What is said to them over the limit.
        is_press: Whether a button was pressed: `decline` is called every time then, and its answer is not sent.
    """

    user_id: int
    decline: Callable[[Limit], Awaitable[Answer]]
    is_press: bool = False


async def answer_once(
    app: App,
    update_id: UpdateId,
    to: Destination,
    compose: Compose,
    *,
    asker: Asker | None = None,
    as_of: Memory | None = None,
) -> AnswerOutcome:
    """Answer one update exactly once, whatever is delivered again.

    Args:
        compose: Makes the pieces; called once per lease unless an earlier attempt already recorded them. Of an answer
            that is too large to be recorded it makes the same number of pieces again.
        asker: None for what nobody asked for.
        as_of: The chat's memory of which the answer was made before, or None when `compose` makes it.

    Raises:
        TransientError: Nothing more could be sent now; a redelivery goes on from there. Also when something of the chat
            was forgotten while the answer was made.
        UnstorableDocument: The answer cannot be recorded, or what it does cannot be stored.
        SendBroken: A bug while a piece was being sent. Whoever answers the update again sends that piece again.
    """
    ledger = Ledger(app.store, app.clock, app.ids)
    lease = await ledger.take(update_id, _ask(app.policy, to, asker))
    if isinstance(lease, Closed):
        return await _finish_closed(app.clock, app.schedule, lease, asker)
    lease = replace(lease, memory=lease.memory or as_of)
    if lease.limit is not None and asker is not None:
        compose = _declining(asker, lease.limit)
    try:
        return await _with_lease(app, ledger, lease, to, compose)
    except _Waits as waits:  # there is no lease any more: who dies here is helped by the redelivery
        await ask_to_deliver(app.schedule, to.chat_id, at=waits.room_at)
        return AnswerOutcome.WAITS


async def say_once(
    app: App,
    chat_id: int,
    key: str,
    answer: Answer,
    *,
    as_of: Memory | None = None,
    reply_to: int | None = None,
    thread_id: int | None = None,
) -> AnswerOutcome:
    """Say something that no update asks for, once for this key, at the group's pace.

    Args:
        key: What it is about and where, in any characters; nothing of the same key is said twice within `ledger.KEPT`,
            also not when the chat has another id by then.
        as_of: Where the answer may repeat what the chat remembers: its memory, read before the answer was made.

    Raises:
        TransientError: Make it and say it again, with the same key; also when something was forgotten since `as_of`.
    """
    name = hashlib.sha256(key.encode()).hexdigest()[:32]

    async def compose() -> Answer:
        return answer

    return await answer_once(app, f"say-{name}", Destination(chat_id, reply_to, thread_id), compose, as_of=as_of)


def _ask(policy: Policy, to: Destination, asker: Asker | None) -> Ask | None:
    if asker is None:
        return None
    per_user, per_chat = policy.asks_per_user, policy.asks_per_chat
    return Ask(to.chat_id, asker.user_id, per_user, per_chat, tells=not asker.is_press)


def _declining(asker: Asker, limit: Limit) -> Compose:
    return lambda: asker.decline(limit)


async def _finish_closed(clock: Clock, schedule: Schedule, closed: Closed, asker: Asker | None) -> AnswerOutcome:
    if closed.outcome is AnswerOutcome.WAITS:
        await ask_to_deliver(schedule, closed.chat_id, at=clock.now())
    if closed.limit is not None and asker is not None and asker.is_press:
        await asker.decline(closed.limit)
    return closed.outcome


async def ask_to_deliver(schedule: Schedule, chat_id: int, *, at: datetime) -> None:
    """Have what waits in a chat sent at the first slot after an instant; to ask for a slot twice changes nothing."""
    slot = int(at.timestamp() // SLOT.total_seconds()) + 1
    run_at = datetime.fromtimestamp(slot * SLOT.total_seconds(), UTC)
    await schedule.job("deliver", mark=f"{chat_id}-{slot}", payload={"chat_id": chat_id}, run_at=run_at)


class Unrecorded(TransientError):
    """A piece was sent, but that could not be written down."""


class _Waits(Exception):
    """The answer is recorded, and there is no room for it before `room_at`."""

    def __init__(self, room_at: datetime) -> None:
        super().__init__(room_at)
        self.room_at = room_at


async def _with_lease(app: App, ledger: Ledger, lease: Lease, to: Destination, compose: Compose) -> AnswerOutcome:
    try:
        return await _fill_and_send(app, ledger, lease, to, compose)
    except LeaseLost:
        return AnswerOutcome.TAKEN_OVER
    except (Unrecorded, _Waits):
        raise  # the lease stays as it is: whoever goes on must take the piece as sent; who waits has none any more
    except TransientError as error:
        await ledger.release(lease, retry_after=error.retry_after)
        raise
    except (SettingsError, UnstorableDocument):  # the latter is no refusal of the chat's: it becomes a dead letter
        await ledger.release(lease)
        raise
    except PermanentError as error:
        outcome = await give_up(app.chats, to.chat_id, error)
        await ledger.finish(lease, outcome)
        return outcome
    except Exception as error:  # a bug: the next attempt must not wait until the lease runs out
        if await ledger.let_go(lease):
            raise SendBroken(f"while a piece of the answer was on its way: {error!r}") from error
        raise


async def _fill_and_send(app: App, ledger: Ledger, lease: Lease, to: Destination, compose: Compose) -> AnswerOutcome:
    retention = (await app.chats.state(to.chat_id)).retention(app.policy.retention)
    if lease.outbox is None:
        if lease.memory is None:
            lease = replace(lease, memory=await memory_of(app.store, to.chat_id))
        lease = await ledger.fill(
            lease,
            restrained_answer(await compose()),
            chat_id=to.chat_id,
            reply_to=to.reply_to,
            thread_id=to.thread_id,
            retention=retention,
        )
    else:
        lease = await ledger.resume(lease)
    if lease.room_at is not None:
        raise _Waits(lease.room_at)
    outcome = AnswerOutcome.ANSWERED if lease.limit is None else AnswerOutcome.LIMITED
    for piece in lease.left:
        sent, there = await send_piece(app, to, piece, first=lease.sent == 0)
        here = is_here(piece, to.chat_id, there.chat_id)
        outcome = AnswerOutcome.UNCERTAIN if sent is None else outcome
        given = lease.update_id if lease.is_given else None
        own = (
            []
            if sent is None or not here
            else [own_message(app.clock, app.policy, there, piece, sent, answer=given, retention=retention)]
        )
        lease = await _record(ledger, lease, own, outcome, here=here)
        to = replace(there if here else to, reply_to=None)
    return outcome


async def send_piece(
    app: App, to: Destination, piece: AnswerPiece, *, first: bool = True
) -> tuple[SentMessage | None, Destination]:
    """Send one message; what became of it, None when nobody knows, and where it went.

    Raises:
        ChatForbidden: The bot is not in the chat.
        MessageRejected: This one cannot be sent; also when it was for somebody's private chat, which is closed.
        ChatUnavailable: It was definitely not sent.
    """
    to = to if first else replace(to, reply_to=None)
    if piece.private_to is None or piece.private_to == to.chat_id:
        return await _send_to(app, to, piece.content)
    try:
        return await _send_to(app, Destination(piece.private_to), piece.content)
    except (ChatForbidden, MessageRejected) as error:
        if piece.otherwise is None:  # the group itself has nothing to do with it
            raise MessageRejected(f"the private chat of a member is closed: {error}") from error
        return await _send_to(app, to, piece.otherwise)


def is_here(piece: AnswerPiece, chat_id: int, sent_to: int) -> bool:
    """Return whether a piece of an answer in a chat went into it, not into somebody's private chat: there it is not
    kept, for no chat may come to know what another one knows, and what is forgotten in a chat lies nowhere else."""
    return piece.private_to in (None, chat_id) or sent_to != piece.private_to


async def _send_to(app: App, to: Destination, content: Outgoing) -> tuple[SentMessage | None, Destination]:
    try:
        return await app.gateway.send(to.chat_id, content, reply_to=to.reply_to, thread_id=to.thread_id), to
    except SendUncertain as error:
        log.warning("an answer may not have been sent: %s", error)
        return None, to
    except ChatMigrated as error:
        await begin_migration(app, to.chat_id, error.new_chat_id)
        there = Destination(error.new_chat_id)
        return await app.gateway.send(there.chat_id, content), there


async def _record(ledger: Ledger, lease: Lease, also: Sequence[Write], outcome: AnswerOutcome, *, here: bool) -> Lease:
    try:
        return await ledger.mark_sent(lease, also, outcome=outcome, here=here)
    except TransientError as error:
        raise Unrecorded(f"update {lease.update_id}: a sent piece could not be recorded") from error


async def give_up(chats: Chats, chat_id: int, error: PermanentError) -> AnswerOutcome:
    """Return what becomes of an answer that can never be sent."""
    if isinstance(error, ChatForbidden):
        await chats.retire(chat_id, str(error))
        return AnswerOutcome.INACTIVE
    log.warning("an answer was not sent: %s", error)
    return AnswerOutcome.REJECTED
