"""Asks for tasks: when extraction runs, at most once per chat and window of time; answers; jobs.

A window is a stretch of the server's clock; its task runs when the window is over, so every message stored in it is
seen. What comes too late for it belongs to the next window, and a remainder of fewer than ten messages is looked at
again when the chat has been idle. These tasks say `only_when_due`: most find too little to extract, and must cost
little. Every other request is for something that has happened, and its task does all there is to do. Edits have windows
of their own: the first is learnt from at once, all others, and what the model makes of them, when the window is over.
The task of that end says which end it is (`edits_until`, seconds since 1970), and every task that waits for a silence
until when it waited (`not_before`): the clock of the instance that runs it may be behind.
"""

from collections import OrderedDict
from collections.abc import Mapping
from datetime import UTC, datetime, timedelta
from math import ceil
from typing import Any

from shared.application.policy import Policy
from shared.application.ports.system import Clock
from shared.application.ports.tasks import Task, TaskQueue
from shared.domain.chats.hours import timezone_named

ANSWER, EXTRACT = "/answer", "/extract"
"""Target of the task that answers one update; targets under it go into the queue of answers, too."""

GRACE = timedelta(seconds=3)
"""The time between the end of a window and its task: a message of the window may still be on its way into the store."""

_ONLY_WHEN_DUE = {"only_when_due": True}

_EDIT_WINDOWS = 2
"""Windows that edits are gathered for: each costs a call of the model for a chunk."""

_MOST = 10_000


class Schedule:
    """Remembers the windows that this instance already asked for, so that most messages cost no task call."""

    def __init__(self, queue: TaskQueue, clock: Clock, policy: Policy) -> None:
        self._queue = queue
        self._clock = clock
        self._policy = policy
        self._asked: OrderedDict[tuple[int, str], int] = OrderedDict()

    async def extraction(self, chat_id: int) -> None:
        """Have the chat's new messages extracted when the current window is over."""
        await self._ask_once_a_window(chat_id, "", self._policy.window, _ONLY_WHEN_DUE)

    def edits_end(self) -> datetime:
        """Return when the current window of edits is over."""
        return self._end_of(_EDIT_WINDOWS * self._policy.window)

    async def extraction_after_edits(self, chat_id: int) -> None:
        """Have the chat's edited messages learnt from again: at once, and when the current window of edits is over.

        However many edits there are, and of however many messages, they cost these two tasks.
        """
        length = _EDIT_WINDOWS * self._policy.window
        until = int(self.edits_end().timestamp())
        if await self._ask_once_a_window(chat_id, "edits-", length, {"edits_until": until}):
            await self.extraction_later(chat_id, mark=f"edit-{self._window(length)}", run_at=None)

    async def _ask_once_a_window(self, chat_id: int, kind: str, length: timedelta, more: Mapping[str, Any]) -> bool:
        """Ask for the task at the end of the current window; False when this instance has done so."""
        window = self._window(length)
        if self._asked.get((chat_id, kind)) == window:
            return False
        payload = {"chat_id": chat_id, "window": f"{kind}{window}" if kind else window, **more}
        run_at = self._end_of(length) + GRACE
        await self._queue.enqueue(Task(f"extract-{chat_id}-{kind}{window}", EXTRACT, payload, run_at))
        self._asked[chat_id, kind] = window
        self._asked.move_to_end((chat_id, kind))
        while len(self._asked) > _MOST:
            self._asked.popitem(last=False)
        return True

    def _window(self, length: timedelta) -> int:
        return int(self._clock.now().timestamp() // length.total_seconds())

    def _end_of(self, length: timedelta) -> datetime:
        return datetime.fromtimestamp((self._window(length) + 1) * length.total_seconds(), UTC)

    async def extraction_later(
        self,
        chat_id: int,
        *,
        mark: str,
        run_at: datetime | None,
        edits_until: datetime | None = None,
        not_before: datetime | None = None,
    ) -> None:
        """Have the chat looked at again; `mark` says after what, which makes the request idempotent.

        Args:
            edits_until: The end of a window of edits that is over, in whole seconds; None when it is for none.
            not_before: What the task that asks for this one was told; None: this one's own `run_at`.
        """
        more = {} if edits_until is None else {"edits_until": int(edits_until.timestamp())}
        await self._ask_later(chat_id, mark, run_at, more, not_before)

    async def _ask_later(
        self,
        chat_id: int,
        mark: str,
        run_at: datetime | None,
        more: Mapping[str, Any],
        not_before: datetime | None = None,
    ) -> None:
        waited_until = not_before or run_at
        waited = {} if waited_until is None else {"not_before": int(waited_until.timestamp())}
        payload = {"chat_id": chat_id, "window": mark, **waited, **more}
        await self._queue.enqueue(Task(f"extract-{chat_id}-{mark}", EXTRACT, payload, run_at))

    async def extraction_when_idle(self, chat_id: int, *, since: datetime) -> None:
        """Have the chat looked at when it has been silent for the idle time since its last message.

        Rounded up to a boundary of half the idle time, which is the request's mark: a slow chat asks for two a period
        at most, not one a message.
        """
        step = max(self._policy.idle.total_seconds() / 2, 1)
        slot = ceil((since + self._policy.idle + GRACE).timestamp() / step)
        await self._ask_later(chat_id, f"idle-{slot}", datetime.fromtimestamp(slot * step, UTC), _ONLY_WHEN_DUE)

    async def extraction_in_an_hour(self, chat_id: int) -> None:
        """Have the chat looked at at the next full hour: the model may be back."""
        hour = int(self._clock.now().timestamp() // 3600) + 1
        run_at = datetime.fromtimestamp(hour * 3600, UTC)
        await self.extraction_later(chat_id, mark=f"model-{hour}", run_at=run_at)

    async def answer(self, update_id: int, chat_id: int, *, mark: str = "") -> None:
        """Have what an update asks dealt with at once; to ask again changes nothing, but with a mark of its own."""
        payload = {"target": ANSWER, "update_id": update_id, "chat_id": chat_id}
        name = f"answer-{update_id}-{mark}" if mark else f"answer-{update_id}"
        await self._queue.enqueue(Task(name, ANSWER, payload))

    async def delivery(self, chat_id: int, *, mark: str, run_at: datetime) -> bool:
        """Have what waits in a chat sent at an instant, beside other answers; False when that was asked for with this
        mark before."""
        payload = {"target": ANSWER, "chat_id": chat_id, "deliver": True}
        return await self._queue.enqueue(Task(f"deliver-{mark}", ANSWER, payload, run_at))

    async def night(self) -> None:
        """Have the coming night planned for all chats, once a day of the deployment's time zone.

        For who has no scheduler. Where nothing ran for days, what was missed is due and is done in the coming night.
        """
        today = self._clock.now().astimezone(timezone_named(self._policy.timezone)).date()
        await self.job("night", mark=today.isoformat(), payload={})

    async def job(self, job: str, *, mark: str, payload: Mapping[str, Any], run_at: datetime | None = None) -> bool:
        """Have a maintenance job run once for this `mark`, not before `run_at`; False when that was asked before.

        The payload says its target, too: what becomes a dead letter names its job.
        """
        target = f"/maintenance/{job}"
        return await self._queue.enqueue(Task(f"{job}-{mark}", target, {"target": target, **payload}, run_at))
