"""Decides when a failed task runs again and when it is given up, in the local queue as in Cloud Tasks."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import timedelta


@dataclass(frozen=True, slots=True)
class RetryPolicy:
    """The delays between runs of a failed task: min_backoff * 2 ** (failures - 1), at most max_backoff.

    The default is that of all tasks but answers (terraform/tasks.tf says the same): it waits 10, 20, 40, 80, 160,
    320 s, then 10 min each time and gives up after 10 attempts, about 40 minutes. In the local queue a longer
    `retry_after` of the error wins over the series.

    Attributes:
        min_backoff: Wait after the first failure; not negative.
        max_backoff: Longest wait of the series; not below `min_backoff`.
        max_attempts: Runs before the task is dead; at least 1.
    """

    min_backoff: timedelta = timedelta(seconds=10)
    max_backoff: timedelta = timedelta(minutes=10)
    max_attempts: int = 10

    def __post_init__(self) -> None:
        if not timedelta(0) <= self.min_backoff <= self.max_backoff or self.max_attempts < 1:
            raise ValueError(f"Not a usable retry policy: {self}")

    def backoff(self, failures: int, retry_after: float | None = None) -> timedelta:
        """Time to wait after the given number of failures (1 or more)."""
        doublings = min(failures - 1, 32)  # far beyond any cap, and no overflow
        series = min(self.min_backoff * (1 << doublings), self.max_backoff)
        return max(series, timedelta(seconds=retry_after or 0))


RETRIES = RetryPolicy()
"""The policy of all tasks but answers."""

ANSWERS = RetryPolicy(timedelta(seconds=2), timedelta(minutes=5), 30)
"""The policy of answers, for which people wait: 2, 4, 8 … 256 s, then every 5 min, for nearly two hours in all;
longer than Telegram is usually away."""


def policy_of(target: str) -> RetryPolicy:
    """Return the policy of the queue of a target (`Task.target`)."""
    return ANSWERS if target.startswith("/answer") else RETRIES
