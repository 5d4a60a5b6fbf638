"""Which stretch of talk is meant by what an admin types."""

from datetime import date, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from shared.application.commands.chat.regen_range import Days, Latest, read_range

KYIV = ZoneInfo("Europe/Kyiv")
NOW = datetime(2026, 11, 6, 20, 0, tzinfo=KYIV)


def day(year, month, number):
    return datetime(year, month, number, tzinfo=KYIV)


RANGES = {
    "today": Days(day(2026, 11, 6), day(2026, 11, 7)),
    "Сьогодні": Days(day(2026, 11, 6), day(2026, 11, 7)),
    "вчора": Days(day(2026, 11, 5), day(2026, 11, 6)),
    "yesterday today": Days(day(2026, 11, 5), day(2026, 11, 7)),
    "2026-11-02": Days(day(2026, 11, 2), day(2026, 11, 3)),
    "02.11": Days(day(2026, 11, 2), day(2026, 11, 3)),
    "20.11": Days(day(2025, 11, 20), day(2025, 11, 21)),
    "02.11.2024": Days(day(2024, 11, 2), day(2024, 11, 3)),
    "04.11 02.11": Days(day(2026, 11, 2), day(2026, 11, 5)),
    "last 200": Latest(200),
    "останні  20": Latest(20),
    "last 0": None,
    "last": None,
    "30.02": None,
    "2026-13-01": None,
    "today and more": None,
    "everything": None,
    "9999-12-31": None,
    "0001-01-01": None,
    "01.01.0001 31.12.9999": None,
    "2026-12-31": Days(day(2026, 12, 31), day(2027, 1, 1)),
}


@pytest.mark.parametrize("words", sorted(RANGES))
def test_a_range_is_a_day_two_days_or_the_latest_messages(words):
    assert read_range(words, now=NOW) == RANGES[words]


@given(st.dates(date(2001, 1, 1), date(2026, 11, 6)), st.booleans())
def test_every_day_is_found_by_its_date(day_, iso):
    found = read_range(day_.isoformat() if iso else f"{day_:%d.%m.%Y}", now=NOW)
    assert isinstance(found, Days)
    assert found.start.date() == day_
    assert found.end.date() == day_ + timedelta(days=1)


@given(st.text(max_size=30))
def test_nothing_that_is_typed_breaks_it(words):
    found = read_range(words, now=NOW)
    assert not isinstance(found, Days) or found.start < found.end
