"""Decisions of members and admins about facts: votes, settled conflicts, dropped and corrected facts.

Whether somebody is a member or an admin is asked of Telegram by the caller; whether they have a voice is asked here. An
id may be that of a fact or of a pending rival, also of one that was folded into another since the id was handed out.
"""

from collections.abc import Callable
from datetime import datetime, timedelta
from enum import StrEnum

from shared.application.app import App
from shared.application.chats.chat_codec import ChatState, read_chat
from shared.application.chats.marks import note_change
from shared.application.conversation.consent_gate import may_speak
from shared.application.conversation.message_codec import read_message
from shared.application.documents import chat_path, fact_path, facts_path, message_path
from shared.application.facts.codec import contradicted_id, fact_from_fields, known_as
from shared.application.facts.memory import read_slot, said_messages
from shared.application.facts.writes import write_change
from shared.application.policy import Policy
from shared.application.ports.store import Document, DocumentStore, Transaction
from shared.domain.facts.change import Cause, FactChange
from shared.domain.facts.claims import claims_of
from shared.domain.facts.evidence.claim import Authority, Evidence, Vote
from shared.domain.facts.fact import ON_PURPOSE, Candidate, Fact, FactPin, rival_id
from shared.domain.facts.lifecycle import keep_said
from shared.domain.facts.revision import cast_voice, correct, deprecate, pin, settle, withdraw_voice

_SAME_VOTE = timedelta(days=1)
"""A vote that is repeated within this time is the same one: for so long an update may be delivered again."""


class NoVoice(StrEnum):
    """A reason why what somebody says about a fact does not count."""

    PRIVATE = "private"  # nothing is learnt in this chat
    OPTED_OUT = "opted_out"
    ANOTHERS = "anothers"  # the fact is about another member, who alone decides (law 4)


def no_voice(policy: Policy, state: ChatState, fact: Fact, user_id: int) -> NoVoice | None:
    """Return why somebody's vote or correction does not count, or None. Whether they are a member the caller asks."""
    if state.is_private(by_default=policy.private_mode):
        return NoVoice.PRIVATE
    if not may_speak(state, user_id):
        return NoVoice.OPTED_OUT
    return None if fact.subject in ("chat", f"user:{user_id}") else NoVoice.ANOTHERS


async def vote(
    app: App, chat_id: int, fact_id: str, user_id: int, *, supports: bool, at: datetime | None = None
) -> FactChange | None:
    """Count a member's voice for or against a fact or a rival; their last voice replaces the one before.

    As many voices for a rival as make a consensus, and more than against it, make it the belief; as many against a
    value about the chat, and more than for it, close it for as long as they stand, unless an admin said it.

    Args:
        user_id: A member now.
        at: When it was cast, or None for now; one that was cast later counts, whichever comes first.
    Returns:
        None when nothing changed, also when they have no voice in it (`no_voice`).
    """
    voice = Vote(at or app.clock.now(), user_id, supports)

    def cast(fact: Fact, name: str) -> FactChange | None:
        return None if _is_cast(fact, name, voice) else cast_voice(fact, name, voice)

    return await _decide(app, chat_id, fact_id, cast, voter=user_id)


async def withdraw_vote(app: App, chat_id: int, fact_id: str, user_id: int, *, at: datetime) -> FactChange | None:
    """Take a member's vote back, unless they voted after `at`; what they said about it stays."""

    def withdraw(fact: Fact, name: str) -> FactChange | None:
        cast = [v for claim in claims_of(fact) if claim.value_key == name for v in claim.voices if v.user_id == user_id]
        return None if any(v.at > at for v in cast) else withdraw_voice(fact, name, user_id, now=at)

    return await _decide(app, chat_id, fact_id, withdraw)


def _is_cast(fact: Fact, name: str, voice: Vote) -> bool:
    """Return whether the member's last word in the slot is this very vote, cast a moment ago."""
    voices = [v for c in claims_of(fact) if c.value_key == name for v in c.voices if v.user_id == voice.user_id]
    known = next((v for v in voices if v.supports == voice.supports and v.message_id is None), None)
    if known is None or not known.at <= voice.at < known.at + _SAME_VOTE:
        return False
    return not any(w.user_id == voice.user_id and w.at > known.at for c in claims_of(fact) for w in c.words())


async def settle_conflict(
    app: App, chat_id: int, rival_id: str, *, accept: bool, user_id: int, authority: Authority = Authority.ADMIN
) -> FactChange | None:
    """End a pending conflict by decision: the rival becomes the belief, or is dropped. None when it is over already."""
    now = app.clock.now()

    def end(fact: Fact, name: str) -> FactChange | None:
        is_rival = name != fact.value_key
        return settle(fact, name, accept=accept, now=now, user_id=user_id, authority=authority) if is_rival else None

    return await _decide(app, chat_id, rival_id, end)


async def drop_fact(app: App, chat_id: int, fact_id: str, *, user_id: int, cause: Cause) -> FactChange | None:
    """Stop believing a fact on purpose; only what is said later can bring it back."""
    now = app.clock.now()

    def drop(fact: Fact, name: str) -> FactChange | None:
        if name != fact.value_key:
            return settle(fact, name, accept=False, now=now, user_id=user_id)
        return deprecate(fact, now=now, cause=cause, user_id=user_id)

    return await _decide(app, chat_id, fact_id, drop)


