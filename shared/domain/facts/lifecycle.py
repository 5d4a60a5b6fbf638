"""The steps in a fact's life: learnt, confirmed, replaced, opposed, taken back, expired, settled.

Each takes a fact and something new, adds it to what was said in the slot, lets `belief` replay the whole, and says what
changed. Steps are pure and total; None means that nothing changed. Of a candidate only that may be learnt which stored
messages hold, and about a member only their own words.
"""

from collections.abc import Mapping
from dataclasses import replace
from datetime import datetime
from operator import attrgetter
from typing import NamedTuple

from shared.domain.facts.change import Cause, FactChange, change_between, quality_of
from shared.domain.facts.claims import (
    Judge,
    Verdict,
    claims_of,
    cut_quote,
    join_evidence,
    join_votes,
    judge_by_value,
    with_said,
)
from shared.domain.facts.evidence.claim import CONSENSUS_MEMBERS, MAX_EVIDENCE, Authority, Claim
from shared.domain.facts.fact import MAX_ALIASES, Candidate, Fact, Status, candidate_id
from shared.domain.facts.slot import rebuild
from shared.domain.text.language import fold


def learn(
    existing: Fact | None,
    candidate: Candidate,
    *,
    judge: Judge = judge_by_value,
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
    slot, aliases = candidate_id(allowed), existing.aliases
    if slot not in (existing.id, *aliases):
        aliases = tuple(sorted({*aliases, slot}))[-MAX_ALIASES:]
    after = rebuild(replace(existing, aliases=aliases), said, closed_at=None)
    return _learning_step(existing, after, allowed, verdict, known, score)


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
    after = rebuild(shell, [_claim(candidate)], closed_at=None)
    return FactChange("creation", None, after, Cause.FIRST_SAID) if after.status is Status.ACTIVE else None


def _claim(candidate: Candidate) -> Claim:
    authority = candidate.authority
    if authority is Authority.CONSENSUS:  # which is seen from who stands behind it, as long as they do
        authority = Authority.OWN_STATEMENT
    quotes = (
        replace(e, quote=cut_quote(e.quote), confidence=candidate.confidence, authority=authority)
        for e in candidate.evidence
    )
    evidence, voices = join_evidence(quotes), join_votes(candidate.voices)
    return Claim(candidate.value, candidate.description, evidence, voices, wordings=(fold(candidate.value),))


def _learning_step(
    before: Fact, after: Fact, candidate: Candidate, verdict: Verdict, known: Claim | None, score: float
) -> FactChange | None:
    opposed = any(not voice.supports for voice in candidate.voices)
    same = after.value_key == before.value_key
    if known is not None and same and len(after.evidence) == MAX_EVIDENCE and not opposed:
        after = replace(after, confidence=max(before.confidence, after.confidence))  # law 2, beyond what is kept
    kind, cause = _step(before, after)
    change = change_between(kind, before, after, cause, score=score)
    if change is None:
        return None
    # A merge is noted, and a value that was in conflict before it was known.
    if known is None:
        is_news = before.status is Status.ACTIVE and not change.quality
    else:
        is_news = candidate.key != before.key or not known.says(candidate.value)
    if not is_news:
        return change
    return replace(change, quality=(*change.quality, quality_of(before, candidate, verdict, known=known, score=score)))


def _step(before: Fact, after: Fact) -> tuple[str, Cause]:
    """Kind and cause of what new words did to a fact."""
    if after.status is Status.ACTIVE:
        if after.value_key != before.value_key:
            return "evolution", Cause.REPLACED
        if before.status is not Status.ACTIVE:
            return "revival", Cause.SAID_AGAIN
        if after.confidence < before.confidence:
            return "objection", Cause.OPPOSED
        content = attrgetter("value", "description", "evidence", "voices", "authority", "valid_from")
        if content(after) != content(before):
            return "reinforcement", Cause.SAID_AGAIN
    if after.status is Status.DEPRECATED and before.status is not Status.DEPRECATED:
        return "deprecation", Cause.OPPOSED
    return "history", Cause.SAID_OTHERWISE


class SaidMessage(NamedTuple):
    """A stored message as it reads now, and if it may teach (law 3)."""

    user_id: int
    text: str
    may_teach: bool = True


def keep_said(
    candidate: Candidate, messages: Mapping[int, SaidMessage], *, since: datetime | None = None
) -> Candidate | None:
    """The candidate with the quotes that hold, and the voices whose messages are there (laws 1, 3 and 4).

    None when its first quote does not hold: that one says it, the others may only agree ("+1").

    Args:
        messages: The stored messages by id, as they read now.
        since: What was said before does not count.
    """

    def stands(message_id: int | None, user_id: int, at: datetime, quote: str) -> bool:
        message = messages.get(message_id) if message_id is not None else None
        teaches = message is not None and message.may_teach and message.user_id == user_id and quote in message.text
        return teaches and (since is None or at >= since)

    held = tuple(
        e for e in candidate.evidence if e.quote.strip() and stands(e.message_id, e.user_id, e.sent_at, e.quote)
    )
    if not held or held[0] != candidate.evidence[0]:
        return None
    voices = tuple(v for v in candidate.voices if stands(v.message_id, v.user_id, v.at, ""))
    return own_words(replace(candidate, evidence=held, voices=voices))


def own_words(candidate: Candidate) -> Candidate | None:
    """About a member only their own words count (law 4); None when there are none."""
    if candidate.subject == "chat":
        return candidate if candidate.evidence else None
    own = tuple(e for e in candidate.evidence if f"user:{e.user_id}" == candidate.subject)
    if not own:
        return None
    inner = Authority.OWN_STATEMENT if candidate.authority is Authority.CONSENSUS else candidate.authority
    voices = tuple(v for v in candidate.voices if f"user:{v.user_id}" == candidate.subject)
    return replace(candidate, evidence=own, authority=inner, voices=voices)
