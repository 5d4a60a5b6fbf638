"""Finding the fact that a statement repeats or contradicts."""

from __future__ import annotations

import dataclasses

from hypothesis import given
from hypothesis import strategies as st

from shared.domain.facts.dedup import FactIndex, Verdict
from tests.unit.domain.facts.dedup.statements import THINGS, fact, said


def test_the_index_finds_the_fact_that_says_the_same():
    index = FactIndex([fact("coffee", "Likes coffee"), fact("tea", "Likes tea"), fact("chess", "Likes chess")])
    match = index.match(said("кава", "Любить каву", key="напій"))
    assert match is not None
    assert (match.fact.value, match.verdict) == ("coffee", Verdict.DUPLICATE)
    assert 0 < match.score <= 1


def test_the_index_prefers_a_duplicate_to_a_conflict():
    index = FactIndex([fact("hates coffee", "Hates coffee", key="a"), fact("coffee", "Likes coffee", key="b")])
    assert index.match(said("coffee", "Enjoys coffee")).fact.value == "coffee"
    assert index.match(said("coffee", "Can't stand coffee")).verdict is Verdict.DUPLICATE


def test_the_index_knows_nothing_of_other_subjects():
    index = FactIndex([fact("coffee", "Likes coffee", subject="user:2")])
    assert index.match(said("coffee", "Likes coffee")) is None


def test_the_index_finds_a_new_value_of_a_slot_without_a_common_word():
    index = FactIndex([fact("Utrecht", "Lives in Utrecht", key="location", category="personal_info")])
    match = index.match(said("Берген", "Мешкає в Бергені", key="місто", category="personal_info"))
    assert match.verdict is Verdict.CONFLICTS


def test_an_empty_index_matches_nothing():
    assert FactIndex([]).match(said("coffee", "Likes coffee")) is None


def test_putting_a_fact_again_replaces_it():
    index = FactIndex([fact("coffee", "Likes coffee")])
    changed = dataclasses.replace(fact("coffee", "Likes coffee with oat milk"), version=2)
    index.put(changed)
    assert index.match(said("coffee", "Likes coffee")).fact is changed


def test_what_a_replaced_fact_said_is_no_longer_found():
    old = dataclasses.replace(fact("Utrecht", "Lives in Utrecht", key="writes_in"), single=True)
    index = FactIndex([old])
    index.put(dataclasses.replace(old, value="Bergen", description="Lives in Bergen"))
    assert index.match(said("Utrecht", "Lives in Utrecht")) is None


@given(
    st.permutations(
        [
            ("coffee", "Likes coffee"),
            ("black coffee", "Likes black coffee"),
            ("coffee beans", "Likes coffee beans"),
            ("tea", "Likes tea"),
        ]
    )
)
def test_the_match_does_not_depend_on_the_order_of_the_facts(said_of):
    match = FactIndex([fact(*pair) for pair in said_of]).match(said("coffee", "Enjoys coffee"))
    assert (match.fact.value, match.verdict) == ("coffee", Verdict.DUPLICATE)


def test_every_stored_fact_finds_itself_among_a_thousand():
    facts = [fact(f"{thing} number {n}", f"Likes {thing} number {n}") for n in range(125) for thing in THINGS]
    index = FactIndex(facts)
    assert all(index.match(one).fact == one for one in facts)
