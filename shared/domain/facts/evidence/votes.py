"""Who is for and who against a value, and how far an authority reaches."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from shared.domain.facts.evidence.claim import (
    Authority,
    Claim,
    Evidence,
    RulingKind,
    Voice,
    is_person,
    last_words,
    words_of,
)


def standing(subject: str, authority: Authority) -> int:
    """Rank of an authority: admin > own statement > consensus > model > statistics.

    About the chat, one member's own statement is only theirs and ranks below consensus (law 5).
    """
    if subject == "chat" and authority is Authority.OWN_STATEMENT:
        return 2 * Authority.CONSENSUS - 1
    return 2 * authority


class VoteTally(NamedTuple):
    """Members whose last word is for a value, and those whose is a vote against it or, for who spoke
    for it before, for another value."""

    supporters: frozenset[int]
    objectors: frozenset[int]

    def is_against(self, consensus: int) -> bool:
        """Return whether as many object as make a consensus, and more than support it."""
        return self.missing(consensus) == 0

    def missing(self, consensus: int) -> int:
        """Return how many more votes against it make a consensus against it; of members who have not voted yet."""
        return max(consensus, len(self.supporters) + 1, len(self.objectors)) - len(self.objectors)


def tally(evidence: Iterable[Evidence], voices: Iterable[Voice], elsewhere: Iterable[Voice] = ()) -> VoteTally:
    """Return who is for and who against a value, each by their last word (`last_words`)."""
    words = last_words(evidence, voices, elsewhere)
    return VoteTally(
        frozenset(word.user_id for word in words if word.supports),
        frozenset(word.user_id for word in words if not word.supports),
    )


def tally_of(name: str, claims: Sequence[Claim]) -> VoteTally:
    """Return who is for and who against one of a slot's values, held or not; what was rejected counts no more."""
    (meant,) = (claim for claim in claims if claim.value_key == name)
    return tally(*not_rejected(meant), [word for claim in claims if claim is not meant for word in claim.words()])


def not_rejected(claim: Claim) -> tuple[tuple[Evidence, ...], tuple[Voice, ...]]:
    rulings = {ruling.kind: ruling.at for ruling in claim.rulings}
    until, accepted = rulings.get(RulingKind.REJECTED), rulings.get(RulingKind.ACCEPTED)
    if until is None or (accepted is not None and accepted > until):
        return claim.evidence, claim.voices
    return tuple(e for e in claim.evidence if e.sent_at > until), tuple(v for v in claim.voices if v.at > until)


def last_stands(claims: Sequence[Claim]) -> dict[int, str]:
    """The value of the slot that each person is for, as far as their last words tell; who is for none is not there."""
    words = [(word, claim.value_key) for claim in claims for word in _words_left(claim)]
    words.sort(key=lambda said: (said[0].at, said[0].supports, said[0].message_id or 0, said[1]))
    stands: dict[int, str] = {}
    for word, name in words:
        if word.supports:
            stands[word.user_id] = name
        elif stands.get(word.user_id) == name:
            del stands[word.user_id]
    return stands


def _words_left(claim: Claim) -> list[Voice]:
    evidence, voices = not_rejected(claim)
    return [*words_of(evidence), *(voice for voice in voices if is_person(voice.user_id))]
