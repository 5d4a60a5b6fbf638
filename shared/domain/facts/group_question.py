"""Questions to the group about what the bot noticed: which come first, and what the answers decide.

A question is about one value of a fact about the chat, or about two that contradict each other, never about a member.
`mark_of` names those values without their words: a value that is new may be asked about again, a known one never.
"""

import base64
from collections.abc import Collection, Iterable
from enum import StrEnum
from typing import NamedTuple

from shared.domain.conversation.messages import wording_mark
from shared.domain.facts.claims import claims_of
from shared.domain.facts.evidence.claim import Authority, VoteTally, tally_of
from shared.domain.facts.fact import MIN_CONFIDENCE, Fact, Status, hash_parts
from shared.domain.facts.profile import ProfileFact
from shared.domain.facts.slot import rivals

SURE = 0.85
"""Confidence above which nobody needs to be asked: two members' own words come to more."""

ASKED_ABOUT = frozenset({"tradition", "preference", "norm", "rule", "culture"})
"""Categories of patterns; of events only those that come every week."""

MIN_MESSAGES = 2
"""Messages that show a pattern before it is offered, unless it was counted."""

_WEEKLY = "weekly"
_INFERRED = (Authority.STATISTICS, Authority.MODEL)


class GroupQuestion(NamedTuple):
    """A question to the group.

    Attributes:
        fact: The fact it is about.
        rival: Of a conflict the value that waits against it, or None.
    """

    fact: Fact
    rival: Fact | None = None

    @property
    def mark(self) -> str:
        """Return which values it is about."""
        return mark_of(self.fact, self.rival)


class VoteOutcome(StrEnum):
    """The outcome of the votes."""

    OPEN = "open"
    AGREED = "agreed"
    DROPPED = "dropped"
    CHANGED = "changed"  # another value holds than the one that was asked about
    DECIDED = "decided"  # a conflict is over


def mark_of(fact: Fact, rival: Fact | None = None) -> str:
    """Eight characters of `A-Za-z0-9_-` for the value of a fact, or for two that contradict each other."""
    return _mark([fact.value_key, *([] if rival is None else [rival.value_key])])


def wording_of(fact: Fact) -> str:
    """Eight characters of `A-Za-z0-9_-` for what a card shows of a fact: its value and the words for it."""
    return _mark([fact.value_key, wording_mark(fact.description)])


def _mark(said: list[str]) -> str:
    return base64.urlsafe_b64encode(bytes.fromhex(hash_parts(said))[:6]).decode()


def may_be_a_pattern(fact: Fact | ProfileFact) -> bool:
    """Return whether a fact may be worth a question, as far as its profile tells."""
    about = fact.category in ASKED_ABOUT or (fact.category == "event" and _WEEKLY in fact.key)
    seen = fact.evidence_count >= MIN_MESSAGES or fact.authority is Authority.STATISTICS
    unsettled = fact.authority in (*_INFERRED, Authority.OWN_STATEMENT)
    return fact.subject == "chat" and about and seen and unsettled and MIN_CONFIDENCE <= fact.confidence <= SURE


def may_be_asked(question: GroupQuestion, *, opted_out: Collection[int]) -> bool:
    """Return whether a question is still worth asking: about what is believed, and nobody said who opted out.

    A detected pattern must not be certain; and what an admin said is not for the group to overturn (law 5).
    """
    fact, rival = question
    shown = fact.evidence if rival is None else (*fact.evidence, *rival.evidence)
    if fact.status is not Status.ACTIVE or any(e.user_id in opted_out for e in shown):
        return False
    if rival is None:
        is_open = fact.conflicts_with is None and len(support(fact).supporters) < fact.consensus
        return is_open and may_be_a_pattern(fact)
    waits = rival.status is Status.PENDING and rival.value_key in rivals(fact)
    return fact.subject == "chat" and waits and fact.authority is not Authority.ADMIN


def questions(
    conflicts: Iterable[tuple[Fact, Fact]], patterns: Iterable[Fact], *, opted_out: Collection[int]
) -> list[GroupQuestion]:
    """Return what may be asked, best first: conflicts, the newest first, then patterns in the given order.

    Args:
        conflicts: Facts, each with a value that waits against it.
        patterns: Facts about the chat, best first.
    """
    disputed = [GroupQuestion(fact, rival) for fact, rival in conflicts]
    disputed.sort(key=lambda q: (-max(e.sent_at.timestamp() for e in (q.rival or q.fact).evidence), q.mark))
    contested = {question.fact.id for question in disputed}
    uncertain = [GroupQuestion(fact) for fact in patterns if fact.id not in contested]
    return [question for question in (*disputed, *uncertain) if may_be_asked(question, opted_out=opted_out)]


def support(fact: Fact) -> VoteTally:
    """Return who is for and who against the value of a fact, also of one that was dropped."""
    return tally_of(fact.value_key, claims_of(fact))


class Votes(NamedTuple):
    """Members who voted for the one value of a conflict and for the other, each by their last vote."""

    held: frozenset[int]
    rival: frozenset[int]


def votes_between(fact: Fact, rival: Fact) -> Votes:
    """Return how the group votes on two values; quotes are no votes."""
    cast = [(voice, False) for voice in fact.voices] + [(voice, True) for voice in rival.voices]
    cast.sort(key=lambda each: (each[0].at, each[0].supports, each[1]))
    last = {voice.user_id: (voice.supports, for_rival) for voice, for_rival in cast}
    held, waiting = (frozenset(who for who, vote in last.items() if vote == (True, side)) for side in (False, True))
    return Votes(held, waiting)


def is_upheld(fact: Fact, rival: Fact) -> bool:
    """Return whether the group decided for the value that holds: as many votes as would have overturned it."""
    votes = votes_between(fact, rival)
    return len(votes.held) >= fact.consensus and len(votes.held) > len(votes.rival)


def rival_asked_about(fact: Fact, mark: str) -> Fact | None:
    """The value that still waits against a fact and that a question with this mark is about."""
    return next((rival for rival in rivals(fact).values() if mark_of(fact, rival) == mark), None)


def outcome_of(fact: Fact, mark: str, *, is_conflict: bool) -> VoteOutcome:
    """Return what became of a question.

    Args:
        fact: The fact that it is about, as it is now.
        mark: The question's.
        is_conflict: Whether it asked about two values.
    """
    if is_conflict:
        if rival_asked_about(fact, mark) is not None:
            return VoteOutcome.OPEN
        return VoteOutcome.DECIDED if fact.status is Status.ACTIVE else VoteOutcome.DROPPED
    if mark_of(fact) != mark:
        return VoteOutcome.CHANGED if fact.status is Status.ACTIVE else VoteOutcome.DROPPED
    if fact.status is not Status.ACTIVE:
        return VoteOutcome.DROPPED
    for_it, against = support(fact)
    agreed = len(for_it) >= fact.consensus and len(for_it) > len(against)
    return VoteOutcome.AGREED if agreed or fact.authority is Authority.ADMIN else VoteOutcome.OPEN


_FOR = frozenset({"👍", "❤", "🔥", "👌", "💯"})
_AGAINST = frozenset({"👎"})


def read_vote(emojis: Iterable[str]) -> bool | None:
    """Return what a member's reactions vote: for, against, or (None) neither, also when they say both."""
    shown = {emoji.replace("\N{VARIATION SELECTOR-16}", "") for emoji in emojis}
    if bool(shown & _FOR) == bool(shown & _AGAINST):
        return None
    return bool(shown & _FOR)
