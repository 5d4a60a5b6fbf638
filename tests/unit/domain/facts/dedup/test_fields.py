"""What one field of a statement says."""

from __future__ import annotations

from shared.domain.facts.dedup import Verdict, verdict
from shared.domain.facts.dedup.reading import read
from tests.unit.domain.facts.dedup.statements import said


def test_how_often_it_happens_is_read_unless_a_number_makes_it_a_length_of_time():
    held = [said(f"quiz {often}", f"Quiz {often}", key="event", category="tradition") for often in _OFTEN]
    assert [verdict(held[0], other) for other in held] == [Verdict.DUPLICATE] * 2 + [Verdict.CONFLICTS] * 2
    assert read("event", "event", "quiz weekly", "").often == {"weekly"}
    assert read("event", "event", "quiz after 3 weeks", "").often == set()
    assert read("event", "event", "quiz after 3 weeks", "").numbers == {("1814400", "seconds")}


_OFTEN = ("weekly", "every week", "monthly", "every month")
