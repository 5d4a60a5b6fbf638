"""The steps in a fact's life: learnt, confirmed, replaced, opposed, taken back, expired, settled.

Each takes a fact and something new, adds it to what was said in the slot, lets `belief` replay the whole, and says what
changed. Steps are pure and total; None means that nothing changed.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from datetime import datetime

from shared.domain.facts.admission import own_words
from shared.domain.facts.belief import Belief, ValueRun, believe, bound_claims
from shared.domain.facts.claims import Judge, claims_of, same_value, with_said
from shared.domain.facts.confidence import confidence_of
from shared.domain.facts.fact import (
    CONSENSUS_MEMBERS,
    MAX_ALIASES,
    MAX_EVIDENCE,
    Authority,
    Candidate,
    Claim,
    Fact,
    FactChange,
    Quality,
    RulingKind,
    Status,
    candidate_id,
)
from shared.domain.facts.joining import joined_evidence, joined_voices, kept_quote
from shared.domain.text.language import fold

# --- learning -----------------------------------------------------------------------------------


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


# --- what the replay makes of a slot ------------------------------------------------------------


def rebuilt(fact: Fact, claims: Iterable[Claim], *, closed_at: datetime | None) -> Fact:
    """The fact as the claims have it, one version later. `closed_at` is used when nothing is believed any more."""
    fact = replace(fact, believed_with=fact.consensus)
    alive = bound_claims(fact.subject, claims, consensus=fact.consensus)
    belief = believe(fact.subject, alive, consensus=fact.consensus)
    if belief.held is None:
        closed, out = belief.closed_at or closed_at or fact.closed_at, belief.voted_out
        by_key = {claim.value_key: claim for claim in alive}
        return replace(
            fact if out is None else _running(fact, by_key[out.value_key], out),
            status=Status.DEPRECATED,
            confidence=0.0,
            evidence=(),
            voices=(),
            rulings=(),
            closed_at=closed,
            others=tuple(alive),
            version=fact.version + 1,
        )
    return _holding(fact, alive, belief, belief.held)


def _holding(fact: Fact, claims: Sequence[Claim], belief: Belief, run: ValueRun) -> Fact:
    held = next(claim for claim in claims if claim.value_key == run.value_key)
    rejected = replace(
        held,
        evidence=tuple(e for e in held.evidence if e not in run.evidence),
        voices=tuple(v for v in held.voices if v not in run.voices),
        rulings=(),
    )
    others = [claim for claim in (*claims, rejected) if claim is not held and (claim.evidence or claim.rulings)]
    shell = replace(
        fact,
        rulings=held.rulings,
        status=Status.ACTIVE if belief.lapsed_at is None else Status.EXPIRED,
        closed_at=belief.lapsed_at,
        others=tuple(sorted(others, key=lambda claim: claim.value_key)),
        version=fact.version + 1,
    )
    return _running(shell, held, run)


def _running(fact: Fact, claim: Claim, run: ValueRun) -> Fact:
    """The fact with what one run of one value comes to."""
    with_run = replace(
        fact,
        value=claim.value,
        description=claim.description,
        wordings=claim.wordings,
        evidence=run.evidence,
        voices=run.voices,
        authority=run.authority,
        valid_from=run.since,
        last_reinforced_at=max([e.sent_at for e in run.evidence] + [v.at for v in run.voices if v.supports]),
    )
    return replace(with_run, confidence=confidence_of(with_run))


def is_voted_out(fact: Fact) -> bool:
    """Return whether nothing is believed because of the votes against it: who cast one may change their mind."""
    if fact.status is not Status.DEPRECATED or fact.conflicts_with is not None:
        return False
    return believe(fact.subject, claims_of(fact), consensus=fact.consensus).voted_out is not None


def rivals(fact: Fact) -> dict[str, Fact]:
    """The pending facts that wait against this one, by the name of their value, as it was believed."""
    if fact.status not in (Status.ACTIVE, Status.EXPIRED):
        return {}
    claims = {claim.value_key: claim for claim in claims_of(fact)}
    consensus = fact.believed_with or fact.consensus
    pending = believe(fact.subject, list(claims.values()), consensus=consensus).pending
    return {run.value_key: _rival(fact, claims[run.value_key], run) for run in pending}


def _rival(fact: Fact, claim: Claim, run: ValueRun) -> Fact:
    shell = replace(fact, status=Status.PENDING, closed_at=None, conflicts_with=fact.id, anchor=run.value_key)
    return _running(replace(shell, aliases=(), others=(), rulings=(), pin=None), claim, run)


# --- what changed -------------------------------------------------------------------------------


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
        record = _quality("conflict", before, existing, before.value_key, candidate, "conflicts", score, resolved=True)
        return [record] if late else []
    if candidate.key == before.key and known.says(candidate.value):
        return []
    existing = (before.key, known.value, known.description)
    return [_quality("merge", before, existing, fold(known.value), candidate, verdict, score, resolved=True)]


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


def change_between(kind: str, before: Fact, after: Fact, cause: str, *, score: float = 1.0) -> FactChange | None:
    """The step from one to the other with what it means for the rivals; None when nothing is different."""
    if replace(after, version=before.version) == before:
        return None
    was, now = rivals(before), rivals(after)
    steps = [_rival_step(was.get(name), now.get(name), after) for name in sorted({*was, *now})]
    also = [step for step in steps if step is not None]
    quality = _conflicts(before, after, was, now, score)
    opened = next((step for step in also if step.after.status is Status.PENDING), None)
    if opened is None or after.value_key != before.value_key or after.evidence != before.evidence:
        return FactChange(kind, before, after, cause, tuple(also), quality)
    lowers = opened.kind in ("creation", "reinforcement") and after.confidence <= before.confidence
    kind = "contradiction" if lowers else "history"
    contradicted = FactChange(kind, before, after, f"contradicted: {opened.after.value}")
    rest = tuple(step for step in also if step is not opened)
    return replace(opened, also=(contradicted, *rest), quality=quality)


def _rival_step(was: Fact | None, now: Fact | None, slot: Fact) -> FactChange | None:
    """What became of one rival. Its versions are numbered by the slot's, which changes with every one of them."""
    if now is not None:
        if was is not None and replace(now, version=was.version) == was:
            return None
        return FactChange(_rival_kind(was, now), was, replace(now, version=slot.version), f"contradicts: {slot.value}")
    if was is None:
        return None
    return _settle_rival(was, slot)


