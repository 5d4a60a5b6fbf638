"""When a chat's night is: once a local day, in every zone, however the clocks change and however late a call comes."""

from datetime import UTC, date, datetime, time, timedelta
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from shared.application.night.timetable import AHEAD, NIGHTLY, runs

ZONES = (
    *("UTC", "Europe/Kyiv", "Europe/London", "America/New_York", "America/Havana", "America/Sao_Paulo", "Asia/Beirut"),
    *("Africa/Cairo", "Africa/Casablanca", "Asia/Kathmandu", "Asia/Tehran", "Australia/Lord_Howe", "Antarctica/Troll"),
    *("Pacific/Apia", "Pacific/Kiritimati", "Pacific/Chatham", "Pacific/Niue"),
)
TWO = time(2, 0)
TOMORROW, AUTUMN = ("2026-03-09", "2026-03-09T06:00"), ("2026-11-02", "2026-11-02T07:00")
HOUR, DAY = timedelta(hours=1), timedelta(days=1)


def exists(day, zone):
    noon = datetime(day.year, day.month, day.day, 12, tzinfo=UTC)
    return any((noon + HOUR * n).astimezone(zone).date() == day for n in range(-26, 27))


def days_between(first, last):
    return [first + DAY * n for n in range((last - first).days + 1)]


@settings(max_examples=150, deadline=None)
@given(
    zone=st.sampled_from(ZONES).map(ZoneInfo),
    at=st.sampled_from([job.at for job in NIGHTLY.values()]),
    first=st.datetimes(datetime(2005, 1, 1), datetime(2030, 1, 1)).map(lambda instant: instant.replace(tzinfo=UTC)),
    gaps=st.lists(st.timedeltas(timedelta(0), AHEAD), min_size=1, max_size=8),
)
def test_each_local_day_has_one_run_however_the_calls_jitter(zone, at, first, gaps):
    calls = [first]
    for gap in gaps:
        calls.append(calls[-1] + gap)
    planned = {run for call in calls for run in runs(at, zone, call)}
    by_day = dict(planned)
    assert len(by_day) == len(planned)  # the same day is always the same instant
    expected = [
        day for day in days_between(date.fromisoformat(min(by_day)), date.fromisoformat(max(by_day)))
        if exists(day, zone)
    ]  # fmt: skip
    assert sorted(by_day) == [day.isoformat() for day in expected]
    assert min(by_day.values()) - first < timedelta(hours=50)  # nothing is left out at the beginning, either
    for day, instant in planned:
        local = instant.astimezone(zone)
        assert local.date().isoformat() == day
        assert local.time() >= at
        assert local.time() < (datetime.combine(local.date(), at) + timedelta(hours=2, minutes=1)).time()


@pytest.mark.parametrize(
    ("zone", "start", "expected"),
    [
        ("Europe/Kyiv", "2026-11-22T18:00", [("2026-11-23", "2026-11-23T00:00")]),
        ("Europe/Kyiv", "2026-11-23T00:00", [("2026-11-23", "2026-11-23T00:00"), ("2026-11-24", "2026-11-24T00:00")]),
        ("America/New_York", "2026-03-08T05:00", [("2026-03-08", "2026-03-08T07:00"), TOMORROW]),
        ("America/New_York", "2026-11-01T05:30", [("2026-11-01", "2026-11-01T07:00"), AUTUMN]),
        ("Antarctica/Troll", "2026-10-24T12:00", [("2026-10-25", "2026-10-25T00:00")]),
        ("Pacific/Apia", "2011-12-29T13:00", [("2011-12-31", "2011-12-30T12:00")]),
    ],
    ids=["ahead", "now", "a gap", "after a fold", "a fold", "a day that was left out"],
)  # fmt: skip
def test_two_in_the_morning(zone, start, expected):
    found = runs(TWO, ZoneInfo(zone), datetime.fromisoformat(start).replace(tzinfo=UTC))
    assert [(run.day, f"{run.at:%Y-%m-%dT%H:%M}") for run in found] == expected


def test_the_jobs_of_a_night_follow_each_other():
    times = [job.at for job in NIGHTLY.values()]
    assert times == sorted(set(times))
    assert [job.name for job in NIGHTLY.values() if job.at == TWO] == ["consolidate"]
