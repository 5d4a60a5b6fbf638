"""Times that people name in questions, asked on Wednesday, 11 March 2026."""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta, timezone

import pytest
from hypothesis import given
from hypothesis import strategies as st

from shared.domain.recall.time_phrases import spans_in

ASKED = datetime(2026, 3, 11, 15, 0, tzinfo=UTC)


def days(text: str, asked_at: datetime = ASKED) -> list[tuple[str, str]]:
    """First and last day of each span."""
    return [(str(s.since.date()), str((s.until - timedelta(days=1)).date())) for s in spans_in(text, asked_at)]


@pytest.mark.parametrize(
    ("english", "ukrainian", "first", "last"),
    [
        ("What did we do last Friday?", "Що ми робили минулої п'ятниці?", "2026-03-06", "2026-03-06"),
        ("who came on Monday", "хто приходив у понеділок", "2026-03-09", "2026-03-09"),
        ("what did I say yesterday", "що я казав вчора", "2026-03-10", "2026-03-10"),
        ("the day before yesterday", "позавчора", "2026-03-09", "2026-03-09"),
        ("what is on today", "що сьогодні", "2026-03-11", "2026-03-11"),
        ("on 7 May", "7 травня", "2025-05-07", "2025-05-07"),
        ("on March 5th", "5-го березня", "2026-03-05", "2026-03-05"),
        ("on May 23, 2023", "23 травня 2023", "2023-05-23", "2023-05-23"),
        ("in May 2023", "у травні 2023", "2023-05-01", "2023-05-31"),
        ("in May", "у травні", "2025-05-01", "2025-05-31"),
        ("in February", "в лютому", "2026-02-01", "2026-02-28"),
        ("at the end of May", "наприкінці травня", "2025-05-01", "2025-05-31"),
        ("in early May", "на початку травня", "2025-05-01", "2025-05-31"),
        ("in mid-May", "всередині травня", "2025-05-01", "2025-05-31"),
        ("last week", "на тому тижні", "2026-03-02", "2026-03-08"),
        ("this week", "цього тижня", "2026-03-09", "2026-03-15"),
        ("last month", "минулого місяця", "2026-02-01", "2026-02-28"),
        ("last year", "торік", "2025-01-01", "2025-12-31"),
        ("two weeks ago", "два тижні тому", "2026-02-22", "2026-02-28"),
        ("a week ago", "тиждень тому", "2026-03-01", "2026-03-07"),
        ("three months ago", "три місяці тому", "2025-11-26", "2025-12-26"),
        ("a month ago", "місяць тому", "2026-01-27", "2026-02-26"),
        ("two years ago", "два роки тому", "2023-09-13", "2024-09-07"),
        ("five days ago", "п'ять днів тому", "2026-03-06", "2026-03-06"),
        ("last weekend", "минулими вихідними", "2026-03-07", "2026-03-08"),
        ("in the summer of 2024", "влітку 2024", "2024-06-01", "2024-08-31"),
        ("last summer", "минулого літа", "2025-06-01", "2025-08-31"),
        ("over the last two weeks", "за останні два тижні", "2026-02-25", "2026-03-11"),
        ("since 2022", "у 2022", "2022-01-01", "2022-12-31"),
        ("2026-02-01", "01.02.2026", "2026-02-01", "2026-02-01"),
    ],
)
def test_a_time_is_the_same_in_both_languages(english, ukrainian, first, last):
    assert days(english) == days(ukrainian) == [(first, last)]


@pytest.mark.parametrize(
    "text",
    ["", "what may happen", "march with us", "скільки коштує", "32 травня", "31.02.2025", "version 3.2.1", "room 2025",
     "99.99", "the fall of Rome", "день за днем", "0 січня", "31.12.9999", "9999-12-31", "0001-01-01", "1.01.1899",
     "31.12.2101", "999 years ago", "999 років тому"],
)  # fmt: skip
def test_what_is_no_time_is_no_span(text):
    assert days(text) == []


def test_the_last_day_that_people_mean_is_a_day():
    assert days("31.12.2100") == [("2100-12-31", "2100-12-31")]


def test_a_day_that_is_still_to_come_this_year_was_last_year():
    assert days("on 12 March") == [("2025-03-12", "2025-03-12")]
    assert days("29 February") == [("2024-02-29", "2024-02-29")]


def on(day: str) -> datetime:
    return datetime.fromisoformat(f"{day}T15:00:00+00:00")


