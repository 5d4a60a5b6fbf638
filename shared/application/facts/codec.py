"""How facts, their versions and quality records are written in documents."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from typing import Any

from shared.application.documents import fact_path, learning_path, profile_path, quality_path
from shared.application.ports.store import Delete, Document, Increment, Set, Upsert, Write
from shared.domain.conversation.messages import SCHEMA
from shared.domain.facts.change import FactChange, Quality
from shared.domain.facts.evidence.claim import (
    CONSENSUS_MEMBERS,
    Authority,
    Claim,
    Evidence,
    Quorum,
    Ruling,
    RulingKind,
    Voice,
)
from shared.domain.facts.fact import Fact, FactPin, Status
from shared.domain.facts.folding import Folding

VERSION_DIGITS = 6
"""Of a version's number in its id."""

_FOLDED = "~"
"""In the id of a version that came from another fact's document: before that fact's id, and the time of folding."""


def evidence_to_fields(evidence: Evidence) -> dict[str, Any]:
    """One quote."""
    return {
        "message_id": evidence.message_id,
        "user_id": evidence.user_id,
        "quote": evidence.quote,
        "sent_at": evidence.sent_at,
        "confidence": evidence.confidence,
        "authority": int(evidence.authority),
        "agrees": evidence.agrees,
        "answers": evidence.answers,
        "quorum": int(evidence.quorum),
    }


def _evidence(fields: Mapping[str, Any]) -> Evidence:
    known = {name: fields[name] for name in ("sent_at", "message_id", "user_id", "quote", "confidence")}
    authority, agrees = Authority(fields.get("authority", Authority.OWN_STATEMENT)), fields.get("agrees", False)
    quorum = Quorum(fields.get("quorum", Quorum.ONE))
    if authority is Authority.CONSENSUS:  # as it was noted before consensus was seen from who stands behind it
        authority, quorum = Authority.OWN_STATEMENT, Quorum.ONE if agrees else Quorum.SECONDED
    return Evidence(**known, authority=authority, agrees=agrees, answers=fields.get("answers", 0), quorum=quorum)


def _voice_to_fields(voice: Voice) -> dict[str, Any]:
    return {
        "at": voice.at,
        "user_id": voice.user_id,
        "supports": voice.supports,
        "message_id": voice.message_id,
        "answers": voice.answers,
    }


def _ruling_to_fields(ruling: Ruling) -> dict[str, Any]:
    return {
        "at": ruling.at,
        "kind": str(ruling.kind),
        "authority": int(ruling.authority),
        "user_id": ruling.user_id,
        "known_until": ruling.known_until,
        "fresh_since": ruling.fresh_since,
    }


def _ruling(fields: Mapping[str, Any]) -> Ruling:
    kind, authority = RulingKind(fields["kind"]), Authority(fields["authority"])
    return Ruling(fields["at"], kind, authority, fields["user_id"], fields["known_until"], fields.get("fresh_since"))


def _said_to_fields(said: Fact | Claim) -> dict[str, Any]:
    """Return what stands behind one value, of a fact or of a claim beside it."""
    return {
        "value": said.value,
        "description": said.description,
        "evidence": [evidence_to_fields(e) for e in said.evidence],
        "voices": [_voice_to_fields(v) for v in said.voices],
        "rulings": [_ruling_to_fields(r) for r in said.rulings],
        "wordings": list(said.wordings),
    }


def _said_from_fields(fields: Mapping[str, Any]) -> dict[str, Any]:
    """Inverse of `_said_to_fields`, as constructor arguments."""
    return {
        "value": fields["value"],
        "description": fields["description"],
        "evidence": tuple(_evidence(e) for e in fields["evidence"]),
        "voices": tuple(Voice(**v) for v in fields.get("voices", ())),
        "rulings": tuple(_ruling(r) for r in fields.get("rulings", ())),
        "wordings": tuple(fields.get("wordings", ())),
    }


def _state_to_fields(fact: Fact) -> dict[str, Any]:
    """Return what is believed, without who said it."""
    return {
        "subject": fact.subject,
        "category": fact.category,
        "key": fact.key,
        "value": fact.value,
        "description": fact.description,
        "confidence": fact.confidence,
        "authority": int(fact.authority),
        "single": fact.single,
        "status": str(fact.status),
        "version": fact.version,
        "valid_from": fact.valid_from,
        "last_reinforced_at": fact.last_reinforced_at,
        "valid_to": fact.closed_at,
        "conflicts_with": fact.conflicts_with,
        "anchor": fact.anchor,
    }


