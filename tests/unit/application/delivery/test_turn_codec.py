"""Whose turn it is to send what waits in a chat."""

from datetime import timedelta

from hypothesis import given
from hypothesis import strategies as st

from shared.application.delivery.ledger_codec import LONGEST
from shared.application.delivery.turn_codec import Turn, read_turn, turn_fields, turn_path
from shared.application.ports.store import Document
from tests.support.queues import NOON

SECOND = timedelta(seconds=1)


def turn(fields):
    return read_turn(Document(turn_path(-5), fields))


@given(st.integers(0, 200))
def test_a_turn_is_its_workers_until_it_runs_out(seconds):
    taken, later = turn(turn_fields("mine", now=NOON)), NOON + seconds * SECOND
    assert taken == Turn("mine", NOON + LONGEST)
    assert taken.closed_until("mine", later) is None
    assert taken.closed_until("other", later) == (NOON + LONGEST if seconds * SECOND < LONGEST else None)


def test_a_turn_that_was_given_up_is_nobodys_and_says_until_when_there_is_no_room():
    free = turn(turn_fields("", now=NOON, not_before=NOON + SECOND))
    assert free == Turn("", None, NOON + SECOND)
    assert free.closed_until("mine", NOON) == NOON + SECOND
    assert free.closed_until("mine", NOON + SECOND) is None
    assert turn({}) == read_turn(None) == Turn()


def test_a_turn_is_renewed_before_it_could_be_too_short_for_a_message():
    taken = turn(turn_fields("mine", now=NOON))
    assert not taken.is_to_be_renewed(NOON + 10 * SECOND)
    assert taken.is_to_be_renewed(NOON + 11 * SECOND)
