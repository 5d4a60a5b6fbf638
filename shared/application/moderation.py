"""What members and admins decide about facts: votes, settled conflicts, dropped and corrected facts.

Whether somebody may decide is asked of Telegram by the caller. An id may be that of a fact or of a pending rival.
"""

from __future__ import annotations

from collections.abc import Callable

from shared.application.app import App
from shared.application.documents import fact_path
from shared.application.fact_documents import change_writes, fact_from_fields
from shared.application.ports.store import Transaction
from shared.domain.facts import Authority, Change, Fact, Voice
from shared.domain.revision import cast_voice, deprecate, settle


async def vote(app: App, chat_id: int, fact_id: str, user_id: int, *, supports: bool) -> Change | None:
    """Count a member's voice for or against a fact or a rival; their last voice replaces the one before.

    Three more voices for a rival than none, and more than against it, make it the belief. None when nothing changed.
    """
    voice = Voice(app.clock.now(), user_id, supports)
    return await _revise(app, chat_id, fact_id, lambda fact, name: cast_voice(fact, name, voice))


async def settle_conflict(
    app: App, chat_id: int, rival_id: str, *, accept: bool, user_id: int, authority: Authority = Authority.ADMIN
) -> Change | None:
    """End a pending conflict by decision: the rival becomes the belief, or is dropped. None when it is over already."""
    now = app.clock.now()
    return await _revise(
        app,
        chat_id,
        rival_id,
        lambda fact, name: (
            settle(fact, name, accept=accept, now=now, user_id=user_id, authority=authority)
            if name != fact.name
            else None
        ),
    )


async def drop_fact(app: App, chat_id: int, fact_id: str, *, user_id: int, cause: str) -> Change | None:
    """Stop believing a fact on purpose; only what is said later can bring it back."""
    now = app.clock.now()

    def drop(fact: Fact, name: str) -> Change | None:
        if name != fact.name:
            return settle(fact, name, accept=False, now=now, user_id=user_id)
        return deprecate(fact, now=now, cause=cause, user_id=user_id)

    return await _revise(app, chat_id, fact_id, drop)


async def _revise(app: App, chat_id: int, fact_id: str, revise: Callable[[Fact, str], Change | None]) -> Change | None:
    """Revise the slot that a fact or rival belongs to, by the name of the value that was meant."""
    now = app.clock.now()

    async def apply(tx: Transaction) -> Change | None:
        document = await tx.get(fact_path(chat_id, fact_id))
        meant = None if document is None else fact_from_fields(document.data)
        if meant is None:
            return None
        fact = meant
        if meant.conflicts_with is not None:
            root = await tx.get(fact_path(chat_id, meant.conflicts_with))
            if root is None:
                return None
            fact = fact_from_fields(root.data)
        change = revise(fact, meant.name)
        for write in change_writes(chat_id, change, now=now) if change is not None else ():
            tx.write(write)
        return change

    return await app.store.transaction(apply)
