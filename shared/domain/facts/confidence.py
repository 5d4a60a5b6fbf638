"""What quotes, votes and objections make of a belief, and how it came to that, step by step, for people to read."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal

from shared.domain.facts.evidence.claim import Authority, Evidence, is_person
from shared.domain.facts.fact import Fact

StepKind = Literal["said", "again", "inferred", "counted", "votes", "objections"]


@dataclass(frozen=True, slots=True)
class BeliefStep:
    """What something added to a belief, or took from it.

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

    The strongest quote comes first, as it counts (`combined_confidence`); what was counted follows when it makes
    the belief stronger; then votes, then objections.
    """
    samples = [e for e in fact.evidence if e.authority is Authority.STATISTICS]
    steps = _explain_quotes(e for e in fact.evidence if e.authority is not Authority.STATISTICS)
    believed = combined_confidence(fact.evidence)
    if samples and believed > (steps[-1].belief if steps else 0.0):
        steps.append(BeliefStep("counted", believed, count=len(samples)))
    if not steps:
        return []
    votes = len(fact.supporters - {e.user_id for e in fact.evidence})
    if votes:
        steps.append(BeliefStep("votes", combined_confidence(fact.evidence, votes=votes), count=votes))
    if fact.objectors:
        steps.append(BeliefStep("objections", confidence_of(fact), count=len(fact.objectors)))
    return steps


def _explain_quotes(quotes: Iterable[Evidence]) -> list[BeliefStep]:
    """A step for the strongest quote of each message of each author, strongest first."""
    kept: dict[tuple[int, int], Evidence] = {}
    for quote in sorted(quotes, key=lambda e: (-e.confidence, e.message_id, e.user_id)):
        kept.setdefault((quote.message_id, quote.user_id), quote)
    steps: list[BeliefStep] = []
    counted = list(kept.values())
    for number, quote in enumerate(counted, start=1):
        again = quote.user_id in {earlier.user_id for earlier in counted[: number - 1]}
        kind: StepKind = "inferred" if quote.authority is Authority.MODEL else "again" if again else "said"
        steps.append(BeliefStep(kind, combined_confidence(counted[:number]), quote.user_id))
    return steps


VOTE_GAIN, OBJECTION = 0.2, 0.8
"""Gain of a vote without a quote, and what is left of belief after each objection."""


def combined_confidence(evidence: Iterable[Evidence], *, votes: int = 0, objections: int = 0) -> float:
    """Belief that a set of quotes supports, in [0, 0.99]; order does not matter.

    Starts from the strongest quote; each further one gives `new = old + (1 - old) * gain` (law 2), with
    gain = 0.5 * its confidence from another member and 0.1 * its confidence from one already counted, or from no person
    (a channel, an admin who speaks as the group). One message counts once, however many ways it was quoted. Examples of
    what was counted add nothing to each other: the count is as sure as its best sample. Then the gain of each vote, and
    each objection leaves four fifths.
    """
    strongest: dict[tuple[int, int], float] = {}
    counted = 0.0
    for quote in evidence:
        if quote.authority is Authority.STATISTICS:
            counted = max(counted, quote.confidence)
            continue
        said = (quote.message_id, quote.user_id)
        strongest[said] = max(strongest.get(said, 0.0), quote.confidence)
    belief, speakers = 0.0, set[int]()
    for (_, user_id), confidence in sorted(strongest.items(), key=lambda item: (-item[1], item[0])):
        again = user_id in speakers or not is_person(user_id)
        belief += (1 - belief) * confidence * (1.0 if not belief else 0.1 if again else 0.5)
        speakers.add(user_id)
    belief = max(belief, counted)
    if belief:
        belief = 1 - (1 - belief) * (1 - VOTE_GAIN) ** votes
    return round(min(belief, 0.99) * OBJECTION**objections, 4)


def confidence_of(fact: Fact) -> float:
    """Return what the fact's own quotes and voices come to."""
    votes = fact.supporters - {e.user_id for e in fact.evidence}
    return combined_confidence(fact.evidence, votes=len(votes), objections=len(fact.objectors))
