"""Rebuilds a slot's fact, and the rivals that wait against it, from a replay of everything said there."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Literal

from shared.domain.facts.claims import claims_of
from shared.domain.facts.evidence.belief import Belief, ValueRun, believe
from shared.domain.facts.evidence.claim import MAX_CLAIMS, Authority, Claim, Evidence, is_person
from shared.domain.facts.fact import Fact, Status

StepKind = Literal["said", "again", "inferred", "counted", "votes", "objections"]


@dataclass(frozen=True, slots=True)
class BeliefStep:
    """A step that added to a belief, or took from it.

    Attributes:
        kind: "said" (a member's own words), "again" (more words of one counted before), "inferred" (a model read it out
            of their words), "counted" (statistics), "votes" (without words of their own), "objections".
        belief: After it, in [0, 0.99].
        user_id: Whose words they are, or None for what nobody said alone.
        count: Quotes, samples, votes or objections of this step.
    """

    kind: StepKind
    belief: float
    user_id: int | None = None
    count: int = 1


def explain(fact: Fact) -> list[BeliefStep]:
    """The steps from nothing to `confidence_of(fact)`; none for a fact without quotes.

    The strongest quote comes first, as it counts (`combine_confidence`); what was counted follows when it makes
    the belief stronger; then votes, then objections.
    """
    samples = [e for e in fact.evidence if e.authority is Authority.STATISTICS]
    steps: list[BeliefStep] = []
    quotes = _strongest_quotes(fact.evidence)
    for number, quote in enumerate(quotes, start=1):
        again = quote.user_id in {earlier.user_id for earlier in quotes[: number - 1]}
        kind: StepKind = "inferred" if quote.authority is Authority.MODEL else "again" if again else "said"
        steps.append(BeliefStep(kind, combine_confidence(quotes[:number]), quote.user_id))
    believed = combine_confidence(fact.evidence)
    if samples and believed > (steps[-1].belief if steps else 0.0):
        steps.append(BeliefStep("counted", believed, count=len(samples)))
    if not steps:
        return []
    votes = len(fact.supporters - {e.user_id for e in fact.evidence})
    if votes:
        steps.append(BeliefStep("votes", combine_confidence(fact.evidence, votes=votes), count=votes))
    if fact.objectors:
        steps.append(BeliefStep("objections", confidence_of(fact), count=len(fact.objectors)))
    return steps


def _strongest_quotes(evidence: Iterable[Evidence]) -> list[Evidence]:
    """The strongest quote of each message of each author, strongest first, without what was counted."""
    kept: dict[tuple[int, int], Evidence] = {}
    for quote in sorted(evidence, key=lambda e: (-e.confidence, e.message_id, e.user_id)):
        if quote.authority is not Authority.STATISTICS:
            kept.setdefault((quote.message_id, quote.user_id), quote)
    return list(kept.values())


VOTE_GAIN, OBJECTION = 0.2, 0.8
"""Gain of a vote without a quote, and what is left of belief after each objection."""


def combine_confidence(evidence: Sequence[Evidence], *, votes: int = 0, objections: int = 0) -> float:
    """Belief that a set of quotes supports, in [0, 0.99]; order does not matter.

    Starts from the strongest quote; each further one gives `new = old + (1 - old) * gain` (law 2), with
    gain = 0.5 * its confidence from another member and 0.1 * its confidence from one already counted, or from no person
    (a channel, an admin who speaks as the group). One message counts once, however many ways it was quoted. Examples of
    what was counted add nothing to each other: the count is as sure as its best sample. Then the gain of each vote, and
    each objection leaves four fifths.
    """
    belief, speakers = 0.0, set[int]()
    for quote in _strongest_quotes(evidence):
        again = quote.user_id in speakers or not is_person(quote.user_id)
        belief += (1 - belief) * quote.confidence * (1.0 if not belief else 0.1 if again else 0.5)
        speakers.add(quote.user_id)
    belief = max([belief, *(e.confidence for e in evidence if e.authority is Authority.STATISTICS)])
    if belief:
        belief = 1 - (1 - belief) * (1 - VOTE_GAIN) ** votes
    return round(min(belief, 0.99) * OBJECTION**objections, 4)


def confidence_of(fact: Fact) -> float:
    """Return what the fact's own quotes and voices come to."""
    votes = fact.supporters - {e.user_id for e in fact.evidence}
    return combine_confidence(fact.evidence, votes=len(votes), objections=len(fact.objectors))


def rebuild(fact: Fact, claims: Iterable[Claim], *, closed_at: datetime | None) -> Fact:
    """The fact as the claims have it, one version later. `closed_at` is used when nothing is believed any more."""
    fact = replace(fact, believed_with=fact.consensus)
    alive = _bound_claims(fact.subject, claims, fact.consensus)
    belief = believe(fact.subject, alive, consensus=fact.consensus)
    if belief.held is None:
        closed, out = belief.closed_at or closed_at or fact.closed_at, belief.voted_out
        by_key = {claim.value_key: claim for claim in alive}
        return replace(
            fact if out is None else _sum_run(fact, by_key[out.value_key], out),
            status=Status.DEPRECATED,
            confidence=0.0,
            evidence=(),
            voices=(),
            rulings=(),
            closed_at=closed,
            others=tuple(alive),
            version=fact.version + 1,
        )
    return _hold_claim(fact, alive, belief, belief.held)


def _hold_claim(fact: Fact, claims: Sequence[Claim], belief: Belief, run: ValueRun) -> Fact:
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
    return _sum_run(shell, held, run)


def _sum_run(fact: Fact, claim: Claim, run: ValueRun) -> Fact:
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
    """Return whether nothing is believed because of the votes against it: voters may change their minds."""
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
    return _sum_run(replace(shell, aliases=(), others=(), rulings=(), pin=None), claim, run)


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
