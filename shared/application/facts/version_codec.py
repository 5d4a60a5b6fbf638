"""How it is kept what became of a fact, step by step: `…/versions/{number}` under its document."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from datetime import datetime
from typing import Any

from shared.application.documents import fact_path
from shared.application.facts.codec import (
    evidence_fields,
    outline_from_fields,
    read_evidence,
    read_state,
    state_fields,
    voice_fields,
)
from shared.application.ports.store import Delete, Document, Set, Write
from shared.domain.conversation.messages import SCHEMA
from shared.domain.facts.change import FactChange
from shared.domain.facts.evidence.claim import (
    Evidence,
    Voice,
)
from shared.domain.facts.fact import Fact, Status

VERSION_DIGITS = 6
"""Of a version's number in its id."""

_FOLDED = "~"
"""In the id of a version that came from another fact's document: before that fact's id, and the time of folding."""


def version_path(chat_id: int, fact: Fact) -> str:
    """Return the path of the record of the change that made `fact` what it is."""
    return f"{fact_path(chat_id, fact.id)}/versions/{fact.version:0{VERSION_DIGITS}d}"


def version_to_fields(change: FactChange, *, at: datetime) -> dict[str, Any]:
    """Return what changed, why and by which evidence; all versions up to one together are the whole fact."""
    before, after = change.before, change.after
    known = before.evidence if before else ()
    replaced = before is not None and before.value != after.value
    return {
        "schema": SCHEMA,
        **state_fields(after),
        "change": change.kind,
        "cause": change.cause,
        "at": at,
        "confidence_before": before.confidence if before else None,
        "confidence_after": after.confidence,
        "previous_value": before.value if before and replaced else None,
        "previous_valid_from": before.valid_from if before else None,
        "previous_valid_to": after.valid_from if replaced else None,
        "supporters": sorted(after.supporters),
        "voices": [voice_fields(v) for v in after.voices],
        "evidence": [evidence_fields(e) for e in after.evidence if e not in known],
        "retracted": [evidence_fields(e) for e in known if e not in after.evidence],
    }


def told_of(version: Mapping[str, Any]) -> str:
    """Return the id of the fact that a version tells of, in whose document ever it lies."""
    return outline_from_fields(version).id


def noted_at(version: Document) -> datetime:
    """Return when a version came about."""
    at: datetime = version.data["at"]
    return at


def facts_from_versions(versions: Iterable[Mapping[str, Any]]) -> list[tuple[datetime, Fact]]:
    """Return the fact after each of its versions, in their order, with the time since when that was believed.

    A value that was said holds since it was said, however late it was noticed; what came out of order, was taken back
    or ran out holds since it was noticed. The times never fall.
    """
    history: list[tuple[datetime, Fact]] = []
    evidence: list[Evidence] = []
    for fields in versions:
        gone = {read_evidence(e) for e in fields["retracted"]}
        evidence = sorted({*(e for e in evidence if e not in gone), *(read_evidence(e) for e in fields["evidence"])})
        voices = tuple(Voice(**v) for v in fields["voices"])
        fact = Fact(**read_state(fields), evidence=tuple(evidence), voices=voices)
        if fact.status is Status.DEPRECATED and fields["change"] == "merge":
            evidence = []  # it went into another fact; one that is made again under its id begins anew
        history.append((_believed_since(fields, after=history[-1][0] if history else None), fact))
    return history


def _believed_since(fields: Mapping[str, Any], *, after: datetime | None) -> datetime:
    at: datetime = fields["at"]
    opens = fields["change"] in ("creation", "evolution", "revival")
    since: datetime | None = fields["valid_from" if opens else "last_reinforced_at"]
    is_reinforced = opens or fields["change"] == "reinforcement"
    if not is_reinforced or since is None or (after is not None and since < after):
        return at if after is None else max(at, after)
    return min(at, since)


def moved_versions(
    chat_id: int, from_id: str, to_id: str, versions: Iterable[Document], *, now: datetime
) -> list[Write]:
    """Return the writes that keep versions of one fact as they are kept under another one, and gone where they were.

    Their ids say whose they are and when they came, so that neither the other fact's nor those of one that is made
    again under the same id and folded again are written over.
    """
    writes: list[Write] = []
    for version in versions:
        name = version.id if _FOLDED in version.id else f"{version.id}{_FOLDED}{from_id}{_FOLDED}{now:%Y%m%dT%H%M%S%f}"
        writes += [Set(f"{fact_path(chat_id, to_id)}/versions/{name}", version.data), Delete(version.path)]
    return writes