def _state(fields: Mapping[str, Any]) -> dict[str, Any]:
    """Inverse of `_state_to_fields`, as constructor arguments."""
    same = ("subject", "category", "key", "value", "description", "confidence", "single", "version", "valid_from")
    return {name: fields[name] for name in (*same, "last_reinforced_at", "conflicts_with")} | {
        "authority": Authority(fields["authority"]),
        "status": Status(fields["status"]),
        "closed_at": fields["valid_to"],
        "anchor": fields.get("anchor", None if fields["single"] else fields["value"]),
    }


def fact_to_fields(fact: Fact) -> dict[str, Any]:
    """A fact with its evidence; `evidence_message_ids` and `people` make it findable by every message that it leans on
    and by everybody who has a word in it."""
    claims: list[Fact | Claim] = [fact, *fact.others]
    leaning = {e.message_id for claim in claims for e in claim.evidence}
    leaning |= {v.message_id for claim in claims for v in claim.voices if v.message_id is not None}
    leaning |= {e.answers for claim in claims for e in claim.evidence if e.answers}
    leaning |= {v.answers for claim in claims for v in claim.voices if v.answers}
    return {
        "schema": SCHEMA,
        **_state_to_fields(fact),
        **_said_to_fields(fact),
        "evidence_message_ids": sorted(leaning),
        "people": sorted(_people(claims)),
        "supporters": sorted(fact.supporters),
        "objectors": [_voice_to_fields(v) for v in fact.objectors],
        "aliases": list(fact.aliases),
        "others": [_said_to_fields(claim) for claim in fact.others],
        "pin": None if fact.pin is None else fact.pin._asdict(),
        "believed_with": fact.believed_with,
    }


def _people(claims: Iterable[Fact | Claim]) -> set[int]:
    """Return who is quoted, voted or decided, for or against any of the values."""
    quoted = {quote.user_id for claim in claims for quote in claim.evidence}
    voted = {voice.user_id for claim in claims for voice in claim.voices}
    return quoted | voted | {each.user_id for claim in claims for each in claim.rulings if each.user_id is not None}


def fact_from_fields(data: Mapping[str, Any], *, consensus: int = CONSENSUS_MEMBERS) -> Fact:
    """Inverse of `fact_to_fields`.

    Args:
        consensus: The deployment's number; needed where the fact is changed, of no effect where it is only read.
    """
    return Fact(
        **(_state(data) | _said_from_fields(data)),
        aliases=tuple(data.get("aliases", ())),
        others=tuple(Claim(**_said_from_fields(fields)) for fields in data.get("others", ())),
        pin=FactPin(**data["pin"]) if data.get("pin") else None,
        consensus=consensus,
        believed_with=data.get("believed_with"),
    )


OUTLINE = (
    *("subject", "category", "key", "value", "description", "confidence", "single", "version", "valid_from"),
    *("last_reinforced_at", "conflicts_with", "authority", "status", "valid_to", "anchor", "aliases"),
)
"""The fields of a fact that say what it is, without who said it."""


def outline_from_fields(data: Mapping[str, Any]) -> Fact:
    """A fact from the fields of `OUTLINE`: enough to find it and to compare it, not to change it."""
    return Fact(**_state(data), evidence=(), aliases=tuple(data.get("aliases", ())))


def version_path(chat_id: int, fact: Fact) -> str:
    """The record of the change that made `fact` what it is."""
    return f"{fact_path(chat_id, fact.id)}/versions/{fact.version:0{VERSION_DIGITS}d}"


def version_to_fields(change: FactChange, *, at: datetime) -> dict[str, Any]:
    """What changed, why, by which evidence, confidence before and after; with those before it, the whole fact."""
    before, after = change.before, change.after
    known = before.evidence if before else ()
    replaced = before is not None and before.value != after.value
    return {
        "schema": SCHEMA,
        **_state_to_fields(after),
        "change": change.kind,
        "cause": change.cause,
        "at": at,
        "confidence_before": before.confidence if before else None,
        "confidence_after": after.confidence,
        "previous_value": before.value if before and replaced else None,
        "previous_valid_from": before.valid_from if before else None,
        "previous_valid_to": after.valid_from if replaced else None,
        "supporters": sorted(after.supporters),
        "voices": [_voice_to_fields(v) for v in after.voices],
        "evidence": [evidence_to_fields(e) for e in after.evidence if e not in known],
        "retracted": [evidence_to_fields(e) for e in known if e not in after.evidence],
    }


def told_of(version: Mapping[str, Any]) -> str:
    """The id of the fact that a version tells of, in whose document ever it lies."""
    return outline_from_fields(version).id


