"""The facts of a chat: learning, taking back, reading. Each change is one transaction with its versions and records.

What is decided is decided inside the transaction, on the documents as they are then: two workers at once, an edit or
a reset meanwhile lose no evidence and leave none behind.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import datetime

from shared.application.app import App
from shared.application.documents import chat_path, fact_path, facts_path, message_path, quality_records_path
from shared.application.fact_documents import change_writes, fact_from_fields
from shared.application.ports.store import Delete, Document, DocumentStore, Filter, Transaction
from shared.domain.facts import Candidate, Change, Fact, Status, candidate_id
from shared.domain.lifecycle import SaidMessage, learn, still_said
from shared.domain.ranking import rank_facts
from shared.domain.revision import retract

_MOST_FACTS = 500
"""Facts of one subject that are ranked, or compared with what comes, at once."""


async def learn_candidates(app: App, chat_id: int, candidates: Sequence[Candidate]) -> list[Change]:
    """Store what each candidate changes; learning the same again changes nothing.

    A candidate goes to the fact of its own slot, else to the one it was merged into before (an alias), else to the one
    that deduplication finds; what the facts of a subject are is read once per call.
    """
    known: dict[str, KnownFacts] = {}
    changes: list[Change] = []
    for candidate in candidates:
        if candidate.subject not in known:
            known[candidate.subject] = await _known_facts(app, chat_id, candidate.subject)
        change = await _learn_one(app, chat_id, candidate, known[candidate.subject])
        changes += [change] if change is not None else []
    return changes


class KnownFacts:
    """The facts of one subject, and where a candidate belongs among them."""

    def __init__(self, facts: Sequence[Fact]) -> None:
        # Imported here: answers read facts, too, and need no lemmas.
        from shared.domain.dedup import FactIndex

        self._index = FactIndex(facts)
        self._slots: dict[str, str] = {}
        for fact in facts:
            self._place(fact)

    def _place(self, fact: Fact) -> None:
        self._slots[fact.id] = fact.id
        for alias in fact.aliases:
            self._slots.setdefault(alias, fact.id)

    def put(self, fact: Fact) -> None:
        """Take a fact as it is now."""
        self._index.put(fact)
        self._place(fact)

    def slot_of(self, candidate: Candidate) -> tuple[str, float]:
        """Id of the fact that the candidate belongs to, its own when it is new; and how alike the two are."""
        own = candidate_id(candidate)
        if own in self._slots:
            return self._slots[own], 1.0
        match = self._index.match(candidate)
        return (own, 1.0) if match is None else (match.fact.id, match.score)


async def _known_facts(app: App, chat_id: int, subject: str) -> KnownFacts:
    where = [Filter("subject", "==", subject)]
    found = await app.store.query(facts_path(chat_id), where=where, limit=_MOST_FACTS)
    facts = (fact_from_fields(document.data) for document in found)
    return KnownFacts([fact for fact in facts if fact.conflicts_with is None])


async def _learn_one(app: App, chat_id: int, candidate: Candidate, known: KnownFacts) -> Change | None:
    from shared.domain.dedup import verdict

    own = candidate_id(candidate)
    slot, score = known.slot_of(candidate)
    said = sorted({e.message_id for e in candidate.evidence})
    slots = list(dict.fromkeys([own, slot]))
    paths = [*(fact_path(chat_id, each) for each in slots), chat_path(chat_id)]
    paths += [message_path(chat_id, message_id) for message_id in said]
    now = app.clock.now()

    async def decide(tx: Transaction) -> tuple[Change | None, Fact | None]:
        found = await tx.get_many(paths)
        facts, (chat, *messages) = [_fact(document) for document in found[: len(slots)]], found[len(slots) :]
        allowed = still_said(candidate, _said(messages), since=_learn_from(chat, candidate))
        if allowed is None:
            return None, None
        existing, other = facts[0], facts[-1]
        # Decided again on what is there now: the fact that was matched may be gone or say something else.
        if existing is None and other is not None and _belongs(other, allowed):
            existing = other
        change = learn(existing, allowed, judge=verdict, score=score if existing is other else 1.0)
        for write in change_writes(chat_id, change, now=now) if change is not None else ():
            tx.write(write)
        return change, change.belief if change is not None else existing

    change, fact = await app.store.transaction(decide)
    if fact is not None:
        known.put(fact)
    return change


def _belongs(fact: Fact, candidate: Candidate) -> bool:
    from shared.domain.dedup import Verdict, verdict

    return candidate_id(candidate) in fact.aliases or verdict(fact, candidate) is not Verdict.DISTINCT


def _said(messages: Sequence[Document | None]) -> dict[int, SaidMessage]:
    stored = (document.data for document in messages if document is not None)
    return {
        data["message_id"]: SaidMessage(
            data["user_id"], data["text"], not data["is_bot"] and not data["forwarded"] and data["kind"] != "command"
        )
        for data in stored
    }


def _learn_from(chat: Document | None, candidate: Candidate) -> datetime | None:
    """Of the chat, nothing counts that was said before its last reset."""
    return chat.data.get("learn_from") if chat is not None and candidate.subject == "chat" else None


async def retract_message(app: App, chat_id: int, message_id: int, *, cause: str) -> list[Change]:
    """Take one message's quotes and voices back from every fact that leans on them."""
    leaning = [Filter("evidence_message_ids", "array_contains", message_id)]
    now = app.clock.now()
    changes = [
        await revise_fact(
            app.store, chat_id, document.id, lambda f: retract(f, message_id, now=now, cause=cause), now=now
        )
        for document in await app.store.query(facts_path(chat_id), where=leaning)
        if document.data["conflicts_with"] is None  # rivals follow the fact that they contradict
    ]
    return [change for change in changes if change is not None]


