"""The types of belief: candidates, and facts with everything said in their slots.

How belief follows from what was said is decided in `evidence.belief` (a pure function) and `lifecycle` (steps).
Ids come from content, so repeating a task changes nothing.
"""

import hashlib
from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum
from typing import NamedTuple

from shared.domain.facts.evidence.claim import CONSENSUS_MEMBERS, Authority, Claim, Evidence, Ruling, Vote, last_words
from shared.domain.text.language import fold

CHAT_CATEGORIES = ("preference", "tradition", "rule", "norm", "topic", "culture", "event", "shared_knowledge")
MEMBER_CATEGORIES = ("personal_info", "preference", "experience", "relationship", "goal", "skill")
MIN_CONFIDENCE = 0.70
"""Below this nothing is stored; exactly this is (DESIGN, rulings)."""

ON_PURPOSE = 0.95
"""Confidence of what somebody asks to remember, and of a correction: nobody guessed it."""

MAX_ALIASES = 20
"""Slots merged into one fact."""


class Status(StrEnum):
    """The status of a fact: if it is believed now, and why not."""

    ACTIVE = "active"
    PENDING = "pending"  # contradicts one of higher authority; waits for a vote or more evidence
    DEPRECATED = "deprecated"  # its evidence is gone or it was dropped
    EXPIRED = "expired"  # nobody confirmed it for too long


class FactPin(NamedTuple):
    """The last decision of an admin on whether a fact ages: not on what is believed, so no replay asks for it.

    Attributes:
        holds: Whether it is pinned from then on.
    """

    at: datetime
    holds: bool


def join_pins(one: FactPin | None, other: FactPin | None) -> FactPin | None:
    """Return what holds for two facts that become one: pinned when either is, since when that was decided last."""
    return max((pin for pin in (one, other) if pin is not None), key=lambda pin: (pin.holds, pin.at), default=None)


class Relation(StrEnum):
    """The relation of a candidate to a known fact, as decided by whatever read the talk."""

    CONFIRMS = "confirms"
    REPLACES = "replaces"
    CONTRADICTS = "contradicts"


@dataclass(frozen=True, slots=True)
class Candidate:
    """A fact that somebody proposes to store.

    Attributes:
        subject: "chat" or "user:<id>".
        category: One of the subject's categories.
        key: snake_case slot, e.g. "forbidden_topics".
        value: The slot's content, short, lower case where it is a term ("politics", "friday").
        description: One readable sentence in the language of the talk.
        confidence: 0 to 1.
        evidence: At least one quote, each by the author it names.
        authority: Who stands behind it.
        single: Whether the slot holds one value at a time (a new one replaces the old) or many side by side.
        voices: Members who spoke for or against it without saying it themselves.
        holds: Whether enough agree for it to be learnt; else it only adds to a value that is known already.
        known, relation: The id of the fact that it speaks of, and what it is to that one; "" and None: for
            deduplication to find out.
        rewords: Whether a known value that it says again is told in its words from now on.
    """

    subject: str
    category: str
    key: str
    value: str
    description: str
    confidence: float
    evidence: tuple[Evidence, ...]
    authority: Authority = Authority.OWN_STATEMENT
    single: bool = False
    voices: tuple[Vote, ...] = ()
    holds: bool = True
    known: str = ""
    relation: Relation | None = None
    rewords: bool = False


