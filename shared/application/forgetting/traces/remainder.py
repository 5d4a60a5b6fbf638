"""Works out what is left of a fact without forgotten words: its quotes and voices go, and the rest is replayed.

A value that nobody else has said goes with its wordings and rulings; a fact of which nothing is left goes altogether,
and so does one about a member of whom no own word is left. A value for which a quote of somebody else stands is never
lost, whatever words the member repeated. Pure.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace

from shared.application.forgetting.traces.scope import ForgottenWords, Scope
from shared.domain.facts.change import FactChange, quality_of
from shared.domain.facts.claims import Verdict, claims_of, join_by_value
from shared.domain.facts.evidence.claim import Claim, Evidence
from shared.domain.facts.fact import Fact, Status
from shared.domain.facts.slot import rebuilt, rivals
from shared.domain.text.language import fold, tokens

CAUSE = "words were forgotten"
"""In a version: why it says less than it did."""


def without(fact: Fact, scope: Scope, words: ForgottenWords) -> Fact | None:
    """Return the fact as if the words had never been said, or None when nothing is left of it.

    Its version is the next one.
    """
    claims = [kept for claim in claims_of(fact) if (kept := _claim_without(claim, scope, words)) is not None]
    if fact.subject == scope.subject and not any(e.user_id == scope.user_id for c in claims for e in c.evidence):
        return None
    if not claims:
        return None
    base = next((claim for claim in claims if claim.value_key == fact.value_key), claims[0])
    # The fact's id is made of its anchor: when nobody who is left said that, it is another value, and another id.
    nobody_says_it = fact.anchor is not None and not any(claim.says(fact.anchor) for claim in claims)
    shell = replace(
        fact,
        value=base.value,
        description=base.description,
        wordings=base.wordings,
        evidence=(),
        voices=(),
        rulings=(),
        others=(),
        anchor=base.value if nobody_says_it else fact.anchor,
    )
    return rebuilt(shell, claims, closed_at=scope.until)


def others_words(fact: Fact, scope: Scope) -> Iterator[str]:
    """Yield the texts of a fact that are others' own: whoever only repeats one does not own it.

    Of a value for which only others are quoted, these are all its wordings, and the description when it mostly repeats
    the quotes; of a value that somebody else said first, the wording under which it was stored first.
    """
    for claim in claims_of(fact):
        left, gone = _split_quotes(claim, scope)
        own = [e for e in left if not e.agrees]
        if own and not gone:
            yield from (claim.value, *claim.wordings)
            if _retells(claim.description, [claim.value, *(e.quote for e in own)]):
                yield claim.description
        elif own and own[0] < min(gone):
            yield claim.value_key


def _retells(description: str, said: Iterable[str]) -> bool:
    """Return whether at least half of the words are those that were said: the rest is how the bot puts it."""
    told, known = tokens(description), {word for text in said for word in tokens(text)}
    return 2 * sum(word in known for word in told) >= len(told)


def _split_quotes(claim: Claim, scope: Scope) -> tuple[list[Evidence], list[Evidence]]:
    """Split a claim's quotes into those that stay and those that go, each oldest first."""
    left: list[Evidence] = []
    gone: list[Evidence] = []
    for each in sorted(claim.evidence):
        (gone if scope.covers(each.message_id, each.user_id, each.sent_at) else left).append(each)
    return left, gone


def _claim_without(claim: Claim, scope: Scope, words: ForgottenWords) -> Claim | None:
    """Return the claim without the words, or None when nobody else has said it."""
    evidence, gone = _split_quotes(claim, scope)
    own = [e for e in evidence if not e.agrees]
    if not own:
        return None
    claim = replace(
        claim,
        evidence=tuple(evidence),
        voices=tuple(v for v in claim.voices if not scope.covers(v.message_id, v.user_id, v.at)),
        rulings=tuple(  # a decision itself stays, without who made it when that was the member
            replace(each, user_id=None) if scope.covers(None, each.user_id, each.at) else each for each in claim.rulings
        ),
    )
    if not gone:
        return replace(claim, description=own[0].quote if words.repeated_in(claim.description) else claim.description)
    wordings = _wordings_without(claim, words) or (fold(own[0].quote),)
    return replace(
        claim,
        value=wordings[0] if words.repeated_in(claim.value) else claim.value,
        description=own[0].quote if words.echoed_in(claim.description) else claim.description,
        wordings=wordings,
    )


def _wordings_without(claim: Claim, words: ForgottenWords) -> tuple[str, ...]:
    """Return the wordings that repeat nothing of the words; none when nobody else ever worded the value."""
    name, *others = claim.wordings or (claim.value_key,)
    kept = [name, *(each for each in others if not words.echoed_in(each))]
    return tuple(each for each in kept if not words.repeated_in(each))


def with_said(there: Fact | None, moved: Fact) -> Fact:
    """Return a fact that goes on under another id, with what was said in that slot before.

    Args:
        there: The fact that is in that slot, or None.
    """
    if there is None:
        return moved
    return rebuilt(there, join_by_value([*claims_of(there), *claims_of(moved)]), closed_at=None)


def step_without(fact: Fact, after: Fact, scope: Scope) -> FactChange:
    """Return the step to the fact without the words: neither its version nor its `before` holds any of them."""
    left = tuple(e for e in fact.evidence if not scope.covers(e.message_id, e.user_id, e.sent_at))
    before = replace(after, confidence=fact.confidence, version=fact.version, evidence=left)
    pending = [replace(rival, version=after.version) for rival in rivals(after).values()]
    also = tuple(FactChange("creation", None, rival, CAUSE) for rival in pending)
    quality = tuple(quality_of(after, rival, Verdict.CONFLICTS, resolved=False) for rival in pending)
    if after.id != fact.id:
        return FactChange("creation", None, after, CAUSE, also, quality)
    return FactChange(_kind(fact, after), before, after, CAUSE, also, quality)


def _kind(fact: Fact, after: Fact) -> str:
    if after.status is Status.DEPRECATED:
        return "deprecation"
    if after.value_key != fact.value_key:
        return "revival"
    return "correction" if after.confidence <= fact.confidence else "reinforcement"
