"""Revises facts without new talk: quotes taken back, time, votes, rulings, chats that become one.

Like `lifecycle`, each step adds to (or takes from) what was said in the slot and lets it be replayed.
"""

from collections.abc import Callable
from dataclasses import replace
from datetime import datetime

from shared.domain.facts.change import Cause, FactChange, change_between, quality_of
from shared.domain.facts.claims import Verdict, claims_of, join_by_value, join_rulings, join_votes
from shared.domain.facts.evidence.claim import Authority, Claim, Ruling, RulingKind, Vote
from shared.domain.facts.fact import MAX_ALIASES, Candidate, Fact, FactPin, Status, join_pins
from shared.domain.facts.lifecycle import learn
from shared.domain.facts.slot import rebuild, rivals


def retract(fact: Fact, message_id: int, *, now: datetime, cause: Cause) -> FactChange | None:
    """Take back every quote and voice of one message, and what was given to its words by others.

    Without any quote left the fact is deprecated; what the message had replaced is believed again.
    """
    claims = [_drop_message(claim, message_id) for claim in claims_of(fact)]
    if claims == claims_of(fact):
        return None
    after = rebuild(fact, claims, closed_at=now)
    kind = "revival" if after.value_key != fact.value_key else "correction"
    if kind == "correction" and after.confidence > fact.confidence:
        kind = "reinforcement"  # a correction never raises belief, so what does is named for what it does (law 2)
    return change_between(_ending_kind(fact, after) or kind, fact, after, cause)


def _drop_message(claim: Claim, message_id: int) -> Claim:
    left = tuple(e for e in claim.evidence if message_id not in (e.message_id, e.answers))
    if left != claim.evidence and all(e.agrees for e in left):
        left = ()  # who agreed with words that are gone has said nothing
    return replace(
        claim, evidence=left, voices=tuple(v for v in claim.voices if message_id not in (v.message_id, v.answers))
    )


def _ending_kind(before: Fact, after: Fact) -> str | None:
    """The kind of a step after which nothing is believed, or None when something is."""
    if after.status is not Status.DEPRECATED:
        return None
    return "history" if before.status is Status.DEPRECATED else "deprecation"


def expire(fact: Fact, *, now: datetime, unconfirmed_since: datetime) -> FactChange | None:
    """Stop believing an active fact that nobody confirmed after `unconfirmed_since`; never one that is pinned.

    A rival that was said after it is believed instead.
    """
    known_until = fact.last_reinforced_at
    ages = fact.status is Status.ACTIVE and fact.pinned_at is None
    if not ages or known_until is None or known_until > unconfirmed_since:
        return None
    ruling = Ruling(
        now, RulingKind.EXPIRED, Authority.STATISTICS, known_until=known_until, fresh_since=unconfirmed_since
    )
    return _step_of_ruling(fact, fact.value_key, ruling, "expiry", Cause.NOT_CONFIRMED)


def expire_rival(fact: Fact, name: str, *, now: datetime, unconfirmed_since: datetime) -> FactChange | None:
    """End the wait of a pending value that nobody confirmed after `unconfirmed_since`; said again, it waits anew."""
    rival = rivals(fact).get(name)
    if rival is None or rival.last_reinforced_at is None or rival.last_reinforced_at > unconfirmed_since:
        return None
    ruling = Ruling(now, RulingKind.EXPIRED, Authority.STATISTICS, known_until=rival.last_reinforced_at)
    return _step_of_ruling(fact, name, ruling, "history", Cause.NOT_CONFIRMED)


def deprecate(fact: Fact, *, now: datetime, cause: Cause, user_id: int | None = None) -> FactChange | None:
    """Drop what is believed on purpose: only what is said after `now` can bring it back."""
    if fact.status not in (Status.ACTIVE, Status.EXPIRED):
        return None
    loose = replace(fact, pin=None)  # what was dropped on purpose ages like any other when it is said again
    ruling = Ruling(now, RulingKind.REJECTED, Authority.ADMIN, user_id)
    return _step_of_ruling(loose, fact.value_key, ruling, "deprecation", cause)


def pin(fact: Fact, decision: FactPin) -> FactChange | None:
    """Keep a fact from ageing, or no longer; it may still be contradicted, corrected or dropped.

    None when it is so already, was decided as late or later, or nothing is believed that could be pinned.
    """
    is_newest = fact.pin is None or fact.pin.at < decision.at
    is_news = (fact.pinned_at is not None) is not decision.holds
    if not (is_newest and is_news) or (decision.holds and fact.status is not Status.ACTIVE):
        return None
    after = replace(fact, pin=decision, version=fact.version + 1)
    kind = "pinned" if decision.holds else "unpinned"
    return change_between(kind, fact, after, Cause(kind))


def settle(
    fact: Fact, name: str, *, accept: bool, now: datetime, user_id: int, authority: Authority = Authority.ADMIN
) -> FactChange | None:
    """End the conflict about a pending value: it becomes the belief, or what was said for it counts no more.

    None when the value is not pending: another decision was faster.

    Args:
        fact: The fact that is contradicted.
        name: Name of the pending value (`rivals`).
        user_id: Who decides. That they may is for the caller to know.
    """
    if name not in rivals(fact):
        return None
    ruling = Ruling(now, RulingKind.ACCEPTED if accept else RulingKind.REJECTED, authority, user_id)
    return _step_of_ruling(fact, name, ruling, "evolution" if accept else "history", Cause.SETTLED)


