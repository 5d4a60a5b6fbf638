"""What can be noted as a task: words that name a thing, and occasions on a day."""

import pytest

from shared.domain.consolidation.tasks import tells


@pytest.mark.parametrize(
    ("what", "named"),
    [("ярмарок", True), ("the fair", True), ("а", False), ("завтра", False), ("tomorrow", False), ("12", False),
     ("щось", False), ("something", False), ("", False), ("12 щось завтра", False), ("завтра ярмарок", True)],
)  # fmt: skip
def test_a_thing_is_named_by_a_word_that_is_no_time_no_number_and_not_vague(what, named):
    assert tells(what) is named
