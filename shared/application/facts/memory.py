"""The facts of a chat: learning, taking back, reading. Each change is one transaction with its versions and records.

What is decided is decided inside the transaction, on the documents as they are then: two workers at once, an edit or
a reset meanwhile lose no evidence and leave none behind.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from datetime import datetime
from typing import NamedTuple

from shared.application.app import App
from shared.application.chats.chat_codec import ChatState, read_chat
from shared.application.conversation.consent_gate import readable
from shared.application.conversation.message_codec import read_message
from shared.application.documents import chat_path, fact_path, facts_path, learning_path, message_path
from shared.application.facts.codec import OUTLINE, contradicted_id, depending_on, fact_from_fields, outline_from_fields
from shared.application.facts.subject_codec import read_subject
from shared.application.facts.writes import makes_fact, read_foremost, write_change
from shared.application.policy import Policy
from shared.application.ports.store import Document, DocumentStore, Transaction
from shared.domain.conversation.messages import Message
from shared.domain.errors import Contention
from shared.domain.facts.change import Cause, FactChange
from shared.domain.facts.claims import Judge
from shared.domain.facts.fact import Candidate, Fact, Relation, candidate_id
from shared.domain.facts.lifecycle import SaidMessage, keep_said, learn
from shared.domain.facts.ranking import rank_facts
from shared.domain.facts.revision import retract

_MOST_FACTS = 500
"""Newest facts of one subject that what comes is compared with; of more, those that count besides (`queries`)."""

_MOST_RANKED = 2_000
"""Newest facts of one subject that a request to forget is looked for in: it must find what it means."""

_MOST_READINGS = 5
"""Times that a subject's facts are read for one candidate, when other workers make facts about it meanwhile."""


async def learn_candidates(
    app: App, chat_id: int, candidates: Sequence[Candidate], *, commands: bool = False
) -> list[FactChange]:
    """Store what each candidate changes; learning the same again changes nothing.

    A candidate goes to the fact of its own slot, else to the one it was merged into before (an alias), else to the one
    that deduplication finds; what the facts of a subject are is read once per call, and again when another worker has
    made one meanwhile.

    Args:
        commands: Whether the words of a command may teach, because it asks for just that.

    Raises:
        Contention: Others made facts about the same subject every time that they were read.
    """
    known: dict[str, KnownFacts] = {}
    changes = [await _learn_one(app, chat_id, candidate, known, commands=commands) for candidate in candidates]
    return [change for change in changes if change is not None]


class KnownFacts:
    """The facts of one subject, and where a candidate belongs among them.

    Attributes:
        made: How often the subject's facts had become others when they were read: one was made, or two became one.
    """

    def __init__(self, facts: Sequence[Fact], *, made: int = 0) -> None:
        # Imported here: answers read facts, too, and need no lemmas.
        from shared.domain.facts.dedup import FactIndex

        self.made = made
        self._index = FactIndex(facts)
        self._slots: dict[str, str] = {}
        for fact in facts:
            self._place(fact)

    def _place(self, fact: Fact) -> None:
        self._slots[fact.id] = fact.id
        for alias in fact.aliases:
            self._slots.setdefault(alias, fact.id)

    def put(self, learnt: _Learnt) -> None:
        """Take a fact as it is now."""
        if learnt.fact is None:
            return
        self.made += learnt.made
        self._index.put(learnt.fact)
        self._place(learnt.fact)

    def slot_of(self, candidate: Candidate) -> tuple[str, float]:
        """Id of the fact that the candidate belongs to, its own when it is new; and how alike the two are."""
        own = candidate_id(candidate)
        if candidate.known in self._slots:
            return self._slots[candidate.known], 1.0
        if own in self._slots:
            return self._slots[own], 1.0
        match = self._index.match(candidate)
        return (own, 1.0) if match is None else (match.fact.id, match.score)


