"""How a fact came to its confidence, step by step, for people to read: each step is what `belief` makes of everything
up to it, so the last one is the confidence itself."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal

from shared.domain.facts.belief import combined_confidence, confidence_of
from shared.domain.facts.fact import Authority, Evidence, Fact

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

    The strongest quote comes first, as it counts (`belief.combined_confidence`); what was counted follows when it makes
    the belief stronger; then votes, then objections.
    """
    quotes = _by_strength(e for e in fact.evidence if e.authority is not Authority.STATISTICS)
    samples = [e for e in fact.evidence if e.authority is Authority.STATISTICS]
    steps = _explain_quotes(quotes)
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


def _by_strength(quotes: Iterable[Evidence]) -> list[Evidence]:
    """The strongest quote of each message of each author, strongest first."""
    kept: dict[tuple[int, int], Evidence] = {}
    for quote in sorted(quotes, key=lambda e: (-e.confidence, e.message_id, e.user_id)):
        kept.setdefault((quote.message_id, quote.user_id), quote)
    return list(kept.values())


def _explain_quotes(quotes: list[Evidence]) -> list[BeliefStep]:
    steps: list[BeliefStep] = []
    quoted_already: set[int] = set()
    for number, quote in enumerate(quotes, start=1):
        belief = combined_confidence(quotes[:number])
        steps.append(BeliefStep(_kind(quote, again=quote.user_id in quoted_already), belief, quote.user_id))
        quoted_already.add(quote.user_id)
    return steps


def _kind(quote: Evidence, *, again: bool) -> StepKind:
    if quote.authority is Authority.MODEL:
        return "inferred"
    return "again" if again else "said"
