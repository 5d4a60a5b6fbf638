"""What is kept of one person who was forgotten: hashes, read back as they were and joined without loss."""

from datetime import UTC, datetime, timedelta

from hypothesis import given
from hypothesis import strategies as st

from shared.domain.forgetting.erased import Erased, mark

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
