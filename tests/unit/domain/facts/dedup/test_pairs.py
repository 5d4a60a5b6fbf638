"""What two readings have in common and in what they differ."""

from __future__ import annotations

import pytest

from shared.domain.facts.dedup.pairs import other_dates


@pytest.mark.parametrize(
    ("old", "new", "differ"),
    [
        ({(5, 5)}, {(5, 6)}, True),
        ({(5, 5)}, {(6, 5)}, True),
        ({(5, 5)}, {(5, 5)}, False),
        ({(5, 5)}, {(5, 0)}, False),
        ({(5, 0)}, {(5, 0)}, False),
        ({(5, 0)}, {(6, 0)}, True),
        ({(5, 5), (5, 7)}, {(5, 7)}, False),
        ({(5, 5), (6, 0)}, {(6, 6)}, True),
        (set(), {(5, 5)}, False),
        ({(5, 5)}, set(), False),
    ],
)
def test_dates_differ_when_both_tell_one_and_none_fits(old, new, differ):
    assert other_dates(old, new) is other_dates(new, old) is differ
