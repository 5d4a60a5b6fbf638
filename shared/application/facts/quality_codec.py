"""How it is kept what was made of two statements: a duplicate or a conflict (`documents.quality_path`)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any, NamedTuple

from shared.application.documents import quality_path
from shared.application.ports.store import Document, Upsert, Write
from shared.domain.conversation.messages import SCHEMA
from shared.domain.facts.change import Quality


class QualityStatement(NamedTuple):
    """One of the two: what it is about, its value, and the line that says it."""

    key: str
    value: str
    description: str


class QualityRecord(NamedTuple):
    """What was made of two statements. What `Quality` has under the same name means the same.

    Attributes:
        cause: What the decision came with: a message, a command, a job of the night.
        at: When it was noted last.
        resolved_at: When the conflict was over, or None.
    """

    kind: str
    fact_id: str
    subject: str
    existing: QualityStatement
    incoming: QualityStatement
    verdict: str
    score: float
    cause: str
    at: datetime
    resolved: bool
    resolved_at: datetime | None = None
    message_ids: tuple[int, ...] = ()


def read_quality(document: Document) -> QualityRecord:
    """Read one record."""
    data = document.data
    return QualityRecord(
        kind=data["kind"],
        fact_id=data["fact_id"],
        subject=data["subject"],
        existing=_read_statement(data["existing"]),
        incoming=_read_statement(data["incoming"]),
        verdict=data["verdict"],
        score=data["score"],
        cause=data["cause"],
        at=data["at"],
        resolved=data["resolved"],
        resolved_at=data.get("resolved_at"),
        message_ids=tuple(data.get("message_ids", ())),
    )


def quality_write(chat_id: int, record: Quality, *, cause: str, now: datetime) -> Write:
    """Return the write that notes a finding, or what became of one that is noted already."""
    fields = {
        "schema": SCHEMA,
        "kind": record.kind,
        "fact_id": record.fact_id,
        "subject": record.subject,
        "existing": _statement_fields(record.existing),
        "incoming": _statement_fields(record.incoming),
        "verdict": record.verdict,
        "score": record.score,
        "cause": cause,
        "at": now,
        "resolved": record.resolved,
        "resolved_at": now if record.resolved else None,
        "message_ids": list(record.message_ids),
    }
    return Upsert(quality_path(chat_id, record.id), fields)


def _statement_fields(said: Sequence[str]) -> dict[str, Any]:
    return dict(zip(QualityStatement._fields, said, strict=True))


def _read_statement(fields: Mapping[str, Any]) -> QualityStatement:
    return QualityStatement(fields["key"], fields["value"], fields["description"])
