"""Sending answers: each piece at least once, recorded as the bot's own message, under the chat's current id. How much a
chat takes is Telegram's to say: what it does not take now waits, and is sent by `waiting`."""

import contextlib
import hashlib
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from functools import partial

from shared.application.app import App
from shared.application.chats.migration import begin_migration
from shared.application.delivery.answer import Answer, AnswerPiece, restrain_answer
from shared.application.delivery.closing import check_that_telegram_answers, note_uncertain, outcome_of
from shared.application.delivery.lease import (
    Closed,
    Lease,
    LeaseLost,
    Memory,
    compose_while_ours,
    counts,
    is_left_open,
    memory_of,
)
from shared.application.delivery.ledger import Ledger
from shared.application.delivery.ledger_codec import UpdateId, waiting_in
from shared.application.delivery.limits import Ask
from shared.application.delivery.parcels import Destination, own_message
from shared.application.delivery.turns import LONGEST_TURN, ask_to_deliver
from shared.application.policy import Policy
from shared.application.ports.chat import Outgoing, SentMessage
from shared.application.ports.store import DocumentStore, Write
from shared.domain.delivery.limits import Limit
from shared.domain.delivery.outcomes import AnswerOutcome
from shared.domain.delivery.repeating import pause_after
from shared.domain.errors import (
    ChatForbidden,
    ChatMigrated,
    ChatUnavailable,
    ChatUnconfigured,
    LeaseHeld,
    MessageRejected,
    PermanentError,
    PrivateChatClosed,
    SendUncertain,
    SettingsError,
    TransientError,
    UnstorableDocument,
)

Compose = Callable[[], Awaitable[Answer]]