def facts_from_versions(versions: Iterable[Mapping[str, Any]]) -> list[tuple[datetime, Fact]]:
    """The fact after each of its versions, in their order, with the time since when that was believed.

    A value that was said holds since it was said, however late it was noticed; what came out of order, was taken back
    or ran out holds since it was noticed. The times never fall.
    """
    history: list[tuple[datetime, Fact]] = []
    evidence: list[Evidence] = []
    for fields in versions:
        gone = {_evidence(e) for e in fields["retracted"]}
        evidence = sorted({*(e for e in evidence if e not in gone), *(_evidence(e) for e in fields["evidence"])})
        voices = tuple(Voice(**v) for v in fields["voices"])
        fact = Fact(**_state(fields), evidence=tuple(evidence), voices=voices)
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


def change_writes(chat_id: int, change: FactChange, *, now: datetime) -> list[Write]:
    """The facts, versions and quality records of one step, and what `subject_writes` asks for."""
    made = int(makes_fact(change))
    return [*_step_writes(chat_id, change, now=now), *subject_writes(chat_id, change.belief.subject, made=made)]


def _step_writes(chat_id: int, change: FactChange, *, now: datetime) -> list[Write]:
    writes: list[Write] = []
    for step in (change, *change.also):
        writes.append(Set(fact_path(chat_id, step.after.id), fact_to_fields(step.after)))
        writes.append(Set(version_path(chat_id, step.after), version_to_fields(step, at=now)))
    return writes + [_quality_write(chat_id, record, change.cause, now) for record in change.quality]


def fold_writes(chat_id: int, folding: Folding, versions: Sequence[Document], *, now: datetime) -> list[Write]:
    """Return what makes two facts one: the steps of the one that stays, the versions of the other, and its end.

    The other counts as made anew (`made`): whoever has read that there is a fact of its id must read again.

    Args:
        versions: What is still under the document that goes; all of it moves to the one that stays.
    """
    kept, gone = folding.change.belief, folding.gone
    end = Document(version_path(chat_id, gone.after), version_to_fields(gone, at=now))
    rivals = [write for step in gone.also for write in _step_writes(chat_id, step, now=now)]
    quality = [_quality_write(chat_id, record, gone.cause, now) for record in gone.quality]
    return [
        *_step_writes(chat_id, folding.change, now=now),
        *rivals,
        *quality,
        *moved_versions(chat_id, gone.after.id, kept.id, [*versions, end], now=now),
        Delete(fact_path(chat_id, gone.after.id)),
        *subject_writes(chat_id, kept.subject, made=1),
    ]


def moved_versions(
    chat_id: int, from_id: str, to_id: str, versions: Iterable[Document], *, now: datetime
) -> list[Write]:
    """Versions of one fact as they are kept under another one, and gone where they were.

    Their ids say whose they are and when they came, so that neither the other fact's nor those of one that is made
    again under the same id and folded again are written over.
    """
    writes: list[Write] = []
    for version in versions:
        name = version.id if _FOLDED in version.id else f"{version.id}{_FOLDED}{from_id}{_FOLDED}{now:%Y%m%dT%H%M%S%f}"
        writes += [Set(f"{fact_path(chat_id, to_id)}/versions/{name}", version.data), Delete(version.path)]
    return writes


def makes_fact(change: FactChange) -> bool:
    """Return whether there is a fact after the change that there was not before; a rival is none."""
    return any(step.before is None and step.after.conflicts_with is None for step in (change, *change.also))


def subject_writes(chat_id: int, subject: str, *, made: int = 0) -> list[Write]:
    """Return what every transaction that writes or removes a fact's document also writes: a new revision, no profile.

    So a profile is there only as long as it says what the facts say: its writer checks the revision (see `profiles`).
    Increments read nothing, so they do not contend.

    Args:
        made: Facts that there were not before.
    """
    undone = {"profiled": False, "deduped": False, "summarized": False}
    counts = {"schema": SCHEMA, "made": Increment(made), "revision": Increment(1), **undone}
    return [Upsert(learning_path(chat_id, subject), counts), Delete(profile_path(chat_id, subject))]


def _quality_write(chat_id: int, record: Quality, cause: str, now: datetime) -> Write:
    fields = {
        "schema": SCHEMA,
        "kind": record.kind,
        "fact_id": record.fact_id,
        "subject": record.subject,
        "existing": _statement(record.existing),
        "incoming": _statement(record.incoming),
        "verdict": record.verdict,
        "score": record.score,
        "cause": cause,
        "at": now,
        "resolved": record.resolved,
        "resolved_at": now if record.resolved else None,
        "message_ids": list(record.message_ids),
    }
    return Upsert(quality_path(chat_id, record.id), fields)


def _statement(said: Sequence[str]) -> dict[str, str]:
    return dict(zip(("key", "value", "description"), said, strict=True))