def _settle_rival(was: Fact, slot: Fact) -> FactChange:
    """A rival that waits no more."""
    # Without its quotes: the slot's own fact has those that still stand, and the only ones that must be taken back.
    gone = replace(was, status=Status.DEPRECATED, confidence=0.0, evidence=(), voices=(), version=slot.version)
    if slot.value_key == was.value_key:
        return FactChange("deprecation", was, replace(gone, closed_at=slot.valid_from), "became the belief")
    rulings = [ruling for claim in claims_of(slot) if claim.value_key == was.value_key for ruling in claim.rulings]
    last = max(rulings, key=lambda ruling: ruling.at, default=None)
    closed_at = last.at if last is not None else slot.closed_at or slot.valid_from
    if last is not None and last.kind is RulingKind.EXPIRED:
        return FactChange("expiry", was, replace(gone, status=Status.EXPIRED, closed_at=closed_at), "not confirmed")
    return FactChange("deprecation", was, replace(gone, closed_at=closed_at), f"settled: {slot.value}")


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
    if (
        not same
        and after.status is before.status is Status.ACTIVE
        and after.value_key not in was
        and before.value_key not in now
    ):
        pairs.append((before, after, True))
    return tuple(conflict(one, other, score=score, resolved=resolved) for one, other, resolved in pairs)


def conflict(one: Fact, other: Fact, *, resolved: bool, score: float = 1.0) -> Quality:
    """The record of two values of one slot that contradict each other."""
    existing = (one.key, one.value, one.description)
    return _quality("conflict", one, existing, one.value_key, other, "conflicts", score, resolved=resolved)


def repetition(one: Fact, other: Fact, verdict: str, *, score: float) -> Quality:
    """The record of two facts that say the same."""
    existing = (one.key, one.value, one.description)
    return _quality("merge", one, existing, one.value_key, other, verdict, score, resolved=True)


def _quality(
    kind: str, fact: Fact, existing: tuple[str, str, str], name: str, incoming: Fact | Candidate, verdict: str,
    score: float, *, resolved: bool,
) -> Quality:  # fmt: skip
    return Quality(
        kind=kind,
        fact_id=fact.conflicts_with or fact.id,
        subject=fact.subject,
        existing=existing,
        incoming=(incoming.key, incoming.value, incoming.description),
        verdict=verdict,
        score=round(score, 4),
        resolved=resolved,
        names=(name, incoming.value_key if isinstance(incoming, Fact) else fold(incoming.value)),
        message_ids=tuple(sorted({e.message_id for e in incoming.evidence})),
    )
