"""The laws of memory that one fact obeys (DESIGN, laws 2, 5, 6 and 10)."""

from dataclasses import replace
from datetime import timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from shared.domain.facts import (
    MAX_EVIDENCE,
    Authority,
    Status,
    candidate_id,
    combined_confidence,
    expire,
    fact_id,
    learn,
    merge,
    retract,
)
from tests.unit.domain.builders import at, candidate, evidence

quotes = st.builds(
    lambda message_id, user_id, confidence: evidence(message_id, user_id=user_id, confidence=confidence),
    st.integers(1, 50),
    st.integers(1, 8),
    st.floats(0.7, 1.0),
)


@given(st.lists(quotes, min_size=1, max_size=12), quotes)
def test_another_quote_never_lowers_belief(known, new):
    assert combined_confidence([*known, new]) >= combined_confidence(known)


@given(st.lists(quotes, min_size=1, max_size=12), st.randoms())
def test_the_order_of_quotes_does_not_matter(known, random):
    shuffled = random.sample(known, len(known))
    assert combined_confidence(shuffled) == combined_confidence(known)


@given(st.lists(quotes, max_size=30))
def test_belief_stays_between_zero_and_ninety_nine_percent(known):
    assert 0.0 <= combined_confidence(known) <= 0.99


def test_another_members_word_weighs_more_than_ones_own_again():
    base = [evidence(1, user_id=1)]
    by_other = combined_confidence([*base, evidence(2, user_id=2)])
    by_same = combined_confidence([*base, evidence(2, user_id=1)])
    assert by_other == pytest.approx(0.8 + 0.2 * 0.5 * 0.8)
    assert by_same == pytest.approx(0.8 + 0.2 * 0.1 * 0.8)


def test_the_first_candidate_makes_a_fact_with_its_evidence():
    change = learn(None, candidate("friday", evidence(1)))
    assert change.kind == "creation"
    assert change.after.confidence == 0.8
    assert change.after.valid_from == at(1)
    assert change.after.status is Status.ACTIVE


def test_learning_the_same_twice_changes_nothing():
    fact = learn(None, candidate("friday", evidence(1))).after
    assert learn(fact, candidate("friday", evidence(1))) is None


def test_the_same_value_in_other_case_reinforces():
    fact = learn(None, candidate("friday", evidence(1))).after
    change = learn(fact, candidate("Friday ", evidence(2, user_id=102)))
    assert change.kind == "reinforcement"
    assert change.after.confidence > fact.confidence
    assert change.after.last_reinforced_at == at(2)
    assert change.after.version == 2


@given(st.permutations([1, 2, 3, 4]), st.lists(st.integers(1, 4), max_size=4))
def test_order_and_repetition_of_deliveries_do_not_change_a_fact(order, repeats):
    def believe(ids):
        fact = None
        for message_id in ids:
            change = learn(fact, candidate("friday", evidence(message_id, user_id=message_id)))
            fact = change.after if change else fact
        return replace(fact, version=0)

    assert believe([*order, *repeats]) == believe([1, 2, 3, 4])


def test_a_new_value_of_equal_authority_replaces_the_old_one():
    fact = learn(None, candidate("friday", evidence(1))).after
    change = learn(fact, candidate("saturday", evidence(5)))
    assert change.kind == "evolution"
    assert (change.before.value, change.after.value) == ("friday", "saturday")
    assert change.after.valid_from == at(5)
    assert change.after.id == fact.id


def test_an_older_value_that_arrives_late_does_not_win():
    fact = learn(None, candidate("saturday", evidence(5))).after
    assert learn(fact, candidate("friday", evidence(1))) is None


def test_one_message_does_not_overturn_a_fact_of_higher_authority():
    fact = learn(None, candidate("friday", evidence(1), authority=Authority.ADMIN)).after
    change = learn(fact, candidate("saturday", evidence(5), authority=Authority.OWN_STATEMENT))
    assert change.after.status is Status.PENDING
    assert change.after.conflicts_with == fact.id
    assert change.after.id != fact.id


def test_a_pending_rival_gathers_evidence_and_wins_with_authority():
    fact = learn(None, candidate("friday", evidence(1))).after
    rival = learn(fact, candidate("saturday", evidence(5), authority=Authority.OWN_STATEMENT)).after
    change = learn(fact, candidate("saturday", evidence(6, user_id=9)), rival)
    assert change.kind == "evolution"
    assert {e.message_id for e in change.after.evidence} == {5, 6}


def test_a_rival_that_was_settled_neither_wins_nor_stands_in_the_way():
    fact = learn(None, candidate("friday", evidence(1), authority=Authority.ADMIN)).after
    rival = learn(fact, candidate("saturday", evidence(5), authority=Authority.OWN_STATEMENT)).after
    settled = retract(rival, 5, now=at(6), cause="edited").after
    assert settled.status is Status.DEPRECATED
    again = learn(fact, candidate("saturday", evidence(7), authority=Authority.OWN_STATEMENT), settled)
    assert (again.before, again.after.status) == (settled, Status.PENDING)
    assert [e.message_id for e in again.after.evidence] == [7]
    assert (again.after.id, again.after.version) == (settled.id, settled.version + 1)


def test_what_a_settled_rival_had_gathered_does_not_help_the_next_to_win():
    fact = learn(None, candidate("friday", evidence(1))).after
    rival = learn(fact, candidate("saturday", evidence(5), authority=Authority.OWN_STATEMENT)).after
    settled = replace(rival, status=Status.DEPRECATED, closed_at=at(6), authority=Authority.ADMIN)
    again = learn(fact, candidate("saturday", evidence(7), authority=Authority.OWN_STATEMENT), settled)
    assert again.after.status is Status.PENDING
    change = learn(fact, candidate("saturday", evidence(8)), settled)
    assert change.kind == "evolution"
    assert [e.message_id for e in change.after.evidence] == [8]


