"""The codec of a fact's history, step by step: `…/versions/{number}` under its document.

All versions up to one together are the whole fact, as it was believed then.
"""

from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from functools import partial
from typing import Any, NamedTuple

from shared.application.derived_codec import DerivedCodec, moment_in, picked_fields
from shared.application.documents import fact_path, facts_path
from shared.application.facts.codec import (
    EVIDENCE,
    VOTE,
    about,
    contradicted_id,
    outline_from_fields,
    read_state,
    state_fields,
)
from shared.application.ports.store import Delete, Document, DocumentStore, Set, Write
from shared.domain.conversation.messages import SCHEMA
from shared.domain.facts.change import Cause, FactChange
from shared.domain.facts.evidence.claim import Evidence, Vote
from shared.domain.facts.fact import Fact, Status

VERSION_DIGITS = 6
"""Digits of a version's number in its id."""

_FOLDED = "~"
"""Marks the id of a version that came from another fact's document: before that fact's id, and the time of folding."""


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
        "cause": change.cause.value,
        "at": at,
        "confidence_before": before.confidence if before else None,
        "confidence_after": after.confidence,
        "previous_value": before.value if before and replaced else None,
        "previous_valid_from": before.valid_from if before else None,
        "previous_valid_to": after.valid_from if replaced else None,
        "supporters": sorted(after.supporters),
        "voices": [VOTE.fields(v) for v in after.voices],
        "evidence": [EVIDENCE.fields(e) for e in after.evidence if e not in known],
        "retracted": [EVIDENCE.fields(e) for e in known if e not in after.evidence],
    }


def version_fact_id(version: Mapping[str, Any]) -> str:
    """Return the id of the fact that a version tells of, in whose document ever it lies."""
    return outline_from_fields(version).id


def noted_at(version: Document) -> datetime:
    """Return when a version came about."""
    return moment_in(version, "at")


_SHOWN = ("at", "change", "value", "description", "previous_value", "confidence_before", "confidence_after")
shown_version = partial(picked_fields, names=_SHOWN)


class FactVersion(NamedTuple):
    """One version of a fact, and who stands behind it.

    Attributes:
        fact_id: The fact that it tells of, in whose document ever it lies.
        change, cause: The kind of the step, and why it was taken.
        previous_value: The value that it replaced, or None.
        evidence, retracted: Quotes that came with it, and that were taken back.
        voices, supporters: Votes as they were then, and who stood behind the value.
    """

    fact_id: str
    change: str
    cause: Cause
    value: str
    description: str
    previous_value: str | None = None
    evidence: tuple[Evidence, ...] = ()
    retracted: tuple[Evidence, ...] = ()
    voices: tuple[Vote, ...] = ()
    supporters: tuple[int, ...] = ()


_VERSION = DerivedCodec(FactVersion, apart=["fact_id"], parts=[EVIDENCE])


def is_version(document: Document) -> bool:
    """Return whether a document below a chat's facts is a version of one, not a fact."""
    return document.path.split("/")[-2] == "versions"


def read_version(document: Document) -> FactVersion:
    """Read one version."""
    return _VERSION.read(document.data, fact_id=version_fact_id(document.data))


def rewrite_version(document: Document, version: FactVersion) -> Write:
    """Return the write by which a version tells this instead of what it told; its other fields stay as they are."""
    told, tells = _VERSION.fields(read_version(document)), _VERSION.fields(version)
    return Set(document.path, {**document.data, **{name: tells[name] for name in tells if tells[name] != told[name]}})


def facts_from_versions(versions: Iterable[Mapping[str, Any]]) -> list[tuple[datetime, Fact]]:
    """Return the fact after each of its versions, in their order, with the time since when that was believed.

    A value that was said holds since it was said, however late it was noticed; what came out of order, was taken back
    or ran out holds since it was noticed. The times never fall.
    """
    history: list[tuple[datetime, Fact]] = []
    evidence: list[Evidence] = []
    for fields in versions:
        gone = set(map(EVIDENCE.read, fields["retracted"]))
        evidence = sorted({*(e for e in evidence if e not in gone), *map(EVIDENCE.read, fields["evidence"])})
        fact = read_state(fields, evidence=tuple(evidence), voices=tuple(map(VOTE.read, fields["voices"])))
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


def move_versions(
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


async def facts_as_of(store: DocumentStore, chat_id: int, subject: str, at: datetime) -> list[Fact]:
    """Return what was believed about a subject at one moment, also where it has changed since; by category, key and
    value.

    Costs one query for every fact that the subject has. Facts that were folded into another one (`folding`) are told
    apart until then. What was erased or reset is not among them.
    """
    found = await store.query(facts_path(chat_id), where=[about(subject)])
    roots = [document.path for document in found if contradicted_id(document) is None]
    versions: dict[str, list[Document]] = {}
    for path in roots:
        for version in await store.query(f"{path}/versions"):
            versions.setdefault(version_fact_id(version.data), []).append(version)
    facts = [_as_of(each, at) for each in versions.values()]
    believed = [fact for fact in facts if fact is not None and fact.status is Status.ACTIVE]
    return sorted(believed, key=lambda fact: (fact.category, fact.key, fact.value))


async def fact_as_of(
    store: DocumentStore, chat_id: int, fact_id: str, at: datetime, *, within: str | None = None
) -> Fact | None:
    """One fact as it was at a moment, or None when there was none or its history is gone; one query.

    Args:
        within: Id of the fact that it was folded into since, whose versions hold its own; by default its own id.
    """
    found = await store.query(f"{fact_path(chat_id, within or fact_id)}/versions")
    return _as_of([version for version in found if version_fact_id(version.data) == fact_id], at)


def _as_of(versions: Sequence[Document], at: datetime) -> Fact | None:
    history = facts_from_versions(version.data for version in _sort_versions(versions))
    held = [(since, fact) for since, fact in history if since <= at]
    return held[-1][1] if held else None


def _sort_versions(versions: Sequence[Document]) -> list[Document]:
    """Sort versions as they came about: those of two chats that became one, or of a folded fact, are numbered apart."""
    newest: dict[str, datetime] = {}
    made: list[tuple[datetime, Document]] = []
    for version in versions:
        line = version.id[VERSION_DIGITS:]
        at = noted_at(version)
        newest[line] = max(at, newest.get(line, at))
        made.append((newest[line], version))
    return [version for _, version in sorted(made, key=lambda each: each[0])]
