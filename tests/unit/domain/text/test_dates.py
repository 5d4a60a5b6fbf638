"""Whatever people write as a day: it is one of the years that they mean, or none, and nothing breaks on it."""

from __future__ import annotations

from datetime import UTC, date, datetime

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from shared.application.commands.chat.regen_range import Days, read_range
from shared.domain.answering.recap import since_when
from shared.domain.consolidation.days import days_in
from shared.domain.recall.time_phrases import spans_in
from shared.domain.text.dates import FIRST_YEAR, LAST_YEAR, is_meant, meant_day, meant_iso_day

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
    assert meant_day(*parts) == found


def test_a_day_of_the_model_is_bounded_in_the_same_way():
    assert meant_iso_day(" 2026-11-20T10:00 ") == date(2026, 11, 20)
    assert meant_iso_day("9999-12-31") is None
    assert meant_iso_day("soon") is None


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
    since = since_when(text, now=now)
    assert since is None or since < now
    meant = read_range(text, now=now)
    if isinstance(meant, Days):
        assert is_meant(meant.start.date())
        assert meant.start.astimezone(UTC) < meant.end.astimezone(UTC)
