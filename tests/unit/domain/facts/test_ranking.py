from dataclasses import replace
from datetime import timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from shared.domain.facts.evidence.claim import Authority
from shared.domain.facts.fact import CHAT_CATEGORIES, MEMBER_CATEGORIES, Fact, Status
from shared.domain.facts.profile import profile_fact
from shared.domain.facts.ranking import choose_foremost, rank_facts, retention, score_fact, sort_binding_first
from shared.domain.facts.weights import CATEGORY_WEIGHTS
from tests.support.builders import at, evidence

MONTH = timedelta(days=30)


def fact(category="tradition", *, quotes=1, value="friday", confidence=0.8) -> Fact:
    said = tuple(evidence(i, user_id=i, minutes=0) for i in range(1, quotes + 1))
    return Fact(
        "chat", category, "slot", value, f"It is {value}", confidence, said, Authority.CONSENSUS, single=False,
        valid_from=at(0), last_reinforced_at=at(0),
    )  # fmt: skip


def test_half_of_the_strength_is_left_after_one_half_life():
    assert retention(MONTH, MONTH) == 0.5
    assert retention(2 * MONTH, MONTH) == 0.25
    assert retention(timedelta(0), MONTH) == 1.0
    assert retention(-MONTH, MONTH) == 1.0


def test_a_half_life_must_be_positive():
    with pytest.raises(ValueError, match="half_life"):
        retention(MONTH, timedelta(0))


def test_the_score_is_the_formula_of_the_plan():
    rule = fact("rule", confidence=0.9)
    assert score_fact(rule, now=at(0) + MONTH, half_life=MONTH) == pytest.approx(0.9 * 1.5 * 0.75 * 1.0)


def test_the_oldest_fact_keeps_half_of_its_score():
    assert score_fact(fact(), now=at(0) + 1_000 * MONTH, half_life=MONTH) == pytest.approx(0.8 * 1.1 * 0.5)


@pytest.mark.parametrize(("quotes", "boost"), [(0, 1.0), (1, 1.0), (2, 1.1), (6, 1.5), (40, 1.5)])
def test_evidence_boosts_by_half_at_most(quotes, boost):
    score = score_fact(fact(quotes=quotes), now=at(0), half_life=MONTH)
    assert score == pytest.approx(0.8 * 1.1 * boost)


def test_rules_come_before_events_and_closed_facts_do_not_come():
    rule, event = fact("rule"), fact("event")
    gone = replace(rule, value="old", status=Status.EXPIRED, closed_at=at(9))
    assert rank_facts([event, gone, rule], now=at(1), half_life=MONTH) == [rule, event]


def test_the_operators_weights_decide_what_comes_first():
    rule, event = fact("rule"), fact("event")
    weights = {**CATEGORY_WEIGHTS, "rule": 0.5, "event": 2.0}
    assert rank_facts([rule, event], now=at(1), half_life=MONTH, weights=weights) == [event, rule]
    assert score_fact(rule, now=at(0), half_life=MONTH, weights={}) == pytest.approx(0.8)


def test_a_shorter_half_life_prefers_what_is_fresh():
    old, fresh = fact("rule"), replace(fact("culture"), last_reinforced_at=at(0) + MONTH)
    now = at(0) + MONTH
    assert rank_facts([fresh, old], now=now, half_life=100 * MONTH) == [old, fresh]
    assert rank_facts([fresh, old], now=now, half_life=MONTH / 30) == [fresh, old]


def test_the_order_of_equal_facts_does_not_depend_on_the_order_given():
    facts = [fact(value=value) for value in ("a", "b", "c")]
    ranked = rank_facts(facts, now=at(1), half_life=MONTH)
    assert rank_facts(reversed(facts), now=at(1), half_life=MONTH) == ranked


def test_every_category_has_a_weight():
    assert set(CATEGORY_WEIGHTS) == {*CHAT_CATEGORIES, *MEMBER_CATEGORIES}


known = st.lists(
    st.builds(
        lambda category, authority, pinned, subject, number: profile_fact(
            fact(category, value=f"value {number}"), {}
        )._replace(authority=authority, pinned_at=at(0) if pinned else None, subject=subject, id=f"{number}"),
        st.sampled_from(["rule", "preference", "topic"]),
        st.sampled_from(Authority),
        st.booleans(),
        st.sampled_from(["chat", "chat", "user:1"]),
        st.integers(),
    ),
    max_size=30,
    unique_by=lambda each: each.id,
)


def binds(each):
    laid_down = each.authority is Authority.ADMIN or each.pinned_at is not None or each.category == "rule"
    return each.subject == "chat" and laid_down


@given(known, st.integers(0, 12))
def test_the_foremost_are_as_many_as_there_is_room_for_and_none_twice(facts, most):
    told = choose_foremost(facts, most)
    assert len(told) == min(most, len(facts))
    assert len({each.id for each in told}) == len(told)
    assert {each.id for each in told} <= {each.id for each in facts}


@given(known, st.integers(0, 12))
def test_what_binds_a_chat_has_three_quarters_of_the_places_and_the_best_of_all_the_rest(facts, most):
    binding = [each for each in facts if binds(each)]
    told = choose_foremost(facts, most)
    kept = min(len(binding), 3 * most // 4)
    assert all(map(binds, told[:kept]))
    left = [each for each in facts if each not in told[:kept]]
    assert told[kept:] == left[: most - kept]


@given(known)
def test_what_an_admin_laid_down_or_pinned_comes_first_then_rules_and_each_kind_stays_in_its_order(facts):
    ordered = sort_binding_first(facts)
    assert sorted(ordered, key=facts.index) == facts
    kinds = [(not binds(each), each.authority is not Authority.ADMIN and each.pinned_at is None) for each in ordered]
    assert [first for first, _ in kinds] == sorted(first for first, _ in kinds)
    laid_down = [not_admin for not_binding, not_admin in kinds if not not_binding]
    assert laid_down == sorted(laid_down)
    rest = [each for each in ordered if not binds(each)]
    assert rest == [each for each in facts if not binds(each)]
