"""An event loop without a clock, sockets and threads: what is ready runs in an order drawn from the seed, and when
nothing is ready, time jumps to the next timer."""

from __future__ import annotations

import asyncio
import heapq
import random  # noqa: TID251  seeded: the same seed gives the same run
from collections.abc import Coroutine
from contextvars import copy_context
from typing import Any, NoReturn, TypeVar

T = TypeVar("T")


class Stuck(AssertionError):
    """Nothing is ready and no timer runs, but the work is not done: somebody waits for ever, or for the outside."""


class _Ready:
    """A callback that is ready, as `asyncio.Handle` is, without what that keeps for debugging."""

    __slots__ = ("_args", "_callback", "_cancelled", "_context")

    def __init__(self, callback: Any, args: Any, context: Any) -> None:
        self._callback, self._args, self._cancelled = callback, args, False
        self._context = copy_context() if context is None else context

    def cancel(self) -> None:
        self._cancelled, self._callback, self._args = True, None, None

    def cancelled(self) -> bool:
        return self._cancelled


class _Timer(_Ready):
    """A callback at an instant."""

    __slots__ = ("_when",)

    def when(self) -> float:
        return self._when


class SimulatedLoop(asyncio.BaseEventLoop):
    """One thread, virtual time, chance from one generator.

    Args:
        chance: Draws which of the ready callbacks runs next.
    """

    def __init__(self, chance: random.Random) -> None:
        super().__init__()
        self._virtual = 0.0
        self._draw = chance.random
        self._timers: list[tuple[float, int, _Timer]] = []
        self._order = 0
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
        """Run what is ready now, one after another, with what becomes ready by it."""
        ready, draw = self._ready, self._draw
        self._wait()
        while ready and not self._stopping:
            if len(ready) > 1:
                ready.rotate(-int(draw() * len(ready)))
            handle = ready.popleft()
            if not handle._cancelled:
                try:
                    handle._context.run(handle._callback, *handle._args)
                except (SystemExit, KeyboardInterrupt):
                    raise
                except BaseException as error:  # noqa: BLE001 - as asyncio's own loop
                    self.call_exception_handler({"message": f"Exception in {handle._callback}", "exception": error})

    def _wait(self) -> None:
        """Let time jump to the next timer when nothing is ready, and take up all that are due."""
        ready, timers = self._ready, self._timers
        while timers and timers[0][2]._cancelled:
            heapq.heappop(timers)
        if not ready:
            if not timers:
                raise Stuck("nothing is ready and no timer runs")
            self._virtual = max(self._virtual, timers[0][0])
        while timers and timers[0][0] <= self._virtual:
            timer = heapq.heappop(timers)[2]
            if not timer._cancelled:
                ready.append(timer)

    def pass_time(self, seconds: float) -> bool:
        """Let time pass at once, when nobody would do anything in it; False when somebody would, and nothing is done.

        It is what sleeping would come to, without a future, a timer and a wake-up.
        """
        timers, until = self._timers, self._virtual + seconds
        while timers and timers[0][2]._cancelled:
            heapq.heappop(timers)
        if self._ready or (timers and timers[0][0] <= until):
            return False
        self._virtual = until
        return True

    def call_soon(self, callback: Any, *args: Any, context: Any = None) -> Any:
        ready = _Ready(callback, args, context)
        self._ready.append(ready)
        return ready

    def call_at(self, when: float, callback: Any, *args: Any, context: Any = None) -> Any:
        timer = _Timer(callback, args, context)
        timer._when = when
        if when <= self._virtual:
            self._ready.append(timer)
        else:
            self._order += 1
            heapq.heappush(self._timers, (when, self._order, timer))
        return timer

    def call_later(self, delay: float, callback: Any, *args: Any, context: Any = None) -> Any:
        return self.call_at(self._virtual + delay, callback, *args, context=context)

    def _process_events(self, event_list: Any) -> None:
        """There are none."""

    def _write_to_self(self) -> None:
        """Nobody waits for the outside, so nobody is to be woken."""

    def run_in_executor(self, executor: Any, func: Any, *args: Any) -> NoReturn:
        raise AssertionError(f"{func} would run in a thread: a simulation has none")
