"""The codec of a fact, with its evidence and the claims beside it: `documents.fact_path`.

Its versions, its subject's counters, profiles and findings have codecs of their own beside this one.
"""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from datetime import UTC, datetime
from functools import partial
from typing import Any, NamedTuple

from shared.application.derived_codec import DerivedCodec, picked_fields
from shared.application.ports.store import Document, Filter, OpenFilter
from shared.domain.conversation.messages import SCHEMA
from shared.domain.facts.evidence.claim import CONSENSUS_MEMBERS, Authority, Claim, Evidence, Quorum, Vote
from shared.domain.facts.fact import Fact, Status


class EvidenceCodec(DerivedCodec[Evidence]):
    """Reads and writes quotes."""

    def read(self, data: Mapping[str, Any], **given: Any) -> Evidence:
        """Read one quote; one of before consensus was seen from who stands behind a fact is read as it counts now."""
        read = super().read(data, **given)
        if read.authority is not Authority.CONSENSUS:
            return read
        return replace(read, authority=Authority.OWN_STATEMENT, quorum=Quorum.ONE if read.agrees else Quorum.SECONDED)


EVIDENCE = EvidenceCodec(Evidence, sparse=["until"], needed=["confidence"])
VOTE = DerivedCodec(Vote)
_CLAIM = DerivedCodec(Claim, parts=[EVIDENCE])
_STORED_AS = {"closed_at": "valid_to"}
_NEEDED = ("status", "version", "valid_from", "last_reinforced_at", "closed_at", "conflicts_with")
_FACT = DerivedCodec(Fact, names=_STORED_AS, apart=["consensus"], needed=_NEEDED, parts=[EVIDENCE, _CLAIM])
_WHO_SAID_IT = ("evidence", "aliases", "voices", "rulings", "wordings", "others", "pin", "consensus", "believed_with")
_STATE = DerivedCodec(Fact, names=_STORED_AS, needed=_NEEDED, apart=_WHO_SAID_IT)

evidence_fields = EVIDENCE.fields
"""Return one quote as it is kept."""

state_fields = _STATE.fields
"""Return what is believed, without who said it."""


def read_state(fields: Mapping[str, Any], **who_said_it: Any) -> Fact:
    """Read what is believed; who said it is known from elsewhere."""
    return _STATE.read(fields, anchor=_anchor_of(fields), **who_said_it)


def _anchor_of(fields: Mapping[str, Any]) -> str | None:
    anchor: str | None = fields.get("anchor", None if fields["single"] else fields["value"])
    return anchor


def fact_to_fields(fact: Fact) -> dict[str, Any]:
    """Return a fact with its evidence.

    `evidence_message_ids` and `people` make it findable by every message that it leans on and by everybody who is
    quoted, voted or decided, for or against any of its values.
    """
    claims: list[Fact | Claim] = [fact, *fact.others]
    message_ids = {e.message_id for claim in claims for e in claim.evidence}
    message_ids |= {v.message_id for claim in claims for v in claim.voices if v.message_id is not None}
    message_ids |= {e.answers for claim in claims for e in claim.evidence if e.answers}
    message_ids |= {v.answers for claim in claims for v in claim.voices if v.answers}
    people = {quote.user_id for claim in claims for quote in claim.evidence}
    people |= {voice.user_id for claim in claims for voice in claim.voices}
    people |= {ruling.user_id for claim in claims for ruling in claim.rulings if ruling.user_id is not None}
    return {
        "schema": SCHEMA,
        **_FACT.fields(fact),
        "evidence_message_ids": sorted(message_ids),
        "people": sorted(people),
        "supporters": sorted(fact.supporters),
        "objectors": [VOTE.fields(voice) for voice in fact.objectors],
        **({HOLDS_UNTIL: fact.holds_until} if fact.holds_until else {}),
    }


