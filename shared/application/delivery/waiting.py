"""Sending what had to wait: answers when Telegram took no more for their chat, and those that came after them.

One worker at a time sends what waits in a chat, in the order in which it was asked; whose turn it is stands in a
document that only workers write. Short texts that follow one another in a topic become one message. Each message is
marked in all ledger entries that it belongs to before it is sent: when a worker dies, or cannot tell whether it
arrived, the next one sends the same again, and counts it. For a few seconds a worker waits itself; what Telegram takes
later than that is left to a later task.
"""

from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any, Literal

from shared.application.app import App
from shared.application.delivery.closing import check_that_telegram_answers, note_uncertain, outcome_of
from shared.application.delivery.ledger import repeated_write
from shared.application.delivery.ledger_codec import (
    LedgerEntry,
    done_with_update,
    given_up_fields,
    is_forgotten,
    read_entry,
    sending_fields,
    sent_fields,
    unsent_fields,
    waiting_in,
)
from shared.application.delivery.parcels import Destination, Parcel, PieceRange, own_message, pack, waiting_from
from shared.application.delivery.sending import ask_to_deliver, is_here, send_piece
from shared.application.delivery.turn_codec import Turn, read_turn, turn_fields, turn_path
from shared.application.ports.chat import SentMessage
from shared.application.ports.store import Document, Set, Transaction, Upsert
from shared.domain.delivery.outcomes import AnswerOutcome
from shared.domain.errors import ChatForbidden, PermanentError, SendUncertain, SettingsError, TransientError

LONGEST_NAP = 5.0
"""Seconds that a worker waits itself at once when Telegram says so."""

_MOST_REST = 60.0
"""Seconds that it does so in all: a task is no place to wait for long."""

Marked = Literal["marked", "changed", "over"]
"""Whether a message may be sent: "changed" when what waits is not what it was, "over" when the turn is."""


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
    worker, sent = _Worker(app, chat_id, there.chat_id, app.ids.token()), 0
    while await worker.parcels() and await worker.take_turn():
        while parcels := await worker.parcels():
            for parcel in parcels:
                marked = await worker.mark(parcel)
                if marked == "over":
                    return {"sent": sent}
                if marked == "changed" or not await worker.send(parcel):
                    break
                sent += 1
        await worker.end_turn()  # and look again: an answer may have come to wait before that
    return {"sent": sent}


