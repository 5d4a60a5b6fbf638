"""One step in a fact's life, and the records of merges and conflicts by which the memory is judged."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import datetime
from enum import StrEnum
from typing import NamedTuple

from shared.domain.facts.claims import Verdict, claims_of
from shared.domain.facts.evidence.claim import Claim, RulingKind
from shared.domain.facts.fact import Candidate, Fact, Status, hash_parts
from shared.domain.facts.slot import rivals
from shared.domain.text.language import fold


class Cause(StrEnum):
    """The reason of a step. It names no value and nobody: these have fields of their own, which forgetting knows.

    `OTHER` is what an older version wrote, which may name them.
    """

    FIRST_SAID = "first said"
    SAID_AGAIN = "said again"
    SAID_OTHERWISE = "said in other words, or of the time before"
    REPLACED = "another value is believed"
    CONTRADICTED = "contradicted"
    SETTLED = "settled"
    NOT_CONFIRMED = "not confirmed"
    SUPPORTED = "supported"
    OPPOSED = "opposed"
    PINNED = "pinned"
    UNPINNED = "unpinned"
    EDITED = "the message was edited"
    ASKED_TO_FORGET = "asked to forget it"
    DROPPED_BY_SUBJECT = "dropped by whom it was about"
    DROPPED_BY_ADMIN = "dropped by an admin"
    FOLDED = "two facts became one"
    CHATS_JOINED = "two chats became one"
    CONSENSUS_CHANGED = "another number of members is a consensus now"
    FORGOTTEN = "words were forgotten"
    OTHER = "another cause"

    @classmethod
    def _missing_(cls, _: object) -> Cause:
        return cls.OTHER


class QualityStatement(NamedTuple):
    """One of the two: what it is about, its value, and the line that says it."""

    key: str
    value: str
    description: str


@dataclass(frozen=True, slots=True)
class Quality:
    """A decision about two statements: one of the records by which the memory is judged.

    Attributes:
        existing, incoming: What was known, and what came.
        verdict: Of deduplication, "duplicate", "reinforces" or "conflicts".
        score: How alike the two are, in [0, 1]; 1 in one and the same slot.
        resolved: False while a conflict is pending.
        names: What the two values go by, however they are worded.
        message_ids: Where the incoming statement was said.
    """

    fact_id: str
    subject: str
    existing: QualityStatement
    incoming: QualityStatement
    verdict: str
    score: float
    resolved: bool
    names: tuple[str, str]
    message_ids: tuple[int, ...] = ()

    @property
    def kind(self) -> str:
        """Return "merge" or "conflict"."""
        return "conflict" if self.verdict == Verdict.CONFLICTS else "merge"

    @property
    def id(self) -> str:
        """Identifies the two values, whichever came first."""
        keys = (self.existing.key, self.incoming.key)
        pair = sorted("\x1e".join(said) for said in zip(keys, self.names, strict=True))
        return hash_parts([self.kind, self.fact_id, *pair])


@dataclass(frozen=True, slots=True)
class FactChange:
    """One step in the life of a fact.

    Attributes:
        kind: creation, reinforcement, evolution, correction, deprecation, expiry, revival; also objection (a voice
            against), contradiction (somebody said otherwise and it is pending), history (an older value came late),
            merge (two facts were found to be about the same and became one), pinned and unpinned.
        before: The fact as it was, None at creation.
        after: The fact as it is now.
        also: What else changed in the same slot: of a contradiction the fact that is contradicted, of a settled
            conflict the rivals.
        quality: Merges and conflicts that this step found or settled.
    """

    kind: str
    before: Fact | None
    after: Fact
    cause: Cause
    also: tuple[FactChange, ...] = ()
    quality: tuple[Quality, ...] = ()

    @property
    def belief(self) -> Fact:
        """The slot's fact after the change; not `after` when that is a pending rival."""
        return next((c.after for c in (self, *self.also) if c.after.conflicts_with is None), self.after)


