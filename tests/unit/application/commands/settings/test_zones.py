"""Time zones are found as people type them."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from shared.application.commands.settings.zones import zone_shown, zone_typed
from shared.domain.chats.timezones import timezone_named
from tests.support.commands.settings import chosen, type_as_admin

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
