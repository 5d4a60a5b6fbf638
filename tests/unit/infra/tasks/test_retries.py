"""When a task that failed runs again, and when it is given up; Terraform says the same (tests/terraform)."""

from datetime import timedelta

import pytest

from infra.tasks.retries import ANSWERS, RetryPolicy, policy_of


def test_the_default_series_is_the_documented_one():
    policy = RetryPolicy()
    waits = [policy.backoff(failures).total_seconds() for failures in range(1, policy.max_attempts)]

    assert waits == [10, 20, 40, 80, 160, 320, 600, 600, 600]
    assert sum(waits) / 60 == pytest.approx(40, abs=1)


def test_backoff_neither_overflows_nor_undercuts_what_the_peer_asked_for():
    assert RetryPolicy().backoff(10_000) == timedelta(minutes=10)
    assert RetryPolicy().backoff(1, retry_after=3600) == timedelta(hours=1)
    assert RetryPolicy().backoff(1, retry_after=1) == timedelta(seconds=10)


@pytest.mark.parametrize(
    "wrong", [{"max_attempts": 0}, {"min_backoff": timedelta(-1)}, {"max_backoff": timedelta(seconds=1)}]
)
def test_a_senseless_policy_is_refused(wrong):
    with pytest.raises(ValueError, match="policy"):
        RetryPolicy(**wrong)


def test_answers_are_tried_again_sooner_and_for_longer():
    waits = [ANSWERS.backoff(failures).total_seconds() for failures in range(1, ANSWERS.max_attempts)]
    assert waits[:9] == [2, 4, 8, 16, 32, 64, 128, 256, 300]
    assert sum(waits) / 60 == 113.5
    assert policy_of("/answer") is policy_of("/answer/deliver") is ANSWERS
    assert policy_of("/extract") == policy_of("/maintenance/night") == RetryPolicy()
