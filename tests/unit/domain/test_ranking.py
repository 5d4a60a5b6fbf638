from datetime import timedelta

import pytest

from shared.domain.facts import Status, expire, learn
from shared.domain.ranking import rank_facts, retention, score_fact
from tests.unit.domain.builders import at, candidate, evidence

MONTH = timedelta(days=30)


def test_half_of_the_strength_is_left_after_one_half_life():
    assert retention(MONTH, MONTH) == 0.5
    assert retention(2 * MONTH, MONTH) == 0.25
    assert retention(timedelta(0), MONTH) == 1.0
    assert retention(-MONTH, MONTH) == 1.0


def test_a_half_life_must_be_positive():
    with pytest.raises(ValueError, match="half_life"):
        retention(MONTH, timedelta(0))


def test_the_score_is_the_formula_of_the_plan():
    fact = learn(None, candidate("politics", evidence(0), category="rule", confidence=0.9)).after
    assert score_fact(fact, now=at(0) + MONTH, half_life=MONTH) == pytest.approx(0.9 * 1.5 * 0.75 * 1.0)


def test_evidence_boosts_by_half_at_most():
    quotes = [evidence(i, user_id=i, minutes=0) for i in range(1, 12)]
    fact = learn(None, candidate("friday", *quotes)).after
    assert score_fact(fact, now=at(0), half_life=MONTH) == pytest.approx(fact.confidence * 1.1 * 1.5)


def test_rules_come_before_events_and_closed_facts_do_not_come():
    rule = learn(None, candidate("politics", category="rule")).after
    event = learn(None, candidate("trip", category="event")).after
    gone = expire(learn(None, candidate("old", category="rule")).after, now=at(9), unconfirmed_since=at(9)).after
    assert gone.status is Status.EXPIRED
    assert rank_facts([event, gone, rule], now=at(1), half_life=MONTH) == [rule, event]
