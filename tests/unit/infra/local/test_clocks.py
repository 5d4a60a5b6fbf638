"""Clocks that are moved forward, and never back."""

from datetime import timedelta

from hypothesis import given
from hypothesis import strategies as st

from infra.local.clocks import ReplayClock, SkippingClock
from tests.support.group import FRIDAY

HOUR = timedelta(hours=1)
SPANS = st.timedeltas(timedelta(days=-3), timedelta(days=3))


def test_a_replays_clock_stands_still_until_it_is_moved():
    clock = ReplayClock(FRIDAY)
    assert clock.now() == clock.now() == FRIDAY
    clock.skip(HOUR)
    assert clock.now() == FRIDAY + HOUR


def test_a_skipping_clock_runs_with_the_other_one():
    base = ReplayClock(FRIDAY)
    clock = SkippingClock(base)
    clock.skip(HOUR)
    base.skip(HOUR)
    assert clock.now() == FRIDAY + 2 * HOUR
    assert base.now() == FRIDAY + HOUR


@given(st.lists(SPANS))
def test_what_has_passed_is_not_gone_back_to(instants):
    for clock in (ReplayClock(FRIDAY), SkippingClock(ReplayClock(FRIDAY))):
        for reached, span in enumerate(instants, start=1):
            clock.reach(FRIDAY + span)
            assert clock.now() == max(FRIDAY, *(FRIDAY + each for each in instants[:reached]))
