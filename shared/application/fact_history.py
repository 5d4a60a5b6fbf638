"""What was believed on some day, read from the versions."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from shared.application.app import App
from shared.application.documents import facts_path
from shared.application.fact_documents import VERSION_DIGITS, facts_from_versions
from shared.application.ports.store import Document, Filter
from shared.domain.facts import Fact, Status


async def facts_as_of(app: App, chat_id: int, subject: str, at: datetime) -> list[Fact]:
    """What was believed about a subject at one moment, also where it has changed since; by category, key and value.

    Costs one query for every fact that the subject ever had. What was erased or reset is not among them.
    """
    found = await app.store.query(facts_path(chat_id), where=[Filter("subject", "==", subject)])
    roots = [document.path for document in found if document.data["conflicts_with"] is None]
    facts = [_as_of(await app.store.query(f"{path}/versions"), at) for path in roots]
    believed = [fact for fact in facts if fact is not None and fact.status is Status.ACTIVE]
    return sorted(believed, key=lambda fact: (fact.category, fact.key, fact.value))


def _as_of(versions: Sequence[Document], at: datetime) -> Fact | None:
    history = facts_from_versions(version.data for version in _in_order(versions))
    held = [(since, fact) for since, fact in history if since <= at]
    return held[-1][1] if held else None


def _in_order(versions: Sequence[Document]) -> list[Document]:
    """As they came about: those of two chats that became one are numbered apart (see `migration`)."""
    newest: dict[str, datetime] = {}
    made: list[tuple[datetime, Document]] = []
    for version in versions:
        chat = version.id[VERSION_DIGITS:]
        newest[chat] = max(version.data["at"], newest.get(chat, version.data["at"]))
        made.append((newest[chat], version))
    return [version for _, version in sorted(made, key=lambda each: each[0])]
