"""What of a fact people are shown."""

from hypothesis import given
from hypothesis import strategies as st

from shared.domain.facts.lifecycle import learn
from shared.domain.facts.profile import QUOTES_SHOWN, profile_fact, quotes_shown, shown_to_people
from tests.support.builders import candidate, evidence


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
