"""Ranks facts by how much they matter right now.

score = confidence x category weight x (0.5 + 0.5 * retention) x evidence boost (chat public memory plan, section 4),
with a true half-life (DESIGN, rulings). Weights and half-life are the operator's.
"""

from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime, timedelta
from typing import TypeVar

from shared.domain.facts.evidence.claim import Authority
from shared.domain.facts.fact import Fact, Status
from shared.domain.facts.profile import ProfileFact
from shared.domain.facts.weights import CATEGORY_WEIGHTS

MAX_BOOST, BOOST_PER_QUOTE = 1.5, 0.1

Known = TypeVar("Known", Fact, ProfileFact)
"""Facts that are ranked, whole or as a profile holds them; the two score alike."""


def retention(age: timedelta, half_life: timedelta) -> float:
    """Share of a fact's strength left after `age` without reinforcement.

    0.5 ** (age / half_life): exactly 0.5 after one half-life. A negative age (clocks differ) counts as none.

    Args:
        age: Time since `Fact.last_reinforced_at`.
        half_life: Greater than zero. Facts: 30 days (design plan, section 4).
    Returns:
        Dimensionless, in [0, 1].
    Raises:
        ValueError: `half_life` is not positive.
    """
    if half_life <= timedelta(0):
        raise ValueError("half_life must be positive")
    return float(0.5 ** (max(age, timedelta(0)) / half_life))


def score_fact(
    fact: Fact | ProfileFact, *, now: datetime, half_life: timedelta, weights: Mapping[str, float] = CATEGORY_WEIGHTS
) -> float:
    """Rank of a fact for the context: the higher the better. One that is pinned does not age.

    Args:
        now: When the fact is to be used.
        half_life: Greater than zero.
        weights: By category, not negative; a category not listed weighs 1.
    Returns:
        0 to 1.5 times the category's weight: 1 + 0.1 for each quote after the first, at most 1.5.
    Raises:
        ValueError: `half_life` is not positive.
    """
    since = fact.last_reinforced_at if fact.pinned_at is None else None
    age = now - since if since else timedelta(0)
    boost = min(MAX_BOOST, 1.0 + BOOST_PER_QUOTE * max(0, fact.evidence_count - 1))
    return fact.confidence * weights.get(fact.category, 1.0) * (0.5 + 0.5 * retention(age, half_life)) * boost


def rank_facts(
    facts: Iterable[Known], *, now: datetime, half_life: timedelta, weights: Mapping[str, float] = CATEGORY_WEIGHTS
) -> list[Known]:
    """The active facts, best first; equal scores keep a stable order by id. Arguments as of `score_fact`."""
    active = [fact for fact in facts if fact.status is Status.ACTIVE]
    return sorted(active, key=lambda fact: (-score_fact(fact, now=now, half_life=half_life, weights=weights), fact.id))


def sort_binding_first(ranked: Iterable[ProfileFact]) -> list[ProfileFact]:
    """Return what an admin laid down or pinned, then the rules of a chat, then all others; each kind in the order
    given.

    However many facts somebody brings about, and however sure and fresh they are, none comes before these.
    """
    return sorted(ranked, key=_kind)


def choose_foremost(ranked: Sequence[ProfileFact], most: int) -> list[ProfileFact]:
    """Choose so many facts: three quarters of the places are for what binds the group, as far as there is any; the
    rest go to the best of all others.

    Args:
        ranked: Best first.
    """
    binding = [fact for fact in sort_binding_first(ranked) if _kind(fact) < _OTHER][: 3 * most // 4]
    told = {fact.id for fact in binding}
    return [*binding, *[fact for fact in ranked if fact.id not in told][: most - len(binding)]]


_OTHER = 2


def _kind(fact: ProfileFact) -> int:
    if fact.subject != "chat":
        return _OTHER
    if fact.authority is Authority.ADMIN or fact.pinned_at is not None:
        return 0
    return 1 if fact.category == "rule" else _OTHER


def first_said(fact: Fact) -> tuple[datetime, int, str]:
    """Return when and where its oldest quote was said, and its id: facts are ordered by age with it."""
    first = min(fact.evidence)
    return first.sent_at, first.message_id, fact.id
