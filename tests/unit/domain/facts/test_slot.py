"""What a replay of a slot makes of its fact, and of the rivals that wait against it."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from shared.domain.facts.change import Cause
from shared.domain.facts.claims import claims_of
from shared.domain.facts.evidence.claim import MAX_CLAIMS, Authority, Claim, Evidence, Vote
from shared.domain.facts.fact import Fact, Status
from shared.domain.facts.lifecycle import learn
from shared.domain.facts.revision import deprecate
from shared.domain.facts.slot import BeliefStep, combine_confidence, confidence_of, explain, is_voted_out, rivals
from tests.support.builders import agreed, at, candidate, evidence
from tests.unit.domain.facts.evidence.test_belief import against, fact, voted
from tests.unit.domain.facts.slots import quotes
from tests.unit.domain.facts.test_lifecycle import ADMIN, OWN, believed, disputed


def test_a_pending_rival_gathers_evidence_and_wins_with_authority():
    fact = disputed()
    change = learn(fact, candidate("saturday", evidence(6, user_id=9), authority=ADMIN))
    assert (change.kind, change.after.value, change.after.valid_from) == ("evolution", "saturday", at(6))
    assert {e.message_id for e in change.after.evidence} == {5, 6}
    (settled,) = change.also
    assert (settled.after.id, settled.after.status) == (rivals(fact)["saturday"].id, Status.DEPRECATED)
    assert [q.resolved for q in change.quality] == [True]
    assert rivals(change.after) == {}


def test_no_number_of_other_values_crowds_out_what_holds():
    rumours = [candidate(f"day {i}", evidence(5 + i, user_id=9), authority=OWN) for i in range(2 * MAX_CLAIMS)]
    fact = believed(candidate("friday", evidence(1), authority=ADMIN), *rumours)
    assert (fact.value, fact.authority) == ("friday", ADMIN)
    assert len(claims_of(fact)) == MAX_CLAIMS
    assert f"day {2 * MAX_CLAIMS - 1}" in rivals(fact)


def test_members_who_say_the_same_one_by_one_become_a_consensus_but_not_an_admin():
    words = [candidate("saturday", evidence(i, user_id=i), authority=OWN) for i in (5, 6, 7)]
    now = believed(agreed(), *words)
    assert (now.value, now.authority) == ("saturday", Authority.CONSENSUS)
    assert believed(candidate("friday", evidence(1), authority=ADMIN), *words).value == "friday"


def test_only_what_votes_closed_may_be_voted_for_again():
    assert not is_voted_out(fact())
    assert not is_voted_out(voted(fact(), *against(7, 8)))
    assert is_voted_out(voted(fact(), *against(7, 8, 9)))
    assert not is_voted_out(deprecate(fact(), now=at(40), cause=Cause.DROPPED_BY_ADMIN).after)


QUOTES = st.lists(
    st.builds(
        lambda message_id, user_id, confidence, authority: Evidence(
            at(message_id), message_id, user_id, "так", confidence, authority
        ),
        st.integers(1, 9),
        st.integers(101, 105),
        st.sampled_from([0.0, 0.7, 0.75, 0.8, 0.95, 1.0]),
        st.sampled_from(Authority),
    ),
    max_size=8,
)
VOICES = st.lists(
    st.builds(Vote, st.integers(10, 20).map(at), st.integers(101, 110), st.booleans()),
    max_size=6,
    unique_by=lambda voice: voice.user_id,
)


def slot_fact(*quotes, voices=(), others=()):
    believed = Fact("chat", "rule", "politics", "ні", "Без політики", 0.0, tuple(quotes), Authority.OWN_STATEMENT, True)
    return replace(believed, voices=tuple(voices), others=tuple(others), wordings=("ні",))


def told(believed):
    return [(step.kind, step.user_id, step.count, step.belief) for step in explain(believed)]


@given(QUOTES, VOICES, QUOTES)
def test_the_last_step_is_the_confidence_itself(quotes, voices, otherwise):
    believed = slot_fact(*quotes, voices=voices, others=[Claim("так", "Політика", tuple(otherwise), wordings=("так",))])
    steps = explain(believed)
    assert (steps[-1].belief if steps else 0.0) == confidence_of(believed)


@given(QUOTES, VOICES)
def test_every_step_but_objections_makes_belief_no_weaker(quotes, voices):
    steps = explain(slot_fact(*quotes, voices=voices))
    for before, step in pairwise(steps):
        assert step.belief <= before.belief if step.kind == "objections" else step.belief >= before.belief
    assert [step.kind for step in steps if step.user_id is None] == sorted(
        (step.kind for step in steps if step.user_id is None), key=["counted", "votes", "objections"].index
    )


def test_each_further_member_adds_half_of_their_certainty_and_votes_and_objections_follow():
    quotes = [evidence(1, user_id=102), evidence(2, user_id=103), evidence(3, user_id=103)]
    voices = [Vote(at(5), 104, True), Vote(at(6), 105, True), Vote(at(7), 106, False)]
    assert told(slot_fact(*quotes, voices=voices)) == [
        ("said", 102, 1, 0.8),
        ("said", 103, 1, 0.88),
        ("again", 103, 1, 0.8896),
        ("votes", None, 2, 0.9293),
        ("objections", None, 1, 0.7435),
    ]


def test_one_message_counts_once_and_the_strongest_comes_first():
    quotes = [evidence(1, confidence=0.7), evidence(1, quote="інакше", confidence=0.75), evidence(2, confidence=0.95)]
    assert told(slot_fact(*quotes)) == [("said", 101, 1, 0.95), ("again", 101, 1, 0.9537)]


def test_what_was_counted_or_inferred_says_so():
    samples = [replace(evidence(i, confidence=0.9), authority=Authority.STATISTICS) for i in (1, 2)]
    inferred = replace(evidence(3), authority=Authority.MODEL)
    assert told(slot_fact(inferred)) == [("inferred", 101, 1, 0.8)]
    assert told(slot_fact(*samples, inferred)) == [("inferred", 101, 1, 0.8), ("counted", None, 2, 0.9)]


def test_samples_that_add_nothing_are_no_step_and_nothing_said_is_none():
    sample = replace(evidence(1, confidence=0.7), authority=Authority.STATISTICS)
    assert explain(slot_fact(sample, evidence(2))) == [BeliefStep("said", 0.8, 101)]
    assert explain(slot_fact(voices=[Vote(at(5), 104, True)])) == []


@given(st.lists(quotes, min_size=1, max_size=12), quotes)
def test_another_quote_never_lowers_belief(known, new):
    assert combine_confidence([*known, new]) >= combine_confidence(known)


@given(st.lists(quotes, max_size=30), st.integers(0, 5), st.integers(0, 5))
def test_belief_stays_between_zero_and_ninety_nine_percent(known, votes, objections):
    assert 0.0 <= combine_confidence(known, votes=votes, objections=objections) <= 0.99


@given(st.lists(quotes, min_size=1, max_size=8), st.integers(0, 5), st.integers(0, 5))
def test_a_vote_never_lowers_belief_and_an_objection_never_raises_it(known, votes, objections):
    belief = combine_confidence(known, votes=votes, objections=objections)
    assert combine_confidence(known, votes=votes + 1, objections=objections) >= belief
    assert combine_confidence(known, votes=votes, objections=objections + 1) <= belief


def test_another_members_word_weighs_more_than_ones_own_again():
    base = [evidence(1, user_id=1)]
    by_other = combine_confidence([*base, evidence(2, user_id=2)])
    by_same = combine_confidence([*base, evidence(2, user_id=1)])
    assert by_other == pytest.approx(0.8 + 0.2 * 0.5 * 0.8)
    assert by_same == pytest.approx(0.8 + 0.2 * 0.1 * 0.8)


def test_votes_without_quotes_believe_nothing():
    assert combine_confidence([], votes=5) == 0.0