async def pin_fact(app: App, chat_id: int, fact_id: str, *, holds: bool, at: datetime) -> FactChange | None:
    """Keep a fact from ageing, or no longer. None when it is so already, or that was decided as late or later.

    Args:
        at: When it was decided: of a command that may be delivered again the time of its message.
    """
    return await _decide(
        app, chat_id, fact_id, lambda fact, name: pin(fact, FactPin(at, holds)) if name == fact.value_key else None
    )


async def _decide(
    app: App, chat_id: int, fact_id: str, revise: Callable[[Fact, str], FactChange | None], *, voter: int | None = None
) -> FactChange | None:
    """Revise what an id means now; a `voter` must have a voice in it, as the chat is then."""
    meant, now = await current_id(app.store, chat_id, fact_id) or fact_id, app.clock.now()

    async def apply(tx: Transaction) -> FactChange | None:
        chat = await tx.get(chat_path(chat_id)) if voter is not None else None
        slot = await read_slot(app.policy, tx, chat_id, meant)
        if slot is None or (voter is not None and no_voice(app.policy, read_chat(chat_id, chat), slot[0], voter)):
            return None
        return write_change(tx, chat_id, revise(*slot), now=now)

    change = await app.store.transaction(apply)
    # Also when nothing changes: the delivery that changed it may have died here.
    await note_change(app.store, app.clock, chat_id)
    return change


async def current_id(store: DocumentStore, chat_id: int, fact_id: str) -> str | None:
    """The id of `current_fact`, or None."""
    document = await current_document(store, chat_id, fact_id)
    return None if document is None else document.id


async def current_fact(store: DocumentStore, policy: Policy, chat_id: int, fact_id: str) -> Fact | None:
    """The fact or rival that an id means now, whatever became of it; of one that was folded into another, that one.

    None when there is none (any more). Costs a read, of a rival two.
    """
    document = await current_document(store, chat_id, fact_id)
    return None if document is None else fact_from_fields(document.data, consensus=policy.consensus)


async def current_document(store: DocumentStore, chat_id: int, fact_id: str) -> Document | None:
    """Return where `current_fact` is stored."""
    document = await store.get(fact_path(chat_id, fact_id))
    if document is None:
        return await _read_fold_target(store, chat_id, fact_id)
    contradicted = contradicted_id(document)
    if contradicted is None or await store.get(fact_path(chat_id, contradicted)) is not None:
        return document
    root = await _read_fold_target(store, chat_id, contradicted)
    if root is None:
        return None
    return await store.get(fact_path(chat_id, rival_id(root.id, fact_from_fields(document.data).value_key)))


async def _read_fold_target(store: DocumentStore, chat_id: int, fact_id: str) -> Document | None:
    found = await store.query(facts_path(chat_id), where=[known_as(fact_id)], limit=2)
    return next((each for each in found if contradicted_id(each) is None), None)


async def correct_fact(
    app: App,
    chat_id: int,
    fact_id: str,
    message_id: int,
    *,
    value: str,
    description: str,
    authority: Authority = Authority.OWN_STATEMENT,
    quote: str | None = None,
) -> FactChange | None:
    """Replace a wrong value by what a stored message says: the old one is closed, the new one opened.

    Args:
        fact_id: Of the wrong fact, or of a pending rival: then the fact that it contradicts is corrected.
        message_id: The correcting message, the new value's evidence; a command may be one.
        authority: The author's: of an admin about the chat `ADMIN`. Weaker words than the fact's wait as a rival.
        quote: The words of the message that say it, letter for letter; None for all of them.
    Returns:
        None when nothing changed: the fact or the message is gone, the message may not teach (a private chat, a member
        who opted out or speaks about another), or the value is the known one.
    """
    meant, now = await current_id(app.store, chat_id, fact_id) or fact_id, app.clock.now()

    async def apply(tx: Transaction) -> FactChange | None:
        slot = await read_slot(app.policy, tx, chat_id, meant)
        chat, message = await tx.get_many([chat_path(chat_id), message_path(chat_id, message_id)])
        state = read_chat(chat_id, chat)
        if slot is None or message is None or state.is_private(by_default=app.policy.private_mode):
            return None
        fact, said = slot[0], read_message(message).message
        candidate = Candidate(
            subject=fact.subject,
            category=fact.category,
            key=fact.key,
            value=value,
            description=description,
            confidence=ON_PURPOSE,
            evidence=(Evidence(said.sent_at, said.message_id, said.user_id, quote or said.text),),
            authority=authority,
            single=fact.single,
        )
        since = state.learn_from if candidate.subject == "chat" else None
        allowed = keep_said(candidate, said_messages(state, [message], commands=True), since=since)
        return write_change(tx, chat_id, correct(fact, allowed) if allowed is not None else None, now=now)

    change = await app.store.transaction(apply)
    await note_change(app.store, app.clock, chat_id)
    return change
