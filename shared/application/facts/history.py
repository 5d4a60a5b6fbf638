"""What was believed on some day, read from the versions."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from shared.application.documents import fact_path, facts_path
from shared.application.facts.codec import about, contradicted_by
from shared.application.facts.version_codec import VERSION_DIGITS, facts_from_versions, noted_at, told_of
from shared.application.ports.store import Document, DocumentStore
from shared.domain.facts.fact import Fact, Status


async def facts_as_of(store: DocumentStore, chat_id: int, subject: str, at: datetime) -> list[Fact]:
    """Return what was believed about a subject at one moment, also where it has changed since; by category, key and
    value.

    Costs one query for every fact that the subject has. Facts that were folded into another one (`folding`) are told
    apart until then. What was erased or reset is not among them.
    """
    found = await store.query(facts_path(chat_id), where=[about(subject)])
    roots = [document.path for document in found if contradicted_by(document) is None]
    versions: dict[str, list[Document]] = {}
    for path in roots:
        for version in await store.query(f"{path}/versions"):
            versions.setdefault(told_of(version.data), []).append(version)
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
    return _as_of([version for version in found if told_of(version.data) == fact_id], at)


def _as_of(versions: Sequence[Document], at: datetime) -> Fact | None:
    history = facts_from_versions(version.data for version in _in_order(versions))
    held = [(since, fact) for since, fact in history if since <= at]
    return held[-1][1] if held else None


def _in_order(versions: Sequence[Document]) -> list[Document]:
    """Sort versions as they came about: those of two chats that became one, or of a folded fact, are numbered apart."""
    newest: dict[str, datetime] = {}
    made: list[tuple[datetime, Document]] = []
    for version in versions:
        line = version.id[VERSION_DIGITS:]
        at = noted_at(version)
        newest[line] = max(at, newest.get(line, at))
        made.append((newest[line], version))
    return [version for _, version in sorted(made, key=lambda each: each[0])]
