"""Decides if two readings are of one statement: of one person, in overlapping words of one message.

What patterns and a model make of the same words is one fact, told in the model's words.
"""

from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Protocol

from shared.domain.facts.evidence.claim import Quorum
from shared.domain.facts.fact import Candidate
from shared.domain.facts.profile import ProfileFact
from shared.domain.reading.fact_keys import BINDING
from shared.domain.text.language import fold


class _Quoting(Protocol):
    @property
    def message_id(self) -> int: ...
    @property
    def quote(self) -> str: ...


def is_said_by(candidate: Candidate, fact: ProfileFact) -> bool:
    """Return whether a candidate reads what a known fact was learnt from: the same slot, in the same words."""
    same_slot = (candidate.subject, candidate.category, candidate.key) == (fact.subject, fact.category, fact.key)
    return same_slot and _overlap(candidate.evidence, fact.evidence)


def join_lanes(read: Iterable[Candidate], matched: Sequence[Candidate]) -> list[Candidate]:
    """Return what a model read, with what patterns know of the same words; what they alone found is left out.

    Of patterns remain who stands behind a statement and by which right, what only agrees or objects, and what a
    consensus of members lays down, which no single quote shows.

    Args:
        read: What the model found.
        matched: What patterns found in the same talk.
    """
    joined = [_with_backing(one, [each for each in matched if _is_same(one, each)]) for one in read]
    counted = [each for each in matched if not each.holds or any(e.quorum is Quorum.CONSENSUS for e in each.evidence)]
    return joined + [each for each in counted if not any(_is_same(one, each) for one in joined)]


def needs_agreement(read: Candidate, matched: Iterable[Candidate]) -> bool:
    """Return whether patterns know the words of what a model read, under whatever key, for a rule that no admin laid
    down: it holds as far as members agree."""
    return any(
        each.subject == read.subject == "chat" and each.category in BINDING and _overlap(read.evidence, each.evidence)
        for each in matched
        if any(quote.quorum is Quorum.CONSENSUS for quote in each.evidence)
    )


def _is_same(one: Candidate, other: Candidate) -> bool:
    alike = one.category == other.category or one.key == other.key
    return one.subject == other.subject and alike and _overlap(one.evidence, other.evidence)


def _with_backing(read: Candidate, matched: Sequence[Candidate]) -> Candidate:
    quoted = {quote.message_id for quote in read.evidence}
    others = {quote.message_id: quote for each in matched for quote in each.evidence if quote.message_id not in quoted}
    return replace(
        read,
        evidence=(*read.evidence, *others.values()),
        authority=max([read.authority, *(each.authority for each in matched)]),
        voices=tuple(dict.fromkeys(voice for each in (read, *matched) for voice in each.voices)),
    )


def _overlap(some: Sequence[_Quoting], others: Sequence[_Quoting]) -> bool:
    pairs = ((fold(one.quote), fold(other.quote)) for one in some for other in others
             if one.message_id == other.message_id)  # fmt: skip
    return any(one in other or other in one for one, other in pairs)
