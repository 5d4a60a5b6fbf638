"""The 95 % interval of a share, by Wilson."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from shared.domain.reading.statistics.sampling import wilson_lower, wilson_upper

SAMPLES = st.integers(1, 500).flatmap(lambda size: st.tuples(st.integers(0, size), st.just(size)))


@pytest.mark.parametrize(
    ("hits", "size", "lower", "upper"),
    [
        (8, 10, 0.4902, 0.9433),
        (1, 10, 0.0179, 0.4042),
        (0, 10, 0.0, 0.2775),
        (10, 10, 0.7225, 1.0),
        (50, 100, 0.4038, 0.5962),
    ],
)
def test_the_ends_are_those_of_the_tables(hits, size, lower, upper):
    assert wilson_lower(hits, size) == pytest.approx(lower, abs=1e-4)
    assert wilson_upper(hits, size) == pytest.approx(upper, abs=1e-4)


def test_of_nothing_nothing_is_known():
    assert (wilson_lower(0, 0), wilson_upper(0, 0)) == (0.0, 1.0)


@given(SAMPLES)
def test_the_share_lies_between_the_ends(sample):
    hits, size = sample
    assert 0 <= wilson_lower(hits, size) <= hits / size + 1e-9
    assert hits / size - 1e-9 <= wilson_upper(hits, size) <= 1
