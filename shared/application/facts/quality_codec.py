"""How it is kept what was made of two statements: a duplicate or a conflict (`documents.quality_path`)."""

from __future__ import annotations

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
    known: dict[str, Any] = {name: data[name] for name in QualityRecord._fields if name in data}
    for side in ("existing", "incoming"):
        known[side] = QualityStatement(**{name: data[side][name] for name in QualityStatement._fields})
    return QualityRecord(**{**known, "message_ids": tuple(data.get("message_ids", ()))})


def quality_write(chat_id: int, record: Quality, *, cause: str, now: datetime) -> Write:
    """Return the write that notes a finding, or what became of one that is noted already."""
    told = QualityRecord(
        kind=record.kind,
        fact_id=record.fact_id,
        subject=record.subject,
        existing=QualityStatement(*record.existing),
        incoming=QualityStatement(*record.incoming),
        verdict=record.verdict,
        score=record.score,
        cause=cause,
        at=now,
        resolved=record.resolved,
        resolved_at=now if record.resolved else None,
    )
    sides = {"existing": told.existing._asdict(), "incoming": told.incoming._asdict()}
    fields = {"schema": SCHEMA, **told._asdict(), **sides, "message_ids": list(record.message_ids)}
    return Upsert(quality_path(chat_id, record.id), fields)
