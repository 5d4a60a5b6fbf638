"""Names of days, months, units and counts: each reader knows all of them, in both languages."""

from __future__ import annotations

import re
from datetime import date, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from shared.domain.consolidation.days import days_in
from shared.domain.text import date_words as words
from shared.domain.text.dates import is_meant

MONDAY = date(2026, 3, 16)


def no_year(month: int, day: int) -> date | None:
    return words.latest(month, day, MONDAY)


@pytest.mark.parametrize(
    ("english", "ukrainian", "count"),
    [("a", "один", 1), ("a couple of", "пару", 2), ("two", "двох", 2), ("eight", "вісім", 8), ("nine", "дев'ять", 9)],
)
def test_a_count_is_the_same_in_both_languages_and_known_to_plans(english, ukrainian, count):
    assert words.count_of(english) == words.count_of(ukrainian) == count
    for text in (f"exam in {english} weeks", f"іспит через {ukrainian} тижні"):
        assert [said.day for said in days_in(text, MONDAY)] == [MONDAY + timedelta(weeks=count)]


def test_digits_count_and_nothing_is_one():
    assert (words.count_of("12"), words.count_of(None)) == (12, 1)


@pytest.mark.parametrize(
    ("names", "number"), [("January jan січня", 1), ("May травні", 5), ("Sept вересень", 9), ("dec ГРУДНЯ", 12)]
)
def test_a_month_is_known_by_each_of_its_names(names, number):
    assert {words.month_of(name) for name in names.split()} == {number}


def test_a_weekday_is_known_by_each_of_its_names_and_short_ones_only_where_they_are_asked_for():
    assert [words.weekday_of(name) for name in ("Monday", "понеділка", "sun", "неділю")] == [0, 0, 6, 6]
    assert re.fullmatch(words.ANY_WEEKDAY, "sat")
    assert not re.fullmatch(words.WEEKDAY, "sat")


def test_a_winter_begins_in_december():
    assert [words.season_start(name) for name in ("взимку", "spring", "літа", "fall")] == [12, 3, 6, 9]


@pytest.mark.parametrize(
    ("text", "day"),
    [
        ("2026-11-20", date(2026, 11, 20)),
        ("2026-1-5", date(2026, 1, 5)),
        ("20.11", date(2025, 11, 20)),
        ("1.2.26", date(2026, 2, 1)),
        ("29.02", date(2024, 2, 29)),
        ("01.01.0001", None),
        ("31.11", None),
        ("20.11.", None),
        ("on 20.11", None),
    ],
)
def test_a_day_in_digits_is_the_whole_text_and_one_of_the_calendar(text, day):
    assert words.day_in_digits(text, no_year) == day


@given(st.from_regex(words.ISO + "|" + re.sub(r"\?P<\w+>", "", words.NUMERIC), fullmatch=True))
def test_no_day_in_digits_is_one_that_nobody_means(text):
    found = words.day_in_digits(text, no_year)
    assert found is None or is_meant(found)


@given(st.dates(date(1990, 1, 1), date(2090, 12, 31)), st.dates(date(1990, 1, 1), date(2090, 12, 31)))
def test_the_latest_such_day_has_come_and_none_of_the_same_name_came_after_it(named, today):
    found = words.latest(named.month, named.day, today)
    assert found is not None or (named.month, named.day) == (2, 29)
    if found is not None:
        assert (found.month, found.day) == (named.month, named.day)
        assert found <= today < found + timedelta(days=366 * 5)


@given(st.dates(date(1990, 1, 1), date(2090, 12, 31)))
def test_after_the_end_of_a_month_another_one_begins(day):
    end = words.month_end(day)
    assert (end.year, end.month) == (day.year, day.month)
    assert (end + timedelta(days=1)).day == 1
