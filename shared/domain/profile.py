"""What is believed about one subject, in short: enough to rank it, to tell it and to show where it was learnt.

A profile holds active facts only, and of each what people are shown; the fact itself keeps everything else.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from datetime import datetime
from typing import NamedTuple

from shared.domain.facts import Authority, Fact, Status

QUOTES_SHOWN, QUOTE_SHOWN = 3, 300
"""First quotes of a fact in a profile, and characters of each: what it begins with is still verbatim (own choice)."""


class ProfileQuote(NamedTuple):
    """Where a fact was learnt.

    Attributes:
        name: What the author was called when the profile was made, or "" when nobody knows.
    """

    message_id: int
    user_id: int
    name: str
    quote: str
    sent_at: datetime


class ProfileFact(NamedTuple):
    """One active fact, as a profile holds it. What `Fact` has under the same name means the same.

    Attributes:
        times: Quotes that show it, those not kept here as well.
        supporters: Members whose last word was for it.
        evidence: The first quotes, oldest first.
    """

    id: str
    subject: str
    category: str
    key: str
    value: str
    description: str
    confidence: float
    authority: Authority
    times: int
    supporters: int
    valid_from: datetime | None
    last_reinforced_at: datetime | None
    evidence: tuple[ProfileQuote, ...]

    @property
    def status(self) -> Status:
        """Active: nothing else is in a profile."""
        return Status.ACTIVE


def profile_fact(fact: Fact, names: Mapping[int, str]) -> ProfileFact:
    """A fact as a profile holds it.

    Args:
        names: What the authors of its first quotes are called, by user id.
    """
    return ProfileFact(
        id=fact.id,
        subject=fact.subject,
        category=fact.category,
        key=fact.key,
        value=fact.value,
        description=fact.description,
        confidence=fact.confidence,
        authority=fact.authority,
        times=fact.times,
        supporters=len(fact.supporters),
        valid_from=fact.valid_from,
        last_reinforced_at=fact.last_reinforced_at,
        evidence=tuple(
            ProfileQuote(e.message_id, e.user_id, names.get(e.user_id, ""), e.quote[:QUOTE_SHOWN], e.sent_at)
            for e in fact.evidence[:QUOTES_SHOWN]
        ),
    )


def quoted_names(facts: Iterable[ProfileFact]) -> dict[int, str]:
    """What the people are called who said what is known, by user id; who has no name is not there."""
    return {quote.user_id: quote.name for fact in facts for quote in fact.evidence if quote.name}