@dataclass(slots=True)
class _Worker:
    """Who sends what waits.

    Attributes:
        chat_id: Whose answers, as the ledger knows it.
        there: Where they go now.
        rested: Seconds that it has waited itself.
    """

    app: App
    chat_id: int
    there: int
    token: str
    rested: float = 0

    # --- the turn ---

    async def take_turn(self) -> bool:
        """Take the turn; False when it is somebody else's, or Telegram takes nothing yet: then a task is asked for that
        looks when that is over."""
        now = self.app.clock.now()

        async def take(tx: Transaction) -> Turn:
            turn = read_turn(await tx.get(turn_path(self.there)))
            if not turn.is_of_another(self.token, now) and (turn.not_before is None or turn.not_before <= now):
                tx.write(Set(turn_path(self.there), turn_fields(self.token, now=now)))
                return Turn(self.token)
            return turn

        turn = await self.app.store.transaction(take)
        if turn.token == self.token:
            return True
        instants = [at for at in (turn.until, turn.not_before) if at is not None]
        await ask_to_deliver(self.app.schedule, self.chat_id, at=max(instants, default=now), who=self.token)
        return False

    async def end_turn(self, *, not_before: datetime | None = None) -> None:
        """Give the turn up, if it is ours: nothing is to be sent before an instant."""

        async def end(tx: Transaction) -> None:
            if read_turn(await tx.get(turn_path(self.there))).token == self.token:
                now = self.app.clock.now()
                tx.write(Set(turn_path(self.there), turn_fields("", now=now, not_before=not_before)))

        await self.app.store.transaction(end)

    # --- what waits ---

    async def parcels(self) -> list[Parcel]:
        """Return what waits, as messages."""
        found = await self.app.store.query("updates", where=waiting_in(self.chat_id))
        return pack(sorted(map(waiting_from, found), key=lambda each: each.place))

    async def _close(self, path: str, outcome: AnswerOutcome) -> None:
        async def close(tx: Transaction) -> None:
            document = await tx.get(path)
            if _is_waiting(document):
                tx.write(Upsert(path, done_with_update(outcome)))

        await self.app.store.transaction(close)

    # --- one message ---

    async def mark(self, parcel: Parcel) -> Marked:
        """Mark a message as being sent in all its ledger entries, while it is our turn; one that may have arrived too
        often is given up. While Telegram is away, none that may have arrived is sent again."""
        if any(part.is_doubtful for part in parcel.parts):
            try:
                await check_that_telegram_answers(self.app.gateway, self.there)
            except SendUncertain:
                await self.end_turn()
                raise
        for part in parcel.parts:
            if part.gives_up:
                await note_uncertain(self.app, self.there, part.waiting.update_id)
        now = self.app.clock.now()

        async def mark(tx: Transaction) -> Marked:
            turn, documents = await self._read(tx, parcel)
            if turn.token != self.token:
                return "over"
            if not all(_is_as_read(document, part) for document, part in zip(documents, parcel.parts, strict=True)):
                return "changed"
            if turn.is_to_be_renewed(now):
                tx.write(Set(turn_path(self.there), turn_fields(self.token, now=now)))
            return self._mark(tx, parcel, now)

        return await self.app.store.transaction(mark)

    def _mark(self, tx: Transaction, parcel: Parcel, now: datetime) -> Marked:
        given_up = [part for part in parcel.parts if part.gives_up]
        for part in given_up:
            tx.write(Upsert(part.path, _after(part, is_uncertain=True)))
        if given_up:
            return "changed"
        for part in parcel.parts:
            tx.write(Upsert(part.path, sending_fields(part.first, part.end - 1, doubts=part.doubts)))
        if any(part.is_doubtful for part in parcel.parts):
            tx.write(repeated_write(self.there, now))
        return "marked"

    async def send(self, parcel: Parcel) -> bool:
        """Send a marked message and record it; False when what else waits is to be looked at again.

        Raises:
            TransientError: It was not sent and is not marked any more, or nobody knows and it is; the turn is over.
        """
        to = Destination(self.there)
        if self.there == self.chat_id:  # a supergroup has other messages under these ids
            to = Destination(self.there, parcel.reply_to, parcel.thread_id)
        try:
            sent, there = await send_piece(self.app, to, parcel.piece)
        except SendUncertain:
            await self.end_turn()
            raise
        except (TransientError, SettingsError) as error:
            await self._take_back(parcel)
            if not isinstance(error, TransientError) or error.retry_after is None:
                await self.end_turn()
                raise
            await self._rest(error.retry_after)
            return False
        except PermanentError as error:
            await self._drop(parcel, error)
            return False
        await self._record(parcel, there, sent)
        return True

    async def _rest(self, seconds: float) -> None:
        """Let so much time pass, or end the turn and ask for a task that goes on then."""
        if seconds <= LONGEST_NAP and self.rested + seconds <= _MOST_REST:
            self.rested += seconds
            await self.app.clock.sleep(seconds)
            return
        later = self.app.clock.now() + timedelta(seconds=seconds)
        await self.end_turn(not_before=later)
        await ask_to_deliver(self.app.schedule, self.chat_id, at=later, who=self.token)

    async def _record(self, parcel: Parcel, there: Destination, sent: SentMessage) -> None:
        """The message as the bot's own, and its entries as sent."""
        own = await self._own(parcel, there, sent) if is_here(parcel.piece, self.there, there.chat_id) else None

        async def record(tx: Transaction) -> None:
            documents = await tx.get_many([part.path for part in parcel.parts])
            for document, part in zip(documents, parcel.parts, strict=True):
                if _is_being_sent(document, part):  # neither taken back nor gone on with by another worker meanwhile
                    tx.write(Upsert(part.path, _after(part)))
            if own is not None and not any(map(is_forgotten, documents)):
                tx.write(own)

        try:
            await self.app.store.transaction(record)
        except TransientError:  # away for a moment: nobody wants a double
            await self.app.store.transaction(record)

    async def _own(self, parcel: Parcel, there: Destination, sent: SentMessage) -> Set:
        state = await self.app.chats.state(self.there)
        first = parcel.parts[0].waiting
        answer = first.update_id if first.entry.is_given else None
        retention = state.retention(self.app.policy.retention)
        return own_message(
            self.app.clock, self.app.policy, there, parcel.piece, sent, answer=answer, retention=retention
        )

    async def _take_back(self, parcel: Parcel) -> None:
        """Take the marks off what was not sent, unless another worker is sending it by now."""

        async def take_back(tx: Transaction) -> None:
            turn, documents = await self._read(tx, parcel)
            for document, part in zip(documents, parcel.parts, strict=True):
                if turn.token == self.token and _is_being_sent(document, part):
                    tx.write(Upsert(part.path, unsent_fields()))

        await self.app.store.transaction(take_back)

    async def _drop(self, parcel: Parcel, error: PermanentError) -> None:
        """A message that cannot be sent goes with its answers; with the chat itself goes all that waits there."""
        outcome = await outcome_of(self.app, self.there, parcel.parts[0].waiting.update_id, error)
        parcels = [parcel]
        while parcels:
            for path in dict.fromkeys(part.path for each in parcels for part in each.parts):
                await self._close(path, outcome)
            parcels = await self.parcels() if isinstance(error, ChatForbidden) else []

    async def _read(self, tx: Transaction, parcel: Parcel) -> tuple[Turn, list[Document | None]]:
        turn, *documents = await tx.get_many([turn_path(self.there), *(part.path for part in parcel.parts)])
        return read_turn(turn), documents


def _is_waiting(document: Document | None) -> bool:
    return document is not None and read_entry(document).is_waiting


def _is_as_read(document: Document | None, part: PieceRange) -> bool:
    if document is None:
        return False
    entry, read = read_entry(document), part.waiting.entry
    sending = read.sending if part.first == read.sent else None
    return entry.is_waiting and (entry.sent, entry.sending) == (part.first, sending)


def _is_being_sent(document: Document | None, part: PieceRange) -> bool:
    """Return whether it still stands as `_Worker.mark` left it."""
    entry: LedgerEntry | None = None if document is None else read_entry(document)
    return entry is not None and entry.is_waiting and (entry.sent, entry.sending) == (part.first, part.end - 1)


def _after(part: PieceRange, *, is_uncertain: bool = False) -> dict[str, Any]:
    """The entry's fields when the part is sent, or (uncertain) given up."""
    if part.end < len(part.waiting.pieces):
        return given_up_fields(part.end) if is_uncertain else sent_fields(part.end)
    outcome = AnswerOutcome.UNCERTAIN if is_uncertain else part.waiting.outcome
    return {**sent_fields(part.end), **done_with_update(outcome)}
