"""Events and traditions: one occasion or two."""

from __future__ import annotations

from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from shared.domain.facts.dedup import Verdict, verdict
from tests.unit.domain.facts.dedup.statements import DAYS, said


@pytest.mark.parametrize(("one", "other"), list(combinations(range(len(DAYS)), 2)))
def test_another_day_of_one_tradition_conflicts_in_both_languages(one, other):
    for day in DAYS[one]:
        for another in DAYS[other]:
            known = said(day, f"Recap: {day}", key="weekly_recap", category="tradition")
            assert (
                verdict(known, said(another, f"Recap: {another}", key="recap", category="tradition"))
                is Verdict.CONFLICTS
            )


@given(st.dates(), st.dates())
def test_another_date_of_one_event_is_never_merged(one, other):
    known, came = (
        said(f"{day:%d.%m}", f"Концерт {day:%d.%m}", key="концерт", category="event") for day in (one, other)
    )
    same = (one.month, one.day) == (other.month, other.day)
    assert verdict(known, came) is (Verdict.DUPLICATE if same else Verdict.CONFLICTS)
