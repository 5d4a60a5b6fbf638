"""Sending what had to wait: answers for which their group had no room within a minute.

One worker at a time sends what waits in a chat, oldest first; whose turn it is stands in the chat's pace document.
Short texts that follow one another in a topic become one message. Each message is marked in all ledger entries that it
belongs to before it is sent, as a webhook does with a piece: a worker that dies loses at most the one being sent, and
doubles none. What does not fit is left to a later slot.
"""

from __future__ import annotations

import logging
from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import Any, Literal

from shared.application.app import App
from shared.application.delivery.lease import counts
from shared.application.delivery.ledger_codec import LEASE, done_with_update, is_forgotten, read_entry
from shared.application.delivery.own_messages import Destination, own_message
from shared.application.delivery.pace_codec import pace_from, pace_path, pace_write
from shared.application.delivery.parcels import Parcel, PieceRange, pack, waiting_from
from shared.application.delivery.sending import ask_to_deliver, give_up, is_here, send_piece
from shared.application.ports.chat import SentMessage
from shared.application.ports.store import Document, Filter, Set, Transaction, Upsert
from shared.domain.delivery.outcomes import AnswerOutcome
from shared.domain.delivery.pace import Pace, SendingTurn, release, report_sent, reserve, room_at
from shared.domain.errors import BadPayload, ChatForbidden, PermanentError, TransientError

log = logging.getLogger(__name__)

Marked = Literal["marked", "changed", "over"]
"""Whether a message may be sent: "changed" when what waits is not what it was, "over" when the turn is."""


async def deliver(app: App, payload: Mapping[str, Any]) -> dict[str, int]:
    """The task `deliver`: send what waits in the chat that the payload names by `chat_id`.

    Raises:
        BadPayload: It names none.
        TransientError: Run it again.
    """
    chat_id = payload.get("chat_id")
    if not isinstance(chat_id, int) or isinstance(chat_id, bool):
        raise BadPayload("deliver needs chat_id")
    return await deliver_waiting(app, chat_id)


async def deliver_waiting(app: App, chat_id: int) -> dict[str, int]:
    """Send what waits in a chat as far as its pace allows, and ask for a later task for the rest. May run at any time,
    also twice at once.

    Args:
        chat_id: As it was when the answers were made; what waits in a group that became a supergroup goes there.

    Returns:
        `sent`: how many messages went out.

    Raises:
        TransientError: The chat or the store is away: run it again.
    """
    state = await app.chats.state(chat_id)
    there = state if state.migrated_to is None else await app.chats.state(state.migrated_to)
    worker = _Worker(app, chat_id, there.chat_id, app.ids.token())
    last, sent = await worker.take_turn(), 0
    while last is not None:
        parcels = await worker.parcels()
        if not parcels:
            last = await worker.end_turn(last)
            continue
        for parcel in parcels:
            marked = await worker.mark(parcel)
            if marked == "over":
                return {"sent": sent}
            if marked == "changed" or not await worker.send(parcel):
                break
            sent += 1
    return {"sent": sent}


