"""The one line that the log gets of a request: what it was, what became of it, how long it took and what it cost."""

from __future__ import annotations

import asyncio
import contextlib
import logging
from collections.abc import Iterator, Mapping
from typing import Literal

from infra.observability.trace import trace_request
from shared.application.telemetry import handling, tell
from shared.domain.intake.updates import UpdateOutcome

Failure = Literal["refused", "retry", "dead_letter", "crashed"]
"""The end of a request that was not dealt with: 4xx, 503, written down, or a bug."""


class RequestLine:
    """The log line of one request; the code that answers the request fills it in.

    Attributes:
        outcome: A word: what the use case says, else a `Failure`.
        level: Severity.
        status: HTTP status of the answer.
        job: Name of the task or job.
        attempt: Which attempt of a task it is, from 1.
        counts: What was done.
        error: Why it went wrong.
    """

    def __init__(self, *, job: str | None = None, attempt: int | None = None) -> None:
        self.outcome: str = "done"
        self.level = logging.INFO
        self.status = 200
        self.job, self.attempt = job, attempt
        self.counts: Mapping[str, int] | None = None
        self.detail: str | None = None
        self.error: BaseException | None = None

    def end(self, outcome: UpdateOutcome) -> None:
        """Note what became of an update that was dealt with."""
        self.outcome, self.detail = outcome.log_name, outcome.detail or None

    def fail(self, outcome: Failure, error: BaseException | None, *, level: int, status: int) -> None:
        """It is not, or not in the way that was wanted."""
        self.outcome, self.error, self.level, self.status = outcome, error, level, status

    def fields(self) -> dict[str, object]:
        """Return what is known of it, None for what is not."""
        return {
            "status": self.status,
            "job": self.job,
            "detail": self.detail,
            "attempt": self.attempt,
            "counts": self.counts,
        }


@contextlib.contextmanager
def one_line(
    event: Literal["update", "task", "job"], line: RequestLine, headers: Mapping[str, str]
) -> Iterator[RequestLine]:
    """Write the line of a request when the block ends, however it does."""
    clock = asyncio.get_running_loop()
    begun = clock.time()
    with trace_request(headers), handling() as gathered:
        try:
            yield line
        except BaseException as error:
            line.fail("crashed", error, level=logging.ERROR, status=500)
            raise
        finally:
            spent = round(1000 * (clock.time() - begun), 1)
            fields = line.fields() | {"latency_ms": spent} | gathered.totals()
            tell(event, line.outcome, fields, level=line.level, error=line.error)