def change_between(kind: str, before: Fact, after: Fact, cause: Cause, *, score: float = 1.0) -> FactChange | None:
    """The step from one to the other with what it means for the rivals; None when nothing is different."""
    if replace(after, version=before.version) == before:
        return None
    was, now = rivals(before), rivals(after)
    steps = [_rival_step(was.get(name), now.get(name), after) for name in sorted({*was, *now})]
    also = [step for step in steps if step is not None]
    quality = _conflicts(before, after, was, now, score)
    opened = next(
        (step for step in also if step.after.status is Status.PENDING and _was_said(step.after, before, after)), None
    )
    if opened is None or after.value_key != before.value_key or after.evidence != before.evidence:
        return FactChange(kind, before, after, cause, tuple(also), quality)
    lowers = opened.kind in ("creation", "reinforcement") and after.confidence <= before.confidence
    kind = "contradiction" if lowers else "history"
    contradicted = FactChange(kind, before, after, Cause.CONTRADICTED)
    rest = tuple(step for step in also if step is not opened)
    return replace(opened, also=(contradicted, *rest), quality=quality)


def _was_said(rival: Fact, before: Fact, after: Fact) -> bool:
    """Return whether somebody spoke for a rival in this step: one may also begin to wait because of votes against what
    holds, or later than it did."""
    was, now = ({c.value_key: (c.evidence, c.voices) for c in claims_of(fact)} for fact in (before, after))
    return was.get(rival.value_key) != now.get(rival.value_key)


def _rival_step(was: Fact | None, now: Fact | None, slot: Fact) -> FactChange | None:
    """Return what became of one rival. Its versions are numbered by the slot's, which changes with each of them."""
    if now is None:
        return None if was is None else _settle_rival(was, slot)
    if was is not None and replace(now, version=was.version) == was:
        return None
    return FactChange(_rival_kind(was, now), was, replace(now, version=slot.version), Cause.CONTRADICTED)


def _settle_rival(was: Fact, slot: Fact) -> FactChange:
    """A rival that waits no more."""
    if slot.value_key == was.value_key:
        return FactChange("deprecation", was, close_rival(was, slot.valid_from, slot.version), Cause.SETTLED)
    rulings = [ruling for claim in claims_of(slot) if claim.value_key == was.value_key for ruling in claim.rulings]
    last = max(rulings, key=lambda ruling: ruling.at, default=None)
    gone = close_rival(was, last.at if last is not None else slot.closed_at or slot.valid_from, slot.version)
    if last is not None and last.kind is RulingKind.EXPIRED:
        return FactChange("expiry", was, replace(gone, status=Status.EXPIRED), Cause.NOT_CONFIRMED)
    return FactChange("deprecation", was, gone, Cause.SETTLED)


def close_rival(rival: Fact, closed_at: datetime | None, version: int) -> Fact:
    """A rival after its end, without its quotes: the slot's own fact has those that still stand, and the only ones that
    must be taken back."""
    gone = replace(rival, status=Status.DEPRECATED, confidence=0.0, evidence=(), voices=())
    return replace(gone, closed_at=closed_at, version=version)


def _rival_kind(was: Fact | None, now: Fact) -> str:
    if was is None:
        return "creation"
    if len(now.evidence) < len(was.evidence):
        return "correction"
    return "reinforcement" if now.confidence >= was.confidence else "objection"


def _conflicts(
    before: Fact, after: Fact, was: Mapping[str, Fact], now: Mapping[str, Fact], score: float
) -> tuple[Quality, ...]:
    """A record for each pair of values that this step found in conflict or settled."""
    same = after.value_key == before.value_key
    pairs = [(before, rival, True) for name, rival in was.items() if name not in now or not same]
    pairs += [(after, rival, False) for name, rival in now.items() if name not in was or not same]
    replaced = not same and after.status is before.status is Status.ACTIVE
    if replaced and after.value_key not in was and before.value_key not in now:
        pairs.append((before, after, True))
    return tuple(
        quality_of(one, other, Verdict.CONFLICTS, score=score, resolved=resolved) for one, other, resolved in pairs
    )


def quality_of(
    fact: Fact,
    incoming: Fact | Candidate,
    verdict: Verdict,
    *,
    known: Claim | None = None,
    score: float = 1.0,
    resolved: bool = True,
) -> Quality:
    """Record what was made of two statements.

    Args:
        known: The value of the fact's slot that was met, when that is not the fact's own.
    """
    met = known or fact
    return Quality(
        fact_id=fact.conflicts_with or fact.id,
        subject=fact.subject,
        existing=QualityStatement(fact.key, met.value, met.description),
        incoming=QualityStatement(incoming.key, incoming.value, incoming.description),
        verdict=str(verdict),
        score=round(score, 4),
        resolved=resolved,
        names=(
            fold(known.value) if known is not None else fact.value_key,
            incoming.value_key if isinstance(incoming, Fact) else fold(incoming.value),
        ),
        message_ids=tuple(sorted({e.message_id for e in incoming.evidence})),
    )