@pytest.mark.parametrize(
    ("text", "asked_on", "first", "last"),
    [
        ("last weekend", "2026-03-13", "2026-03-07", "2026-03-08"),
        ("last weekend", "2026-03-14", "2026-03-07", "2026-03-08"),
        ("минулих вихідних", "2026-03-15", "2026-03-07", "2026-03-08"),
        ("this weekend", "2026-03-14", "2026-03-14", "2026-03-15"),
        ("на вихідних", "2026-03-15", "2026-03-14", "2026-03-15"),
        ("last March", "2026-03-11", "2025-03-01", "2025-03-31"),
        ("минулого березня", "2026-03-11", "2025-03-01", "2025-03-31"),
        ("минулого лютого", "2026-03-11", "2026-02-01", "2026-02-28"),
        ("this March", "2026-03-11", "2026-03-01", "2026-03-31"),
        ("у березні", "2026-03-01", "2026-03-01", "2026-03-31"),
        ("у квітні", "2026-03-31", "2025-04-01", "2025-04-30"),
        ("29 February", "2028-02-28", "2024-02-29", "2024-02-29"),
        ("29 лютого", "2028-02-29", "2028-02-29", "2028-02-29"),
        ("11.03", "2026-03-11", "2026-03-11", "2026-03-11"),
        ("01.02.26", "2026-03-11", "2026-02-01", "2026-02-01"),
        ("in spring", "2026-03-01", "2026-03-01", "2026-05-31"),
        ("навесні", "2026-02-28", "2025-03-01", "2025-05-31"),
        ("взимку", "2026-03-11", "2025-12-01", "2026-02-28"),
        ("in the autumn", "2026-03-11", "2025-09-01", "2025-11-30"),
        ("on Wednesday", "2026-03-11", "2026-03-04", "2026-03-04"),
        ("this Friday", "2026-03-11", "2026-03-13", "2026-03-13"),
        ("цього понеділка", "2026-03-11", "2026-03-09", "2026-03-09"),
        ("this year", "2026-03-11", "2026-01-01", "2026-12-31"),
        ("цього місяця", "2026-03-31", "2026-03-01", "2026-03-31"),
        ("last month", "2026-03-31", "2026-02-01", "2026-02-28"),
        ("минулого місяця", "2026-01-31", "2025-12-01", "2025-12-31"),
        ("минулого місяця", "2026-12-31", "2026-11-01", "2026-11-30"),
        ("минулого року", "2026-03-11", "2025-01-01", "2025-12-31"),
        ("позаторік", "2026-03-11", "2024-01-01", "2024-12-31"),
        ("a month ago", "2026-03-31", "2026-02-13", "2026-03-15"),
        ("рік тому", "2026-03-11", "2024-09-12", "2025-09-07"),
        ("місяць тому", "2026-03-11", "2026-01-27", "2026-02-26"),
        ("one day ago", "2026-03-11", "2026-03-10", "2026-03-10"),
        ("ten days ago", "2026-03-11", "2026-03-01", "2026-03-01"),
        ("12 days ago", "2026-03-11", "2026-02-27", "2026-02-27"),
        ("over the last 3 days", "2026-03-11", "2026-03-08", "2026-03-11"),
        ("за останній тиждень", "2026-03-11", "2026-03-04", "2026-03-11"),
        ("over the last 2 months", "2026-03-11", "2026-01-10", "2026-03-11"),
        ("останні 2 роки", "2026-03-11", "2024-03-11", "2026-03-11"),
        ("попереднього дня", "2026-03-11", "2026-03-10", "2026-03-10"),
        ("this day", "2026-03-11", "2026-03-11", "2026-03-11"),
        ("last night", "2026-03-11", "2026-03-10", "2026-03-10"),
    ],
)
def test_a_time_is_counted_from_the_day_on_which_it_is_asked(text, asked_on, first, last):
    assert days(text, on(asked_on)) == [(first, last)]


def test_two_times_are_two_spans_and_a_repeated_one_is_one():
    assert days("yesterday or on 7 May, that is on 7 May") == [
        ("2025-05-07", "2025-05-07"),
        ("2026-03-10", "2026-03-10"),
    ]


def test_a_day_is_a_day_of_the_askers_calendar():
    kyiv = timezone(timedelta(hours=2))
    [span] = spans_in("вчора", datetime(2026, 3, 11, 0, 30, tzinfo=kyiv))
    assert span.since == datetime(2026, 3, 9, 22, 0, tzinfo=UTC)
    assert span.until - span.since == timedelta(days=1)
    assert spans_in("вчора", datetime(2026, 3, 11, 23, 59, 59, 999_999, tzinfo=kyiv)) == [span]


_WORDS = [
    "last",
    "this",
    "two",
    "999",
    "3",
    "days",
    "weeks",
    "months",
    "years",
    "ago",
    "тому",
    "минулої",
    "п'ятниці",
    "у",
    "травні",
    "7",
    "31",
    "May",
    "2023",
    "тиждень",
    "рік",
    "31.12",
]


@given(
    st.lists(st.sampled_from(_WORDS), max_size=8).map(" ".join) | st.text(max_size=60),
    st.dates(date(1971, 1, 1), date(2100, 1, 1)),
)
def test_any_text_is_read_without_an_error_and_every_span_has_days(text, day):
    asked = datetime(day.year, day.month, day.day, 12, tzinfo=UTC)
    assert all(span.since < span.until for span in spans_in(text, asked))


@pytest.mark.parametrize(
    ("english", "ukrainian", "first", "last"),
    [
        ("what was agreed before 5 March?", "про що домовились до 5 березня?", "2025-03-05", "2026-03-05"),
        ("who came after 5 March?", "хто прийшов після 5 березня?", "2026-03-05", "2026-03-11"),
        ("the talk of 5 March", "розмова 5 березня", "2026-03-05", "2026-03-05"),
    ],
)
def test_until_a_day_means_the_days_before_it_too_and_after_it_those_since(english, ukrainian, first, last):
    assert days(english) == days(ukrainian) == [(first, last)]