@dataclass(frozen=True, slots=True)
class Asker:
    """The member who asks, where that is limited (`Policy.asks_per_user`, `asks_per_chat`).

    Attributes:
        decline: What is said to them over the limit.
        before: The id of the chat as a basic group, if it was one.
        is_press: Whether a button was pressed: `decline` is called every time then, and its answer is not sent.
    """

    user_id: int
    decline: Callable[[Limit], Awaitable[Answer]]
    before: int | None = None
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
    """Answer one update, whatever is delivered again; what may have arrived already is sent again only when nobody
    knows whether it did.

    Args:
        compose: Makes the pieces; called once per lease unless an earlier attempt already recorded them. Of an answer
            that is too large to be recorded it makes the same number of pieces again.
        asker: None for what nobody asked for.
        as_of: The chat's memory of which the answer was made before, or None when `compose` makes it.

    Raises:
        TransientError: Nothing more could be sent now, or nobody knows whether it was; another run goes on from there.
            Also when something of the chat was forgotten while the answer was made.
        UnstorableDocument: The answer cannot be recorded, or what it does cannot be stored.
    """
    ledger, ask = Ledger(app.store, app.clock, app.ids), _ask(app.policy, to, asker)
    taken = await ledger.take(update_id, ask, chat_id=to.chat_id)
    if isinstance(taken, Closed):
        if taken.outcome is AnswerOutcome.WAITS:
            await ask_to_deliver(app.schedule, taken.chat_id, at=app.clock.now(), who=update_id)
        return taken.outcome
    lease = replace(taken, memory=as_of or taken.memory)

    async def admit_and_send() -> AnswerOutcome:
        if ask is None or asker is None:
            return await _fill_and_send(app, ledger, lease, to, compose)
        admitted = await ledger.admit(lease, ask)
        if isinstance(admitted, Lease):
            made_by = compose if admitted.limit is None else partial(asker.decline, admitted.limit)
            return await _fill_and_send(app, ledger, admitted, to, made_by)
        if admitted.limit is not None and asker.is_press:
            await asker.decline(admitted.limit)
        return admitted.outcome

    try:
        return await _with_lease(app, ledger, lease, to, admit_and_send)
    except _Waits as waits:  # there is no lease any more: after a crash here the next run of the task goes on
        await ask_to_deliver(app.schedule, waits.chat_id, at=waits.room_at or app.clock.now(), who=update_id)
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
    """Say something that no update asks for, once for this key, as `answer_once` does.

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
    limits = (policy.asks_per_user, policy.asks_per_chat)
    return Ask(to.chat_id, asker.user_id, *limits, tells=not asker.is_press, before=asker.before)


@dataclass  # not frozen: an exception is given its traceback
class _Waits(Exception):
    """The answer is recorded for a chat, by the id that it had then, and not to be sent before `room_at`, or when those
    before it are; then this is None."""

    chat_id: int
    room_at: datetime | None = None


async def _with_lease(
    app: App, ledger: Ledger, lease: Lease, to: Destination, answer: Callable[[], Awaitable[AnswerOutcome]]
) -> AnswerOutcome:
    try:
        with ledger.renew(lease):
            return await answer()
    except LeaseLost as error:
        if await is_left_open(app.store, app.clock, lease.update_id):
            raise LeaseHeld(str(error)) from error
        return AnswerOutcome.TAKEN_OVER
    except (_Waits, _Unrecorded):
        raise  # who waits has no lease any more; what could not be written down is not tried again at once
    except SendUncertain:  # it is too large to be recorded: else it waits
        await ledger.release(lease, retry_after=pause_after(0).total_seconds(), is_open=True)
        raise
    except TransientError as error:
        await ledger.release(lease, retry_after=error.retry_after)
        raise
    except (SettingsError, UnstorableDocument):  # the latter is no refusal of the chat's: it becomes a dead letter
        await ledger.release(lease)
        raise
    except PermanentError as error:
        outcome = await outcome_of(app, to.chat_id, lease.update_id, error)
        with contextlib.suppress(LeaseLost):
            await ledger.finish(lease, outcome)
        return outcome
    except Exception:  # a bug: the next attempt must not wait until the lease runs out
        await ledger.release(lease, is_open=True)
        raise


async def _fill_and_send(app: App, ledger: Ledger, lease: Lease, to: Destination, compose: Compose) -> AnswerOutcome:
    ends_at = app.clock.now() + LONGEST_TURN
    retention = (await app.chats.state(to.chat_id)).retention(app.policy.retention)
    try:
        if lease.sending is not None:
            await check_that_telegram_answers(app.gateway, to.chat_id)
        if lease.gives_up:
            await note_uncertain(app.store, app.clock, to.chat_id, lease.update_id)
        if lease.outbox is None:
            lease = await _fill(app.store, ledger, lease, to, compose, retention)
        else:
            lease = await ledger.resume(lease)
        for piece in lease.left:
            if lease.may_wait and app.clock.now() >= ends_at:
                break
            sent, there = await send_piece(app, to, piece, first=lease.sent == 0)
            here = is_here(piece, to.chat_id, there.chat_id)
            given = (lease.update_id,) if lease.is_given else ()
            own = own_message(app.clock, app.policy, there, piece, sent, answers=given, retention=retention)
            lease = await _record(ledger, lease, [own] if here else [])
            to = replace(there if here else to, reply_to=None)
    except (ChatUnavailable, SendUncertain) as error:
        is_away = isinstance(error, ChatUnavailable) and error.retry_after is None
        is_unasked = isinstance(lease.update_id, str)  # whoever says it says it again, when it still fits
        if not lease.may_wait or isinstance(error, ChatUnconfigured) or (is_away and is_unasked):
            raise
        with contextlib.suppress(TransientError):
            raise _Waits(lease.chat_id, await ledger.wait(lease, error)) from error
        raise
    if lease.left:
        raise _Waits(lease.chat_id, await ledger.wait(lease))
    return lease.outcome if lease.outbox else AnswerOutcome.ANSWERED


async def _fill(
    store: DocumentStore, ledger: Ledger, lease: Lease, to: Destination, compose: Compose, retention: timedelta
) -> Lease:
    """Make the answer, and record it.

    Raises:
        _Waits: Others wait in the chat: a new answer does not overtake them.
    """
    if lease.memory is None:
        lease = replace(lease, memory=await memory_of(store, to.chat_id))
    answer = restrain_answer(await compose_while_ours(store, lease, compose))
    where, takes = waiting_in(to.chat_id), any(counts(piece, to.chat_id) for piece in answer.pieces)
    queued = takes and bool(await store.query("updates", where=where, limit=1, fields=["state"]))
    lease = await ledger.fill(lease, answer, to, retention=retention, waits=queued)
    if queued and lease.may_wait:
        raise _Waits(lease.chat_id)
    return lease


async def send_piece(
    app: App, to: Destination, piece: AnswerPiece, *, first: bool = True
) -> tuple[SentMessage, Destination]:
    """Send one message; what became of it, and where it went.

    Raises:
        ChatForbidden: The bot is not in the chat.
        MessageRejected: This one cannot be sent; `PrivateChatClosed` when it was for somebody who did not open one.
        ChatUnavailable: It was definitely not sent.
        SendUncertain: Nobody knows whether it was.
    """
    to = to if first else replace(to, reply_to=None)
    if piece.private_to is None or piece.private_to == to.chat_id:
        return await _send_to(app, to, piece.content)
    try:
        return await _send_to(app, Destination(piece.private_to), piece.content)
    except (ChatForbidden, MessageRejected) as error:
        if piece.otherwise is None:  # the group itself has nothing to do with it
            raise PrivateChatClosed(f"the private chat of a member is closed: {error}") from error
        return await _send_to(app, to, piece.otherwise)


def is_here(piece: AnswerPiece, chat_id: int, sent_to: int) -> bool:
    """Return whether a piece of an answer in a chat went into it, not into somebody's private chat: there it is not
    kept, for no chat may come to know what another one knows, and what is forgotten in a chat lies nowhere else."""
    return piece.private_to in (None, chat_id) or sent_to != piece.private_to


async def _send_to(app: App, to: Destination, content: Outgoing) -> tuple[SentMessage, Destination]:
    try:
        return await app.gateway.send(to.chat_id, content, reply_to=to.reply_to, thread_id=to.thread_id), to
    except ChatMigrated as error:
        await begin_migration(app, to.chat_id, error.new_chat_id)
        there = Destination(error.new_chat_id)
        return await app.gateway.send(there.chat_id, content), there


class _Unrecorded(TransientError):
    """A piece was sent, but that could not be written down: it counts as one of which nobody knows."""


async def _record(ledger: Ledger, lease: Lease, also: Sequence[Write]) -> Lease:
    """Write down that a piece was sent, also when the store was away for a moment: nobody wants a double."""
    with contextlib.suppress(TransientError):
        return await ledger.mark_sent(lease, also)
    try:
        return await ledger.mark_sent(lease, also)
    except TransientError as error:
        raise _Unrecorded(f"update {lease.update_id}: a sent piece could not be recorded") from error
