"""The facts of a chat: learning, taking back, reading. Each change is one transaction with its version record."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from datetime import datetime

from shared.application.app import App
from shared.application.documents import chat_path, fact_path, facts_path, message_path
from shared.application.fact_documents import fact_from_fields, fact_to_fields, version_path, version_to_fields
from shared.application.ports.store import Delete, Document, DocumentStore, Filter, Set, Transaction
from shared.domain.facts import (
    Candidate,
    Change,
    Fact,
    Status,
    candidate_id,
    learn,
    retract,
    rival_id,
)
from shared.domain.ranking import rank_facts

_MOST_FACTS = 500
"""Facts of one subject that are ranked at once."""


async def learn_candidates(app: App, chat_id: int, candidates: Sequence[Candidate]) -> list[Change]:
    """Store what each candidate changes; learning the same again changes nothing."""
    changes = [await _learn_one(app, chat_id, candidate) for candidate in candidates]
    return [change for change in changes if change is not None]


async def _learn_one(app: App, chat_id: int, candidate: Candidate) -> Change | None:
    slot, rival_slot = candidate_id(candidate), rival_id(candidate)
    paths = [fact_path(chat_id, slot), fact_path(chat_id, rival_slot), chat_path(chat_id)]
    said = sorted({e.message_id for e in candidate.evidence})
    paths += [message_path(chat_id, message_id) for message_id in said]
    now = app.clock.now()

    async def decide(tx: Transaction) -> Change | None:
        existing, rival, chat, *messages = await tx.get_many(paths)
        allowed = _still_said(candidate, chat, dict(zip(said, messages, strict=True)))
        if allowed is None:
            return None
        other = None if rival_slot == slot else _fact(rival)
        change = learn(_fact(existing), allowed, other)
        if change is not None:
            _write(tx, chat_id, change, now)
            if change.kind == "evolution" and other is not None and other.status is Status.PENDING:
                settled = replace(other, status=Status.DEPRECATED, closed_at=now, version=other.version + 1)
                _write(tx, chat_id, Change("deprecation", other, settled, "became the belief"), now)
        return change

    return await app.store.transaction(decide)


def _still_said(
    candidate: Candidate, chat: Document | None, messages: Mapping[int, Document | None]
) -> Candidate | None:
    """The candidate with the quotes that its authors' stored messages hold now (law 1); None when none is left.

    Looked up in the transaction that learns, so an edit, an erasure or a reset holds against an extraction that is
    under way, too. Of the chat, nothing counts that was said before its last reset.
    """
    reset = chat.data.get("learn_from") if chat is not None and candidate.subject == "chat" else None
    evidence = tuple(
        e
        for e in candidate.evidence
        if (stored := messages[e.message_id]) is not None
        and stored.data["user_id"] == e.user_id
        and e.quote in stored.data["text"]
        and (reset is None or e.sent_at >= reset)
    )
    return replace(candidate, evidence=evidence) if evidence else None


async def retract_message(app: App, chat_id: int, message_id: int, *, cause: str) -> list[Change]:
    """Take one message's quotes back from every fact that leans on them."""
    found = await app.store.query(
        facts_path(chat_id), where=[Filter("evidence_message_ids", "array_contains", message_id)]
    )
    now = app.clock.now()
    changes = [
        await revise_fact(
            app.store, chat_id, document.id, lambda f: retract(f, message_id, now=now, cause=cause), now=now
        )
        for document in found
    ]
    return [change for change in changes if change is not None]


async def revise_fact(
    store: DocumentStore, chat_id: int, fact_id: str, revise: Callable[[Fact], Change | None], *, now: datetime
) -> Change | None:
    """Apply a pure revision to one fact in a transaction; None when it changes nothing."""

    async def apply(tx: Transaction) -> Change | None:
        fact = _fact(await tx.get(fact_path(chat_id, fact_id)))
        change = revise(fact) if fact is not None else None
        if change is not None:
            _write(tx, chat_id, change, now)
        return change

    return await store.transaction(apply)


async def ranked_facts(app: App, chat_id: int, subject: str, *, now: datetime) -> list[Fact]:
    """The active facts about a subject, best first."""
    where = [Filter("subject", "==", subject), Filter("status", "==", str(Status.ACTIVE))]
    found = await app.store.query(facts_path(chat_id), where=where, limit=_MOST_FACTS)
    facts = [fact_from_fields(document.data) for document in found]
    return rank_facts(facts, now=now, half_life=app.policy.half_life)


async def reset_chat_facts(app: App, chat_id: int) -> int:
    """Delete every fact about the chat itself, with versions; how many there were.

    What was said before is not learnt from again. Resumable: the mark is set first, and deleting repeats harmlessly.
    """
    await app.chats.change(chat_id, {"learn_from": app.clock.now()})
    deleted = 0
    while found := await app.store.query(facts_path(chat_id), where=[Filter("subject", "==", "chat")], limit=100):
        for document in found:
            versions = [version.path async for version in app.store.subtree(document.path)]
            for start in range(0, len(versions), 400):
                await app.store.batch([Delete(path) for path in versions[start : start + 400]])
            await app.store.delete(document.path)
        deleted += len(found)
    return deleted


def _fact(document: Document | None) -> Fact | None:
    return None if document is None else fact_from_fields(document.data)


def _write(tx: Transaction, chat_id: int, change: Change, now: datetime) -> None:
    tx.write(Set(fact_path(chat_id, change.after.id), fact_to_fields(change.after)))
    tx.write(Set(version_path(chat_id, change.after), version_to_fields(change, at=now)))
