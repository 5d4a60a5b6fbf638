"""What a message read when, as a function of its known editions (laws 5 and 10)."""

from datetime import timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from shared.domain.conversation.editions import (
    MOST_EDITIONS,
    Edition,
    joined_editions,
    read_the_same_at,
    worded_at,
    wording_mark,
)
from tests.support.builders import at

marks = st.sampled_from(["a", "b", "c"])
editions = st.lists(st.builds(Edition, st.integers(0, 8).map(at), st.integers(0, 30), marks), max_size=10)


def edition(minute, words, update_id=0):
    return Edition(at(minute), update_id, wording_mark(words))


@pytest.mark.parametrize(
    "text", ["говоримо українською", "Говоримо  українською!!", " ГОВОРИМО\nукраїнською. ", "говоримо українською…"]
)
def test_spaces_emphasis_and_the_marks_at_the_end_make_no_other_wording(text):
    assert wording_mark(text) == wording_mark("Говоримо українською")


@pytest.mark.parametrize(
    "text",
    [
        "Говоримо українською?",
        "Говоримо, українською",
        "Говоримо. Українською",
        "Не говоримо українською",
        "Говоримо -",
    ],
)
def test_any_other_sign_makes_another_wording(text):
    assert wording_mark(text) != wording_mark("Говоримо українською")


def test_what_was_never_edited_always_read_so():
    assert read_the_same_at((), at(3))
    assert worded_at((), at(3)) == at(3)


def test_what_was_agreed_to_before_an_edit_was_something_else():
    known = (edition(0, "a"), edition(5, "b", 9))
    assert [read_the_same_at(known, at(minute)) for minute in (1, 5, 6)] == [False, False, True]
    assert worded_at(known, at(0)) == at(5)


def test_words_that_come_back_have_those_back_who_agreed_to_them_and_not_who_agreed_in_between():
    known = (edition(0, "a"), edition(5, "b", 9), edition(8, "a", 12))
    assert [read_the_same_at(known, at(minute)) for minute in (1, 6, 8, 9)] == [True, False, False, True]
    assert worded_at(known, at(0)) == at(8)


def test_what_a_message_read_before_its_first_known_edition_nobody_knows():
    assert not read_the_same_at((edition(5, "a", 9),), at(3))


def test_of_two_edits_in_one_second_the_later_update_is_the_wording_and_that_second_is_nobodys():
    known = joined_editions([edition(5, "b", 11)], [edition(0, "a"), edition(5, "a", 9)])
    assert known[-1].mark == wording_mark("b")
    assert [read_the_same_at(known, at(5)), read_the_same_at(known, at(5) + timedelta(seconds=1))] == [False, True]


@given(editions.flatmap(lambda told: st.tuples(st.just(told), st.permutations(told), st.integers(0, 10))))
def test_order_and_repetition_of_deliveries_change_nothing(deliveries):
    told, shuffled, cut = deliveries
    assert joined_editions(shuffled[:cut], shuffled[cut:], shuffled[:cut]) == joined_editions(told)


@given(editions, st.integers(0, 10).map(at))
def test_who_agreed_since_it_reads_so_agreed_to_what_it_reads(told, when):
    known = joined_editions(told)
    if known and when > worded_at(known, at(0)):
        assert read_the_same_at(known, when)


@given(st.lists(st.builds(Edition, st.integers(0, 500).map(at), st.integers(0, 5), marks), min_size=60, max_size=90))
def test_of_too_many_editions_the_newest_are_known(told):
    known = joined_editions(told)
    assert len(known) <= MOST_EDITIONS
    assert known == tuple(sorted(set(told)))[-MOST_EDITIONS:]
