"""The claim of one value: quotes, votes and rulings, by whom and on whose authority; who is for it, who against."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from enum import IntEnum, StrEnum
from typing import NamedTuple

from shared.domain.text.language import fold

MAX_EVIDENCE = 40
"""Quotes kept with one value; confidence has long been saturated by then."""

MAX_QUOTE, MAX_QUOTE_BYTES = 1_000, 2_000
"""Characters, and bytes of UTF-8, kept of a quote: what it begins with is still verbatim. A thousand
letters of Ukrainian are two thousand bytes, a thousand emoji four."""

MAX_CLAIMS = 6
"""Values remembered of one slot, those said last. With the bounds above and below a fact's document stays
under 0.7 of the 1 MiB that a store takes, whatever is said."""

MAX_VOICES, MAX_WORDINGS = 150, 8
"""Members who vote on one value, and wordings of one value. The first is three
times the largest consensus that can be chosen; of more voters the last ones count."""


CONSENSUS_MEMBERS = 3
"""Distinct members whose own words about the chat make a consensus, and votes that settle a conflict (law 5), unless
the operator chooses another number."""


class Authority(IntEnum):
    """The authority behind a fact; `rank_authority` ranks them."""

    STATISTICS = 0
    MODEL = 1
    CONSENSUS = 2
    OWN_STATEMENT = 3
    ADMIN = 4


def rank_authority(subject: str, authority: Authority) -> int:
    """Rank of an authority: admin > own statement > consensus > model > statistics.

    About the chat, one member's own statement is only theirs and ranks below consensus (law 5).
    """
    if subject == "chat" and authority is Authority.OWN_STATEMENT:
        return 2 * Authority.CONSENSUS - 1
    return 2 * authority


class Quorum(IntEnum):
    """The number of persons who must stand behind what a quote says of the chat before it is believed."""

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
        until: When what it says holds no more, by its own words; None when they do not say.
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
    until: datetime | None = field(default=None, compare=False)


@dataclass(frozen=True, slots=True)
class Vote:
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
    """The kinds of decisions about a value that come from outside the talk."""

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


def is_person(user_id: int) -> bool:
    """Return whether an id is a person's: a channel or an admin who speaks as the group has no voice of its own."""
    return user_id > 0


def words_of(evidence: Iterable[Evidence], voices: Iterable[Vote] = ()) -> list[Vote]:
    """Quotes as words for what they say, and voices; what a model or a count infers from somebody's words is not their
    word."""
    own = (e for e in evidence if e.authority > Authority.MODEL and is_person(e.user_id))
    said = [Vote(e.sent_at, e.user_id, supports=True, message_id=e.message_id) for e in own]
    return said + [voice for voice in voices if is_person(voice.user_id)]


def last_words(evidence: Iterable[Evidence], voices: Iterable[Vote], elsewhere: Iterable[Vote]) -> list[Vote]:
    """The last word of each member who has one for or against a value, by member.

    Args:
        elsewhere: Words for other values of its slot: of who has a word in this one, a later one of them is against it.
    """
    words = words_of(evidence, voices)
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
    voices: tuple[Vote, ...] = ()
    rulings: tuple[Ruling, ...] = ()
    wordings: tuple[str, ...] = ()

    @property
    def value_key(self) -> str:
        """Return what the value goes by, whichever wording is shown."""
        return self.wordings[0] if self.wordings else fold(self.value)

    def says(self, value: str) -> bool:
        """Return whether `value` is a known wording of it."""
        return fold(value) == fold(self.value) or fold(value) in self.wordings

    def words(self) -> list[Vote]:
        """Return what members said or voted for it themselves; what was inferred about them is not their word."""
        return words_of(self.evidence, (voice for voice in self.voices if voice.supports))


class VoteTally(NamedTuple):
    """Members whose last word is for a value, and those whose is a vote against it or, if they spoke
    for it before, for another value."""

    supporters: frozenset[int]
    objectors: frozenset[int]

    def is_against(self, consensus: int) -> bool:
        """Return whether as many object as make a consensus, and more than support it."""
        return self.missing(consensus) == 0

    def missing(self, consensus: int) -> int:
        """Return how many more votes against it make a consensus against it; of members who have not voted yet."""
        return max(consensus, len(self.supporters) + 1, len(self.objectors)) - len(self.objectors)


def tally_of(name: str, claims: Sequence[Claim]) -> VoteTally:
    """Return who is for and who against one of a slot's values, held or not, each by their last word; what was rejected
    counts no more."""
    (meant,) = (claim for claim in claims if claim.value_key == name)
    elsewhere = [word for claim in claims if claim is not meant for word in claim.words()]
    words = last_words(*not_rejected(meant), elsewhere)
    supporters = frozenset(word.user_id for word in words if word.supports)
    return VoteTally(supporters, frozenset(word.user_id for word in words) - supporters)


def not_rejected(claim: Claim) -> tuple[tuple[Evidence, ...], tuple[Vote, ...]]:
    rulings = {ruling.kind: ruling.at for ruling in claim.rulings}
    until, accepted = rulings.get(RulingKind.REJECTED), rulings.get(RulingKind.ACCEPTED)
    if until is None or (accepted is not None and accepted > until):
        return claim.evidence, claim.voices
    return tuple(e for e in claim.evidence if e.sent_at > until), tuple(v for v in claim.voices if v.at > until)


def last_stands(claims: Sequence[Claim]) -> dict[int, str]:
    """The value of the slot that each person is for, by their last words; a person for none is not there."""
    words: list[tuple[Vote, str]] = []
    for claim in claims:
        words += [(word, claim.value_key) for word in words_of(*not_rejected(claim))]
    words.sort(key=lambda said: (said[0].at, said[0].supports, said[0].message_id or 0, said[1]))
    stands: dict[int, str] = {}
    for word, name in words:
        if word.supports:
            stands[word.user_id] = name
        elif stands.get(word.user_id) == name:
            del stands[word.user_id]
    return stands
