"""Two stored facts that turn out to be about the same become one.

Each keeps its slot until then, so neither saw the other's words. Folding puts everything that was said in the one slot
into the other, as if it had been learnt there, and lets the whole be replayed (`belief`). So no quote, voice, ruling or
value is lost within the slot's bounds, and what is believed depends on what was said and when, not on which two of
several facts met first (law 10).

Facts that contradict each other are folded like those that agree. Left side by side both would be believed; as two
values of one slot the replay decides as it does for talk: the later word holds when its standing is high enough and
closes the other on that day (law 6), a weaker one waits as a rival that members can vote on (law 5). Nothing is
decided that learning would not have decided, had it known both in one slot. That two such values may go by the same
word ("likes coffee", "dislikes coffee") is seen to by `claims`.
"""

from dataclasses import replace
from datetime import datetime
from typing import NamedTuple

from shared.domain.facts.change import Cause, FactChange, change_between, close_rival, quality_of
from shared.domain.facts.claims import Judge, Verdict, claims_of, judge_by_value, with_said
from shared.domain.facts.evidence.claim import MAX_EVIDENCE, rank_authority
from shared.domain.facts.fact import MAX_ALIASES, Fact, Status, join_pins
from shared.domain.facts.ranking import first_said
from shared.domain.facts.slot import rebuild, rivals


class Folding(NamedTuple):
    """The two changes by which two facts became one.

    Attributes:
        change: What it made of the fact that stays; what became of its rivals is in `also`.
        gone: The end of the other one, which is no fact of its own any more; its rivals wait no more (`also`).
    """

    change: FactChange
    gone: FactChange


def fold(one: Fact, other: Fact, *, now: datetime, judge: Judge = judge_by_value, score: float = 1.0) -> Folding | None:
    """Make one fact of two active ones of a subject; None when they are about different things, or one is not active,
    or nothing would be believed any more.

    The one with the higher standing stays, then the surer, the older, the one with the lower id; with its wording
    where both say the same in as many words. The other's id leads to it from now on (`Fact.aliases`).

    Args:
        judge: Tells what the newer of the two is to the older one, and what their other values are to each other.
        score: How alike the two are, for the quality record.
    """
    if one.id == other.id or one.subject != other.subject or not (may_fold(one) and may_fold(other)):
        return None
    verdict = judge(*sorted((one, other), key=first_said))
    if verdict is Verdict.DISTINCT:
        return None
    kept, gone = sort_by_strength(one, other)
    after = _with_all_of(kept, gone, judge)
    if after.status is not Status.ACTIVE:
        return None  # what was rejected in one slot had replaced what is believed in the other: people must say
    change = change_between("merge", kept, after, Cause.FOLDED, score=score)
    if change is None:
        return None
    quality = change.quality
    told = any({kept.value_key, gone.value_key} <= {*record.names} for record in quality)
    if verdict is not Verdict.CONFLICTS or not told:
        quality = (*quality, quality_of(kept, gone, verdict, score=score))
    return Folding(replace(change, quality=quality), _end(gone, now))


def may_fold(fact: Fact) -> bool:
    """Return whether a fact is believed, and no rival: these are projections of the fact that they contradict."""
    return fact.status is Status.ACTIVE and fact.conflicts_with is None and bool(fact.evidence)


def sort_by_strength(one: Fact, other: Fact) -> tuple[Fact, Fact]:
    """Return which of two facts stays when they become one, and which goes."""
    stronger, weaker = sorted(
        (one, other), key=lambda f: (-rank_authority(f.subject, f.authority), -f.confidence, *first_said(f))
    )
    return stronger, weaker


def _with_all_of(kept: Fact, gone: Fact, judge: Judge) -> Fact:
    """The slot of one fact with everything that was said in the other's."""
    claims = claims_of(kept)
    for claim in claims_of(gone):
        said = replace(gone, value=claim.value, description=claim.description)
        claims, _, _ = with_said(kept, claims, said, claim, judge)
    # Of too many aliases any are kept, but always that of the slot that goes now.
    known = sorted({*kept.aliases, *gone.aliases} - {kept.id, gone.id})[-(MAX_ALIASES - 1) :]
    shell = replace(kept, aliases=tuple(sorted({*known, gone.id})), pin=join_pins(kept.pin, gone.pin))
    after = rebuild(shell, claims, closed_at=None)
    newly_opposed = {voice.user_id for voice in gone.objectors} - {voice.user_id for voice in kept.objectors}
    if len(after.evidence) == MAX_EVIDENCE and after.value_key == kept.value_key and not newly_opposed:
        after = replace(after, confidence=max(kept.confidence, after.confidence))  # law 2, beyond what is kept
    return after


def _end(gone: Fact, now: datetime) -> FactChange:
    """The last step of the fact that goes: its rivals are those of the other one now."""
    after = replace(gone, status=Status.DEPRECATED, closed_at=now, version=gone.version + 1)
    closed = [(rival, close_rival(rival, now, after.version)) for rival in rivals(gone).values()]
    ends = tuple(FactChange("deprecation", rival, end, Cause.FOLDED) for rival, end in closed)
    over = tuple(quality_of(gone, rival, Verdict.CONFLICTS) for rival, _ in closed)
    return FactChange("merge", gone, after, Cause.FOLDED, ends, over)
