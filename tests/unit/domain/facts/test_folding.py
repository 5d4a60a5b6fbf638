"""Two facts that are about the same become one; nothing that was said is lost, nothing is believed that learning
would not have believed."""

import itertools
from dataclasses import replace

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from shared.domain.facts.change import Cause
from shared.domain.facts.claims import Verdict, claims_of
from shared.domain.facts.dedup import FactIndex, verdict
from shared.domain.facts.evidence.claim import MAX_EVIDENCE, Authority, Vote, rank_authority
from shared.domain.facts.fact import MAX_ALIASES, Candidate, Status
from shared.domain.facts.folding import fold, sort_by_strength
from shared.domain.facts.lifecycle import learn
from shared.domain.facts.revision import cast_voice, deprecate, expire, retract, settle
from shared.domain.facts.slot import rivals
from tests.support.builders import agreed, at, candidate, evidence
from tests.unit.domain.facts.test_laws import believed, said

NOW = at(100)
OWN, ADMIN, CONSENSUS = Authority.OWN_STATEMENT, Authority.ADMIN, Authority.CONSENSUS


def member_fact(key, value, description, *quotes, category="preference", confidence=0.8, **more):
    stated = Candidate("user:7", category, key, value, description, confidence, quotes, **more)
    return learn(None, stated).after


def chat_fact(value, *quotes, key="weekly_recap", **more):
    return learn(None, candidate(value, *quotes, key=key, **more)).after


def quote(message_id, *, user_id=7, **more):
    return evidence(message_id, user_id=user_id, **more)


def folded(one, other, judge=verdict):
    folding = fold(one, other, now=NOW, judge=judge)
    return folding.change.belief


COFFEE = member_fact("likes", "coffee", "Likes coffee", quote(1))
KAVA = member_fact("hobby", "кава", "Обожнює каву", quote(2))


def test_the_same_in_two_languages_is_one_fact_with_both_quotes():
    fact = folded(COFFEE, KAVA)
    assert [e.message_id for e in fact.evidence] == [1, 2]
    assert fact.confidence > max(COFFEE.confidence, KAVA.confidence)
    assert {COFFEE.id, KAVA.id} == {fact.id, *fact.aliases}
    assert {"coffee", "кава"} <= {*fact.wordings}


def test_it_does_not_matter_which_of_two_comes_first():
    assert fold(COFFEE, KAVA, now=NOW, judge=verdict) == fold(KAVA, COFFEE, now=NOW, judge=verdict)


def test_the_richer_wording_is_shown():
    plain = member_fact("likes", "hiking", "Enjoys hiking", quote(1))
    rich = member_fact("hobby", "weekend hiking", "Loves weekend hiking trips", quote(2))
    assert folded(plain, rich).description == "Loves weekend hiking trips"


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (chat_fact("friday", key="a", authority=ADMIN), chat_fact("friday", key="b", confidence=0.99)),
        (chat_fact("friday", key="b", confidence=0.9), chat_fact("friday", evidence(0), key="a", confidence=0.8)),
        (chat_fact("friday", evidence(1), key="b"), chat_fact("friday", evidence(2), key="a")),
    ],
    ids=["the higher standing", "the surer", "the older"],
)
def test_the_stronger_of_two_stays(one, other):
    assert sort_by_strength(one, other) == sort_by_strength(other, one) == (one, other)
    assert folded(one, other, judge=lambda *_: Verdict.DUPLICATE).id == one.id


def test_different_things_are_left_alone():
    tea = member_fact("likes", "tea", "Likes tea", quote(3))
    assert fold(COFFEE, tea, now=NOW, judge=verdict) is None


def test_a_fact_is_not_folded_with_itself_or_about_somebody_else_or_when_it_is_not_believed():
    dropped = deprecate(KAVA, now=at(5), cause=Cause.DROPPED_BY_ADMIN).after
    lapsed = expire(KAVA, now=at(90), unconfirmed_since=at(50)).after
    for other in (COFFEE, replace(KAVA, subject="user:8"), dropped, lapsed):
        assert fold(COFFEE, other, now=NOW, judge=verdict) is None


def test_the_one_that_goes_ends_with_the_fold_and_keeps_its_words_until_then():
    folding = fold(COFFEE, KAVA, now=NOW, judge=verdict)
    assert (folding.change.kind, folding.gone.kind) == ("merge", "merge")
    assert folding.gone.before == KAVA
    assert folding.gone.after == replace(KAVA, status=Status.DEPRECATED, closed_at=NOW, version=2)


def test_a_fold_leaves_a_record_of_the_two():
    (record,) = fold(COFFEE, KAVA, now=NOW, judge=verdict, score=0.5).change.quality
    assert (record.kind, record.verdict, record.score, record.resolved) == ("merge", "reinforces", 0.5, True)
    assert (record.existing[1], record.incoming[1]) == ("coffee", "кава")


