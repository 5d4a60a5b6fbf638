"""What the types of a fact promise: ids, whose word counts, how much belief quotes give, how much is kept."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from shared.domain.facts.belief import standing
from shared.domain.facts.confidence import combined_confidence
from shared.domain.facts.fact import (
    MAX_EVIDENCE,
    MAX_QUOTE,
    MAX_QUOTE_BYTES,
    Authority,
    Claim,
    Fact,
    Voice,
    candidate_id,
    fact_id,
    rival_id,
)
from shared.domain.facts.joining import joined_evidence, kept_quote
from shared.domain.facts.lifecycle import learn
from tests.support.builders import at, candidate, evidence

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
    assert joined_evidence(shuffled) == joined_evidence(known)


@given(st.lists(quotes, max_size=30), st.integers(0, 5), st.integers(0, 5))
def test_belief_stays_between_zero_and_ninety_nine_percent(known, votes, objections):
    assert 0.0 <= combined_confidence(known, votes=votes, objections=objections) <= 0.99


@given(st.lists(quotes, min_size=1, max_size=8), st.integers(0, 5), st.integers(0, 5))
def test_a_vote_never_lowers_belief_and_an_objection_never_raises_it(known, votes, objections):
    belief = combined_confidence(known, votes=votes, objections=objections)
    assert combined_confidence(known, votes=votes + 1, objections=objections) >= belief
    assert combined_confidence(known, votes=votes, objections=objections + 1) <= belief


def test_another_members_word_weighs_more_than_ones_own_again():
    base = [evidence(1, user_id=1)]
    by_other = combined_confidence([*base, evidence(2, user_id=2)])
    by_same = combined_confidence([*base, evidence(2, user_id=1)])
    assert by_other == pytest.approx(0.8 + 0.2 * 0.5 * 0.8)
    assert by_same == pytest.approx(0.8 + 0.2 * 0.1 * 0.8)


def test_votes_without_quotes_believe_nothing():
    assert combined_confidence([], votes=5) == 0.0


def test_a_message_that_two_extractors_quoted_differently_counts_once_at_its_best():
    pattern, model = evidence(1, quote="без політики", confidence=0.7), evidence(1, quote="політики", confidence=0.9)
    assert combined_confidence([pattern, model]) == 0.9
    (kept,) = joined_evidence([model, pattern])
    assert (kept.quote, kept.confidence) == ("без політики", 0.9)


def test_of_one_message_the_authority_that_ranks_higher_about_the_chat_is_kept():
    said, agreed = (
        evidence(1, quote="x").__class__(at(1), 1, 101, "x", 0.8, authority)
        for authority in (Authority.OWN_STATEMENT, Authority.CONSENSUS)
    )
    assert joined_evidence([said, agreed]) == joined_evidence([agreed, said]) == (agreed,)


@pytest.mark.parametrize(
    ("subject", "weakest_first"),
    [
        ("chat", ["STATISTICS", "MODEL", "OWN_STATEMENT", "CONSENSUS", "ADMIN"]),
        ("user:1", ["STATISTICS", "MODEL", "CONSENSUS", "OWN_STATEMENT", "ADMIN"]),
    ],
)
def test_authorities_rank_in_their_order_and_one_members_word_about_the_chat_below_consensus(subject, weakest_first):
    ranks = [standing(subject, Authority[name]) for name in weakest_first]
    assert ranks == sorted(set(ranks))


def test_a_member_has_one_voice_and_their_last_word_counts():
    def fact(*voices):
        said = (evidence(5, user_id=1), evidence(6, user_id=2))
        return Fact("chat", "rule", "k", "v", "d", 0.9, said, Authority.CONSENSUS, True, voices=voices)

    assert fact().supporters == {1, 2}
    objection = Voice(at(7), 2, supports=False, message_id=77)
    assert fact(objection).supporters == {1}
    assert fact(objection).objectors == (objection,)
    earlier = Voice(at(4), 2, supports=False)
    assert (fact(earlier).supporters, fact(earlier).objectors) == ({1, 2}, ())
    assert fact(Voice(at(8), 3, supports=True)).supporters == {1, 2, 3}


def test_ids_survive_odd_text():
    assert len(fact_id("chat", "rule", "x", "\ud800\x1f")) == 32
    assert len(rival_id("x", "\ud800")) == 32


def test_values_of_a_many_valued_slot_stand_side_by_side():
    politics = candidate("politics", key="forbidden_topics", single=False)
    spoilers = candidate("spoilers", key="forbidden_topics", single=False)
    assert candidate_id(politics) != candidate_id(spoilers)
    assert learn(None, politics).after.id == candidate_id(politics)


def test_an_id_stays_when_the_value_changes():
    fact = learn(None, candidate("politics", evidence(1), single=False)).after
    change = learn(fact, candidate("politics allowed", evidence(2), single=False))
    assert change.after.value == "politics allowed"
    assert change.after.id == fact.id


def test_a_claim_knows_its_wordings():
    claim = Claim("Weekend hiking", "", wordings=("hiking", "weekend hiking"))
    assert claim.value_key == "hiking"
    assert claim.says(" HIKING ")
    assert not claim.says("skiing")


@given(st.permutations(range(1, MAX_EVIDENCE + 20)))
def test_of_too_many_quotes_the_first_and_the_newest_are_kept_whichever_came_first(order):
    newest = MAX_EVIDENCE + 19
    fact = learn(None, candidate("friday", *(evidence(i, user_id=i % 5) for i in order))).after
    kept = [e.message_id for e in fact.evidence]
    assert kept == [1, *range(newest - MAX_EVIDENCE + 2, newest + 1)]
    assert (fact.valid_from, fact.last_reinforced_at) == (at(1), at(newest))


def test_of_too_many_quotes_each_members_newest_is_kept_so_that_one_who_repeats_it_silences_nobody():
    said = [evidence(1, user_id=1), evidence(2, user_id=2), evidence(3, user_id=3)]
    fact = learn(None, candidate("friday", *said)).after
    for number in range(4, 4 + 2 * MAX_EVIDENCE):
        change = learn(fact, candidate("friday", evidence(number, user_id=4)))
        fact = fact if change is None else change.after
    assert fact.supporters == {1, 2, 3, 4}
    assert len(fact.evidence) == MAX_EVIDENCE
    assert fact.authority is Authority.CONSENSUS


@given(
    st.lists(st.tuples(st.integers(1, 90), st.integers(1, 60), st.booleans()), max_size=90, unique_by=lambda q: q[0]),
    st.integers(0, 90),
)
def test_which_quotes_are_kept_does_not_depend_on_what_came_together(said, at_once):
    quotes = [
        replace(evidence(n, user_id=user), authority=Authority.ADMIN if admin else Authority.OWN_STATEMENT)
        for n, user, admin in said
    ]
    in_two_steps = joined_evidence([*joined_evidence(quotes[:at_once]), *quotes[at_once:]])
    assert in_two_steps == joined_evidence(quotes)


@given(st.text(st.sampled_from("aя漢🔥 "), max_size=1_500))
def test_what_is_kept_of_a_quote_begins_it_and_has_no_more_than_two_thousand_bytes(said):
    kept = kept_quote(said)
    assert said.startswith(kept)
    assert len(kept.encode()) <= MAX_QUOTE_BYTES
    assert len(kept) <= MAX_QUOTE
    assert kept == said or len(kept.encode()) >= MAX_QUOTE or kept == said[: len(kept)].rstrip()
    assert kept_quote(kept) == kept


def test_of_a_long_quote_the_beginning_is_kept():
    long = "слово " * MAX_QUOTE
    (kept,) = learn(None, candidate("friday", evidence(1, quote=long))).after.evidence
    assert long.startswith(kept.quote)
    assert MAX_QUOTE - 10 < len(kept.quote) <= MAX_QUOTE
