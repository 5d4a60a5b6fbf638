"""What is believed, as types: candidates, facts with their evidence, voices and rulings, and what changed.

How belief follows from them is decided in `belief` (a pure function of everything said) and `lifecycle` (steps).
Ids come from content, so repeating a task changes nothing.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from datetime import datetime
from enum import IntEnum, StrEnum
from typing import NamedTuple

from shared.domain.text.language import fold

CHAT_CATEGORIES = ("preference", "tradition", "rule", "norm", "topic", "culture", "event", "shared_knowledge")
MEMBER_CATEGORIES = ("personal_info", "preference", "experience", "relationship", "goal", "skill")
MIN_CONFIDENCE = 0.70
"""Below this nothing is stored; exactly this is (DESIGN, rulings)."""

MAX_EVIDENCE = 40
"""Quotes kept with one value; confidence has long been saturated by then."""

MAX_QUOTE, MAX_QUOTE_BYTES = 1_000, 2_000
"""Characters, and bytes of UTF-8, kept of a quote: what it begins with is still verbatim. A thousand
letters of Ukrainian are two thousand bytes, a thousand emoji four."""

MAX_CLAIMS = 6
"""Values remembered of one slot, those said last. With the bounds above and below a fact's document stays
under 0.7 of the 1 MiB that a store takes, whatever is said."""

MAX_VOICES, MAX_ALIASES, MAX_WORDINGS = 150, 20, 8
"""Members who vote on one value, slots merged into one fact, wordings of one value. The first is three
times the largest consensus that can be chosen; of more voters the last ones count."""

CONSENSUS_MEMBERS = 3
"""Distinct members whose own words about the chat make a consensus, and votes that settle a conflict (law 5), unless
the operator chooses another number."""


class Authority(IntEnum):
    """Who stands behind a fact. `standing` ranks them: about the chat, one member's word is only theirs."""

    STATISTICS = 0
    MODEL = 1
    CONSENSUS = 2
    OWN_STATEMENT = 3
    ADMIN = 4


class Status(StrEnum):
    """Whether a fact is believed now."""

    ACTIVE = "active"
    PENDING = "pending"  # contradicts one of higher authority; waits for a vote or more evidence
    DEPRECATED = "deprecated"  # its evidence is gone or it was dropped
    EXPIRED = "expired"  # nobody confirmed it for too long


class Quorum(IntEnum):
    """How many persons must stand behind what a quote says of the chat before it is believed."""

    ONE = 0  # it tells what is so, or lays it down with the right to
    SECONDED = 1  # a proposal: its author and one more
    CONSENSUS = 2  # a rule that no admin said: as many as make a consensus (law 5)

    def members(self, consensus: int) -> int:
        """The number of persons."""
        return (1, min(2, consensus), consensus)[self]


@dataclass(frozen=True, slots=True, order=True)
class Evidence:
    """One verbatim quote of one stored message by its author, and on whose authority it counts.

    Attributes:
        authority: Never `CONSENSUS`: what that comes to is for the replay to see, each time anew.
        agrees: Whether it only agrees with another quote ("+1"); alone it says nothing.
        answers: Id of the message that it agrees with or answers: it was given to the words that stood there, and goes
            with them. 0 when it stands by itself.
        quorum: How many must stand behind it.
    """

    sent_at: datetime
    message_id: int
    user_id: int
    quote: str
    confidence: float = 0.8
    authority: Authority = Authority.OWN_STATEMENT
    agrees: bool = False
    answers: int = 0
    quorum: Quorum = Quorum.ONE


@dataclass(frozen=True, slots=True)
class Voice:
    """A member for or against a value without a quote of their own. A member has one voice: the last one counts.

    Attributes:
        message_id: The message that says so, or None for a button.
        answers: Id of the message to whose words it was given, else 0.
    """

    at: datetime
    user_id: int
    supports: bool
    message_id: int | None = None
    answers: int = 0


