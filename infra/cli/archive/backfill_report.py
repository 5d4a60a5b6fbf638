"""Reports what a backfill did, or would do: for people and as JSON."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from rich import box
from rich.console import Console
from rich.table import Table
from rich.text import Text

from infra.telegram.export import LeftOut
from shared.application.archive.backfill import TOO_OLD, BackfillResult, Left, Sifted, Stored
from shared.application.archive.backfill_survey import Survey
from shared.domain.spending.tokens import ModelPrice
from shared.domain.text.plain import one_line

_MOST_FAILURES = 100
"""Messages named in a report; all are counted."""

_MOST_MEMBERS = 20


@dataclass
class Report:
    """Counts of one run.

    Attributes:
        failures: Ids and reasons of the first messages that failed.
        broken: Why the file could not be read to its end, or "".
        stopped: Which service did not answer, or "".
    """

    chat_id: int
    processed: int = 0
    created: int = 0
    known: int = 0
    skipped: Counter[str] = field(default_factory=Counter)
    failed: int = 0
    failures: list[tuple[int | None, str]] = field(default_factory=list)
    broken: str = ""
    stopped: str = ""
    chunks: int = 0
    changes: Counter[str] = field(default_factory=Counter)
    left: Left = field(default_factory=lambda: Left(0, 0))

    def leave_out(self, read: LeftOut) -> None:
        """Count a record of the export that is no message to us."""
        if read.failed:
            self._fail(read.message_id, read.reason)
        else:
            self.skipped[read.reason] += 1

    def sift(self, sifted: Sifted) -> None:
        """Count what of a page is not new."""
        self.known += sifted.known
        self.skipped += sifted.skipped

    def store(self, stored: Stored) -> None:
        """Count what of a page was stored."""
        self.created += stored.created
        self.known += stored.known
        for message_id, reason in stored.failed:
            self._fail(message_id, reason)

    def learn(self, learnt: BackfillResult) -> None:
        """Count what was learnt."""
        self.chunks, self.changes, self.left = learnt

    def _fail(self, message_id: int | None, reason: str) -> None:
        self.failed += 1
        if len(self.failures) < _MOST_FAILURES:
            self.failures.append((message_id, reason))

    def to_json(self) -> dict[str, Any]:
        """Return the report as `--json` prints it."""
        return {
            "chat_id": self.chat_id,
            "processed": self.processed,
            "created": self.created,
            "already_stored": self.known,
            "skipped": dict(self.skipped),
            "failed": self.failed,
            "failures": [{"message_id": number, "reason": reason} for number, reason in self.failures],
            "broken": self.broken or None,
            "stopped": self.stopped or None,
            "chunks": self.chunks,
            "changes_of_facts": dict(self.changes),
            "messages_left": self.left.messages,
            "chunks_waiting_for_the_model": self.left.chunks,
        }


@dataclass(frozen=True)
class BackfillSummary:
    """The end of a run, for people."""

    report: Report

    def tell(self, console: Console) -> None:
        """Print it."""
        report = self.report
        console.print(Text(f"Chat {report.chat_id}", "bold"), _counts(_rows(report)), sep="\n")
        _tell_troubles(console, report)
        if report.left.chunks:
            console.print(
                f"{report.left.chunks} chunks wait for the model (it is away, or the day's budget is used up): run "
                f"`backfill --chunks {report.chat_id}` on another day, or with a larger MODEL_TOKENS_PER_CHAT_PER_DAY."
            )
        if report.stopped:
            console.print(f"Stopped: {report.stopped} Run the same command again: it goes on where it stopped.")


def _rows(report: Report) -> dict[str, int]:
    return {
        "processed": report.processed,
        "created": report.created,
        "already stored": report.known,
        **{f"skipped: {reason}": count for reason, count in report.skipped.most_common()},
        "failed": report.failed,
        "chunks": report.chunks,
        **{f"facts: {kind}": count for kind, count in report.changes.most_common()},
        "not learnt from yet": report.left.messages,
    }


def _tell_troubles(console: Console, report: Report) -> None:
    for number, reason in report.failures:
        console.print(Text(f"message {number}: {one_line(reason)}", "red"))
    if report.failed > len(report.failures):
        console.print(f"and {report.failed - len(report.failures)} more")
    if report.skipped[TOO_OLD]:
        console.print(
            "Older messages than MESSAGE_RETENTION_DAYS are left out; --since YYYY-MM-DD learns from them, too."
        )
    if report.broken:
        console.print(Text(f"{report.broken}. What came before is kept.", "red"))


@dataclass(frozen=True)
class Estimate:
    """An estimate of a run, made without running it.

    Attributes:
        model: That would read it, and its price without the flex tier.
    """

    report: Report
    survey: Survey
    model: str
    price: ModelPrice

    def to_json(self) -> dict[str, Any]:
        """Return the report as `--json` prints it."""
        counts = self.report.to_json()
        kept = ("chat_id", "processed", "already_stored", "skipped", "failed", "failures", "broken")
        (read, written), survey = self.survey.tokens(), self.survey
        return {name: counts[name] for name in kept} | {
            "messages": survey.messages,
            "chunks": survey.chunks,
            "days": len(survey.days),
            "members": [
                {"user_id": user_id, "name": survey.names[user_id], "messages": count}
                for user_id, count in survey.members.most_common()
            ],
            "languages": dict(survey.languages.most_common()),
            "input_tokens": read,
            "output_tokens": written,
            "dollars": round(self._dollars(), 4),
            "price_per_million_tokens": {"input": self.price.input, "output": self.price.output},
        }

    def _dollars(self) -> float:
        return self.price.microdollars(*self.survey.tokens()) / 1_000_000

    def tell(self, console: Console) -> None:
        """Print it."""
        survey, (read, written) = self.survey, self.survey.tokens()
        rows = {
            "messages in the file": self.report.processed,
            "to be stored": survey.messages,
            "already stored": self.report.known,
            **{f"skipped: {reason}": count for reason, count in self.report.skipped.most_common()},
            "failed": self.report.failed,
            "chunks": survey.chunks,
            "days": len(survey.days),
            **{f"in language {language}": count for language, count in survey.languages.most_common()},
            "tokens read by the model": read,
            "tokens written": written,
        }
        console.print(Text(f"Chat {self.report.chat_id}: nothing was stored", "bold"), _counts(rows), sep="\n")
        console.print(
            f"About ${self._dollars():,.2f} at ${self.price.input:g} and ${self.price.output:g} per million tokens "
            f"read and written ({self.model}; the flex tier takes less): check your provider's price list."
        )
        console.print(
            Text(f"\n{len(survey.members)} members; name bots with --bot", "bold"), _members(survey), sep="\n"
        )
        _tell_troubles(console, self.report)


def _members(survey: Survey) -> Table:
    table = Table(box=box.SIMPLE_HEAD)
    for column in ("user id", "name", "messages"):
        table.add_column(column, justify="left" if column == "name" else "right")
    for user_id, count in survey.members.most_common(_MOST_MEMBERS):
        table.add_row(str(user_id), one_line(survey.names[user_id], 60), f"{count:,}")
    return table


def _counts(rows: Mapping[str, int]) -> Table:
    table = Table(box=None, show_header=False, padding=(0, 2, 0, 0))
    table.add_column()
    table.add_column(justify="right")
    for name, count in rows.items():
        table.add_row(name, f"{count:,}")
    return table
