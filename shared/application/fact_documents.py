"""How facts and their versions are written in documents."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import Any

from shared.application.documents import fact_path
from shared.domain.facts import Authority, Change, Evidence, Fact, Status
from shared.domain.messages import SCHEMA


def evidence_to_fields(evidence: Evidence) -> dict[str, Any]:
    """One quote."""
    return {
        "message_id": evidence.message_id,
        "user_id": evidence.user_id,
        "quote": evidence.quote,
        "sent_at": evidence.sent_at,
        "confidence": evidence.confidence,
    }


def fact_to_fields(fact: Fact) -> dict[str, Any]:
    """A fact with its evidence; `evidence_message_ids` makes it findable by message."""
    return {
        "schema": SCHEMA,
        "subject": fact.subject,
        "category": fact.category,
        "key": fact.key,
        "value": fact.value,
        "description": fact.description,
        "confidence": fact.confidence,
        "evidence": [evidence_to_fields(e) for e in fact.evidence],
        "evidence_message_ids": sorted({e.message_id for e in fact.evidence}),
        "authority": int(fact.authority),
        "single": fact.single,
        "status": str(fact.status),
        "version": fact.version,
        "valid_from": fact.valid_from,
        "last_reinforced_at": fact.last_reinforced_at,
        "valid_to": fact.closed_at,
        "conflicts_with": fact.conflicts_with,
        "supporters": sorted(fact.supporters),
        "objectors": [],
    }


def fact_from_fields(data: Mapping[str, Any]) -> Fact:
    """Inverse of `fact_to_fields`."""
    return Fact(
        subject=data["subject"],
        category=data["category"],
        key=data["key"],
        value=data["value"],
        description=data["description"],
        confidence=data["confidence"],
        evidence=tuple(Evidence(**e) for e in data["evidence"]),
        authority=Authority(data["authority"]),
        single=data["single"],
        status=Status(data["status"]),
        version=data["version"],
        valid_from=data["valid_from"],
        last_reinforced_at=data["last_reinforced_at"],
        closed_at=data["valid_to"],
        conflicts_with=data["conflicts_with"],
    )


def version_path(chat_id: int, fact: Fact) -> str:
    """The record of the change that made `fact` what it is."""
    return f"{fact_path(chat_id, fact.id)}/versions/{fact.version:06d}"


def version_to_fields(change: Change, *, at: datetime) -> dict[str, Any]:
    """What changed, why, by which evidence, confidence before and after."""
    before, after = change.before, change.after
    known = before.evidence if before else ()
    return {
        "schema": SCHEMA,
        "change": change.kind,
        "cause": change.cause,
        "at": at,
        "value": after.value,
        "description": after.description,
        "status": str(after.status),
        "confidence_before": before.confidence if before else None,
        "confidence_after": after.confidence,
        "previous_value": before.value if before and before.value != after.value else None,
        "previous_valid_from": before.valid_from if before else None,
        "valid_from": after.valid_from,
        "valid_to": after.closed_at,
        "evidence": [evidence_to_fields(e) for e in after.evidence if e not in known],
        "retracted": [evidence_to_fields(e) for e in known if e not in after.evidence],
    }
