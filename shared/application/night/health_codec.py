"""How it is kept what was not well when it was looked at last: `health/current`."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from datetime import datetime
from typing import Any, NamedTuple

from shared.application.night.webhook_health import HealthFinding, Severity
from shared.application.ports.store import Document
from shared.domain.conversation.messages import SCHEMA

HEALTH_PATH = "health/current"
"""The one document of the deployment's health."""


class KnownFinding(NamedTuple):
    """Return what was not well.

    Attributes:
        since: When it was found first, in a row without a gap; None in a record of before that was noted.
    """

    finding: HealthFinding
    since: datetime | None = None


class HealthRecord(NamedTuple):
    """What was found when it was looked last; `at` is None before anybody looked."""

    at: datetime | None = None
    findings: tuple[KnownFinding, ...] = ()

    def severity_of(self, kind: str) -> Severity | None:
        """Return how bad a kind of finding was, or None: it was none."""
        return next((known.finding.severity for known in self.findings if known.finding.kind == kind), None)

    @property
    def kinds(self) -> frozenset[str]:
        """Return what was not well."""
        return frozenset(known.finding.kind for known in self.findings)


def read_health(document: Document | None) -> HealthRecord:
    """Read what was found the last time; nothing before the first time."""
    if document is None:
        return HealthRecord()
    return HealthRecord(document.data["at"], tuple(map(_read_finding, document.data.get("findings", ()))))


def health_fields(findings: Iterable[HealthFinding], before: HealthRecord, *, at: datetime) -> dict[str, Any]:
    """Return the document; a finding that was there before is there since then."""
    since = {known.finding.kind: known.since for known in before.findings}
    rows = [_finding_fields(finding, since.get(finding.kind) or at) for finding in findings]
    return {"schema": SCHEMA, "at": at, "findings": rows}


def _finding_fields(finding: HealthFinding, since: datetime) -> dict[str, Any]:
    return {
        "kind": finding.kind,
        "severity": finding.severity,
        "text": finding.text,
        "remedy": finding.remedy,
        "figures": dict(finding.figures),
        "since": since,
    }


def _read_finding(row: Mapping[str, Any]) -> KnownFinding:
    said = (row["kind"], row["severity"], row.get("text", ""), row.get("remedy", ""), row.get("figures", {}))
    return KnownFinding(HealthFinding(*said), row.get("since"))
