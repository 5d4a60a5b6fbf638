"""Sending what had to wait: answers when Telegram took no more for their chat or could not be reached, and those that
came after them.

One worker at a time sends what waits in a chat, in the order in which it was asked; whose turn it is stands in a
document that only workers write. Texts that follow one another in a topic become one message. Each message is marked in
all ledger entries that it belongs to before it is sent, with when it may be sent again: when a worker dies, or cannot
tell whether it arrived, the same is sent again then, and counted; meanwhile what came after it goes on. For a few
seconds a worker waits itself; more is left to a later task, which is asked for as long as anything waits.
"""

import logging
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Any, Literal

from shared.application.app import App
from shared.application.delivery.closing import check_that_telegram_answers, note_uncertain, note_unsent, outcome_of
from shared.application.delivery.ledger import repeated_write
from shared.application.delivery.ledger_codec import (
    KEPT,
    OLDEST_FIRST,
    done_with_update,
    given_up_fields,
    is_forgotten,
    read_entry,
    resting_fields,
    sending_fields,
    sent_fields,
    unsent_fields,
    waiting_in,
)
from shared.application.delivery.parcels import Destination, Parcel, PieceRange, own_message, pack, read_waiting
from shared.application.delivery.sending import is_here, send_piece
from shared.application.delivery.turn_codec import Turn, read_turn, turn_fields, turn_path
from shared.application.delivery.turns import LONGEST_TURN, HeldTurn, ask_to_deliver
from shared.application.ports.chat import SentMessage
from shared.application.ports.store import Document, Set, Transaction, Upsert
from shared.domain.delivery.outcomes import AnswerOutcome
from shared.domain.delivery.repeating import pause_after
from shared.domain.errors import (
    ChatForbidden,
    MessageRejected,
    PermanentError,
    SendUncertain,
    SettingsError,
    TransientError,
)

log = logging.getLogger(__name__)

_MOST_READ = 40
"""Answers that are looked at in one go: more than a minute takes."""

LONGEST_NAP = 5.0
"""Seconds that a worker waits itself at once when Telegram says so."""

_HANDING_ON = timedelta(seconds=2)  # until another task goes on: the turn is given up by then

_PAUSES = (2.0, 300.0)
"""Seconds after which Telegram is tried again that could not be reached, at least and at most; between them a quarter
of the time for which the oldest answer has waited."""

Step = Literal["marked", "sent", "again", "changed", "over"]
"""A message's outcome: it may be sent, was sent, or is to be tried again; "changed" when it is to be looked again
what waits, "over" when the turn is."""


async def deliver_waiting(app: App, chat_id: int) -> dict[str, int]:
    """Send what waits in a chat as far as Telegram takes it, and ask for a later task for the rest. May run at any
    time, also twice at once.

    Args:
        chat_id: As it was when the answers were made; what waits in a group that became a supergroup goes there.

    Returns:
        `sent`: how many messages went out.

    Raises:
        TransientError: The chat or the store is away: run it again.
    """
    state = await app.chats.state(chat_id)
    there = state if state.migrated_to is None else await app.chats.state(state.migrated_to)
    turn = HeldTurn(app.store, app.clock, app.schedule, chat_id, there.chat_id, app.ids.token())
    worker = _Deliverer(app, chat_id, there.chat_id, turn, app.clock.now() + LONGEST_TURN)
    try:
        await worker.work()
    except (TransientError, SettingsError):  # its own task is tried again, but not for ever
        hour = app.clock.now().replace(minute=59, second=59, microsecond=0)
        await ask_to_deliver(app.schedule, chat_id, at=hour, who=None)
        raise
    return {"sent": worker.sent}