@dataclass(frozen=True, slots=True)
class _Worker:
    """Who sends what waits.

    Attributes:
        chat_id: Whose answers, as the ledger knows it.
        there: Where they go now, and whose pace is kept.
    """

    app: App
    chat_id: int
    there: int
    token: str

    # --- the turn ---

    async def take_turn(self) -> int | None:
        """Number of the last answer that had to wait; None when it is somebody else's turn: then a task is asked for
        that looks when that is over."""
        now = self.app.clock.now()

        async def take(tx: Transaction) -> Pace:
            pace = pace_from(await tx.get(pace_path(self.there)))
            if pace.turn is None or pace.turn.until <= now:
                pace = replace(pace, turn=SendingTurn(self.token, now + LEASE))
                tx.write(pace_write(self.there, pace, now=now))
            return pace

        pace = await self.app.store.transaction(take)
        if pace.turn is not None and pace.turn.token != self.token:
            await ask_to_deliver(self.app.schedule, self.chat_id, at=pace.turn.until)
            return None
        return pace.last

    async def end_turn(self, last: int) -> int | None:
        """End the turn when nothing has come to wait since `last`, else go on with what has."""

        async def end(tx: Transaction) -> int | None:
            pace = pace_from(await tx.get(pace_path(self.there)))
            if not self._is_ours(pace):
                return None
            if pace.last != last:
                return pace.last
            self._write(tx, replace(pace, served=last, turn=None))
            return None

        return await self.app.store.transaction(end)

    def _is_ours(self, pace: Pace) -> bool:
        return pace.turn is not None and pace.turn.token == self.token

    def _write(self, tx: Transaction, pace: Pace) -> None:
        tx.write(pace_write(self.there, pace, now=self.app.clock.now()))

    # --- what waits ---

    async def parcels(self) -> list[Parcel]:
        """Return what waits, as messages; answers of which nothing is left to send are dealt with on the way."""
        where = [Filter("chat_id", "==", self.chat_id), Filter("state", "==", "waiting")]
        found = [waiting_from(document) for document in await self.app.store.query("updates", where=where)]
        for waiting in found:
            if not waiting.left:
                await self._close(waiting.path, AnswerOutcome.UNCERTAIN)
        return pack(sorted(found, key=lambda each: each.entry.place))

    async def _close(self, path: str, outcome: AnswerOutcome) -> None:
        async def close(tx: Transaction) -> None:
            document = await tx.get(path)
            if _is_waiting(document):
                tx.write(Upsert(path, done_with_update(outcome)))

        await self.app.store.transaction(close)

    # --- one message ---

    async def mark(self, parcel: Parcel) -> Marked:
        """Reserve room for a message and mark it as being sent in all its ledger entries; without room end the turn and
        ask for the next one."""
        now = self.app.clock.now()
        until, key = now + LEASE, self._key(parcel)

        async def mark(tx: Transaction) -> Marked | datetime:
            pace, documents = await self._read(tx, parcel)
            if not self._is_ours(pace):
                return "over"
            if not all(_is_as_read(document, part) for document, part in zip(documents, parcel.parts, strict=True)):
                return "changed"
            held = reserve(pace, key, 1, now=now, until=until) if counts(parcel.piece, self.there) else pace
            if held is None:
                self._write(tx, replace(pace, turn=None))
                return room_at(pace, now)
            self._write(tx, replace(held, turn=SendingTurn(self.token, until)))
            for part in parcel.parts:
                tx.write(Upsert(part.path, {"sent": part.first, "sending": part.end - 1}))
            return "marked"

        marked = await self.app.store.transaction(mark)
        if isinstance(marked, datetime):
            await ask_to_deliver(self.app.schedule, self.chat_id, at=marked)
            return "over"
        return marked

    async def send(self, parcel: Parcel) -> bool:
        """Send a marked message and record it; False when what else waits is to be looked at again.

        Raises:
            TransientError: It was not sent, and is not marked any more.
        """
        to = Destination(self.there)
        if self.there == self.chat_id:  # a supergroup has other messages under these ids
            to = Destination(self.there, parcel.reply_to, parcel.thread_id)
        try:
            sent, there = await send_piece(self.app, to, parcel.piece)
        except TransientError as error:
            await self._take_back(parcel)
            if error.retry_after is None:
                raise
            await ask_to_deliver(
                self.app.schedule, self.chat_id, at=self.app.clock.now() + timedelta(seconds=error.retry_after)
            )
            return False
        except PermanentError as error:
            await self._drop(parcel, error)
            return False
        await self._record(parcel, there, sent)
        return True

    async def _record(self, parcel: Parcel, there: Destination, sent: SentMessage | None) -> None:
        """The message as the bot's own, its entries as sent, and when it was."""
        now, here = self.app.clock.now(), is_here(parcel.piece, self.there, there.chat_id)
        own = None if sent is None or not here else await self._own(parcel, there, sent)

        async def record(tx: Transaction) -> None:
            pace, documents = await self._read(tx, parcel)
            if counts(parcel.piece, self.there):
                self._write(tx, report_sent(pace, self._key(parcel), now=now, until=now, said=here))
            for document, part in zip(documents, parcel.parts, strict=True):
                if _is_being_sent(document, part):  # neither taken back nor gone on with by another worker meanwhile
                    tx.write(
                        Upsert(
                            part.path, _after(part, AnswerOutcome.UNCERTAIN if sent is None else AnswerOutcome.ANSWERED)
                        )
                    )
            if own is not None and not any(map(is_forgotten, documents)):
                tx.write(own)

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
        """Take the marks off what was not sent, and end the turn."""
        now = self.app.clock.now()

        async def take_back(tx: Transaction) -> None:
            pace, documents = await self._read(tx, parcel)
            if not self._is_ours(pace):
                return
            self._write(tx, replace(release(pace, self._key(parcel), 1, now=now), turn=None))
            for document, part in zip(documents, parcel.parts, strict=True):
                if _is_waiting(document):
                    tx.write(Upsert(part.path, {"sending": None}))

        await self.app.store.transaction(take_back)

    async def _drop(self, parcel: Parcel, error: PermanentError) -> None:
        """A message that cannot be sent goes with its answers; with the chat itself goes all that waits there."""
        outcome = await give_up(self.app.chats, self.there, error)
        parcels = [parcel]
        while parcels:
            for path in dict.fromkeys(part.path for each in parcels for part in each.parts):
                await self._close(path, outcome)
            parcels = await self.parcels() if isinstance(error, ChatForbidden) else []

    async def _read(self, tx: Transaction, parcel: Parcel) -> tuple[Pace, list[Document | None]]:
        pace, *documents = await tx.get_many([pace_path(self.there), *(part.path for part in parcel.parts)])
        return pace_from(pace), documents

    def _key(self, parcel: Parcel) -> str:
        """Return the key of its reserved room: another one for each message of each worker."""
        first = parcel.parts[0]
        return f"{self.token}-{first.waiting.entry.place}-{first.first}"


def _is_waiting(document: Document | None) -> bool:
    return document is not None and read_entry(document).is_waiting


def _is_as_read(document: Document | None, part: PieceRange) -> bool:
    return document is not None and _is_waiting(document) and read_entry(document).sent_so_far == part.first


def _is_being_sent(document: Document | None, part: PieceRange) -> bool:
    """Return whether it still stands as `_Worker.mark` left it."""
    entry = None if document is None else read_entry(document)
    return entry is not None and entry.is_waiting and (entry.sent, entry.sending) == (part.first, part.end - 1)


def _after(part: PieceRange, outcome: AnswerOutcome) -> dict[str, Any]:
    """The entry's fields when the part is sent."""
    if part.end == len(part.waiting.pieces):
        return {"sent": part.end, **done_with_update(outcome)}
    return {"sent": part.end, "sending": None}
