"""How a fact is kept, with its evidence and the claims beside it: `documents.fact_path`.

Its versions, its subject's counters, profiles and findings have codecs of their own beside this one.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from datetime import UTC, datetime
from enum import Enum
from typing import Any, NamedTuple

from shared.application.ports.store import Document, Filter
from shared.domain.conversation.messages import SCHEMA
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

_QUOTE = ("message_id", "user_id", "quote", "sent_at", "confidence", "authority", "agrees", "answers", "quorum")
_VOICE = ("at", "user_id", "supports", "message_id", "answers")
_RULING = ("at", "kind", "authority", "user_id", "known_until", "fresh_since")
_STATE = (
    *("subject", "category", "key", "value", "description", "confidence", "authority", "single", "status", "version"),
    *("valid_from", "last_reinforced_at", "closed_at", "conflicts_with", "anchor"),
)


def _fields(thing: Fact | Evidence | Voice | Ruling, names: Iterable[str]) -> dict[str, Any]:
    """These attributes as they are kept: the names of some are others in a document, and enum members are values."""
    found = ((_STORED_AS.get(name, name), getattr(thing, name)) for name in names)
    return {name: value.value if isinstance(value, Enum) else value for name, value in found}


_STORED_AS = {"closed_at": "valid_to"}


def evidence_fields(evidence: Evidence) -> dict[str, Any]:
    """Return one quote as it is kept."""
    return _fields(evidence, (*_QUOTE, *(["until"] if evidence.until else [])))


def read_evidence(fields: Mapping[str, Any]) -> Evidence:
    """Read one quote; one of before consensus was seen from who stands behind a fact is read as it counts now."""
    known = {name: fields[name] for name in ("sent_at", "message_id", "user_id", "quote", "confidence")}
    authority, agrees = Authority(fields.get("authority", Authority.OWN_STATEMENT)), fields.get("agrees", False)
    quorum = Quorum(fields.get("quorum", Quorum.ONE))
    if authority is Authority.CONSENSUS:  # as it was noted before consensus was seen from who stands behind it
        authority, quorum = Authority.OWN_STATEMENT, Quorum.ONE if agrees else Quorum.SECONDED
    more = {"answers": fields.get("answers", 0), "until": fields.get("until")}
    return Evidence(**known, authority=authority, agrees=agrees, quorum=quorum, **more)


def voice_fields(voice: Voice) -> dict[str, Any]:
    """Return one vote as it is kept."""
    return _fields(voice, _VOICE)


def _ruling(fields: Mapping[str, Any]) -> Ruling:
    kind, authority = RulingKind(fields["kind"]), Authority(fields["authority"])
    return Ruling(fields["at"], kind, authority, fields["user_id"], fields["known_until"], fields.get("fresh_since"))


def _said_to_fields(said: Fact | Claim) -> dict[str, Any]:
    """Return what stands behind one value, of a fact or of a claim beside it."""
    return {
        "value": said.value,
        "description": said.description,
        "evidence": [evidence_fields(e) for e in said.evidence],
        "voices": [voice_fields(v) for v in said.voices],
        "rulings": [_fields(r, _RULING) for r in said.rulings],
        "wordings": list(said.wordings),
    }


def _said_from_fields(fields: Mapping[str, Any]) -> dict[str, Any]:
    """Return constructor arguments of what stands behind one value: the inverse of `_said_to_fields`."""
    return {
        "value": fields["value"],
        "description": fields["description"],
        "evidence": tuple(read_evidence(e) for e in fields["evidence"]),
        "voices": tuple(Voice(**v) for v in fields.get("voices", ())),
        "rulings": tuple(_ruling(r) for r in fields.get("rulings", ())),
        "wordings": tuple(fields.get("wordings", ())),
    }


def state_fields(fact: Fact) -> dict[str, Any]:
    """Return what is believed, without who said it."""
    return _fields(fact, _STATE)


def read_state(fields: Mapping[str, Any]) -> dict[str, Any]:
    """Return constructor arguments of what is believed: the inverse of `state_fields`."""
    same = ("subject", "category", "key", "value", "description", "confidence", "single", "version", "valid_from")
    return {name: fields[name] for name in (*same, "last_reinforced_at", "conflicts_with")} | {
        "authority": Authority(fields["authority"]),
        "status": Status(fields["status"]),
        "closed_at": fields["valid_to"],
        "anchor": fields.get("anchor", None if fields["single"] else fields["value"]),
    }


def fact_to_fields(fact: Fact) -> dict[str, Any]:
    """Return a fact with its evidence.

    `evidence_message_ids` and `people` make it findable by every message that it leans on and by everybody who is
    quoted, voted or decided, for or against any of its values.
    """
    claims: list[Fact | Claim] = [fact, *fact.others]
    leaning = {e.message_id for claim in claims for e in claim.evidence}
    leaning |= {v.message_id for claim in claims for v in claim.voices if v.message_id is not None}
    leaning |= {e.answers for claim in claims for e in claim.evidence if e.answers}
    leaning |= {v.answers for claim in claims for v in claim.voices if v.answers}
    people = {quote.user_id for claim in claims for quote in claim.evidence}
    people |= {voice.user_id for claim in claims for voice in claim.voices}
    people |= {ruling.user_id for claim in claims for ruling in claim.rulings if ruling.user_id is not None}
    return {
        "schema": SCHEMA,
        **state_fields(fact),
        **_said_to_fields(fact),
        "evidence_message_ids": sorted(leaning),
        "people": sorted(people),
        "supporters": sorted(fact.supporters),
        "objectors": [voice_fields(v) for v in fact.objectors],
        "aliases": list(fact.aliases),
        "others": [_said_to_fields(claim) for claim in fact.others],
        "pin": None if fact.pin is None else fact.pin._asdict(),
        "believed_with": fact.believed_with,
        **({HOLDS_UNTIL: fact.holds_until} if fact.holds_until else {}),
    }


def fact_from_fields(data: Mapping[str, Any], *, consensus: int = CONSENSUS_MEMBERS) -> Fact:
    """Read a fact: the inverse of `fact_to_fields`.

    Args:
        consensus: The deployment's number; needed where the fact is changed, of no effect where it is only read.
    """
    return Fact(
        **(read_state(data) | _said_from_fields(data)),
        aliases=tuple(data.get("aliases", ())),
        others=tuple(Claim(**_said_from_fields(fields)) for fields in data.get("others", ())),
        pin=FactPin(**data["pin"]) if data.get("pin") else None,
        consensus=consensus,
        believed_with=data.get("believed_with"),
    )


class FactHeading(NamedTuple):
    """What many facts are chosen by without reading them whole.

    Attributes:
        conflicts_with: Of a rival the id of the fact that it contradicts, else None.
        last_reinforced_at: When somebody confirmed it last.
        is_pinned: Whether it does not age.
        believed_with: The number that made a consensus when its believers were counted, or None of one of before.
        holds_until: When it holds no more by its own words; the beginning of time for one that does not say.
    """

    subject: str
    status: Status
    conflicts_with: str | None
    last_reinforced_at: datetime
    is_pinned: bool
    believed_with: int | None
    holds_until: datetime


def read_heading(document: Document) -> FactHeading:
    """Read what a fact is chosen by."""
    data = document.data
    return FactHeading(
        subject=data["subject"],
        status=Status(data["status"]),
        conflicts_with=data.get("conflicts_with"),
        last_reinforced_at=data["last_reinforced_at"],
        is_pinned=bool(data.get("pin") and data["pin"]["holds"]),
        believed_with=data.get("believed_with"),
        holds_until=data.get(HOLDS_UNTIL) or datetime.min.replace(tzinfo=UTC),
    )


def contradicted_by(document: Document) -> str | None:
    """Return of a rival the id of the fact that it contradicts; None of any other fact."""
    contradicted: str | None = document.data.get("conflicts_with")
    return contradicted


def slot_id_of(document: Document) -> str:
    """Return the id of the fact in whose slot a fact, a rival of one, or a version of either stands."""
    return contradicted_by(document) or document.path.split("/")[3]


def subject_of(document: Document) -> str:
    """Return whom or what a fact is about: "chat", or "user:{id}"."""
    subject: str = document.data["subject"]
    return subject


# --- what facts are found by ----------------------------------------------------------------------

LAST_REINFORCED_AT = "last_reinforced_at"
"""The field that facts age by."""

HOLDS_UNTIL = "holds_until"
"""The field that says when a fact holds no more, of facts whose words tell."""

PINNED = Filter("pin.holds", "==", value=True)
"""Facts that do not age."""


def about(subject: str) -> Filter:
    """Return the condition that a fact, or a finding about one, is about a subject."""
    return Filter("subject", "==", subject)


def with_status(status: Status) -> Filter:
    """Return the condition that a fact has a status."""
    return Filter("status", "==", str(status))


def in_category(category: str) -> Filter:
    """Return the condition that a fact is of a category."""
    return Filter("category", "==", category)


def with_key(*keys: str) -> Filter:
    """Return the condition that a fact is in a slot of one of these keys."""
    return Filter("key", "in", list(keys))


def on_authority(authority: Authority) -> Filter:
    """Return the condition that a fact is believed on somebody's word."""
    return Filter("authority", "==", int(authority))


