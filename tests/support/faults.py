"""A store that dies at a chosen moment: before or after its n-th call."""

from __future__ import annotations

from typing import Any

from tests.support.indexes import require_index, shape_of

_READS = {"get", "get_many", "query", "count", "nearest"}
_SEARCHES = {"query", "count"}
_WRITES = {"create", "set", "upsert", "update", "delete", "batch", "transaction"}


class Crashed(Exception):
    """The process died here. No handler catches it: it is no error of Spomyn's."""


class DyingStore:
    """Forwards to a real store; its `die_at`-th call raises `Crashed`.

    Attributes:
        calls: Calls so far.
        after: Whether the fatal call takes effect first.
    """

    def __init__(self, store: Any) -> None:
        self._store = store
        self.calls = 0
        self.die_at: int | None = None
        self.after = False

    def arm(self, die_at: int | None, *, after: bool = False) -> None:
        self.calls, self.die_at, self.after = 0, die_at, after

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
                raise Crashed(f"before {name}")
            result = await method(*args, **kwargs)
            if fatal:
                raise Crashed(f"after {name}")
            return result

        return call
