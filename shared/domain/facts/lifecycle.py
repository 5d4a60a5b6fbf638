"""The steps in a fact's life: learnt, confirmed, replaced, opposed, taken back, expired, settled.

Each takes a fact and something new, adds it to what was said in the slot, lets `belief` replay the whole, and says what
changed. Steps are pure and total; None means that nothing changed.
"""

from __future__ import annotations

from dataclasses import replace

from shared.domain.facts.admission import own_words
from shared.domain.facts.change import FactChange, Quality, change_between, quality_record
from shared.domain.facts.claims import Judge, claims_of, same_value, with_said
from shared.domain.facts.evidence.claim import CONSENSUS_MEMBERS, MAX_EVIDENCE, Authority, Claim
from shared.domain.facts.evidence.joining import joined_evidence, joined_voices, kept_quote
from shared.domain.facts.fact import MAX_ALIASES, Candidate, Fact, Status, candidate_id
from shared.domain.facts.slot import rebuilt
from shared.domain.text.language import fold


def learn(
    existing: Fact | None,
    candidate: Candidate,
    *,
    judge: Judge = same_value,
    score: float = 1.0,
    consensus: int = CONSENSUS_MEMBERS,
) -> FactChange | None:
    """Decide what a candidate changes; None when it adds nothing (laws 1, 2, 4, 5, 6 and 10).

    Args:
        existing: The fact whose slot the candidate belongs to, whether by its id, an alias or deduplication.
        candidate: Already filtered and with verified quotes.
        judge: Tells what the candidate is to each value of the slot that is not its own to the letter.
        score: How alike the two statements were found, for the quality record.
        consensus: `Fact.consensus` of a new fact.
    Returns:
        The change to persist. For a contradiction of a fact of higher authority, `after` is a pending fact with an id
        of its own, and the existing one, which stays, is in `also`.
    """
    allowed = own_words(candidate)
    if allowed is None:
        return None
    if existing is None:
        return _create_fact(allowed, consensus) if allowed.holds else None
    if not allowed.holds and not any(claim.says(allowed.value) for claim in claims_of(existing)):
        return None
    said, known, verdict = with_said(existing, claims_of(existing), allowed, _claim(allowed), judge)
    after = rebuilt(_with_alias(existing, candidate_id(allowed)), said, closed_at=None)
    return _learning_step(existing, after, allowed, verdict, known, score)


def _with_alias(fact: Fact, slot: str) -> Fact:
    if slot == fact.id or slot in fact.aliases:
        return fact
    return replace(fact, aliases=tuple(sorted({*fact.aliases, slot}))[-MAX_ALIASES:])


def _create_fact(candidate: Candidate, consensus: int) -> FactChange | None:
    shell = Fact(
        subject=candidate.subject,
        category=candidate.category,
        key=candidate.key,
        value=candidate.value,
        description=candidate.description,
        confidence=0.0,
        evidence=(),
        authority=candidate.authority,
        single=candidate.single,
        version=0,
        anchor=None if candidate.single else candidate.value,
        consensus=consensus,
    )
    after = rebuilt(shell, [_claim(candidate)], closed_at=None)
    return FactChange("creation", None, after, "first said") if after.status is Status.ACTIVE else None


def _claim(candidate: Candidate) -> Claim:
    own = candidate.authority is Authority.CONSENSUS  # which is seen from who stands behind it, as long as they do
    quotes = (
        replace(
            e,
            quote=kept_quote(e.quote),
            confidence=candidate.confidence,
            authority=Authority.OWN_STATEMENT if own else candidate.authority,
        )
        for e in candidate.evidence
    )
    return Claim(
        candidate.value,
        candidate.description,
        joined_evidence(quotes),
        joined_voices(candidate.voices),
        (),
        (fold(candidate.value),),
    )


def _learning_step(
    before: Fact, after: Fact, candidate: Candidate, verdict: str, known: Claim | None, score: float
) -> FactChange | None:
    opposed = any(not voice.supports for voice in candidate.voices)
    same = after.value_key == before.value_key
    if known is not None and same and len(after.evidence) == MAX_EVIDENCE and not opposed:
        after = replace(after, confidence=max(before.confidence, after.confidence))  # law 2, beyond what is kept
    kind, cause = _step(before, after)
    change = change_between(kind, before, after, cause, score=score)
    if change is None:
        return None
    return replace(change, quality=(*change.quality, *_quality_of(change, before, candidate, verdict, known, score)))


def _quality_of(
    change: FactChange, before: Fact, candidate: Candidate, verdict: str, known: Claim | None, score: float
) -> list[Quality]:
    """The record of a merge, and of a value that was in conflict before it was known."""
    if known is None:
        late = before.status is Status.ACTIVE and not change.quality
        existing = (before.key, before.value, before.description)
        record = quality_record(
            "conflict", before, existing, before.value_key, candidate, "conflicts", score, resolved=True
        )
        return [record] if late else []
    if candidate.key == before.key and known.says(candidate.value):
        return []
    existing = (before.key, known.value, known.description)
    return [quality_record("merge", before, existing, fold(known.value), candidate, verdict, score, resolved=True)]


def _step(before: Fact, after: Fact) -> tuple[str, str]:
    """Kind and cause of what new words did to a fact."""
    if after.status is Status.ACTIVE:
        if after.value_key != before.value_key:
            return "evolution", f"was: {before.value}"
        if before.status is not Status.ACTIVE:
            return "revival", "said again"
        if after.confidence < before.confidence:
            return "objection", "opposed"
        if _content(after) != _content(before):
            return "reinforcement", "said again"
    if after.status is Status.DEPRECATED and before.status is not Status.DEPRECATED:
        return "deprecation", "opposed by many"
    return "history", "said in other words, or of the time before"


def _content(fact: Fact) -> tuple[object, ...]:
    return (fact.value, fact.description, fact.evidence, fact.voices, fact.authority, fact.valid_from)