async def revise_fact(
    store: DocumentStore, chat_id: int, fact_id: str, revise: Callable[[Fact], Change | None], *, now: datetime
) -> Change | None:
    """Apply a pure revision to one fact in a transaction; None when it changes nothing."""

    async def apply(tx: Transaction) -> Change | None:
        fact = _fact(await tx.get(fact_path(chat_id, fact_id)))
        change = revise(fact) if fact is not None else None
        for write in change_writes(chat_id, change, now=now) if change is not None else ():
            tx.write(write)
        return change

    return await store.transaction(apply)


async def ranked_facts(app: App, chat_id: int, subject: str, *, now: datetime) -> list[Fact]:
    """The active facts about a subject, best first."""
    where = [Filter("subject", "==", subject), Filter("status", "==", str(Status.ACTIVE))]
    found = await app.store.query(facts_path(chat_id), where=where, limit=_MOST_FACTS)
    facts = [fact_from_fields(document.data) for document in found]
    return rank_facts(facts, now=now, half_life=app.policy.half_life, weights=app.policy.weights)


async def reset_chat_facts(app: App, chat_id: int) -> int:
    """Delete every fact about the chat itself, with versions and quality records; how many there were.

    What was said before is not learnt from again. Resumable: the mark is set first, and deleting repeats harmlessly.
    """
    await app.chats.change(chat_id, {"learn_from": app.clock.now()})
    about_chat = [Filter("subject", "==", "chat")]
    deleted = 0
    while found := await app.store.query(facts_path(chat_id), where=about_chat, limit=100):
        for document in found:
            versions = [version.path async for version in app.store.subtree(document.path)]
            for start in range(0, len(versions), 400):
                await app.store.batch([Delete(path) for path in versions[start : start + 400]])
            await app.store.delete(document.path)
        deleted += sum(document.data["conflicts_with"] is None for document in found)
    while found := await app.store.query(quality_records_path(chat_id), where=about_chat, limit=400):
        await app.store.batch([Delete(document.path) for document in found])
    return deleted


def _fact(document: Document | None) -> Fact | None:
    return None if document is None else fact_from_fields(document.data)
