"""Times and numeric dates are taken out of a text, in digits and in words."""

import pytest

from shared.domain.facts.dedup.moments import without_spoken_times, without_times

HOUR = 60


def times(text):
    clock, dates = set(), set()
    left = without_spoken_times(without_times(text, clock, dates), clock)
    return clock, dates, left.split()


@pytest.mark.parametrize(
    ("text", "minutes"),
    [
        ("о 19:30", {19 * HOUR + 30}),
        ("at 7:05 pm", {19 * HOUR + 5}),
        ("о 7", {7 * HOUR, 19 * HOUR}),
        ("at 7", {7 * HOUR, 19 * HOUR}),
        ("о 7 вечора", {19 * HOUR}),
        ("7 ранку", {7 * HOUR}),
        ("12 am", {0}),
        ("12 pm", {12 * HOUR}),
        ("о 12 ночі", {0}),
        ("11 ночі", {23 * HOUR}),
        ("3 ночі", {3 * HOUR}),
        ("о сьомій", {7 * HOUR, 19 * HOUR}),
        ("пів на восьму вечора", {19 * HOUR + 30}),
        ("half past seven in the evening", {19 * HOUR + 30}),
        ("quarter to eight am", {7 * HOUR + 45}),
        ("quarter past nine pm", {21 * HOUR + 15}),
        ("at noon", {12 * HOUR}),
        ("опівночі", {0}),
    ],
)
def test_a_time_counts_in_minutes_after_midnight_twice_where_the_half_of_the_day_is_not_said(text, minutes):
    assert times(text)[0] == minutes


@pytest.mark.parametrize(
    ("text", "left"), [("зустріч о 19:30 тут", ["зустріч", "о", "тут"]), ("by 3 pm today", ["by", "today"])]
)
def test_what_was_a_time_is_no_number_any_more(text, left):
    assert times(text)[2] == left


@pytest.mark.parametrize("text", ["25:10", "14 дня", "19:75", "у мене 7 котів", "at one table"])
def test_what_is_no_time_stays(text):
    assert times(text) == (set(), set(), text.split())


@pytest.mark.parametrize(("text", "date"), [("2026-03-08", (3, 8)), ("08.03.2026", (3, 8)), ("8.03", (3, 8))])
def test_a_numeric_date_counts_as_month_and_day(text, date):
    assert times(text)[1] == {date}


@pytest.mark.parametrize("text", ["45.03.2026", "8.13.2026"])
def test_an_impossible_date_is_none(text):
    assert times(text)[1] == set()


def clock_of(text):
    clock, dates = set(), set()
    without_spoken_times(without_times(text, clock, dates), clock)
    return sorted(f"{minutes // 60}:{minutes % 60:02}" for minutes in clock), sorted(dates)


@pytest.mark.parametrize(
    ("text", "times"),
    [
        ("at 7 pm", ["19:00"]),
        ("7.30 pm", ["19:30"]),
        ("8:30 a.m.", ["8:30"]),
        ("о 19:05", ["19:05"]),
        ("о 7.30", ["7:30"]),
        ("пів на сьому вечора", ["18:30"]),
        ("о десятій ранку", ["10:00"]),
        ("десята година вечора", ["22:00"]),
        ("half past six in the evening", ["18:30"]),
        ("quarter to nine pm", ["20:45"]),
        ("12 ночі", ["0:00"]),
        ("12 am", ["0:00"]),
        ("noon", ["12:00"]),
        ("опівночі", ["0:00"]),
        ("at 7", ["19:00", "7:00"]),
        ("третій курс", []),
        ("у п'ятницю", []),
        ("has five cats", []),
        ("at 99", []),
    ],
)
def test_a_time_is_the_same_however_it_is_written(text, times):
    assert clock_of(text) == (times, [])


def test_a_date_is_not_taken_for_a_time():
    assert clock_of("до 15.03") == ([], [(3, 15)])
