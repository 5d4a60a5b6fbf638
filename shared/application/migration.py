"""A basic group became a supergroup: everything of it moves under the new id.

The two chats number their messages independently, so old messages keep their order under negative ids (see
`migrated_message_id`). Moving copies a document before it deletes the old one, so a task that dies is run again.
"""

from __future__ import annotations

from typing import Any

from shared.application.app import App
from shared.application.documents import chat_path
from shared.application.fact_documents import fact_from_fields, fact_to_fields
from shared.application.ports import Delete, Document, Transaction, Upsert
from shared.domain.facts import Candidate, Fact, learn
from shared.domain.messages import SCHEMA, migrated_message_id

_INHERITED = ("language", "opted_out", "learn_from", "chunks", "username", "is_forum", "first_seen_at", "title")


async def move_chat(app: App, old_id: int, new_id: int) -> int:
    """Move every document of the old chat under the new one; how many were moved. Repeats harmlessly."""
    await _inherit(app, old_id, new_id)
    documents = [document async for document in app.store.subtree(chat_path(old_id))]
    documents.sort(key=lambda document: document.path.count("/"))  # facts before their versions
    for document in documents:
        await _move(app, old_id, new_id, document)
    app.chats.forget(old_id)
    app.chats.forget(new_id)
    return len(documents)


async def _inherit(app: App, old_id: int, new_id: int) -> None:
    """Give the new chat what the old one had and it has not."""
    old, new = await app.store.get_many([chat_path(old_id), chat_path(new_id)])
    if old is None:
        return
    known = new.data if new else {}
    missing = {name: old.data[name] for name in _INHERITED if name in old.data and known.get(name) is None}
    await app.chats.change(new_id, {**missing, "migrated_from": old_id, "active": known.get("active", True)})


async def _move(app: App, old_id: int, new_id: int, document: Document) -> None:
    kind = document.path.split("/")[2]
    data = _shifted(kind, document)
    path = _new_path(kind, old_id, new_id, document)
    if kind == "facts" and document.path.count("/") == 3:
        await _move_fact(app, path, data)
    elif kind == "usage":
        await _add_usage(app, document.path, path, data)
        return
    else:
        await app.store.create(path, data)
    await app.store.delete(document.path)


def _new_path(kind: str, old_id: int, new_id: int, document: Document) -> str:
    rest = document.path.removeprefix(chat_path(old_id))
    if kind == "messages":
        rest = f"/messages/{migrated_message_id(int(document.id))}"
    if kind == "chunks":
        first, last = migrated_message_id(document.data["first"]), migrated_message_id(document.data["last"])
        rest = f"/chunks/{first}-{last}"
    return chat_path(new_id) + rest


def _shifted(kind: str, document: Document) -> dict[str, Any]:
    """The document with every message id as it is under the new chat."""
    data = dict(document.data)
    for name in ("message_id", "reply_to", "first", "last"):
        if isinstance(data.get(name), int):
            data[name] = migrated_message_id(data[name])
    for name in ("message_ids", "evidence_message_ids"):
        if name in data:
            data[name] = [migrated_message_id(message_id) for message_id in data[name]]
    for name in ("evidence", "retracted"):
        if name in data:
            data[name] = [e | {"message_id": migrated_message_id(e["message_id"])} for e in data[name]]
    if kind == "messages" and isinstance(data.get("chunk"), str):
        first, last = (migrated_message_id(int(part)) for part in data["chunk"].split("-"))
        data["chunk"] = f"{first}-{last}"
    return data


async def _move_fact(app: App, path: str, data: dict[str, Any]) -> None:
    """The new chat may have learnt the same already: then the two are one belief with both evidences."""
    moved = fact_from_fields(data)

    async def merge(tx: Transaction) -> None:
        document = await tx.get(path)
        if document is None:
            tx.write(Upsert(path, data))
            return
        existing = fact_from_fields(document.data)
        change = learn(existing, _as_candidate(moved))
        if change is not None:
            tx.write(Upsert(path, fact_to_fields(change.after)))

    await app.store.transaction(merge)


def _as_candidate(fact: Fact) -> Candidate:
    return Candidate(
        subject=fact.subject,
        category=fact.category,
        key=fact.key,
        value=fact.value,
        description=fact.description,
        confidence=max((e.confidence for e in fact.evidence), default=fact.confidence),
        evidence=fact.evidence,
        authority=fact.authority,
        single=fact.single,
    )


async def _add_usage(app: App, old_path: str, new_path: str, data: dict[str, Any]) -> None:
    """Add a day's counts to the new chat's, and remove the old ones in the same transaction."""

    async def add(tx: Transaction) -> None:
        old, new = await tx.get_many([old_path, new_path])
        if old is None:
            return
        known = new.data if new else {}
        numbers = {k: v for k, v in data.items() if isinstance(v, int) and k != "schema"}
        tx.write(Upsert(new_path, {"schema": SCHEMA, **{k: v + known.get(k, 0) for k, v in numbers.items()}}))
        tx.write(Delete(old_path))

    await app.store.transaction(add)
