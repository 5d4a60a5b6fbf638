"""Who was an admin when, from what was told and listed (laws 5 and 10)."""

from hypothesis import given
from hypothesis import strategies as st

from shared.domain.people.admin_history import MOST_NOTED, AdminNote, join_notes, notes_of_list, was_admin
from tests.support.builders import at

OLYA, TARAS = 101, 102


def told(minute, is_admin, user_id=TARAS):
    return AdminNote(at(minute), user_id, is_admin, told=True)


def asked(history, *minutes):
    return [was_admin(history, TARAS, at(minute)) for minute in minutes]


def test_of_whom_nothing_is_known_nothing_is_said():
    assert was_admin([told(5, True)], OLYA, at(9)) is None


def test_a_change_that_was_told_holds_from_its_second_on_and_tells_what_was_before():
    assert asked([told(5, True)], 4, 5, 6) == [False, False, True]
    assert asked([told(5, False)], 4, 5, 6) == [True, False, False]


def test_every_change_holds_until_the_next():
    assert asked([told(5, True), told(9, False), told(20, True)], 1, 6, 10, 21) == [False, True, False, True]


def test_two_lists_that_differ_tell_who_came_and_who_went_and_the_later_one_tells_of_the_time_between():
    history = notes_of_list({OLYA}, at(10), {TARAS}, at(70))
    assert asked(history, 5, 10, 30, 70, 80) == [False, True, True, True, True]
    assert [was_admin(history, OLYA, at(minute)) for minute in (5, 30, 80)] == [True, False, False]


def test_the_first_list_tells_of_no_change():
    assert notes_of_list((), None, {OLYA, TARAS}, at(10)) == []


notes = st.builds(AdminNote, st.integers(0, 30).map(at), st.sampled_from([OLYA, TARAS]), st.booleans(), st.booleans())


@given(st.lists(notes, max_size=12).flatmap(lambda known: st.tuples(st.just(known), st.permutations(known))), st.data())
def test_order_and_repetition_change_nothing(deliveries, data):
    known, shuffled = deliveries
    when = at(data.draw(st.integers(0, 31)))
    one, other = join_notes(known), join_notes(shuffled[:5], shuffled, shuffled[3:])
    assert one == other
    assert was_admin(one, TARAS, when) == was_admin(shuffled, TARAS, when)


@given(st.lists(notes, min_size=1, max_size=12))
def test_what_was_told_last_holds_from_then_on(known):
    last = max(known)
    if last.told:
        assert was_admin(known, last.user_id, at(40)) is last.is_admin


def test_of_too_many_notes_the_newest_are_kept():
    many = [told(minute, minute % 2 == 0) for minute in range(MOST_NOTED + 7)]
    assert join_notes(many) == tuple(many[7:])