class RulingKind(StrEnum):
    """What was decided about a value from outside of what was said."""

    ACCEPTED = "accepted"
    REJECTED = "rejected"  # what was said for it until then counts no more
    EXPIRED = "expired"  # nobody had confirmed it since `known_until`


@dataclass(frozen=True, slots=True)
class Ruling:
    """A decision about one value.

    Attributes:
        user_id: Who decided, or None for the decay job.
        known_until: Of an expiry: the newest word then known. A newer one that arrives late undoes the expiry.
        fresh_since: Of an expiry: a value that was said after this takes the place of what expires.
    """

    at: datetime
    kind: RulingKind
    authority: Authority = Authority.ADMIN
    user_id: int | None = None
    known_until: datetime | None = None
    fresh_since: datetime | None = None


class FactPin(NamedTuple):
    """The last decision of an admin on whether a fact ages: not on what is believed, so no replay asks for it.

    Attributes:
        holds: Whether it is pinned from then on.
    """

    at: datetime
    holds: bool


def joined_pin(one: FactPin | None, other: FactPin | None) -> FactPin | None:
    """Return what holds for two facts that become one: pinned when either is, since when that was decided last."""
    return max((pin for pin in (one, other) if pin is not None), key=lambda pin: (pin.holds, pin.at), default=None)


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
    voices: tuple[Voice, ...] = ()
    holds: bool = True


def is_person(user_id: int) -> bool:
    """Whether an id is a person's: a channel, or an admin who speaks as the group, is nobody's voice of their own."""
    return user_id > 0


def words_of(evidence: Iterable[Evidence]) -> list[Voice]:
    """Quotes as words for what they say; what a model or a count infers from somebody's words is not their word."""
    own = (e for e in evidence if e.authority > Authority.MODEL and is_person(e.user_id))
    return [Voice(e.sent_at, e.user_id, supports=True, message_id=e.message_id) for e in own]


def last_words(evidence: Iterable[Evidence], voices: Iterable[Voice], elsewhere: Iterable[Voice]) -> list[Voice]:
    """The last word of each member who has one for or against a value, by member.

    Args:
        elsewhere: Words for other values of its slot: of who has a word in this one, a later one of them is against it.
    """
    words = [*words_of(evidence), *(voice for voice in voices if is_person(voice.user_id))]
    in_slot = {word.user_id for word in words}
    words += [replace(word, supports=False) for word in elsewhere if word.user_id in in_slot]
    last = {word.user_id: word for word in sorted(words, key=lambda w: (w.at, w.supports, w.message_id or 0))}
    return [last[user_id] for user_id in sorted(last)]


@dataclass(frozen=True, slots=True)
class Claim:
    """One value that was said in a slot, held or not.

    Attributes:
        wordings: Folded values that say the same, the one it was first stored under first.
    """

    value: str
    description: str
    evidence: tuple[Evidence, ...] = ()
    voices: tuple[Voice, ...] = ()
    rulings: tuple[Ruling, ...] = ()
    wordings: tuple[str, ...] = ()

    @property
    def value_key(self) -> str:
        """What the value goes by, whichever wording is shown."""
        return self.wordings[0] if self.wordings else fold(self.value)

    def says(self, value: str) -> bool:
        """Return whether `value` is a known wording of it."""
        return fold(value) == fold(self.value) or fold(value) in self.wordings

    def words(self) -> list[Voice]:
        """Return what members said or voted for it themselves; what was inferred about them is not their word."""
        return words_of(self.evidence) + [voice for voice in self.voices if voice.supports and is_person(voice.user_id)]


