"""Which facts matter most right now.

score = confidence x category weight x (0.5 + 0.5 * retention) x evidence boost. Weights, half-life and boost come from
the chat public memory plan (section 4), with a true half-life (DESIGN, rulings).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from datetime import datetime, timedelta

from shared.domain.facts import Fact, Status

CATEGORY_WEIGHTS: Mapping[str, float] = {
    "rule": 1.5,
    "preference": 1.2,
    "tradition": 1.1,
    "culture": 1.0,
    "norm": 0.9,
    "topic": 0.8,
    "shared_knowledge": 0.7,
    "event": 0.6,
}
"""Priority of chat categories; a category not listed (those of members) weighs 1."""


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


def score_fact(fact: Fact, *, now: datetime, half_life: timedelta) -> float:
    """Rank of a fact for the context: the higher the better, in [0, 2.25]."""
    age = now - fact.last_reinforced_at if fact.last_reinforced_at else timedelta(0)
    weight = CATEGORY_WEIGHTS.get(fact.category, 1.0)
    boost = min(1.5, 1.0 + 0.1 * (len(fact.evidence) - 1)) if fact.evidence else 1.0
    return fact.confidence * weight * (0.5 + 0.5 * retention(age, half_life)) * boost


def rank_facts(facts: Iterable[Fact], *, now: datetime, half_life: timedelta) -> list[Fact]:
    """The active facts, best first; equal scores keep a stable order by id."""
    active = [fact for fact in facts if fact.status is Status.ACTIVE]
    return sorted(active, key=lambda fact: (-score_fact(fact, now=now, half_life=half_life), fact.id))
