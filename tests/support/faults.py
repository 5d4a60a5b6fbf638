"""A store that dies at a chosen moment: before or after its n-th call."""

from __future__ import annotations

from typing import Any

from tests.support.google.indexes import require_index, shape_of

_READS = {"get", "get_many", "query", "count", "nearest"}
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
