"""Quiet hours: which instants lie in them, when they end, and how they are written."""

from datetime import datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from shared.domain.chats.hours import QuietHours, parse_quiet_hours

HOUR = st.integers(0, 23)
INSTANT = st.datetimes(min_value=datetime(2026, 1, 1), max_value=datetime(2026, 12, 30))


def at(hour, minute=0, day=6):
    return datetime(2026, 11, day, hour, minute)


@pytest.mark.parametrize(
    ("hours", "local", "quiet"),
    [
        (QuietHours(22, 8), at(21, 59), False),
        (QuietHours(22, 8), at(22), True),
        (QuietHours(22, 8), at(0), True),
        (QuietHours(22, 8), at(7, 59), True),
        (QuietHours(22, 8), at(8), False),
        (QuietHours(13, 15), at(12, 59), False),
        (QuietHours(13, 15), at(13), True),
        (QuietHours(13, 15), at(15), False),
        (QuietHours(5, 5), at(5), False),
    ],
)
def test_it_is_quiet_from_the_first_hour_until_the_second_also_over_midnight(hours, local, quiet):
    assert hours.holds(local) is quiet


@given(HOUR, HOUR)
def test_what_is_written_is_read_as_what_it_was(start, end):
    hours = QuietHours(start, end)
    read = parse_quiet_hours(str(hours))
    assert read == (QuietHours(0, 0) if start == end else hours)


@pytest.mark.parametrize(("text", "expected"), [(" 9 – 17 ", QuietHours(9, 17)), ("OFF", QuietHours(0, 0))])
def test_people_may_write_spaces_and_a_dash(text, expected):
    assert parse_quiet_hours(text) == expected


@pytest.mark.parametrize("text", ["", "22", "22-24", "22:00-8:00", "-1-5", "a-b", "1-2-3"])
def test_anything_else_is_refused_with_what_would_do(text):
    with pytest.raises(ValueError, match="22-8"):
        parse_quiet_hours(text)
