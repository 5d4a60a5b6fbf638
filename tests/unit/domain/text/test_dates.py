"""Whatever people write as a day: it is one of the years that they mean, or none, and nothing breaks on it."""

from __future__ import annotations

import re
from datetime import UTC, date, datetime, timedelta

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from shared.application.commands.chat.regen import read_range
from shared.domain.answering.recap import read_begin
from shared.domain.consolidation.days import days_in
from shared.domain.recall.time_phrases import Span, spans_in
from shared.domain.text import dates as words
from shared.domain.text.dates import FIRST_YEAR, LAST_YEAR, calendar_day, calendar_iso_day, is_meant

_NUMBERS = st.integers(0, 10_000).map(str) | st.sampled_from(
    ["0", "00", "1", "2", "29", "31", "32", "99", "999", "0001", "1899", "1900", "2100", "2101", "9998", "9999", "٣",
     "۹۹۹۹", "²", "1" * 50]
)  # fmt: skip
_TEMPLATES = st.sampled_from(
    """{}-{}-{}|{:0>4}-{:0>2}-{:0>2}|{2}.{1}.{0}|{2}/{1}/{0}|{2}.{1}|{0} травня {1}|May {0}, {1}|in {0}|у {0}
    |влітку {0}|summer of {0}|у травні {0}|in the last {0} years|за останні {0} років|{0} years ago|{0} місяців тому
    |{0} weeks ago|{0} днів тому|через {0} тижнів|in {0} months|до {0} травня {1}|by May {0}|до {0}-го|last {0}
    |{0}:{1}|{0}h|{0} тижнів|since {0}-{1}-{2}""".replace("\n    ", "").split("|")
)
WRITTEN = st.builds(
    lambda templates, numbers: " ".join(template.format(*numbers) for template in templates),
    st.lists(_TEMPLATES, min_size=1, max_size=3),
    st.tuples(_NUMBERS, _NUMBERS, _NUMBERS),
)
NOW = st.datetimes(datetime(1970, 1, 1), datetime(2100, 12, 31), timezones=st.timezones())


@pytest.mark.parametrize(
    ("parts", "found"),
    [
        ((2026, 2, 28), date(2026, 2, 28)),
        ((FIRST_YEAR, 1, 1), date(FIRST_YEAR, 1, 1)),
        ((LAST_YEAR, 12, 31), date(LAST_YEAR, 12, 31)),
        ((2026, 2, 29), None),
        ((2026, 13, 1), None),
        ((2026, 0, 0), None),
        ((FIRST_YEAR - 1, 12, 31), None),
        ((LAST_YEAR + 1, 1, 1), None),
        ((9999, 12, 31), None),
        ((0, 1, 1), None),
        ((10**30, 1, 1), None),
    ],
)
def test_a_day_is_one_of_the_calendar_and_of_the_years_that_people_mean(parts, found):
    assert calendar_day(*parts) == found


def test_a_day_of_the_model_is_bounded_in_the_same_way():
    assert calendar_iso_day(" 2026-11-20T10:00 ") == date(2026, 11, 20)
    assert calendar_iso_day("9999-12-31") is None
    assert calendar_iso_day("soon") is None


@settings(max_examples=300)
@given(WRITTEN, NOW)
@example("9999-12-31", datetime(2026, 11, 6, 18, tzinfo=UTC))
@example("31.12.9999 999 years ago", datetime(2026, 11, 6, 18, tzinfo=UTC))
def test_no_reader_of_days_breaks_and_each_finds_only_days_that_people_mean(text, now):
    for span in spans_in(text, now):
        assert is_meant(span.since.date())
        assert span.until.year <= LAST_YEAR + 1
        assert span.since.astimezone(UTC) < span.until.astimezone(UTC)
    assert all(is_meant(said.day) for said in days_in(text, now.date()))
    since = read_begin(text, now=now)
    assert since is None or since < now
    meant = read_range(text, now=now)
    if isinstance(meant, Span):
        assert is_meant(meant.since.date())
        assert meant.since.astimezone(UTC) < meant.until.astimezone(UTC)


MONDAY = date(2026, 3, 16)


def day_in_digits(text: str) -> date | None:
    match = next((match for pattern in words.IN_DIGITS if (match := pattern.fullmatch(text))), None)
    return words.day_of(match, no_year) if match else None


def no_year(month: int, day: int) -> date | None:
    return words.latest_past_day(month, day, MONDAY)


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
    assert re.fullmatch(words.PARTS["SHORT_WEEKDAYS"], "sat")
    assert not re.fullmatch(words.PARTS["WEEKDAYS"], "sat")


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
    assert day_in_digits(text) == day


@given(st.from_regex(words.PARTS["ISO"] + "|" + re.sub(r"\?P<\w+>", "", words.PARTS["NUMERIC"]), fullmatch=True))
def test_no_day_in_digits_is_one_that_nobody_means(text):
    found = day_in_digits(text)
    assert found is None or is_meant(found)


@given(st.dates(date(1990, 1, 1), date(2090, 12, 31)), st.dates(date(1990, 1, 1), date(2090, 12, 31)))
def test_the_latest_such_day_has_come_and_none_of_the_same_name_came_after_it(named, today):
    found = words.latest_past_day(named.month, named.day, today)
    assert found is not None or (named.month, named.day) == (2, 29)
    if found is not None:
        assert (found.month, found.day) == (named.month, named.day)
        assert found <= today < found + timedelta(days=366 * 5)


@given(st.dates(date(1990, 1, 1), date(2090, 12, 31)))
def test_after_the_end_of_a_month_another_one_begins(day):
    end = words.month_end(day)
    assert (end.year, end.month) == (day.year, day.month)
    assert (end + timedelta(days=1)).day == 1
