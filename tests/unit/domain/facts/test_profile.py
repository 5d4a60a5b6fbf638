"""What of a fact people are shown."""

from hypothesis import given
from hypothesis import strategies as st

from shared.domain.facts.evidence.claim import Authority
from shared.domain.facts.lifecycle import learn
from shared.domain.facts.profile import (
    BEFORE_SHOWN,
    QUOTES_SHOWN,
    people_in,
    profile_fact,
    quotes_shown,
    shown_to_people,
)
from tests.support.builders import candidate, evidence
from tests.unit.domain.facts.slots import believed, disputed


def known(*authors, subject="chat"):
    quotes = [evidence(n, user_id=user_id) for n, user_id in enumerate(authors, start=1)]
    category = "tradition" if subject == "chat" else "preference"
    return profile_fact(learn(None, candidate("friday", *quotes, subject=subject, category=category)).after, {})


@given(st.integers(0, 12))
def test_the_quotes_that_began_a_fact_are_shown_and_the_newest(count):
    quotes = [evidence(n) for n in range(count)]
    shown = quotes_shown(quotes)
    assert len(shown) == min(count, QUOTES_SHOWN)
    assert list(shown) == sorted(shown)
    assert shown[: QUOTES_SHOWN - 1] == tuple(quotes[: QUOTES_SHOWN - 1])
    assert shown[-1:] == tuple(quotes[-1:])


people = st.integers(101, 105)


@given(
    st.lists(st.lists(people, min_size=1, max_size=3, unique=True), max_size=5),
    st.lists(people, max_size=2),
    st.sets(people, max_size=3),
)
def test_nothing_of_who_opted_out_is_shown_and_everything_of_the_others(chat, members, silenced):
    facts = [known(*authors) for authors in chat]
    facts += [known(user_id, subject=f"user:{user_id}") for user_id in members]
    shown = shown_to_people(facts, silenced)
    assert all(quote.user_id not in silenced for fact in shown for quote in fact.evidence)
    assert all(fact.evidence for fact in shown)
    assert {fact.subject for fact in shown}.isdisjoint({f"user:{user_id}" for user_id in silenced})
    left = sum(not set(authors) <= silenced for authors in chat) + sum(each not in silenced for each in members)
    assert len(shown) == left
    assert shown_to_people(facts, ()) == facts


def meetings(*days):
    """What is known of the day of meetings, which each of these members moved in turn."""
    said = [candidate(day, evidence(n, user_id=100 + n), authority=Authority.ADMIN) for n, day in enumerate(days, 1)]
    return profile_fact(believed(*said), {})


def test_a_fact_tells_what_it_replaced_and_since_when_that_held():
    fact = meetings("thursday", "tuesday", "sunday")
    told = [(value.since, value.user_ids) for value in fact.before]
    assert told == [(evidence(1).sent_at, (101,)), (evidence(2).sent_at, (102,))]
    assert ["thursday" in fact.before[0].description, "tuesday" in fact.before[1].description] == [True, True]
    assert people_in([fact]) == {101, 102, 103}
    assert len(meetings(*"abcdefgh").before) == BEFORE_SHOWN


def test_what_waits_beside_a_fact_was_never_replaced_by_it():
    assert profile_fact(disputed(), {}).before == ()


def test_what_a_fact_replaced_is_not_shown_when_only_who_opted_out_said_it():
    (fact,) = shown_to_people([meetings("thursday", "tuesday", "sunday")], {101})
    assert [value.user_ids for value in fact.before] == [(102,)]