async def _known_facts(store: DocumentStore, chat_id: int, subject: str) -> KnownFacts:
    guard = await store.get(learning_path(chat_id, subject))  # first: what is made meanwhile is then noticed
    found = await read_foremost(store, chat_id, subject, most=_MOST_FACTS, active=False, fields=OUTLINE)
    facts = (outline_from_fields(document.data) for document in found)
    return KnownFacts([fact for fact in facts if fact.conflicts_with is None], made=read_subject(guard).made)


async def _learn_one(
    app: App, chat_id: int, candidate: Candidate, known: dict[str, KnownFacts], *, commands: bool
) -> FactChange | None:
    for _ in range(_MOST_READINGS):
        if candidate.subject not in known:
            known[candidate.subject] = await _known_facts(app.store, chat_id, candidate.subject)
        facts = known[candidate.subject]
        learnt = await _learn_among(app, chat_id, candidate, facts, commands=commands)
        if learnt is not None:
            facts.put(learnt)
            return learnt.change
        del known[candidate.subject]
    raise Contention(f"facts about {candidate.subject} of chat {chat_id} were made by others again and again")


class _Learnt(NamedTuple):
    change: FactChange | None = None
    fact: Fact | None = None
    made: bool = False


async def _learn_among(
    app: App, chat_id: int, candidate: Candidate, known: KnownFacts, *, commands: bool
) -> _Learnt | None:
    """None when another worker has made a fact about the subject since `known` was read."""
    from shared.domain.facts.dedup import Verdict, verdict

    slot, score = known.slot_of(candidate)
    slots = list(dict.fromkeys([candidate_id(candidate), slot]))
    paths = [*(fact_path(chat_id, each) for each in slots), chat_path(chat_id)]
    paths += [learning_path(chat_id, candidate.subject), *_paths_of_quoted(chat_id, candidate)]
    now, consensus = app.clock.now(), app.policy.consensus

    async def decide(tx: Transaction) -> _Learnt | None:
        found = await tx.get_many(paths)
        facts = [_fact(document, consensus) for document in found[: len(slots)]]
        chat, guard, *messages = found[len(slots) :]
        allowed = _restrict_candidate(app.policy, read_chat(chat_id, chat), candidate, messages, commands=commands)
        if allowed is None:
            return _Learnt()
        existing, other = facts[0], facts[-1]
        judge: Judge = verdict
        if candidate.relation is not None and other is not None and candidate.known in (other.id, *other.aliases):
            existing, judge = other, _judge_by(candidate.relation, other, verdict)
        # Decided again on what is there now: the fact that was matched may be gone or say something else.
        if existing is None and other is not None:
            is_alias = candidate_id(allowed) in other.aliases
            existing = other if is_alias or verdict(other, allowed) is not Verdict.DISTINCT else None
        if existing is None and read_subject(guard).made != known.made:
            return None
        found_score = score if existing is other else 1.0
        change = learn(existing, allowed, judge=judge, score=found_score, consensus=consensus)
        write_change(tx, chat_id, change, now=now)
        if change is None:
            return _Learnt(fact=existing)
        return _Learnt(change, change.belief, made=makes_fact(change))

    return await app.store.transaction(decide)


def _judge_by(relation: Relation, known: Fact, judge: Judge) -> Judge:
    """Return a judge that takes what was decided of the value that a known fact holds, and judges its other values."""
    from shared.domain.facts.dedup import Verdict

    decided = Verdict.DUPLICATE if relation is Relation.CONFIRMS else Verdict.CONFLICTS
    return lambda fact, said: decided if fact.value == known.value else judge(fact, said)


def _paths_of_quoted(chat_id: int, candidate: Candidate) -> list[str]:
    """Paths of the messages that the candidate leans on."""
    voices = (voice.message_id for voice in candidate.voices)
    message_ids = {*(e.message_id for e in candidate.evidence), *(each for each in voices if each is not None)}
    return [message_path(chat_id, message_id) for message_id in sorted(message_ids)]


