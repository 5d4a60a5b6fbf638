"""How often something failed in a way that nobody foresaw.

Telegram says nothing of the attempts that it made, and a task of the queue deals with many things: so failures are
counted here, by the name of what failed, and written only when there is one. The counts lie beside the ledger of
updates and end with it.
"""

from __future__ import annotations

from typing import Any

from shared.application.delivery.ledger_codec import KEPT, read_entry, update_path
from shared.application.ports.store import DocumentStore, Set, Transaction
from shared.application.ports.system import Clock
from shared.domain.conversation.messages import SCHEMA

MOST_ATTEMPTS = 5
"""Then it is a dead letter: a bug of the moment is over by then, and of the ten attempts that the queue
gives a task enough are left for what comes behind."""


async def count_failure(store: DocumentStore, clock: Clock, what: str) -> int:
    """Count one more failure; how many there were of this name within the time for which the ledger keeps an update.

    Args:
        what: Names what failed: the same at every attempt, and nothing else's. No "/" in it.

    Raises:
        TransientError: It cannot be counted now.
    """

    async def count(tx: Transaction) -> int:
        known = await tx.get(_path(what))
        attempts = 1 if known is None else read_entry(known).attempts + 1
        tx.write(Set(_path(what), _fields(clock, attempts)))
        return attempts

    return await store.transaction(count)


async def leave_one_attempt(store: DocumentStore, clock: Clock, what: str) -> None:
    """Have the next failure of this name be the last one."""
    await store.set(_path(what), _fields(clock, MOST_ATTEMPTS - 1))


def _path(what: str) -> str:
    return update_path(f"failed-{what}")


def _fields(clock: Clock, attempts: int) -> dict[str, Any]:
    now = clock.now()
    return {"schema": SCHEMA, "attempts": attempts, "at": now, "expire_at": now + KEPT}