def fact_from_fields(data: Mapping[str, Any], *, consensus: int = CONSENSUS_MEMBERS) -> Fact:
    """Read a fact: the inverse of `fact_to_fields`.

    Args:
        consensus: The deployment's number; needed where the fact is changed, of no effect where it is only read.
    """
    return _FACT.read(data, anchor=_anchor_of(data), consensus=consensus)


class FactHeading(NamedTuple):
    """The fields by which facts are chosen without reading them whole.

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


def contradicted_id(document: Document) -> str | None:
    """Return of a rival the id of the fact that it contradicts; None of any other fact."""
    contradicted: str | None = document.data.get("conflicts_with")
    return contradicted


def slot_id_of(document: Document) -> str:
    """Return the id of the fact in whose slot a fact, a rival of one, or a version of either stands."""
    return contradicted_id(document) or document.path.split("/")[3]


def subject_of(document: Document) -> str:
    """Return whom or what a fact is about: "chat", or "user:{id}"."""
    subject: str = document.data["subject"]
    return subject


_SLOT = ("category", "key")
shown_slot = partial(picked_fields, names=_SLOT)
shown_fact = partial(
    picked_fields, names=(*_SLOT, "value", "description", "confidence", "status", "valid_from", "valid_to")
)


def shown_words(parts: Collection[Mapping[str, Any]]) -> dict[str, list[dict[str, Any]]]:
    """Return the quotes and votes among parts of a fact, or of a version of one."""
    return {
        "quotes": [picked_fields(each, ("quote", "message_id", "sent_at")) for each in parts if "quote" in each],
        "votes": [picked_fields(each, ("supports", "at")) for each in parts if "supports" in each],
    }


LAST_REINFORCED_AT = "last_reinforced_at"
"""The field that facts age by."""

HOLDS_UNTIL = "holds_until"
"""The field that says when a fact holds no more, of facts whose words tell."""

PINNED = Filter("pin.holds", "==", value=True)
"""Facts that do not age."""

about = OpenFilter[str]("subject", "==")
"""The condition that a fact, or a finding about one, is about a subject."""


def about_any(subjects: Sequence[str]) -> Filter:
    """Return the condition that a fact is about one of these subjects, 30 at most."""
    return Filter("subject", "in", list(subjects))


def with_status(status: Status) -> Filter:
    """Return the condition that a fact has a status."""
    return Filter("status", "==", str(status))


in_category = OpenFilter[str]("category", "==")
"""The condition that a fact is of a category."""


def with_key(*keys: str) -> Filter:
    """Return the condition that a fact is in a slot of one of these keys."""
    return Filter("key", "in", list(keys))


def on_authority(authority: Authority) -> Filter:
    """Return the condition that a fact is believed on somebody's word."""
    return Filter("authority", "==", int(authority))


depending_on = OpenFilter[int]("evidence_message_ids", "array_contains")
"""The condition that a fact, or a claim beside it, leans on a message."""

with_a_word_of = OpenFilter[int]("people", "array_contains")
"""The condition that somebody is quoted, voted or decided in a fact."""

supported_by = OpenFilter[int]("supporters", "array_contains")
"""The condition that a member's last word was for a fact."""

known_as = OpenFilter[str]("aliases", "array_contains")
"""The condition that another fact was folded into a fact."""

rivals_of = OpenFilter[str]("conflicts_with", "==")
"""The condition that a fact waits as a rival of another one."""

OUTLINE = (
    *("subject", "category", "key", "value", "description", "confidence", "single", "version", "valid_from"),
    *("last_reinforced_at", "conflicts_with", "authority", "status", "valid_to", "anchor", "aliases"),
)
"""The fields of a fact that say what it is, without who said it."""


def outline_from_fields(data: Mapping[str, Any]) -> Fact:
    """Read a fact from the fields of `OUTLINE`: enough to find it and to compare it, not to change it."""
    return read_state(data, evidence=(), aliases=tuple(data.get("aliases", ())))
