"""What is kept of one person who was forgotten: hashes, read back as they were and joined without loss."""

from datetime import UTC, datetime, timedelta

from hypothesis import given
from hypothesis import strategies as st

from shared.domain.conversation.messages import name_mark
from shared.domain.forgetting.erased import Erased, mark
from tests.unit.domain.forgetting.people import OTHER, YARYNA, forgotten, says

NOON = datetime(2026, 11, 6, 12, tzinfo=UTC)
LATER = NOON + timedelta(days=2)
SALT = "0123456789abcdefghijkl"
MARKS = st.frozensets(st.integers(0, 50).map(lambda number: mark(SALT, str(number))), max_size=9)
PEOPLE = st.builds(Erased, st.just(NOON) | st.just(LATER), *([MARKS] * 7))


@given(PEOPLE)
def test_what_is_kept_is_read_as_it_was(person):
    assert Erased.of(person.fields()) == person


@given(PEOPLE, PEOPLE)
def test_forgetting_again_loses_nothing_that_is_known(one, other):
    both = one.merge(other)
    for name in ("who", "names", "facts", "said", "namesakes", "shared"):
        assert getattr(both, name) == getattr(one, name) | getattr(other, name)
    assert both.until == max(one.until, other.until)
    assert one.merge(one) == one


def test_an_answer_to_what_they_said_then_needs_no_name():
    known = forgotten()
    then = {"origin_ids": (YARYNA,), "origin_at": NOON}
    assert known.retold_in(says("О, скрипалька!", **then))
    assert known.retold_in(says("О, скрипалька!", origin_names=(name_mark("ярина коваль"),), origin_at=NOON))
    assert not known.retold_in(says("О!", **then))
    assert not known.retold_in(says("О, скрипалька!", origin_ids=(YARYNA,), origin_at=LATER))
    assert not known.retold_in(says("О, скрипалька!", origin_ids=(OTHER,), origin_at=NOON))


def test_who_said_it_then_is_kept_as_a_hash_by_which_it_is_still_known():
    known = forgotten()
    message = says("О, скрипалька!", origin_ids=(YARYNA, OTHER), origin_names=("0123",), origin_at=NOON)
    hashed = known.hash_origins(message)
    assert hashed.origin_ids == (OTHER,)
    assert "0123" in hashed.origin_names
    assert known.said_then(hashed)
    assert known.hash_origins(hashed) == hashed
    assert known.hash_origins(says("О!", origin_ids=(YARYNA,), origin_at=LATER)).origin_ids == (YARYNA,)
