"""What came of a run under load."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np

_COLUMNS = (
    *("load", "messages", "p50", "p95", "p99", "max", "answers p50, max (s)", "lost", "doubled", "5xx"),
    *("reads, writes", "queue age (s)"),
)
_ANSWER = re.compile(r"відповідь №(\d+)")


@dataclass(frozen=True, slots=True)
class Outcome:
    """One run.

    Attributes:
        latencies: Seconds of each update, from when it was to come to its acknowledgement.
        requests: Seconds of each request of the webhook.
        failed: Requests that were not acknowledged, by status (0: none in time).
        messages, stored: How many were said, and how many are in the store.
        asked, answers: Questions, and how often each was answered.
        waited: Seconds from a question's intended instant to its answer.
        queue_age: Seconds that the task late longest was late, at worst.
        reads, writes: Documents, where they were counted.
    """

    name: str
    latencies: Sequence[float]
    requests: Sequence[float]
    failed: Counter[int]
    messages: int
    stored: int
    asked: int
    answers: Counter[int]
    waited: Sequence[float] = ()
    queue_age: float = 0.0
    reads: int | None = None
    writes: int | None = None
    notes: tuple[str, ...] = field(default=())

    @property
    def lost(self) -> int:
        """Messages that are not stored, and questions that nobody answered."""
        return self.messages - self.stored + self.asked - len(self.answers)

    @property
    def doubled(self) -> int:
        """Questions that were answered more than once."""
        return sum(times > 1 for times in self.answers.values())


def answered(texts: Sequence[str]) -> Counter[int]:
    """Return how often each question was answered in the bot's messages, of which one may hold several answers."""
    return Counter(int(number) for text in texts for number in _ANSWER.findall(text))


def as_table(outcomes: Sequence[Outcome]) -> str:
    """Return the figures as a table in Markdown; times in milliseconds, answers in seconds."""
    head = "| " + " | ".join(_COLUMNS) + " |"
    rows = [head, "| --- |" + " ---: |" * (len(_COLUMNS) - 1)]
    return "\n".join([*rows, *(_row(outcome) for outcome in outcomes)])


def _row(outcome: Outcome) -> str:
    p50, p95, p99, most = (1000 * each for each in _quantiles(outcome.latencies))
    waited = _quantiles(outcome.waited) if outcome.waited else (0.0, 0.0, 0.0, 0.0)
    failed = sum(times for status, times in outcome.failed.items() if status == 0 or status >= 500)
    per = "–"
    if outcome.reads is not None and outcome.writes is not None:
        per = f"{outcome.reads / outcome.messages:.2f}, {outcome.writes / outcome.messages:.2f}"
    cells = [
        outcome.name,
        str(outcome.messages),
        *(f"{each:,.0f}" for each in (p50, p95, p99, most)),
        f"{waited[0]:.1f}, {waited[3]:.1f}",
        str(outcome.lost),
        str(outcome.doubled),
        str(failed),
        per,
        f"{outcome.queue_age:.1f}",
    ]
    return "| " + " | ".join(cells) + " |"


def _quantiles(values: Sequence[float]) -> tuple[float, float, float, float]:
    if not values:
        return 0.0, 0.0, 0.0, 0.0
    return tuple(float(each) for each in np.quantile(values, [0.5, 0.95, 0.99, 1.0]))  # type: ignore[return-value]
