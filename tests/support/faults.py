"""Stores that die, fail or are interrupted at a chosen moment: before or after their n-th call."""

from __future__ import annotations

import inspect
from typing import Any

from shared.domain.errors import StoreUnavailable
from tests.support.google.indexes import require_index, shape_of

_READS = {"get", "get_many", "query", "count"}
_SEARCHES = {"query", "count"}
_WRITES = {"create", "set", "upsert", "update", "delete", "batch", "transaction"}


class Crashed(BaseException):
    """The process died here: no handler catches it, as none would in a process that is gone."""


class DyingStore:
    """Forwards to a real store; its `die_at`-th call raises `Crashed`, or an exception of the code's own.

    Attributes:
        calls: Calls so far.
        after: Whether the fatal call takes effect first.
    """

    def __init__(self, store: Any) -> None:
        self._store = store
        self.calls = 0
        self.die_at: int | None = None
        self.after = False
        self.error: type[BaseException] = Crashed

    def arm(self, die_at: int | None, *, after: bool = False, error: type[BaseException] = Crashed) -> None:
        self.calls, self.die_at, self.after, self.error = 0, die_at, after, error

    def __getattr__(self, name: str) -> Any:
        method = getattr(self._store, name)
        if name not in _READS | _WRITES:
            return method

        async def call(*args: Any, **kwargs: Any) -> Any:
            self.calls += 1
            if name in _SEARCHES:  # here, too: tests put stores of their own under it
                require_index(shape_of(*args, kwargs.get("where", ()), kwargs.get("order_by", ())))
            fatal = self.calls == self.die_at
            if fatal and not self.after:
                raise self.error(f"before {name}")
            result = await method(*args, **kwargs)
            if fatal:
                raise self.error(f"after {name}")
            return result

        return call


class InterruptedStore:
    """Forwards to a real store; just before its n-th call from now something else happens, `pending` till then."""

    def __init__(self, store: Any) -> None:
        self._store, self._calls_left = store, 0
        self.pending: Any = None

    def interrupt(self, call: int, meanwhile: Any) -> None:
        self._calls_left, self.pending = call, meanwhile

    def __getattr__(self, name: str) -> Any:
        if not inspect.iscoroutinefunction(method := getattr(self._store, name)):
            return method

        async def call(*args: Any, **kwargs: Any) -> Any:
            self._calls_left -= 1
            if self._calls_left == 0:
                meanwhile, self.pending = self.pending, None
                await meanwhile()
            return await method(*args, **kwargs)

        return call


class FailingStore(DyingStore):
    """A store whose fatal call is refused for lack of capacity, before or after it took effect."""

    def __getattr__(self, name: str) -> Any:
        if not inspect.iscoroutinefunction(method := super().__getattr__(name)):
            return method

        async def call(*args: Any, **kwargs: Any) -> Any:
            try:
                return await method(*args, **kwargs)
            except Crashed as fault:
                raise StoreUnavailable(str(fault)) from fault

        return call


async def dead_letters(group: Any) -> list[dict[str, Any]]:
    """What was given up, as it is stored."""
    return [record.data for record in await group.store.query("dead_letters")]
