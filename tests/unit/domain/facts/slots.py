"""Slots in which something was said, voted on or is in dispute."""

from __future__ import annotations

from hypothesis import strategies as st

from shared.domain.facts.evidence.claim import Authority, Vote
from shared.domain.facts.lifecycle import learn
from shared.domain.facts.revision import cast_voice
from tests.support.builders import at, candidate, evidence

OWN, ADMIN, MODEL = Authority.OWN_STATEMENT, Authority.ADMIN, Authority.MODEL


def believed(*candidates):
    """The fact that these candidates leave in their slot."""
    fact = None
    for each in candidates:
        change = learn(fact, each)
        fact = fact if change is None else change.belief
    return fact


def disputed(*quotes):
    """An admin's Friday against a member's Saturday."""
    quotes = quotes or (evidence(5, user_id=9),)
    saturday = [candidate("saturday", quote, authority=OWN) for quote in quotes]
    return believed(candidate("friday", evidence(1), authority=ADMIN), *saturday)


def fact(authority=OWN, user_id=101, **more):
    return learn(None, candidate("friday", evidence(1, user_id=user_id), authority=authority, **more)).after


def voted(known, *voices, name=None):
    for voice in voices:
        change = cast_voice(known, name or known.value_key, voice)
        known = change.belief if change else known
    return known


def against(*user_ids, start=10):
    return [Vote(at(start + n), user_id, supports=False) for n, user_id in enumerate(user_ids)]


quotes = st.builds(
    lambda message_id, user_id, confidence: evidence(message_id, user_id=user_id, confidence=confidence),
    st.integers(1, 50),
    st.integers(1, 8),
    st.floats(0.7, 1.0),
)