def cast_voice(fact: Fact, name: str, voice: Vote) -> FactChange | None:
    """Let a member support or oppose one value, held or pending. A later voice of theirs replaces it.

    An objection lowers confidence; enough votes for a pending value settle the conflict, and enough against one close
    it for as long as they stand (law 5).
    """
    after = _with_claim(fact, name, lambda c: replace(c, voices=join_votes([*c.voices, voice])), now=voice.at)
    return None if after is None else _step_of_vote(fact, name, after, voice)


def withdraw_voice(fact: Fact, name: str, user_id: int, *, now: datetime) -> FactChange | None:
    """Take back what a member voted about one value; what they said about it stays."""

    def without_vote(claim: Claim) -> Claim:
        return replace(claim, voices=tuple(v for v in claim.voices if v.user_id != user_id or v.message_id is not None))

    kept = _with_claim(fact, name, without_vote, now=now)
    if kept is None:
        return None
    voiced = any(v.supports for c in claims_of(fact) if c.value_key == name for v in c.voices if v.user_id == user_id)
    return _step_of_vote(fact, name, kept, Vote(now, user_id, supports=not voiced))


def _step_of_vote(fact: Fact, name: str, after: Fact, voice: Vote) -> FactChange | None:
    """The step that a voice, or one that went, makes; `voice` is in which direction."""
    cause = Cause.SUPPORTED if voice.supports else Cause.OPPOSED
    if (ending := _ending_kind(fact, after)) is not None:
        return change_between(ending, fact, after, cause)
    if after.value_key != fact.value_key:
        return change_between("evolution", fact, after, cause)
    if fact.status is not Status.ACTIVE:
        return change_between("revival" if after.status is Status.ACTIVE else "history", fact, after, cause)
    if voice.supports and name == fact.value_key:
        after = replace(after, confidence=max(fact.confidence, after.confidence))  # law 2, beyond what is kept
    return change_between("reinforcement" if voice.supports else "objection", fact, after, cause)


def correct(fact: Fact, candidate: Candidate) -> FactChange | None:
    """Replace a value that was wrong, by words of at least its standing; weaker words wait as a contradiction."""
    change = learn(fact, candidate)
    return replace(change, kind="correction") if change is not None and change.kind == "evolution" else change


def merge(one: Fact, other: Fact) -> FactChange | None:
    """Return what two chats that became one believe in the same slot: the words of both, replayed; None for nothing
    new."""
    aliases = tuple(sorted({*one.aliases, *other.aliases}))[-MAX_ALIASES:]
    closed = max((f.closed_at for f in (one, other) if f.closed_at is not None), default=None)
    shell = replace(one, aliases=aliases, pin=join_pins(one.pin, other.pin))
    after = rebuild(shell, join_by_value([*claims_of(one), *claims_of(other)]), closed_at=closed)
    after = replace(after, version=max(one.version, other.version) + 1)
    kind = "reinforcement" if after.value_key == one.value_key else "evolution"
    if after.status is Status.DEPRECATED and one.status is not Status.DEPRECATED:
        kind = "deprecation"  # the votes of both against it are many
    change = change_between(kind, one, after, Cause.CHATS_JOINED)
    if change is None:
        return None
    waiting = {frozenset((after.value_key, name)) for name in rivals(after)}
    over = [rival for name, rival in rivals(other).items() if frozenset((other.value_key, name)) not in waiting]
    settled = [quality_of(other, rival, Verdict.CONFLICTS) for rival in over]
    return replace(change, quality=(*settled, *change.quality))


def recount(fact: Fact, *, now: datetime) -> FactChange | None:
    """Replay a slot that was believed by another number of members than now make a consensus."""
    if fact.believed_with in (None, fact.consensus):
        return None
    after = rebuild(fact, claims_of(fact), closed_at=now)
    kind = "revival" if fact.status is Status.DEPRECATED else "history"
    if after.value_key != fact.value_key:
        kind = "evolution"
    return change_between(_ending_kind(fact, after) or kind, fact, after, Cause.CONSENSUS_CHANGED)


def _step_of_ruling(fact: Fact, name: str, ruling: Ruling, kind: str, cause: Cause) -> FactChange | None:
    after = _with_claim(fact, name, lambda c: replace(c, rulings=join_rulings([*c.rulings, ruling])), now=ruling.at)
    if after is None:
        return None
    if kind in ("deprecation", "expiry") and after.status is Status.ACTIVE:
        return change_between("evolution", fact, after, cause)  # a rival was waiting for it
    return change_between(kind, fact, after, cause)


def _with_claim(fact: Fact, name: str, revise: Callable[[Claim], Claim], *, now: datetime) -> Fact | None:
    claims = claims_of(fact)
    if all(claim.value_key != name for claim in claims):
        return None
    revised = [revise(claim) if claim.value_key == name else claim for claim in claims]
    return None if revised == claims else rebuild(fact, revised, closed_at=now)
