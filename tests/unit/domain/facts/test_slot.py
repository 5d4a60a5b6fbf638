"""What a replay of a slot makes of its fact, and of the rivals that wait against it."""

from __future__ import annotations

from shared.domain.facts.claims import claims_of
from shared.domain.facts.evidence.claim import MAX_CLAIMS, Authority
from shared.domain.facts.fact import Status
from shared.domain.facts.lifecycle import learn
from shared.domain.facts.revision import deprecate
from shared.domain.facts.slot import is_voted_out, rivals
from tests.support.builders import agreed, at, candidate, evidence
from tests.unit.domain.facts.evidence.test_belief import against, fact, voted
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
    assert not is_voted_out(deprecate(fact(), now=at(40), cause="x").after)
