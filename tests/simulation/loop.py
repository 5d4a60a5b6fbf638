"""An event loop without a clock, sockets and threads: what is ready runs in an order drawn from the seed, and when
nothing is ready, time jumps to the next timer."""

from __future__ import annotations

import asyncio
import heapq
import random  # noqa: TID251  seeded: the same seed gives the same run
from collections.abc import Coroutine
from typing import Any, NoReturn, TypeVar

T = TypeVar("T")


class Stuck(AssertionError):
    """Nothing is ready and no timer runs, but the work is not done: somebody waits for ever, or for the outside."""


class SimulatedLoop(asyncio.BaseEventLoop):
    """One thread, virtual time, chance from one generator.

    Args:
        chance: Draws which of the ready callbacks runs next.
    """

    def __init__(self, chance: random.Random) -> None:
        super().__init__()
        self._virtual = 0.0
        self._draw = chance.random
        self.errors: list[dict[str, Any]] = []
        self.set_exception_handler(lambda _, context: self.errors.append(context))

    def time(self) -> float:
        """Virtual seconds since the loop was made."""
        return self._virtual

    def run(self, work: Coroutine[Any, Any, T]) -> T:
        """Run to the end of `work`, and cancel what is left of others.

        Raises:
            Stuck: It can never end.
        """
        asyncio.set_event_loop(self)
        try:
            return self.run_until_complete(work)
        finally:
            self._end()
            asyncio.set_event_loop(None)
            self.close()

    def _end(self) -> None:
        left = [task for task in asyncio.all_tasks(self) if not task.done()]
        for task in left:
            task.cancel()
        if left:
            self.run_until_complete(asyncio.wait(left))
        self.run_until_complete(self.shutdown_asyncgens())

    def _run_once(self) -> None:
        ready, timers = self._ready, self._scheduled
        while timers and timers[0]._cancelled:
            heapq.heappop(timers)._scheduled = False
        if not ready:
            if not timers:
                raise Stuck("nothing is ready and no timer runs")
            self._virtual = max(self._virtual, timers[0]._when)
        while timers and timers[0]._when <= self._virtual:
            timer = heapq.heappop(timers)
            timer._scheduled = False
            if not timer._cancelled:
                ready.append(timer)
        if len(ready) > 1:
            ready.rotate(-int(self._draw() * len(ready)))
        if ready and not (handle := ready.popleft())._cancelled:
            handle._run()

    def _timer_handle_cancelled(self, handle: asyncio.TimerHandle) -> None:
        """Nothing to count: cancelled timers are passed over."""

    def _process_events(self, event_list: Any) -> None:
        """There are none."""

    def _write_to_self(self) -> None:
        """Nobody waits for the outside, so nobody is to be woken."""

    def run_in_executor(self, executor: Any, func: Any, *args: Any) -> NoReturn:
        raise AssertionError(f"{func} would run in a thread: a simulation has none")