def test_about_the_chat_a_single_member_ranks_below_consensus_but_about_themselves_above():
    agreed = learn(None, candidate("friday", evidence(1))).after
    assert learn(agreed, candidate("monday", evidence(2), authority=Authority.OWN_STATEMENT)).after.status == "pending"
    mine = replace(agreed, subject="user:101")
    said = candidate("monday", evidence(2), authority=Authority.OWN_STATEMENT, subject="user:101")
    assert learn(mine, said).kind == "evolution"


def test_values_of_a_many_valued_slot_stand_side_by_side():
    politics = candidate("politics", key="forbidden_topics", single=False)
    spoilers = candidate("spoilers", key="forbidden_topics", single=False)
    assert candidate_id(politics) != candidate_id(spoilers)
    assert learn(None, politics).after.id == candidate_id(politics)


@given(st.lists(quotes, min_size=1, max_size=8, unique_by=lambda e: e.message_id))
def test_taking_a_quote_back_never_raises_belief(known):
    fact = learn(None, candidate("friday", *known)).after
    change = retract(fact, known[0].message_id, now=at(99), cause="edited")
    assert change.after.confidence <= fact.confidence


def test_a_fact_without_quotes_left_is_deprecated():
    fact = learn(None, candidate("friday", evidence(1))).after
    change = retract(fact, 1, now=at(9), cause="edited")
    assert change.after.status is Status.DEPRECATED
    assert change.after.evidence == ()
    assert retract(change.after, 1, now=at(9), cause="edited") is None


def test_words_that_are_mended_still_teach_what_they_taught():
    fact = learn(None, candidate("friday", evidence(1, quote="recap on fridey"))).after
    mended = retract(fact, 1, now=at(9), cause="edited").after
    back = learn(mended, candidate("friday", evidence(1, quote="recap on friday")))
    assert back.kind == "revival"
    assert (back.after.status, back.after.version) == (Status.ACTIVE, 3)
    assert [e.quote for e in back.after.evidence] == ["recap on friday"]


def test_a_closed_fact_comes_back_only_by_newer_words():
    fact = learn(None, candidate("friday", evidence(1))).after
    closed = expire(fact, now=at(100), unconfirmed_since=at(50)).after
    assert closed.status is Status.EXPIRED
    assert learn(closed, candidate("friday", evidence(1))) is None
    back = learn(closed, candidate("friday", evidence(200)))
    assert back.kind == "revival"
    assert back.after.status is Status.ACTIVE


def test_a_confirmed_fact_does_not_expire():
    fact = learn(None, candidate("friday", evidence(60))).after
    assert expire(fact, now=at(100), unconfirmed_since=at(60) - timedelta(seconds=1)) is None


def test_ids_survive_odd_text():
    assert len(fact_id("chat", "rule", "x", "\ud800\x1f")) == 32


@given(st.permutations(range(1, MAX_EVIDENCE + 20)))
def test_of_too_many_quotes_the_first_and_the_newest_are_kept_whichever_came_first(order):
    newest = MAX_EVIDENCE + 19
    fact = learn(None, candidate("friday", *(evidence(i, user_id=i % 5) for i in order))).after
    kept = [e.message_id for e in fact.evidence]
    assert kept == [1, *range(newest - MAX_EVIDENCE + 2, newest + 1)]
    assert (fact.valid_from, fact.last_reinforced_at) == (at(1), at(newest))


def test_a_fact_that_is_said_again_and_again_does_not_expire():
    fact = None
    for i in range(1, 2 * MAX_EVIDENCE):
        change = learn(fact, candidate("friday", evidence(i)))
        assert change is not None
        fact = change.after
    assert len(fact.evidence) == MAX_EVIDENCE
    assert fact.last_reinforced_at == at(2 * MAX_EVIDENCE - 1)
    assert expire(fact, now=at(200), unconfirmed_since=at(2 * MAX_EVIDENCE - 2)) is None


@given(st.lists(quotes, min_size=1, max_size=8), st.lists(quotes, min_size=1, max_size=8))
def test_two_chats_that_become_one_believe_the_same_fact_with_the_quotes_of_both(here, there):
    one, other = (learn(None, candidate("friday", *known)).after for known in (here, there))
    both = merge(one, other)
    assert {e.message_id for e in both.evidence} == {e.message_id for e in (*one.evidence, *other.evidence)}
    assert both.confidence == combined_confidence(both.evidence) == merge(other, one).confidence
    assert both.version == max(one.version, other.version) + 1
    assert set(merge(both, other).evidence) == set(both.evidence)


def test_of_two_values_in_the_same_slot_the_later_one_holds_in_the_merged_chat():
    friday = learn(None, candidate("friday", evidence(1))).after
    saturday = learn(None, candidate("saturday", evidence(5))).after
    assert merge(friday, saturday).value == merge(saturday, friday).value == "saturday"


@pytest.mark.parametrize("first", [True, False])
def test_what_one_of_two_chats_still_believes_the_merged_chat_believes(first):
    alive = learn(None, candidate("friday", evidence(60))).after
    expired = expire(learn(None, candidate("friday", evidence(1))).after, now=at(99), unconfirmed_since=at(50)).after
    both = merge(alive, expired) if first else merge(expired, alive)
    assert (both.status, both.closed_at) == (Status.ACTIVE, None)
    assert [e.message_id for e in both.evidence] == [1, 60]
