"""What a replay of everything said in a slot makes of its fact, and of the rivals that wait against it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from datetime import datetime

from shared.domain.facts.claims import claims_of
from shared.domain.facts.confidence import confidence_of
from shared.domain.facts.evidence.belief import Belief, ValueRun, believe
from shared.domain.facts.evidence.claim import MAX_CLAIMS, Claim
from shared.domain.facts.fact import Fact, Status


def rebuilt(fact: Fact, claims: Iterable[Claim], *, closed_at: datetime | None) -> Fact:
    """The fact as the claims have it, one version later. `closed_at` is used when nothing is believed any more."""
    fact = replace(fact, believed_with=fact.consensus)
    alive = _bound_claims(fact.subject, claims, fact.consensus)
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


def _bound_claims(subject: str, claims: Iterable[Claim], consensus: int) -> list[Claim]:
    """The claims that something still stands behind; of too many, those said or ruled on last.

    What holds is kept however old it is: no number of other values overturns it (law 5).
    """
    alive = [claim for claim in claims if claim.evidence or claim.rulings]
    if len(alive) > MAX_CLAIMS:
        held = believe(subject, alive, consensus=consensus).held

        def rank(claim: Claim) -> tuple[bool, datetime, str]:
            last = max([e.sent_at for e in claim.evidence] + [r.at for r in claim.rulings])
            return held is not None and claim.value_key == held.value_key, last, claim.value_key

        alive = sorted(alive, key=rank)[-MAX_CLAIMS:]
    return sorted(alive, key=lambda claim: claim.value_key)
