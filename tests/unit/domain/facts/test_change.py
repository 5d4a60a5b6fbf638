"""What a step in a fact's life is recorded as."""

from __future__ import annotations

from shared.domain.facts.change import Cause
from shared.domain.facts.claims import Verdict
from shared.domain.facts.fact import Status
from shared.domain.facts.lifecycle import learn
from shared.domain.facts.revision import (
    merge,
    retract,
    settle,
)
from shared.domain.facts.slot import rivals
from tests.support.builders import agreed, at, candidate, evidence
from tests.unit.domain.facts.test_lifecycle import ADMIN, OWN, believed, disputed


def test_the_id_of_a_quality_record_does_not_depend_on_which_statement_came_first():
    first, second = candidate("politics", evidence(1)), candidate("no politics", evidence(2))
    ids = {
        learn(believed(one), other, judge=lambda *_: Verdict.DUPLICATE).quality[0].id
        for one, other in ((first, second), (second, first))
    }
    assert len(ids) == 1


def test_a_conflict_that_ends_as_two_chats_become_one_is_recorded_as_over():
    saturday = believed(candidate("saturday", evidence(9), authority=ADMIN))
    (opened,) = learn(believed(agreed()), candidate("saturday", evidence(5, user_id=9), authority=OWN)).quality
    old = believed(agreed(), candidate("saturday", evidence(5, user_id=9), authority=OWN))
    change = merge(saturday, old)
    assert (change.belief.value, rivals(change.belief)) == ("saturday", {})
    assert [(q.id, q.resolved) for q in change.quality] == [(opened.id, True)]


def ended(change):
    (step,) = [each for each in (change, *change.also) if each.after.conflicts_with is not None]
    return step.after.status, step.after.closed_at


def test_a_rival_that_was_rejected_waits_no_more_since_then():
    change = settle(disputed(), "saturday", accept=False, now=at(9), user_id=102)
    assert ended(change) == (Status.DEPRECATED, at(9))


def test_a_rival_whose_words_are_gone_ends_when_what_it_contradicts_began():
    fact = disputed()
    assert ended(retract(fact, 5, now=at(9), cause=Cause.EDITED)) == (Status.DEPRECATED, fact.valid_from)