@dataclass(frozen=True, slots=True)
class Fact:
    """A belief about a subject in one slot, with everything else that was said in it.

    Attributes:
        confidence: In [0, 0.99], computed from evidence and voices alone; 0 when nothing is believed.
        evidence: Quotes for the value, oldest first, at most `MAX_EVIDENCE`; without those that were rejected.
        version: How many changes led here; 1 is the creation.
        valid_from: When the value began to hold: the quote, vote or ruling that made it so.
        last_reinforced_at: The newest quote or vote for it.
        closed_at: When it stopped being believed (status not active), else None.
        conflicts_with: Of a pending rival, the id of the fact that it contradicts, else None.
        anchor: The value that is part of the id (many-valued slots, pending rivals), else None.
        aliases: Ids of other slots whose candidates were found to say the same.
        others: The slot's other values, closed or pending, and rejected quotes for this one.
        pin: Whether an admin keeps it from ageing, whatever value its slot holds; None when nobody ever decided.
        consensus: Members whose agreement counts as the chat's own; the operator's choice now.
        believed_with: The choice by which this was believed, or None when that is not known.
    """

    subject: str
    category: str
    key: str
    value: str
    description: str
    confidence: float
    evidence: tuple[Evidence, ...]
    authority: Authority
    single: bool
    status: Status = Status.ACTIVE
    version: int = 1
    valid_from: datetime | None = None
    last_reinforced_at: datetime | None = None
    closed_at: datetime | None = None
    conflicts_with: str | None = None
    anchor: str | None = None
    aliases: tuple[str, ...] = ()
    voices: tuple[Vote, ...] = ()
    rulings: tuple[Ruling, ...] = ()
    wordings: tuple[str, ...] = ()
    others: tuple[Claim, ...] = ()
    pin: FactPin | None = None
    consensus: int = field(default=CONSENSUS_MEMBERS, compare=False)
    believed_with: int | None = field(default=None, compare=False)

    @property
    def id(self) -> str:
        """Derived from the slot; of many-valued slots and pending rivals also from the value."""
        if self.conflicts_with is not None:
            return rival_id(self.conflicts_with, self.value_key)
        anchor = self.anchor if self.anchor is not None or self.single else self.value
        return fact_id(self.subject, self.category, self.key, anchor)

    @property
    def value_key(self) -> str:
        """Return what the value goes by, whichever wording is shown."""
        return self.wordings[0] if self.wordings else fold(self.value)

    @property
    def evidence_count(self) -> int:
        """Return how many quotes show it."""
        return len(self.evidence)

    @property
    def holds_until(self) -> datetime | None:
        """Return when it holds no more, by the last words that were said for it; None when they do not say."""
        return max(self.evidence, key=lambda e: (e.sent_at, e.message_id)).until if self.evidence else None

    @property
    def pinned_at(self) -> datetime | None:
        """Since when an admin keeps it from ageing, or None."""
        return self.pin.at if self.pin is not None and self.pin.holds else None

    @property
    def supporters(self) -> frozenset[int]:
        """Return whose last word was for it."""
        return frozenset(voice.user_id for voice in self._last_words() if voice.supports)

    @property
    def objectors(self) -> tuple[Vote, ...]:
        """Return, by member, the last word against it or for another value after this one, with when and where."""
        return tuple(voice for voice in self._last_words() if not voice.supports)

    @property
    def participant_consensus(self) -> float | None:
        """Share of those whose last word was for it among all who said anything: supporters / (supporters + objectors).

        In [0, 1]; 1.0 when nobody objects; None when nobody has a word in it (it is believed no more).
        """
        for_it, against = len(self.supporters), len(self.objectors)
        return for_it / (for_it + against) if for_it or against else None

    def _last_words(self) -> list[Vote]:
        elsewhere = [word for claim in self.others if claim.value_key != self.value_key for word in claim.words()]
        return last_words(self.evidence, self.voices, elsewhere)


def hash_parts(parts: list[str]) -> str:
    return hashlib.sha256("\x1f".join(parts).encode("utf-8", "surrogatepass")).hexdigest()[:32]


def fact_id(subject: str, category: str, key: str, value: str | None) -> str:
    """Id of the slot (`value` None) or of one value of a many-valued slot: 32 hex digits."""
    return hash_parts([subject, category, key, *([] if value is None else [fold(value)])])


def candidate_id(candidate: Candidate) -> str:
    """Id of the fact that the candidate would create."""
    value = None if candidate.single else candidate.value
    return fact_id(candidate.subject, candidate.category, candidate.key, value)


def rival_id(fact_id: str, name: str) -> str:
    """Id under which a value waits that contradicts a fact of higher authority."""
    return hash_parts(["rival", fact_id, name])
