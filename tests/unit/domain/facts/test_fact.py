"""What the types of a fact promise: their ids, and whose word counts."""

from dataclasses import replace

from shared.domain.facts.evidence.claim import Authority, Vote
from shared.domain.facts.fact import Fact, candidate_id, fact_id, rival_id
from shared.domain.facts.lifecycle import learn
from tests.support.builders import at, candidate, evidence


def test_a_member_has_one_voice_and_their_last_word_counts():
    def fact(*voices):
        said = (evidence(5, user_id=1), evidence(6, user_id=2))
        return Fact("chat", "rule", "k", "v", "d", 0.9, said, Authority.CONSENSUS, True, voices=voices)

    assert fact().supporters == {1, 2}
    objection = Vote(at(7), 2, supports=False, message_id=77)
    assert fact(objection).supporters == {1}
    assert fact(objection).objectors == (objection,)
    earlier = Vote(at(4), 2, supports=False)
    assert (fact(earlier).supporters, fact(earlier).objectors) == ({1, 2}, ())
    assert fact(Vote(at(8), 3, supports=True)).supporters == {1, 2, 3}


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


def test_a_fact_holds_as_long_as_the_last_words_for_it_say():
    first = learn(None, candidate("friday", replace(evidence(1), until=at(99)))).after
    assert first.holds_until == at(99)
    assert learn(first, candidate("friday", evidence(2))).after.holds_until is None
