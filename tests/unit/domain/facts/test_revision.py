"""A pin: an admin's decision that a fact does not age, whatever else happens to it."""

from dataclasses import replace
from datetime import timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from shared.application.facts.codec import fact_from_fields, fact_to_fields
from shared.application.facts.version_codec import facts_from_versions, version_to_fields
from shared.domain.facts.change import Cause
from shared.domain.facts.claims import Verdict
from shared.domain.facts.evidence.claim import Authority, Vote
from shared.domain.facts.fact import FactPin, Status
from shared.domain.facts.folding import fold
from shared.domain.facts.lifecycle import learn
from shared.domain.facts.ranking import rank_facts, score_fact
from shared.domain.facts.revision import cast_voice, correct, deprecate, expire, merge, pin, retract
from shared.domain.facts.slot import rivals
from tests.support.builders import at, candidate, evidence

MONTH = timedelta(days=30)


def fact(value="friday", *quotes, **more):
    return learn(None, candidate(value, *(quotes or (evidence(1),)), **more)).after


def pinned(known, minute=10):
    return pin(known, FactPin(at(minute), holds=True)).after


def test_pinning_is_a_change_of_its_own_and_says_nothing_of_what_is_believed():
    change = pin(fact(), FactPin(at(10), holds=True))
    assert (change.kind, change.after.version, change.after.pinned_at) == ("pinned", 2, at(10))
    assert replace(change.after, pin=None, version=1) == change.before
    back = pin(change.after, FactPin(at(11), holds=False))
    assert (back.kind, back.after.pinned_at) == ("unpinned", None)


def test_a_decision_that_is_old_or_no_news_changes_nothing():
    known = pinned(fact())
    assert pin(fact(), FactPin(at(10), holds=False)) is None
    assert pin(known, FactPin(at(11), holds=True)) is None
    assert pin(known, FactPin(at(10), holds=False)) is None
    loose = pin(known, FactPin(at(20), holds=False)).after
    assert pin(loose, FactPin(at(15), holds=True)) is None
    assert pin(loose, FactPin(at(20), holds=True)) is None


def test_what_is_not_believed_cannot_be_pinned():
    expired = expire(fact(), now=at(99), unconfirmed_since=at(50)).after
    assert pin(expired, FactPin(at(100), holds=True)) is None


def test_what_is_pinned_does_not_expire_and_ages_again_when_it_is_not():
    known = pinned(fact())
    assert expire(known, now=at(99), unconfirmed_since=at(50)) is None
    loose = pin(known, FactPin(at(60), holds=False)).after
    assert expire(loose, now=at(99), unconfirmed_since=at(50)).kind == "expiry"


def test_what_is_pinned_ranks_as_on_its_first_day():
    known, old = fact(), at(60 * 24 * 300)
    fresh = score_fact(known, now=at(1), half_life=MONTH)
    assert score_fact(known, now=old, half_life=MONTH) < fresh
    assert score_fact(pinned(known), now=old, half_life=MONTH) == fresh
    other = fact("monday", key="other")
    assert rank_facts([other, pinned(known)], now=old, half_life=MONTH)[0].pinned_at is not None


def edited(known):
    taken = retract(known, 1, now=at(20), cause=Cause.EDITED).after
    return learn(taken, candidate("friday", evidence(2))).after


def folded(known):
    other = fact("friday", evidence(3, user_id=102), key="recap")
    return fold(known, other, now=at(20), judge=lambda *_: Verdict.DUPLICATE).change.belief


def folded_into_another(known):
    other = fact("friday", evidence(0, user_id=102), key="recap", authority=Authority.ADMIN)
    return fold(other, known, now=at(20), judge=lambda *_: Verdict.DUPLICATE).change.belief


STEPS = {
    "edited": edited,
    "said again": lambda known: learn(known, candidate("friday", evidence(4, user_id=102))).after,
    "contradicted": lambda known: learn(known, candidate("monday", evidence(4), authority=Authority.MODEL)).belief,
    "corrected": lambda known: correct(known, candidate("monday", evidence(4))).after,
    "opposed": lambda known: cast_voice(known, known.value_key, Vote(at(20), 103, supports=False)).after,
    "folded": folded,
    "folded into another": folded_into_another,
    "moved to a supergroup": lambda known: merge(fact("friday", evidence(5, user_id=104)), known).after,
    "stored": lambda known: fact_from_fields(fact_to_fields(known)),
}


@pytest.mark.parametrize("step", STEPS)
def test_a_pin_stays_through_whatever_happens_to_the_words(step):
    after = STEPS[step](pinned(fact()))
    assert after.pinned_at == at(10)
    assert after.status is Status.ACTIVE


def test_a_rival_of_what_is_pinned_is_not_and_may_expire():
    contradicted = learn(pinned(fact()), candidate("monday", evidence(4), authority=Authority.MODEL)).belief
    assert [rival.pinned_at for rival in rivals(contradicted).values()] == [None]


def test_what_was_dropped_on_purpose_is_pinned_no_more():
    dropped = deprecate(pinned(fact()), now=at(20), cause=Cause.DROPPED_BY_ADMIN).after
    assert dropped.pinned_at is None
    assert learn(dropped, candidate("friday", evidence(30))).after.pinned_at is None


def test_the_versions_tell_of_a_pin_and_what_was_believed_is_the_same():
    first = learn(None, candidate("friday", evidence(1)))
    second = pin(first.after, FactPin(at(10), holds=True))
    versions = [version_to_fields(change, at=at(minute)) for change, minute in ((first, 1), (second, 10))]
    assert [version["change"] for version in versions] == ["creation", "pinned"]
    told = [replace(known, version=0) for _, known in facts_from_versions(versions)]
    assert told[0] == told[1]


@given(st.lists(st.booleans(), max_size=8))
def test_the_last_decision_holds_however_often_each_is_delivered(decisions):
    known, held = fact(), False
    for minute, holds in enumerate(decisions):
        for _ in range(2):
            change = pin(known, FactPin(at(minute), holds))
            known = change.after if change else known
        held = holds
    assert (known.pinned_at is not None) is held
