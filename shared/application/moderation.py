"""What members and admins decide about facts: votes, settled conflicts, dropped and corrected facts.

Whether somebody may decide is asked of Telegram by the caller. An id may be that of a fact or of a pending rival.
"""

from __future__ import annotations

from collections.abc import Callable

from shared.application.app import App
from shared.application.chats import chat_state
from shared.application.documents import chat_path, message_from_fields, message_path
from shared.application.fact_documents import change_writes
from shared.application.memory import read_slot, revise_fact, said_messages
from shared.application.night.marks import note_change
from shared.application.ports.store import Transaction
from shared.domain.admission import still_said
from shared.domain.facts import Authority, Candidate, Change, Evidence, Fact, Voice
from shared.domain.messages import Message
from shared.domain.revision import cast_voice, correct, deprecate, settle

_ON_PURPOSE = 0.95
"""Confidence of a correction (own choice): nobody guessed it."""


async def vote(app: App, chat_id: int, fact_id: str, user_id: int, *, supports: bool) -> Change | None:
    """Count a member's voice for or against a fact or a rival; their last voice replaces the one before.

    As many voices for a rival as make a consensus, and more than against it, make it the belief. None when nothing
    changed.
    """
    voice = Voice(app.clock.now(), user_id, supports)
    return await _decide(app, chat_id, fact_id, lambda fact, name: cast_voice(fact, name, voice))


async def settle_conflict(
    app: App, chat_id: int, rival_id: str, *, accept: bool, user_id: int, authority: Authority = Authority.ADMIN
) -> Change | None:
    """End a pending conflict by decision: the rival becomes the belief, or is dropped. None when it is over already."""
    now = app.clock.now()
    return await _decide(
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

    return await _decide(app, chat_id, fact_id, drop)


async def _decide(app: App, chat_id: int, fact_id: str, revise: Callable[[Fact, str], Change | None]) -> Change | None:
    change = await revise_fact(app, chat_id, fact_id, revise)
    await note_change(app, chat_id)  # also when nothing changes: the delivery that changed it may have died here
    return change


async def correct_fact(
    app: App,
    chat_id: int,
    fact_id: str,
    message_id: int,
    *,
    value: str,
    description: str,
    authority: Authority = Authority.OWN_STATEMENT,
) -> Change | None:
    """Replace a wrong value by what a stored message says: the old one is closed, the new one opened.

    Args:
        fact_id: Of the wrong fact, or of a pending rival: then the fact that it contradicts is corrected.
        message_id: The correcting message, the new value's evidence; a command may be one.
        authority: The author's: of an admin about the chat `ADMIN`. Weaker words than the fact's wait as a rival.
    Returns:
        None when nothing changed: the fact or the message is gone, the message may not teach (a private chat, a member
        who opted out or speaks about another), or the value is the known one.
    """
    now = app.clock.now()

    async def apply(tx: Transaction) -> Change | None:
        slot = await read_slot(app, tx, chat_id, fact_id)
        chat, message = await tx.get_many([chat_path(chat_id), message_path(chat_id, message_id)])
        state = chat_state(chat_id, chat)
        if slot is None or message is None or state.is_private(by_default=app.policy.private_mode):
            return None
        candidate = _correction(slot[0], message_from_fields(chat_id, message.data), value, description, authority)
        since = state.learn_from if candidate.subject == "chat" else None
        allowed = still_said(candidate, said_messages(state, [message], commands=True), since=since)
        change = correct(slot[0], allowed) if allowed is not None else None
        for write in change_writes(chat_id, change, now=now) if change is not None else ():
            tx.write(write)
        return change

    change = await app.store.transaction(apply)
    await note_change(app, chat_id)
    return change


def _correction(fact: Fact, message: Message, value: str, description: str, authority: Authority) -> Candidate:
    """What somebody says on purpose about a fact that is shown to them, as a candidate."""
    return Candidate(
        subject=fact.subject,
        category=fact.category,
        key=fact.key,
        value=value,
        description=description,
        confidence=_ON_PURPOSE,
        evidence=(Evidence(message.sent_at, message.message_id, message.user_id, message.text),),
        authority=authority,
        single=fact.single,
    )
