"""What admins type as a value of a setting."""

from datetime import timedelta
from types import SimpleNamespace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from shared.application.commands.settings.rows import ROWS
from shared.application.commands.settings.typed import READERS, Wrong, fold_typed, is_default, zone_shown, zone_typed
from shared.domain.chats.hours import timezone_named
from tests.support.commands.settings import chosen, type_as_admin

POLICY = SimpleNamespace(retention=timedelta(days=90), tokens_per_day=1_000_000)


@pytest.mark.parametrize(
    ("reader", "typed", "stored"),
    [
        ("switch", "Так", True),
        ("switch", "off", False),
        ("words", "  коротко  і по суті ", "коротко і по суті"),
        ("hours", "22:00—08:00", "22-08"),
        ("zone", "Europe/Kyiv", "Europe/Kyiv"),
        ("days", "30 днів", 30),
        ("tokens", "25%", 250_000),
        ("tokens", "1 000", 1_000),
        ("tokens", "вимкнути", 0),
    ],
)
def test_a_value_is_read_as_people_type_it(reader, typed, stored):
    assert READERS[reader](typed, POLICY) == stored


@pytest.mark.parametrize(
    ("reader", "typed"),
    [("switch", "maybe"), ("words", " "), ("hours", "late"), ("zone", "Atlantis"), ("days", "91"), ("tokens", "101%")],
)
def test_what_is_no_value_is_refused(reader, typed):
    with pytest.raises(Wrong):
        READERS[reader](typed, POLICY)


STORED = {
    **{switch: {"on": True, "off": False} for switch in ("private", "unprompted", "questions")},
    "retention": {"90": 90, "30": 30, "7": 7},
    "budget": {"off": 0, "25%": 250_000, "50%": 500_000, "100%": 1_000_000},
}
"""What an option is stored as, where that is not its own text."""


@pytest.mark.parametrize("name", [name for name, row in ROWS.items() if row.options])
def test_every_option_of_every_row_can_be_typed(name):
    row = ROWS[name]
    allowed = [each for each in row.options if name != "retention" or int(each) <= POLICY.retention.days]
    stored = {option: row.read(option, POLICY) for option in allowed}
    assert stored == STORED.get(name, {option: option for option in allowed})


def test_names_are_compared_without_regard_to_case_and_apostrophes():
    assert fold_typed("Пам’ять") == fold_typed("пам'ять")
    assert is_default("Авто")


# --- time zones ----------------------------------------------------------------------------------

ZONES = {
    "Kyiv": "Europe/Kyiv",
    "Київ": "Europe/Kyiv",
    "kiev": "Europe/Kyiv",
    "europe/kyiv": "Europe/Kyiv",
    "EUROPE/WARSAW": "Europe/Warsaw",
    "new york": "America/New_York",
    "нью-йорк": "America/New_York",
    "utc": "UTC",
    "GMT+2": "Etc/GMT-2",
    "UTC +02:00": "Etc/GMT-2",
    "utc-5": "Etc/GMT+5",
    "+3": "Etc/GMT-3",
    "+0": "UTC",
}


@pytest.mark.parametrize("typed", sorted(ZONES), ids=[str(n) for n in range(len(ZONES))])
def test_a_zone_is_found_as_people_type_it(typed):
    assert zone_typed(typed) == ZONES[typed]


@pytest.mark.parametrize("typed", ["", "+15", "-13", "Europe", "../etc/passwd", "GMT+2.5", "x" * 5_000, "\0"])
def test_what_is_no_zone_is_refused(typed):
    with pytest.raises(ValueError, match="no time zone"):
        zone_typed(typed)


@given(st.text(max_size=20))
def test_what_is_typed_is_a_zone_that_exists_or_refused(typed):
    try:
        found = zone_typed(typed)
    except ValueError:
        return
    assert timezone_named(found).key == found


async def test_hours_from_utc_are_shown_as_they_are_typed(laptop):
    assert "UTC+2" in await type_as_admin(laptop, "timezone gmt+2")
    assert await chosen(laptop) == {"timezone": "Etc/GMT-2"}
    assert [zone_shown(name) for name in ("Etc/GMT+5", "Europe/Kyiv")] == ["UTC-5", "Europe/Kyiv"]