def _restrict_candidate(
    policy: Policy, state: ChatState, candidate: Candidate, messages: Sequence[Document | None], *, commands: bool
) -> Candidate | None:
    """Return what of a candidate may be learnt as the chat is now; about the chat nothing from before its last
    reset."""
    if state.is_private(by_default=policy.private_mode):
        return None
    since = state.learn_from if candidate.subject == "chat" else None
    allowed = keep_said(candidate, said_messages(state, messages, commands=commands), since=since)
    return None if allowed is None or _is_hearsay(state, allowed) else allowed


def _is_hearsay(state: ChatState, candidate: Candidate) -> bool:
    """Return whether a fact as it is put retells a forgotten member, though none of its messages does by itself."""
    told = f"{candidate.value}\n{candidate.description}"
    return bool(state.hearsay) and any(
        state.hearsay.retold_in(Message(state.chat_id, e.message_id, e.sent_at, e.user_id, "", text=told))
        for e in candidate.evidence
    )


def said_messages(state: ChatState, messages: Iterable[Document | None], *, commands: bool) -> dict[int, SaidMessage]:
    """Stored messages by id, as far as they are there, and whether they may teach.

    Args:
        commands: Whether a command may; it is meant for the bot and teaches only what it says that it teaches.
    """
    said: dict[int, SaidMessage] = {}
    for stored in map(read_message, filter(None, messages)):
        message = stored.message
        teaches = not message.is_bot and not message.forwarded and (commands or message.kind != "command")
        may_teach = teaches and readable(state, stored) is not None
        said[message.message_id] = SaidMessage(message.user_id, message.text, may_teach)
    return said


async def retract_message(app: App, chat_id: int, message_id: int, *, cause: Cause) -> list[FactChange]:
    """Take one message's quotes and voices back from every fact that leans on them."""
    now = app.clock.now()
    changes = [
        await revise_fact(app, chat_id, document.id, lambda fact, _: retract(fact, message_id, now=now, cause=cause))
        for document in await app.store.query(facts_path(chat_id), where=[depending_on(message_id)])
        if contradicted_id(document) is None  # rivals follow the fact that they contradict
    ]
    return [change for change in changes if change is not None]


async def revise_fact(
    app: App, chat_id: int, fact_id: str, revise: Callable[[Fact, str], FactChange | None]
) -> FactChange | None:
    """Apply a pure revision in a transaction; None when it changes nothing or there is no such fact.

    Args:
        fact_id: Of a fact, or of a pending rival: then the fact that it contradicts is revised.
        revise: Takes that fact, and the name of the value that the id means.
    """
    now = app.clock.now()

    async def apply(tx: Transaction) -> FactChange | None:
        slot = await read_slot(app.policy, tx, chat_id, fact_id)
        return write_change(tx, chat_id, revise(*slot) if slot is not None else None, now=now)

    return await app.store.transaction(apply)


async def read_slot(policy: Policy, tx: Transaction, chat_id: int, fact_id: str) -> tuple[Fact, str] | None:
    """The fact that an id means, of a pending rival the one that it contradicts, and the name of the value meant."""
    meant = _fact(await tx.get(fact_path(chat_id, fact_id)), policy.consensus)
    if meant is None or meant.conflicts_with is None:
        return None if meant is None else (meant, meant.value_key)
    root = _fact(await tx.get(fact_path(chat_id, meant.conflicts_with)), policy.consensus)
    return None if root is None else (root, meant.value_key)


async def ranked_facts(
    store: DocumentStore, policy: Policy, chat_id: int, subject: str, *, now: datetime
) -> list[Fact]:
    """The active facts about a subject, whole and best first; a read each (an answer asks `profiles.subject_facts`)."""
    found = await read_foremost(store, chat_id, subject, most=_MOST_RANKED, active=True)
    facts = [fact_from_fields(document.data) for document in found]
    return rank_facts(facts, now=now, half_life=policy.half_life, weights=policy.weights)


def _fact(document: Document | None, consensus: int) -> Fact | None:
    return None if document is None else fact_from_fields(document.data, consensus=consensus)