# --- Contradictions ----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("first", "second"),
    [
        (("likes", "coffee", "Likes coffee"), ("dislikes", "coffee", "Dislikes coffee")),
        (("likes", "кава", "Любить каву"), ("dislikes", "кава", "Не любить кави")),
        (("likes", "coffee", "Likes coffee"), ("dislikes", "кава", "Ненавидить каву")),
    ],
    ids=["en", "uk", "both"],
)
def test_of_two_that_contradict_each_other_what_was_said_later_is_believed(first, second):
    likes, dislikes = member_fact(*first, quote(1)), member_fact(*second, quote(2))
    for one, other in ((likes, dislikes), (dislikes, likes)):
        fact = folded(one, other)
        assert fact.description == second[2]
        assert [e.message_id for e in fact.evidence] == [2]
        assert [[e.message_id for e in claim.evidence] for claim in fact.others] == [[1]]
        assert fact.valid_from == at(2)


def test_a_weaker_word_waits_as_a_rival_of_the_stronger_and_can_be_voted_in():
    ruled = chat_fact("friday", evidence(1, user_id=102), authority=ADMIN)
    other = chat_fact("sunday", evidence(2), key="recap_day", authority=OWN)
    folding = fold(ruled, other, now=NOW)
    fact = folding.change.belief
    assert (fact.id, fact.value, [*rivals(fact)]) == (ruled.id, "friday", ["sunday"])
    assert [(record.kind, record.resolved) for record in folding.change.quality] == [("conflict", False)]
    for user_id in (103, 104, 105):
        fact = cast_voice(fact, "sunday", Vote(at(50), user_id, supports=True)).belief
    assert fact.value == "sunday"


def test_a_contradiction_that_is_over_is_recorded_as_settled():
    folding = fold(COFFEE, member_fact("dislikes", "coffee", "Dislikes coffee", quote(2)), now=NOW, judge=verdict)
    assert [(record.kind, record.resolved) for record in folding.change.quality] == [("conflict", True)]


def test_learning_does_not_take_the_opposite_for_the_same_because_of_the_same_word():
    against = Candidate("user:7", "preference", "dislikes", "coffee", "Dislikes coffee", 0.8, (quote(2),))
    change = learn(COFFEE, against, judge=verdict)
    assert (change.kind, change.after.description) == ("evolution", "Dislikes coffee")
    assert learn(change.after, against, judge=verdict) is None
    more = replace(against, evidence=(quote(3),))
    confirmed = learn(change.after, more, judge=verdict).after
    assert [e.message_id for e in confirmed.evidence] == [2, 3]


def test_what_waited_against_the_one_that_goes_waits_against_the_one_that_stays():
    other = learn(None, agreed(key="recap_day")).after
    other = learn(other, candidate("sunday", evidence(2, user_id=9), key="recap_day", authority=OWN)).belief
    ruled = chat_fact("friday", evidence(3, user_id=102), authority=ADMIN)
    folding = fold(other, ruled, now=NOW)
    assert [*rivals(folding.change.belief)] == ["sunday"]
    (ended,) = folding.gone.also
    assert (ended.after.conflicts_with, ended.after.status, ended.after.evidence) == (other.id, Status.DEPRECATED, ())
    assert [record.resolved for record in folding.gone.quality] == [True]


def test_two_facts_of_which_nothing_would_be_left_to_believe_both_stay():
    other = chat_fact("friday", evidence(1), key="recap_day", authority=OWN)
    other = learn(other, candidate("monday", evidence(2), key="recap_day", authority=OWN)).belief
    rejected = learn(other, candidate("sunday", evidence(3), key="recap_day", authority=Authority.MODEL)).belief
    other = settle(rejected, "sunday", accept=False, now=at(4), user_id=102).belief
    sunday = chat_fact("sunday", evidence(3, user_id=104), authority=OWN, confidence=0.99)
    assert fold(sunday, other, now=NOW) is None


# --- Bounds --------------------------------------------------------------------------------------


def test_a_fact_with_all_the_quotes_that_are_kept_does_not_lose_confidence():
    many = tuple(evidence(n, user_id=n, confidence=0.7) for n in range(1, MAX_EVIDENCE + 1))
    full = chat_fact("friday", *many)
    late = chat_fact("friday", *(evidence(n, user_id=1, confidence=0.7) for n in range(60, 90)), key="recap_day")
    fact = folded(full, late, judge=lambda *_: Verdict.DUPLICATE)
    assert len(fact.evidence) == MAX_EVIDENCE
    assert fact.confidence >= full.confidence


def test_of_too_many_aliases_that_of_the_last_one_is_kept():
    fact = COFFEE
    for n in range(MAX_ALIASES + 5):
        other = member_fact(f"key_{n}", "coffee", "Likes coffee", quote(n + 2))
        folding = fold(fact, other, now=NOW, judge=lambda *_: Verdict.DUPLICATE)
        fact = folding.change.belief
        assert folding.gone.after.id in fact.aliases
    assert len(fact.aliases) == MAX_ALIASES


# --- Laws ----------------------------------------------------------------------------------------

