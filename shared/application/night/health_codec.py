"""The codec of the last health check's findings: `health/current`."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, Literal, NamedTuple

from shared.application.derived_codec import DerivedCodec
from shared.application.ports.store import Document
from shared.domain.conversation.messages import SCHEMA

HEALTH_PATH = "health/current"
"""The one document of the deployment's health."""

Severity = Literal["warning", "error"]


@dataclass(frozen=True, slots=True)
class HealthFinding:
    """Something that is not as it should be.

    Attributes:
        kind: What alerts match: `[a-z_]+`, at most one finding of a kind at a time.
        text: What it means, in one sentence.
        remedy: What to do about it.
        figures: Numbers and ids; the log leaves ids out.
    """

    kind: str
    severity: Severity
    text: str
    remedy: str
    figures: Mapping[str, int | str] = field(default_factory=dict)


class KnownFinding(NamedTuple):
    """A finding and since when it stands.

    Attributes:
        since: When it was found first, in a row without a gap; None in a record of before that was noted.
    """

    finding: HealthFinding
    since: datetime | None = None


class HealthRecord(NamedTuple):
    """The findings of the last check; `at` is None before the first one."""

    at: datetime | None = None
    findings: tuple[KnownFinding, ...] = ()


_FINDING = DerivedCodec(HealthFinding)


def read_health(document: Document | None) -> HealthRecord:
    """Read what was found the last time; nothing before the first time."""
    if document is None:
        return HealthRecord()
    rows = document.data.get("findings", ())
    found = (KnownFinding(_FINDING.read({"text": "", "remedy": "", **row}), row.get("since")) for row in rows)
    return HealthRecord(document.data["at"], tuple(found))


def health_fields(findings: Iterable[HealthFinding], before: HealthRecord, *, at: datetime) -> dict[str, Any]:
    """Return the document; a finding that was there before is there since then."""
    since = {known.finding.kind: known.since for known in before.findings}
    rows = [_FINDING.fields(finding) | {"since": since.get(finding.kind) or at} for finding in findings]
    return {"schema": SCHEMA, "at": at, "findings": rows}
