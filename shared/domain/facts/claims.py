"""The values that were said in a slot, and which of them a statement says.

A statement may come under another key than its slot's. Then the same value can mean the opposite ("likes" coffee,
"dislikes" coffee), so whether it is the same is not told by the value alone, and what is not goes by key and value.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

from shared.domain.facts.evidence.claim import Claim
from shared.domain.facts.evidence.joining import join_claims
from shared.domain.facts.fact import Candidate, Fact
from shared.domain.text.language import fold, tokens

DUPLICATE, REINFORCES, CONFLICTS = "duplicate", "reinforces", "conflicts"
"""Values of `dedup.Verdict`, named here because whoever only reads facts should not load its words."""

Judge = Callable[[Fact, Candidate | Fact], str]
"""What a statement is to a value, as `dedup.verdict` says."""


def same_value(existing: Fact, incoming: Candidate | Fact) -> str:
    """The simplest judge: the same folded value is a duplicate, another one conflicts."""
    return DUPLICATE if fold(existing.value) == fold(incoming.value) else CONFLICTS


def claims_of(fact: Fact) -> list[Claim]:
    """Everything that was said in the fact's slot, one claim for each value."""
    held = Claim(
        fact.value, fact.description, fact.evidence, fact.voices, fact.rulings, fact.wordings or (fact.value_key,)
    )
    claims: dict[str, Claim] = {held.value_key: held}
    for other in fact.others:
        claims[other.value_key] = join_claims(claims[other.value_key], other) if other.value_key in claims else other
    return list(claims.values())


def with_said(
    fact: Fact, claims: Sequence[Claim], said: Candidate | Fact, incoming: Claim, judge: Judge
) -> tuple[list[Claim], Claim | None, str]:
    """The slot's claims with one more statement among them.

    Args:
        fact: Whose slot it is.
        said: The statement.
        incoming: The same as a claim, with what stands behind it.
    Returns:
        The claims; the one that was known and says the same, or None; and how it says it: a new value conflicts.
    """
    known, verdict = _find_known_claim(fact, claims, said, judge)
    if said.key != fact.key and any(claim.says(said.value) for claim in claims if claim is not known):
        incoming = replace(incoming, value=_in_full(said), wordings=(fold(_in_full(said)),))
    merged = incoming if known is None else _reword(known, incoming, verdict)
    return [merged, *(claim for claim in claims if claim is not known)], known, verdict


def _find_known_claim(
    fact: Fact, claims: Sequence[Claim], said: Candidate | Fact, judge: Judge
) -> tuple[Claim | None, str]:
    for claim in claims:
        if said.key != fact.key and claim.says(_in_full(said)):
            return claim, DUPLICATE
    for claim in claims:
        if claim.says(said.value) and (said.key == fact.key or _judge_claim(fact, claim, said, judge) != CONFLICTS):
            return claim, DUPLICATE
    for claim in sorted(claims, key=lambda claim: (claim.value_key != fact.value_key, claim.value_key)):
        verdict = _judge_claim(fact, claim, said, judge)
        if verdict in (DUPLICATE, REINFORCES):
            return claim, verdict
    return None, CONFLICTS


def _judge_claim(fact: Fact, claim: Claim, said: Candidate | Fact, judge: Judge) -> str:
    return str(judge(replace(fact, value=claim.value, description=claim.description), said))


def _in_full(said: Candidate | Fact) -> str:
    """The value under its own key, for a slot whose key says something else: "dislikes coffee"."""
    return f"{said.key.replace('_', ' ')} {said.value}"


def _reword(known: Claim, incoming: Claim, verdict: str) -> Claim:
    """Both as one, in the richer words when one says more, else in the words that were said first.

    Words to which somebody else has agreed stay as they were when they did: nobody agreed to more.
    """
    both, agreed_to = join_claims(known, incoming), [claim for claim in (known, incoming) if _has_agreement(claim)]
    if verdict == REINFORCES and len(agreed_to) == 1:
        better = agreed_to[0]
    else:
        better = _richer(known, incoming) if verdict == REINFORCES and not agreed_to else _first_said(known, incoming)
    return replace(both, value=better.value, description=better.description)


def _has_agreement(claim: Claim) -> bool:
    return any(e.agrees for e in claim.evidence) or any(voice.supports for voice in claim.voices)


def _richer(known: Claim, incoming: Claim) -> Claim:
    """Return what lists all that the other lists and more ("spam, flood"), else what is said in more words."""
    listed, also = _listed_items(known), _listed_items(incoming)
    if listed != also and (listed < also or also < listed):
        return max(known, incoming, key=lambda claim: len(_listed_items(claim)))
    return max(known, incoming, key=_richness)


def _listed_items(claim: Claim) -> frozenset[str]:
    return frozenset(fold(item) for item in claim.value.split(","))


def _first_said(known: Claim, incoming: Claim) -> Claim:
    """Return that of two claims with the older quote; the known one when they are as old, or it has none."""
    second, first = min(known.evidence, default=None), min(incoming.evidence, default=None)
    if first is None or second is None:
        return known
    earlier = (first.sent_at, first.message_id) < (second.sent_at, second.message_id)
    return incoming if earlier else known


def _richness(claim: Claim) -> tuple[int, int, str, str]:
    words = {*tokens(claim.value), *tokens(claim.description)}
    return len(words), len(claim.description), claim.value, claim.description
