"""How the outcome of an update is said: in a word for the log, and in a line for people."""

import pytest

from shared.domain.delivery.outcomes import AnswerOutcome
from shared.domain.intake.updates import UpdateOutcome, UpdateResult


@pytest.mark.parametrize("result", [*UpdateResult, *AnswerOutcome])
def test_the_log_has_one_word_for_each_result(result):
    assert UpdateOutcome(result, "why").log_name.isidentifier()


@pytest.mark.parametrize(
    ("outcome", "line"),
    [
        (UpdateOutcome(UpdateResult.STORED), "stored"),
        (UpdateOutcome(UpdateResult.IGNORED, "an older edit, or forgotten"), "ignored: an older edit, or forgotten"),
        (UpdateOutcome(AnswerOutcome.TAKEN_OVER), "taken over"),
        (UpdateOutcome(UpdateResult.DEAD_LETTER, "update-1"), "recorded as a dead letter: update-1"),
    ],
)
def test_people_read_the_result_and_why(outcome, line):
    assert str(outcome) == line


def test_no_two_results_have_the_same_name_in_the_log():
    names = [UpdateOutcome(result).log_name for result in (*UpdateResult, *AnswerOutcome)]
    assert len(names) == len(set(names))
