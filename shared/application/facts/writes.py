"""The queries for a chat's facts, and the writes of one step of a fact, or of several at once: facts, versions,
findings, and the subject's revision."""

from collections.abc import Sequence
from datetime import datetime

from shared.application.documents import fact_path, facts_path
from shared.application.facts.codec import (
    LAST_REINFORCED_AT,
    PINNED,
    about,
    fact_to_fields,
    in_category,
    on_authority,
    with_status,
)
from shared.application.facts.subject_codec import quality_write, subject_writes
from shared.application.facts.version_codec import move_versions, version_path, version_to_fields
from shared.application.ports.store import Delete, Document, DocumentStore, Order, Set, Transaction, Write
from shared.domain.facts.change import FactChange
from shared.domain.facts.evidence.claim import Authority
from shared.domain.facts.fact import Status
from shared.domain.facts.folding import Folding


def change_writes(chat_id: int, change: FactChange, *, now: datetime) -> list[Write]:
    """Return the facts, versions and findings of one step, and what `subject_writes` asks for."""
    made = int(makes_fact(change))
    return [*_step_writes(chat_id, change, now=now), *subject_writes(chat_id, change.belief.subject, made=made)]


def write_change(tx: Transaction, chat_id: int, change: FactChange | None, *, now: datetime) -> FactChange | None:
    """Write a step in a transaction, if there is one, and return it."""
    for write in change_writes(chat_id, change, now=now) if change is not None else ():
        tx.write(write)
    return change


def _step_writes(chat_id: int, change: FactChange, *, now: datetime) -> list[Write]:
    writes: list[Write] = []
    for step in (change, *change.also):
        writes.append(Set(fact_path(chat_id, step.after.id), fact_to_fields(step.after)))
        writes.append(Set(version_path(chat_id, step.after), version_to_fields(step, at=now)))
    return writes + [quality_write(chat_id, record, cause=change.cause, now=now) for record in change.quality]


def fold_writes(chat_id: int, folding: Folding, versions: Sequence[Document], *, now: datetime) -> list[Write]:
    """Return what makes two facts one: the steps of the one that stays, the versions of the other, and its end.

    The other counts as made anew (`made`): whoever has read that there is a fact of its id must read again.

    Args:
        versions: What is still under the document that goes; all of it moves to the one that stays.
    """
    kept, gone = folding.change.belief, folding.gone
    end = Document(version_path(chat_id, gone.after), version_to_fields(gone, at=now))
    rivals = [write for step in gone.also for write in _step_writes(chat_id, step, now=now)]
    quality = [quality_write(chat_id, record, cause=gone.cause, now=now) for record in gone.quality]
    return [
        *_step_writes(chat_id, folding.change, now=now),
        *rivals,
        *quality,
        *move_versions(chat_id, gone.after.id, kept.id, [*versions, end], now=now),
        Delete(fact_path(chat_id, gone.after.id)),
        *subject_writes(chat_id, kept.subject, made=1),
    ]


def makes_fact(change: FactChange) -> bool:
    """Return whether there is a fact after the change that there was not before; a rival is none."""
    return any(step.before is None and step.after.conflicts_with is None for step in (change, *change.also))


_NEWEST = (Order(LAST_REINFORCED_AT, descending=True),)
_ACTIVE = with_status(Status.ACTIVE)
_SHARE = 4
"""The divisor for each kind that counts: a quarter as many are read as of the newest."""

_CHAT = (on_authority(Authority.ADMIN), in_category("rule"), on_authority(Authority.CONSENSUS))
_MEMBER = (on_authority(Authority.ADMIN), on_authority(Authority.OWN_STATEMENT))


async def read_foremost(
    store: DocumentStore, chat_id: int, subject: str, *, most: int, active: bool, fields: Sequence[str] | None = None
) -> list[Document]:
    """The documents of a subject's facts: all when there are fewer than `most`, else those that count and the newest.

    What an admin pinned counts, and what one said; about the chat also rules and what is a consensus, about a member
    their own word.

    Args:
        most: The newest that are read; where there are more, as many at most are read beside them.
        active: Only what is believed now.
        fields: As of `DocumentStore.query`.
    """
    where = [about(subject), *([_ACTIVE] if active else [])]
    newest = await store.query(facts_path(chat_id), where=where, order_by=_NEWEST, limit=most, fields=fields)
    if len(newest) < most:
        return newest
    share, path = max(1, most // _SHARE), facts_path(chat_id)
    found = await store.query(path, where=[*where, PINNED], limit=share, fields=fields)
    for kind in _CHAT if subject == "chat" else _MEMBER:
        found += await store.query(path, where=[*where, kind], order_by=_NEWEST, limit=share, fields=fields)
    return list({document.path: document for document in (*found, *newest)}.values())
