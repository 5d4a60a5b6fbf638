"""Taking and giving up the turn to send what waits in a chat, and asking for tasks that do."""

from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

from shared.application.delivery.ledger_codec import UpdateId
from shared.application.delivery.turn_codec import read_turn, turn_fields, turn_path
from shared.application.ports.store import DocumentStore, Set, Transaction
from shared.application.ports.system import Clock
from shared.application.schedule import Schedule

LONGEST_TURN = timedelta(seconds=80)
"""The time after which who answers or sends begins with no message and waits for none: a function is cut off at 120
seconds, and who gets a message just then would get it twice."""

_SOON, _SURELY = timedelta(seconds=30), timedelta(minutes=5)


async def ask_to_deliver(schedule: Schedule, chat_id: int, *, at: datetime, who: UpdateId | None) -> None:
    """Have what waits in a chat sent in the first full second after an instant. Others may have asked for the same one,
    and where clocks differ it may be over: then it is looked again a while later.

    Args:
        who: The update that waits, or the worker that has to: looked again for it alone. None for a worker that only
            found the chat closed: all that do until then have one second look in common, later than clocks differ.
    """
    run_at = datetime.fromtimestamp(int(at.timestamp()) + 1, UTC)
    mark = f"{chat_id}-{run_at.timestamp():.0f}"
    if not await schedule.delivery(chat_id, mark=mark, run_at=run_at):
        later = run_at + (_SURELY if who is None else _SOON)
        await schedule.delivery(chat_id, mark=f"{mark}-{'again' if who is None else who}", run_at=later)


@dataclass(frozen=True, slots=True)
class HeldTurn:
    """The turn of one worker, while it has it.

    Attributes:
        chat_id: Whose answers wait, as the ledger knows it.
        there: Where they go now: there is one turn.
    """

    store: DocumentStore
    clock: Clock
    schedule: Schedule
    chat_id: int
    there: int
    token: str

    async def is_closed(self) -> bool:
        """Return whether another worker is at it, or Telegram takes nothing; then a task is asked for that looks when
        that is over."""
        turn = read_turn(await self.store.get(turn_path(self.there)))
        return await self._wait(turn.closed_until(self.token, self.clock.now()))

    async def take(self) -> bool:
        """Take the turn; False when it `is_closed`."""

        async def take(tx: Transaction) -> datetime | None:
            now = self.clock.now()
            until = read_turn(await tx.get(turn_path(self.there))).closed_until(self.token, now)
            if until is None:
                tx.write(Set(turn_path(self.there), turn_fields(self.token, now=now)))
            return until

        return not await self._wait(await self.store.transaction(take))

    async def _wait(self, until: datetime | None) -> bool:
        if until is not None:
            await ask_to_deliver(self.schedule, self.chat_id, at=until, who=None)
        return until is not None

    async def end(self, *, not_before: datetime | None = None) -> None:
        """Give the turn up, if it is still this worker's. Nothing is to be sent before an instant: then a task goes
        on."""

        async def end(tx: Transaction) -> None:
            if read_turn(await tx.get(turn_path(self.there))).token == self.token:
                fields = turn_fields("", now=self.clock.now(), not_before=not_before)
                tx.write(Set(turn_path(self.there), fields))

        await self.store.transaction(end)
        if not_before is not None:
            await self.go_on(not_before)

    async def go_on(self, at: datetime) -> None:
        """Have a task go on then."""
        await ask_to_deliver(self.schedule, self.chat_id, at=at, who=self.token)
