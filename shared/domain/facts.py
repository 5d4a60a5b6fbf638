"""What is believed: candidates, facts, their evidence and how belief changes.

A fact is a pure function of its evidence: the same set of quotes, in whatever order and however often delivered,
gives the same confidence (laws 2 and 10). Ids come from content, so repeating a task changes nothing.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from enum import IntEnum, StrEnum
from typing import Any

from shared.domain.language import fold

CHAT_CATEGORIES = ("preference", "tradition", "rule", "norm", "topic", "culture", "event", "shared_knowledge")
MEMBER_CATEGORIES = ("personal_info", "preference", "experience", "relationship", "goal", "skill")
MIN_CONFIDENCE = 0.70
"""Below this nothing is stored; exactly this is (DESIGN, rulings)."""

MAX_EVIDENCE = 40
"""Quotes kept with a fact; confidence has long been saturated by then (own choice)."""


class Authority(IntEnum):
    """Who stands behind a fact, weakest first."""

    STATISTICS = 0
    MODEL = 1
    CONSENSUS = 2
    OWN_STATEMENT = 3
    ADMIN = 4


class Status(StrEnum):
    """Whether a fact is believed now."""

    ACTIVE = "active"
    PENDING = "pending"  # contradicts one of higher authority; waits for a vote or more evidence
    DEPRECATED = "deprecated"  # its evidence is gone or it was dropped
    EXPIRED = "expired"  # nobody confirmed it for too long


@dataclass(frozen=True, slots=True, order=True)
class Evidence:
    """One verbatim quote of one stored message by its author."""

    sent_at: datetime
    message_id: int
    user_id: int
    quote: str
    confidence: float = 0.8


@dataclass(frozen=True, slots=True)
class Candidate:
    """A fact that somebody proposes to store.

    Attributes:
        subject: "chat" or "user:<id>".
        category: One of the subject's categories.
        key: snake_case slot, e.g. "forbidden_topics".
        value: The slot's content, short, lower case where it is a term ("politics", "friday").
        description: One readable sentence in the language of the talk.
        confidence: 0 to 1.
        evidence: At least one quote, each by the author it names.
        authority: Who stands behind it.
        single: Whether the slot holds one value at a time (a new one replaces the old) or many side by side.
    """

    subject: str
    category: str
    key: str
    value: str
    description: str
    confidence: float
    evidence: tuple[Evidence, ...]
    authority: Authority = Authority.OWN_STATEMENT
    single: bool = False


@dataclass(frozen=True, slots=True)
class Fact:
    """What is believed about a subject in one slot.

    Attributes:
        confidence: In [0, 0.99], computed from `evidence` alone (`combined_confidence`).
        evidence: Distinct quotes, oldest first, at most `MAX_EVIDENCE`.
        version: How many changes led here; 1 is the creation.
        valid_from: When the value began to hold: the first quote that says it.
        last_reinforced_at: The newest quote that says it.
        closed_at: When it stopped being believed (status not active), else None.
        conflicts_with: Id of the fact that a pending one contradicts, else None.
    """

    subject: str
    category: str
    key: str
    value: str
    description: str
    confidence: float
    evidence: tuple[Evidence, ...]
    authority: Authority
    single: bool
    status: Status = Status.ACTIVE
    version: int = 1
    valid_from: datetime | None = None
    last_reinforced_at: datetime | None = None
    closed_at: datetime | None = None
    conflicts_with: str | None = None

    @property
    def id(self) -> str:
        """Derived from the slot; of many-valued slots and pending rivals also from the value."""
        keep_value = not self.single or self.conflicts_with is not None
        return fact_id(self.subject, self.category, self.key, self.value if keep_value else None)

    @property
    def supporters(self) -> frozenset[int]:
        """Who said it."""
        return frozenset(e.user_id for e in self.evidence)


@dataclass(frozen=True, slots=True)
class Change:
    """One step in the life of a fact.

    Attributes:
        kind: creation, reinforcement, evolution, correction, deprecation, expiry or revival.
        before: The fact as it was, None at creation.
        after: The fact as it is now.
        cause: One readable sentence.
    """

    kind: str
    before: Fact | None
    after: Fact
    cause: str


def fact_id(subject: str, category: str, key: str, value: str | None) -> str:
    """Id of the slot (`value` None) or of one value of a many-valued slot: 32 hex digits."""
    parts = [subject, category, key] + ([] if value is None else [fold(value)])
    return hashlib.sha256("\x1f".join(parts).encode("utf-8", "surrogatepass")).hexdigest()[:32]


def candidate_id(candidate: Candidate) -> str:
    """Id of the fact that the candidate would create or change."""
    value = None if candidate.single else candidate.value
    return fact_id(candidate.subject, candidate.category, candidate.key, value)


def rival_id(candidate: Candidate) -> str:
    """Id under which the candidate waits when it contradicts a fact of higher authority."""
    return fact_id(candidate.subject, candidate.category, candidate.key, candidate.value)


def combined_confidence(evidence: Iterable[Evidence]) -> float:
    """Belief that a set of quotes supports, in [0, 0.99]; order does not matter.

    Starts from the strongest quote; each further one gives `new = old + (1 - old) * gain` (law 2), with
    gain = 0.5 * its confidence from another member and 0.1 * its confidence from one already counted.
    """
    belief, heard = 0.0, set[int]()
    for quote in sorted(evidence, key=lambda e: (-e.confidence, e.sent_at, e.message_id, e.user_id, e.quote)):
        gain = quote.confidence if not heard else quote.confidence * (0.1 if quote.user_id in heard else 0.5)
        belief += (1 - belief) * gain
        heard.add(quote.user_id)
    return round(min(belief, 0.99), 4)


def standing(subject: str, authority: Authority) -> int:
    """Rank of an authority: admin > own statement > consensus > model > statistics.

    About the chat, one member's own statement is only theirs and ranks below consensus (law 5).
    """
    if subject == "chat" and authority is Authority.OWN_STATEMENT:
        return 2 * Authority.CONSENSUS - 1
    return 2 * authority


def learn(existing: Fact | None, candidate: Candidate, rival: Fact | None = None) -> Change | None:
    """Decide what a candidate changes; None when it adds nothing (laws 2, 5, 6 and 10).

    Args:
        existing: The fact in the candidate's slot (`candidate_id`), or None.
        candidate: Already filtered and with verified quotes.
        rival: The fact under `rival_id`, pending or long settled, or None.
    Returns:
        The change to persist. For a contradiction of a fact of higher authority, `after` is a pending fact with an
        id of its own and the existing one stays.
    """
    if existing is None:
        return Change("creation", None, _new_fact(candidate), "first said")
    if fold(existing.value) == fold(candidate.value):
        return _confirm(existing, candidate)
    if _latest(candidate.evidence) <= _latest(existing.evidence):
        return None  # an older value that arrives late, or again
    pending = rival if rival is not None and rival.status is Status.PENDING else None
    if existing.status is not Status.ACTIVE or _may_overturn(existing, candidate, pending):
        return _evolve(existing, candidate, pending)
    return _confirm(pending, candidate) if pending else _oppose(existing, candidate, rival)


def retract(fact: Fact, message_id: int, *, now: datetime, cause: str) -> Change | None:
    """Take back every quote of one message; without any left the fact is deprecated."""
    left = tuple(e for e in fact.evidence if e.message_id != message_id)
    if left == fact.evidence:
        return None
    if not left:
        after = replace(fact, evidence=(), status=Status.DEPRECATED, closed_at=now, version=fact.version + 1)
        return Change("deprecation", fact, after, cause)
    confidence = min(fact.confidence, combined_confidence(left))
    after = replace(fact, evidence=left, confidence=confidence, version=fact.version + 1, **_times(left))
    return Change("correction", fact, after, cause)


def merge(one: Fact, other: Fact) -> Fact:
    """What two chats that became one believe in the same slot: both evidences, or of two values the later."""
    version = max(one.version, other.version) + 1
    if fold(one.value) != fold(other.value):
        return replace(max(one, other, key=lambda fact: _latest(fact.evidence)), version=version)
    evidence = _kept({(e.message_id, e.user_id, fold(e.quote)): e for e in (*one.evidence, *other.evidence)}.values())
    alive = one if one.status is Status.ACTIVE or other.status is not Status.ACTIVE else other
    return replace(
        alive, evidence=evidence, confidence=combined_confidence(evidence), version=version, **_times(evidence)
    )


def expire(fact: Fact, *, now: datetime, unconfirmed_since: datetime) -> Change | None:
    """Stop believing an active fact that nobody confirmed after `unconfirmed_since`."""
    if fact.status is not Status.ACTIVE or fact.last_reinforced_at is None:
        return None
    if fact.last_reinforced_at > unconfirmed_since:
        return None
    after = replace(fact, status=Status.EXPIRED, closed_at=now, version=fact.version + 1)
    return Change("expiry", fact, after, f"not confirmed since {fact.last_reinforced_at.date()}")


def _new_fact(candidate: Candidate) -> Fact:
    evidence = _merged((), candidate)
    return Fact(
        subject=candidate.subject,
        category=candidate.category,
        key=candidate.key,
        value=candidate.value,
        description=candidate.description,
        confidence=combined_confidence(evidence),
        evidence=evidence,
        authority=candidate.authority,
        single=candidate.single,
        **_times(evidence),
    )


def _confirm(existing: Fact, candidate: Candidate) -> Change | None:
    evidence = _merged(existing.evidence, candidate)
    authority = max(existing.authority, candidate.authority, key=lambda a: standing(existing.subject, a))
    if existing.status in (Status.DEPRECATED, Status.EXPIRED):
        if not _is_new_since_closed(existing, candidate):
            return None  # counted already, or said before it was dropped on purpose
        fresh = _new_fact(candidate)
        return Change("revival", existing, replace(fresh, version=existing.version + 1), "said again")
    if evidence == existing.evidence and authority == existing.authority:
        return None
    after = replace(
        existing,
        evidence=evidence,
        authority=authority,
        confidence=max(existing.confidence, combined_confidence(evidence)),
        version=existing.version + 1,
        **_times(evidence),
    )
    return Change("reinforcement", existing, after, "said again")


def _is_new_since_closed(closed: Fact, candidate: Candidate) -> bool:
    if not closed.evidence:
        return True  # closed only because its last quote was taken back: any quote that holds revives it
    known_until = closed.last_reinforced_at if closed.status is Status.EXPIRED else closed.closed_at
    return known_until is not None and _latest(candidate.evidence) > known_until


def _may_overturn(existing: Fact, candidate: Candidate, rival: Fact | None) -> bool:
    backers = [candidate.authority, *([rival.authority] if rival else [])]
    return max(standing(candidate.subject, backer) for backer in backers) >= standing(
        existing.subject, existing.authority
    )


def _evolve(existing: Fact, candidate: Candidate, rival: Fact | None) -> Change:
    fresh = _new_fact(candidate)
    evidence = _merged(rival.evidence if rival else (), candidate)
    after = replace(
        fresh,
        evidence=evidence,
        confidence=combined_confidence(evidence),
        version=existing.version + 1,
        **_times(evidence),
    )
    return Change("evolution", existing, after, f"was: {existing.value}")


def _oppose(existing: Fact, candidate: Candidate, settled: Fact | None) -> Change:
    version = settled.version + 1 if settled else 1
    pending = replace(_new_fact(candidate), status=Status.PENDING, conflicts_with=existing.id, version=version)
    return Change("creation", settled, pending, f"contradicts: {existing.value}")


def _merged(known: Sequence[Evidence], candidate: Candidate) -> tuple[Evidence, ...]:
    """The union, oldest first; one message and quote counts once, at its best confidence."""
    best = {(e.message_id, e.user_id, fold(e.quote)): e for e in known}
    for quote in candidate.evidence:
        new = replace(quote, confidence=candidate.confidence)
        key = (new.message_id, new.user_id, fold(new.quote))
        if key not in best or best[key].confidence < new.confidence:
            best[key] = new
    return _kept(best.values())


def _kept(evidence: Iterable[Evidence]) -> tuple[Evidence, ...]:
    """Oldest first; of too many, the one that began it and the newest, which say until when it held."""
    first, *rest = sorted(evidence)
    return (first, *rest[-(MAX_EVIDENCE - 1) :])


def _latest(evidence: Sequence[Evidence]) -> datetime:
    return max(e.sent_at for e in evidence) if evidence else datetime.min.replace(tzinfo=UTC)


def _times(evidence: Sequence[Evidence]) -> dict[str, Any]:
    times = [e.sent_at for e in evidence]
    return {"valid_from": min(times), "last_reinforced_at": max(times)}