def leaning_on(message_id: int) -> Filter:
    """Return the condition that a fact, or a claim beside it, leans on a message."""
    return Filter("evidence_message_ids", "array_contains", message_id)


def with_a_word_of(user_id: int) -> Filter:
    """Return the condition that somebody is quoted, voted or decided in a fact."""
    return Filter("people", "array_contains", user_id)


def supported_by(user_id: int) -> Filter:
    """Return the condition that a member's last word was for a fact."""
    return Filter("supporters", "array_contains", user_id)


def known_as(fact_id: str) -> Filter:
    """Return the condition that another fact was folded into a fact."""
    return Filter("aliases", "array_contains", fact_id)


def rivals_of(fact_id: str) -> Filter:
    """Return the condition that a fact waits as a rival of another one."""
    return Filter("conflicts_with", "==", fact_id)


OUTLINE = (
    *("subject", "category", "key", "value", "description", "confidence", "single", "version", "valid_from"),
    *("last_reinforced_at", "conflicts_with", "authority", "status", "valid_to", "anchor", "aliases"),
)
"""The fields of a fact that say what it is, without who said it."""


def outline_from_fields(data: Mapping[str, Any]) -> Fact:
    """Read a fact from the fields of `OUTLINE`: enough to find it and to compare it, not to change it."""
    return Fact(**read_state(data), evidence=(), aliases=tuple(data.get("aliases", ())))
