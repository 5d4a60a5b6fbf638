"""The hours at which `python -m tests.hours` runs the tests: always ahead, and really the traps they are named for."""

import subprocess
import sys
from datetime import UTC, datetime, timedelta
from pathlib import Path
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from infra.system import SystemClock
from tests.hours import BY_THE_MACHINE, MARK, files_with_the_mark, moments
from tests.support.hour import AHEAD, handed_on, put_forward
from tests.support.hour.clock_ahead import EXACT

KYIV = ZoneInfo("Europe/Kyiv")
ROOT = Path(__file__).resolve().parents[3]
INSTANTS = st.datetimes(datetime(2026, 1, 1), datetime(2095, 12, 31), timezones=st.just(UTC))


@given(INSTANTS)
def test_every_hour_is_still_to_come(now):
    assert all(moment > now for moment, _ in moments(now).values())


@given(INSTANTS)
def test_the_clocks_change_within_two_minutes(now):
    for name, change in (("spring", timedelta(hours=1)), ("autumn", -timedelta(hours=1))):
        moment, zone = moments(now)[name]
        assert zone == "Europe/Kyiv"
        before, after = (at.astimezone(KYIV).utcoffset() for at in (moment, moment + timedelta(minutes=2)))
        assert after - before == change


@given(INSTANTS)
def test_the_leap_day_is_one_and_midnight_is_near(now):
    assert (moments(now)["leap day"][0].month, moments(now)["leap day"][0].day) == (2, 29)
    midnight = moments(now)["midnight"][0] + timedelta(seconds=10)
    assert midnight == midnight.replace(hour=0, minute=0, second=0)


@pytest.mark.wall_clock
def test_a_process_that_a_test_starts_lives_in_the_hour_that_was_named():
    moment = SystemClock().now() + timedelta(days=500)
    program = "import time, datetime; print(datetime.datetime.now(datetime.UTC).timestamp(), time.tzname[0])"
    environment = handed_on(environment=put_forward(moment, "Pacific/Auckland"))
    done = subprocess.run([sys.executable, "-c", program], env=environment, capture_output=True, text=True, check=True)
    told, zone = done.stdout.split()
    assert float(told) == pytest.approx(moment.timestamp(), abs=60)
    assert zone == "NZST"


def ahead_of_the_machine(program, environment):
    """Return by how much the clock is ahead that a process lives by once it has run `program`."""
    asked = "from _time_machine import original_time as machine; import time; time.sleep(0.05); "
    asked += "print(max(time.time() - machine() for _ in range(100)))"  # it may be interrupted between the two
    command = [sys.executable, "-c", f"{program}\n{asked}"]
    return float(subprocess.run(command, env=environment, capture_output=True, text=True, check=True).stdout)


@pytest.mark.wall_clock
def test_a_process_is_ahead_exactly_as_far_as_was_said_also_when_it_asks_for_the_time_late():
    environment = handed_on(environment=put_forward(SystemClock().now() + timedelta(days=500), "UTC"))
    assert ahead_of_the_machine("pass", environment) == pytest.approx(float(environment[AHEAD]), abs=2 * EXACT)


@pytest.mark.parametrize("call", range(3))
@pytest.mark.parametrize("function", ["time.time", "time.monotonic", "time_machine.travel.start"])
def test_a_process_is_ahead_exactly_as_far_as_was_said_wherever_it_was_interrupted_on_its_way(function, call):
    program = f"""
import time, time_machine
from tests.support.hour.clock_ahead import put_ahead
original, calls = {function}, []
def late(*given):
    answer = original(*given)
    calls.append(answer)
    time.sleep(0.05 if len(calls) == {call} + 1 else 0)
    return answer
{function} = late
put_ahead(1_000)
{function} = original
"""
    assert ahead_of_the_machine(program, {"PYTHONPATH": str(ROOT)}) == pytest.approx(1_000, abs=2 * EXACT)


@pytest.mark.wall_clock
def test_the_clock_is_never_put_back():
    with pytest.raises(ValueError, match="has passed"):
        put_forward(SystemClock().now() - timedelta(seconds=1), "UTC")


@pytest.mark.parametrize("test", BY_THE_MACHINE)
def test_what_is_left_out_at_other_hours_is_a_test_that_there_is(test):
    path, _, name = test.partition("::")
    assert f"def {name}(" in (ROOT / path).read_text("utf-8")


def test_every_marked_test_stands_in_a_file_that_is_run_at_other_hours(request):
    marked = {str(item.path.relative_to(ROOT)) for item in request.session.items if item.get_closest_marker(MARK)}
    assert Path(__file__).relative_to(ROOT).as_posix() in marked
    assert marked <= set(files_with_the_mark())