@dataclass(slots=True)
class _Deliverer:
    """A worker that sends what waits.

    Attributes:
        chat_id: Whose answers, as the ledger knows it.
        there: Where they go now.
        ends_at: When another task goes on.
        sent: Messages.
        rests_until: When the first of those is to be sent again that may have arrived; None when there are none.
        apart: Paths of answers that are not joined with others: Telegram refused the message.
    """

    app: App
    chat_id: int
    there: int
    turn: HeldTurn
    ends_at: datetime
    sent: int = 0
    rests_until: datetime | None = None
    apart: set[str] = field(default_factory=set)

    async def work(self) -> None:
        """Send what waits as far as Telegram takes it, and ask for a task for the rest."""
        if await self.turn.is_closed():
            return
        while (parcels := await self.parcels()) and await self.turn.take():
            while parcels:
                for parcel in parcels:
                    step = await self._deliver(parcel)
                    if step == "over":
                        return
                    if step == "changed":
                        break
                    self.sent += 1
                parcels = await self.parcels()
            await self.turn.end()  # and look again: an answer may have come to wait before that
        if self.rests_until is not None:
            await self.turn.go_on(self.rests_until)

    async def _deliver(self, parcel: Parcel) -> Step:
        """Send one message; while Telegram is away, none that may have arrived."""
        step: Step = "again"
        while step == "again":
            if (now := self.app.clock.now()) >= self.ends_at:
                await self.turn.go_on(now + _HANDING_ON)  # asked for first: whoever dies here leaves a task
                await self.turn.end()
                return "over"
            try:
                if parcel.is_doubtful:
                    await check_that_telegram_answers(self.app.gateway, self.there)
                step = await self.mark(parcel)
            except SendUncertain as error:
                step = await self._pause(parcel, error)
            if step == "marked":
                step = await self.send(parcel)
        return step

    # --- what waits ---

    async def parcels(self) -> list[Parcel]:
        """Return what waits and may be sent now, the oldest of it, as messages."""
        where, now, limit = waiting_in(self.chat_id), self.app.clock.now(), _MOST_READ
        while True:
            found = await self.app.store.query("updates", where=where, order_by=[OLDEST_FIRST], limit=limit)
            waiting = sorted(map(read_waiting, found), key=lambda each: each.place)
            ready = [each for each in waiting if not each.entry.rests(now)]
            if ready or len(found) < limit:
                break
            limit *= 2  # all of these may have arrived, and rest
        resting = (each.entry.lease_until for each in waiting if each.entry.rests(now))
        self.rests_until = min(filter(None, resting), default=None)
        for each in [each for each in ready if each.is_over(now)]:
            ready.remove(each)
            await note_unsent(self.app.store, self.app.clock, self.there, each.update_id, "Telegram was away for days")
            await self._close(each.path, AnswerOutcome.REJECTED, expire_at=now + KEPT)  # so that it can be replayed
        return pack(ready, apart=self.apart)

    async def _close(self, path: str, outcome: AnswerOutcome, **more: datetime) -> None:
        async def close(tx: Transaction) -> None:
            document = await tx.get(path)
            if document is not None and read_entry(document).is_waiting:
                tx.write(Upsert(path, {**done_with_update(outcome), **more}))

        await self.app.store.transaction(close)

    # --- one message ---

    async def mark(self, parcel: Parcel) -> Step:
        """Mark a message as being sent in all its ledger entries, while it is our turn; one that may have arrived too
        often is given up."""
        given_up, now = [part for part in parcel.parts if part.gives_up], self.app.clock.now()
        for part in given_up:
            await note_uncertain(self.app.store, self.app.clock, self.there, part.waiting.update_id)

        async def mark(tx: Transaction) -> Step:
            turn, documents = await self._read(tx, parcel)
            if turn.token != self.turn.token:
                return "over"
            if not all(part.is_as_read(document) for document, part in zip(documents, parcel.parts, strict=True)):
                return "changed"
            if turn.is_to_be_renewed(now):
                tx.write(Set(turn_path(self.there), turn_fields(self.turn.token, now=now)))
            for part in given_up:
                tx.write(Upsert(part.path, _entry_fields(part, is_uncertain=True)))
            for part in [] if given_up else parcel.parts:
                again = resting_fields(now + pause_after(part.doubts))
                tx.write(Upsert(part.path, sending_fields(part.first, part.end - 1, doubts=part.doubts) | again))
            if parcel.is_doubtful and not given_up:
                tx.write(repeated_write(self.there, now))
            return "changed" if given_up else "marked"

        return await self.app.store.transaction(mark)

    async def send(self, parcel: Parcel) -> Step:
        """Send a marked message and record it; what was not sent is no more marked, what nobody knows of is."""
        to = Destination(self.there)
        if self.there == self.chat_id:  # a supergroup has other messages under these ids
            to = Destination(self.there, parcel.reply_to, parcel.thread_id)
        try:
            sent, there = await send_piece(self.app, to, parcel.piece)
        except SendUncertain as error:
            step = await self._pause(parcel, error)
            return "changed" if step == "again" else step
        except (TransientError, SettingsError) as error:
            await self._take_back(parcel)
            if isinstance(error, TransientError):
                return await self._pause(parcel, error)
            await self.turn.end()
            raise
        except MessageRejected as error:
            if not parcel.is_joined:
                return await self._drop(parcel, error)
            await self._take_back(parcel)
            self.apart.update(part.path for part in parcel.parts)
            return "changed"
        except PermanentError as error:
            return await self._drop(parcel, error)
        await self._record(parcel, there, sent)
        return "sent"

    async def _pause(self, parcel: Parcel, error: TransientError) -> Step:
        """Let as much time pass as Telegram wants, or as is reasonable; or end the turn and ask for a task that goes on
        then."""
        log.info("what waits in a chat is sent later: %s", error)
        now, (least, most) = self.app.clock.now(), _PAUSES
        waited = (now - (parcel.parts[0].waiting.entry.asked_at or now)).total_seconds()
        seconds = min(max(least, waited / 4), most) if error.retry_after is None else error.retry_after
        if seconds <= LONGEST_NAP and now + timedelta(seconds=seconds) < self.ends_at:
            await self.app.clock.sleep(seconds)
            return "again"
        await self.turn.end(not_before=now + timedelta(seconds=seconds))
        return "over"

    async def _record(self, parcel: Parcel, there: Destination, sent: SentMessage) -> None:
        """The message as the bot's own, and its entries as sent."""
        retention = (await self.app.chats.state(self.there)).retention(self.app.policy.retention)
        clock, policy, here = self.app.clock, self.app.policy, is_here(parcel.piece, self.there, there.chat_id)
        own = own_message(clock, policy, there, parcel.piece, sent, answers=parcel.given, retention=retention)

        async def record(tx: Transaction) -> None:
            documents = await tx.get_many([part.path for part in parcel.parts])
            for document, part in zip(documents, parcel.parts, strict=True):
                if part.is_being_sent(document):  # neither taken back nor gone on with by another worker meanwhile
                    tx.write(Upsert(part.path, _entry_fields(part)))
            if here and not any(map(is_forgotten, documents)):
                tx.write(own)

        try:
            await self.app.store.transaction(record)
        except TransientError:  # away for a moment: nobody wants a double
            await self.app.store.transaction(record)

    async def _take_back(self, parcel: Parcel) -> None:
        """Take the marks off what was not sent, unless another worker is sending it by now."""

        async def take_back(tx: Transaction) -> None:
            turn, documents = await self._read(tx, parcel)
            for document, part in zip(documents, parcel.parts, strict=True):
                if turn.token == self.turn.token and part.is_being_sent(document):
                    tx.write(Upsert(part.path, unsent_fields()))

        await self.app.store.transaction(take_back)

    async def _drop(self, parcel: Parcel, error: PermanentError) -> Step:
        """A message that cannot be sent goes with its answers; with the chat itself goes all that waits there."""
        outcome = await outcome_of(self.app, self.there, parcel.parts[0].waiting.update_id, error)
        parcels = [parcel]
        while parcels:
            for path in dict.fromkeys(part.path for each in parcels for part in each.parts):
                await self._close(path, outcome)
            parcels = await self.parcels() if isinstance(error, ChatForbidden) else []
        return "changed"

    async def _read(self, tx: Transaction, parcel: Parcel) -> tuple[Turn, list[Document | None]]:
        turn, *documents = await tx.get_many([turn_path(self.there), *(part.path for part in parcel.parts)])
        return read_turn(turn), documents


def _entry_fields(part: PieceRange, *, is_uncertain: bool = False) -> dict[str, Any]:
    """The entry's fields when the part is sent, or (uncertain) given up."""
    if part.end < len(part.waiting.pieces):
        return given_up_fields(part.end) if is_uncertain else sent_fields(part.end)
    outcome = AnswerOutcome.UNCERTAIN if is_uncertain else part.waiting.outcome
    return {**sent_fields(part.end), **done_with_update(outcome)}