@dataclass(frozen=True, slots=True)
class Fact:
    """What is believed about a subject in one slot, and everything else that was said in it.

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
    voices: tuple[Voice, ...] = ()
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
        """What the value goes by, whichever wording is shown."""
        return self.wordings[0] if self.wordings else fold(self.value)

    @property
    def evidence_count(self) -> int:
        """How many quotes show it."""
        return len(self.evidence)

    @property
    def pinned_at(self) -> datetime | None:
        """Since when an admin keeps it from ageing, or None."""
        return self.pin.at if self.pin is not None and self.pin.holds else None

    @property
    def supporters(self) -> frozenset[int]:
        """Whose last word was for it."""
        return frozenset(voice.user_id for voice in self._last_words() if voice.supports)

    @property
    def objectors(self) -> tuple[Voice, ...]:
        """Whose last word was against it, or for another value after this one, with when and where; by member."""
        return tuple(voice for voice in self._last_words() if not voice.supports)

    @property
    def participant_consensus(self) -> float | None:
        """Share of those whose last word was for it among all who said anything: supporters / (supporters + objectors).

        In [0, 1]; 1.0 when nobody objects; None when nobody has a word in it (it is believed no more).
        """
        for_it, against = len(self.supporters), len(self.objectors)
        return for_it / (for_it + against) if for_it or against else None

    def _last_words(self) -> list[Voice]:
        elsewhere = [word for claim in self.others if claim.value_key != self.value_key for word in claim.words()]
        return last_words(self.evidence, self.voices, elsewhere)


@dataclass(frozen=True, slots=True)
class Quality:
    """What was made of two statements: one of the records by which the memory is judged.

    Attributes:
        kind: "merge" or "conflict".
        existing: Key, value and description of what was known.
        incoming: The same of what came.
        verdict: Of deduplication, "duplicate", "reinforces" or "conflicts".
        score: How alike the two are, in [0, 1]; 1 in one and the same slot.
        resolved: False while a conflict is pending.
        names: What the two values go by, however they are worded.
        message_ids: Where the incoming statement was said.
    """

    kind: str
    fact_id: str
    subject: str
    existing: tuple[str, str, str]
    incoming: tuple[str, str, str]
    verdict: str
    score: float
    resolved: bool
    names: tuple[str, str]
    message_ids: tuple[int, ...] = ()

    @property
    def id(self) -> str:
        """The same for the same two values, whichever came first."""
        keys = (self.existing[0], self.incoming[0])
        pair = sorted("\x1e".join(said) for said in zip(keys, self.names, strict=True))
        return _hash_parts([self.kind, self.fact_id, *pair])


@dataclass(frozen=True, slots=True)
class FactChange:
    """One step in the life of a fact.

    Attributes:
        kind: creation, reinforcement, evolution, correction, deprecation, expiry, revival; also objection (a voice
            against), contradiction (somebody said otherwise and it is pending), history (an older value came late),
            merge (two facts were found to be about the same and became one), pinned and unpinned.
        before: The fact as it was, None at creation.
        after: The fact as it is now.
        cause: One readable sentence.
        also: What else changed in the same slot: of a contradiction the fact that is contradicted, of a settled
            conflict the rivals.
        quality: Merges and conflicts that this step found or settled.
    """

    kind: str
    before: Fact | None
    after: Fact
    cause: str
    also: tuple[FactChange, ...] = ()
    quality: tuple[Quality, ...] = ()

    @property
    def belief(self) -> Fact:
        """The slot's fact after the change; not `after` when that is a pending rival."""
        return next((c.after for c in (self, *self.also) if c.after.conflicts_with is None), self.after)


def _hash_parts(parts: list[str]) -> str:
    return hashlib.sha256("\x1f".join(parts).encode("utf-8", "surrogatepass")).hexdigest()[:32]


def fact_id(subject: str, category: str, key: str, value: str | None) -> str:
    """Id of the slot (`value` None) or of one value of a many-valued slot: 32 hex digits."""
    return _hash_parts([subject, category, key, *([] if value is None else [fold(value)])])


def candidate_id(candidate: Candidate) -> str:
    """Id of the fact that the candidate would create."""
    value = None if candidate.single else candidate.value
    return fact_id(candidate.subject, candidate.category, candidate.key, value)


def rival_id(fact_id: str, name: str) -> str:
    """Id under which a value waits that contradicts a fact of higher authority."""
    return _hash_parts(["rival", fact_id, name])