VALUES, KEYS = ("friday", "monday", "sunday"), ("weekly_recap", "recap_day", "day_of_recap")


@st.composite
def slots(draw):
    """The same talk, as it was learnt in three slots and as it would have been in one."""
    talk = draw(
        st.lists(
            st.builds(
                said,
                st.sampled_from(VALUES),
                st.sets(st.integers(1, 12), min_size=1, max_size=3),
                st.sampled_from(Authority),
                st.sampled_from([0.7, 0.8, 0.95]),
            ),
            min_size=3,
            max_size=7,
        )
    )
    heard = [each for each in talk if learn(None, each) is not None]
    assume(len(heard) > 2)
    apart = [[replace(each, key=KEYS[n]) for each in heard[n::3]] for n in range(3)]
    return [believed(part) for part in apart], believed(heard)


def belief(fact):
    """What is believed in a slot and what else was said, whatever the slot is called."""
    claims = {claim.value_key: (claim.evidence, claim.voices, claim.rulings) for claim in claims_of(fact)}
    held = (
        fact.value_key,
        fact.status,
        fact.confidence,
        fact.authority,
        fact.evidence,
        fact.valid_from,
        fact.supporters,
    )
    waiting = {name: (rival.confidence, rival.authority) for name, rival in rivals(fact).items()}
    return held, claims, waiting


def fold_all(facts):
    first, *rest = facts
    for each in rest:
        first = fold(first, each, now=NOW).change.belief
    return first


@settings(max_examples=60, deadline=None)
@given(slots())
def test_laws_5_6_and_10_in_whatever_order_three_are_folded_the_same_is_believed_as_if_all_had_been_learnt_in_one(told):
    facts, in_one_slot = told
    whole = [fold_all(order) for order in itertools.permutations(facts)]
    assert all(belief(fact) == belief(in_one_slot) for fact in whole)
    ids = {fact.id for fact in facts}
    assert all({fact.id, *fact.aliases} == ids for fact in whole)


@settings(max_examples=60, deadline=None)
@given(slots())
def test_law_1_a_fold_adds_no_quote_and_loses_none(told):
    facts, _ = told
    before = {(c.value_key, e.message_id) for fact in facts for c in claims_of(fact) for e in c.evidence}
    after = {(c.value_key, e.message_id) for c in claims_of(fold_all(facts)) for e in c.evidence}
    assert after == before


@settings(max_examples=60, deadline=None)
@given(st.sets(st.integers(1, 12), min_size=1, max_size=4), st.sets(st.integers(1, 12), min_size=1, max_size=4),
       st.sampled_from([0.7, 0.9]), st.sampled_from([OWN, CONSENSUS]))  # fmt: skip
def test_law_2_two_that_agree_are_not_less_believed_than_either(ones, others, confidence, authority):
    one = believed([said("friday", ones, OWN)])
    other = believed([replace(said("friday", others, authority, confidence), key="recap_day")])
    fact = fold_all([one, other])
    assert fact.confidence >= max(one.confidence, other.confidence)
    assert rank_authority("chat", fact.authority) >= max(rank_authority("chat", f.authority) for f in (one, other))


@settings(max_examples=40, deadline=None)
@given(slots(), st.integers(1, 12))
def test_what_is_taken_back_after_a_fold_is_gone_from_every_value(told, message_id):
    fact = fold_all(told[0])
    change = retract(fact, message_id, now=NOW, cause=Cause.EDITED)
    left = claims_of(fact if change is None else change.belief)
    assert all(e.message_id != message_id for claim in left for e in claim.evidence)


# --- Finding pairs -------------------------------------------------------------------------------


def test_a_stored_fact_is_compared_with_the_others_not_with_itself():
    index = FactIndex([COFFEE])
    assert index.twin(COFFEE.id) is None
    index.put(KAVA)
    assert index.twin(COFFEE.id).fact == KAVA
    index.remove(KAVA.id)
    index.remove(KAVA.id)
    assert index.twin(COFFEE.id) is None
    assert index.twin(KAVA.id) is None


def test_one_that_says_the_same_goes_before_one_that_contradicts():
    index = FactIndex([COFFEE, KAVA, member_fact("dislikes", "coffee", "Dislikes coffee", quote(3))])
    assert index.twin(COFFEE.id).fact == KAVA


def test_of_two_stored_facts_the_one_that_was_said_later_is_the_one_that_is_new():
    plays = member_fact("plays", "guitar", "Plays the guitar", quote(1), category="skill")
    quit_it = member_fact("plays", "drums", "Quit guitar for drums", quote(2), category="skill")
    index = FactIndex([quit_it, plays])
    assert {str(index.twin(fact.id).verdict) for fact in (plays, quit_it)} == {str(verdict(plays, quit_it))}


def test_a_changed_fact_is_judged_anew():
    index = FactIndex([COFFEE, KAVA])
    assert index.twin(COFFEE.id) is not None
    index.put(replace(COFFEE, value="tea", description="Likes tea"))
    assert index.twin(COFFEE.id) is None
