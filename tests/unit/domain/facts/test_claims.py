"""Which words about one value are kept, whatever order they come in."""

from __future__ import annotations

from dataclasses import replace

from hypothesis import given
from hypothesis import strategies as st

from shared.domain.facts.claims import cut_quote, join_evidence
from shared.domain.facts.evidence.claim import MAX_EVIDENCE, MAX_QUOTE, MAX_QUOTE_BYTES, Authority
from shared.domain.facts.lifecycle import learn
from shared.domain.facts.slot import combine_confidence
from tests.support.builders import at, candidate, evidence
from tests.unit.domain.facts.slots import quotes


@given(st.lists(quotes, min_size=1, max_size=12), st.randoms())
def test_the_order_of_quotes_does_not_matter(known, random):
    shuffled = random.sample(known, len(known))
    assert combine_confidence(shuffled) == combine_confidence(known)
    assert join_evidence(shuffled) == join_evidence(known)


def test_a_message_that_two_extractors_quoted_differently_counts_once_at_its_best():
    pattern, model = evidence(1, quote="без політики", confidence=0.7), evidence(1, quote="політики", confidence=0.9)
    assert combine_confidence([pattern, model]) == 0.9
    (kept,) = join_evidence([model, pattern])
    assert (kept.quote, kept.confidence) == ("без політики", 0.9)


def test_of_one_message_the_authority_that_ranks_higher_about_the_chat_is_kept():
    said, agreed = (
        evidence(1, quote="x").__class__(at(1), 1, 101, "x", 0.8, authority)
        for authority in (Authority.OWN_STATEMENT, Authority.CONSENSUS)
    )
    assert join_evidence([said, agreed]) == join_evidence([agreed, said]) == (agreed,)


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
    in_two_steps = join_evidence([*join_evidence(quotes[:at_once]), *quotes[at_once:]])
    assert in_two_steps == join_evidence(quotes)


@given(st.text(st.sampled_from("aя漢🔥 "), max_size=1_500))
def test_what_is_kept_of_a_quote_begins_it_and_has_no_more_than_two_thousand_bytes(said):
    kept = cut_quote(said)
    assert said.startswith(kept)
    assert len(kept.encode()) <= MAX_QUOTE_BYTES
    assert len(kept) <= MAX_QUOTE
    assert kept == said or len(kept.encode()) >= MAX_QUOTE or kept == said[: len(kept)].rstrip()
    assert cut_quote(kept) == kept


def test_of_a_long_quote_the_beginning_is_kept():
    long = "слово " * MAX_QUOTE
    (kept,) = learn(None, candidate("friday", evidence(1, quote=long))).after.evidence
    assert long.startswith(kept.quote)
    assert MAX_QUOTE - 10 < len(kept.quote) <= MAX_QUOTE
