"""A basic group became a supergroup: everything of it moves under the new id.

The two chats number their messages independently, so old messages keep their order under negative ids (see
`migrated_message_id`). Moving copies a document before it deletes the old one, so a task that dies is run again.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from shared.application.app import App
from shared.application.chats import PRIVATE_CHUNK, ChatState, chat_state
from shared.application.chunks import left_to_do, waits
from shared.application.documents import chat_path, fact_path, profile_path
from shared.application.fact_documents import change_writes, fact_from_fields, fact_to_fields, subject_writes
from shared.application.ports.store import Delete, Document, Transaction, Upsert, Write
from shared.domain.facts import Status
from shared.domain.lifecycle import rivals
from shared.domain.messages import SCHEMA, migrated_message_id
from shared.domain.revision import merge

MOST_MOVED = 1_000
"""Documents per task (own choice): a thousand moves of two writes each end within minutes."""

_INHERITED = ("language", "chunks", "username", "is_forum", "first_seen_at", "title")
_FACT_DEPTH = 3

_MADE_ANEW = ("profiles", "index")
"""Collections that are not moved: they are made from what is, where it goes."""

_NOTES = ("chunks", "metas", "episodes")
"""Collections whose ids end with the ids of the first and last message, and that the index is made from."""

_LEFT_TO_DO = ("made", "stale", "waits")
"""All that may be left to do for notes: what was, is not moved but said again beside each note that wants it."""

_NODE = re.compile(r"((?:\d+-)?)(\d+)-(\d+)")


async def begin_migration(app: App, old_id: int, new_id: int) -> bool:
    """Point the old id at the new one and have what lies under it moved; False when that makes no sense.

    Who opted out, what a reset forgot, private mode and the chat's other choices hold under the new id at once.
    """
    documents = await app.store.get_many([chat_path(old_id), chat_path(new_id)])
    old, new = (chat_state(chat_id, d) for chat_id, d in zip((old_id, new_id), documents, strict=True))
    if old_id == new_id or new.migrated_to is not None or old.migrated_to not in (None, new_id):
        return False
    if documents[1] is None or documents[1].data.get("migrated_from") != old_id:  # what is chosen since then stays
        kept = _choices(*(document.data if document is not None else {} for document in documents))
        kept |= _protected(app, old, new)
        await app.chats.change(new_id, {"migrated_from": old_id, "active": True, **kept})
    await app.chats.change(old_id, {"migrated_to": new_id, "active": False})
    await _ask_to_move(app, old_id, new_id, part=0)
    return True


def _protected(app: App, old: ChatState, new: ChatState) -> dict[str, Any]:
    """What either chat keeps from being learnt, both do as one."""
    resets = [at for at in (old.learn_from, new.learn_from) if at is not None]
    forgotten = [at for at in (old.forgotten_at, new.forgotten_at) if at is not None]
    chosen = [state.private_mode for state in (old, new) if state.private_mode is not None]
    private = any(state.is_private(by_default=app.policy.private_mode) for state in (old, new))
    return {
        "opted_out": sorted(old.opted_out | new.opted_out),
        "learn_from": max(resets, default=None),
        "forgotten_at": max(forgotten, default=None),
        "private_mode": private if chosen else None,
    }


def _choices(old: Mapping[str, Any], new: Mapping[str, Any]) -> dict[str, Any]:
    """The settings of both, the new chat's first; so are the wishes for each task."""
    instructions = new.get("extraction_instructions") or old.get("extraction_instructions")
    before, after = old.get("settings") or {}, new.get("settings") or {}
    prompts = {**(before.get("prompts") or {}), **(after.get("prompts") or {})}
    return {
        "settings": {**before, **after, **({"prompts": prompts} if prompts else {})},
        "extraction_instructions": instructions or "",
    }


async def _ask_to_move(app: App, old_id: int, new_id: int, *, part: int) -> None:
    payload = {"chat_id": old_id, "new_chat_id": new_id, "part": part}
    await app.schedule.job("migrate", mark=f"{old_id}-{new_id}-{part}", payload=payload)


async def move_chat(app: App, old_id: int, new_id: int, *, part: int = 0) -> int:
    """Move the old chat's documents under the new one; how many were moved. Repeats harmlessly.

    After `MOST_MOVED` documents it asks for another task (`part` counts them). Messages that are still stored under
    the old id meanwhile are moved by the old id's own extraction task.
    """
    if old_id == new_id:
        return 0
    await _inherit(app, old_id, new_id)
    moved = 0
    async for document in app.store.subtree(chat_path(old_id)):
        await _move(app, old_id, new_id, document)
        moved += 1
        if moved == MOST_MOVED:
            await _ask_to_move(app, old_id, new_id, part=part + 1)
            break
    app.chats.forget(old_id)
    app.chats.forget(new_id)
    if moved:
        await app.schedule.extraction_later(new_id, mark=f"moved-{old_id}-{part}-{moved}", run_at=None)
    return moved


async def _inherit(app: App, old_id: int, new_id: int) -> None:
    """Give the new chat what the old one had and it has not."""
    old, new = await app.store.get_many([chat_path(old_id), chat_path(new_id)])
    if old is None:
        return
    known = new.data if new else {}
    missing = {name: old.data[name] for name in _INHERITED if name in old.data and known.get(name) is None}
    if missing:
        await app.chats.change(new_id, missing)


async def _move(app: App, old_id: int, new_id: int, document: Document) -> None:
    kind = document.path.split("/")[2]
    if kind in _MADE_ANEW:
        await app.store.delete(document.path)
        return
    data = _shifted(kind, document)
    path = _new_path(kind, old_id, new_id, document)
    gone: list[Write] = [Delete(document.path)]
    if kind == "facts" and document.path.count("/") == _FACT_DEPTH:
        gone.append(Delete(profile_path(old_id, data["subject"])))  # an instance that knows of no move may have made it
        await _move_fact(app, path, data)
    elif kind == "facts":
        if not await app.store.create(path, data):  # both chats had a version of this number
            await app.store.create(f"{path}-{old_id}", data)
    elif kind == "messages":
        await _move_message(app, path, data)
    elif kind == "usage":
        await _add_usage(app, document.path, path, data)
    elif kind == "upkeep":
        gone.append(left_to_do(new_id, *_LEFT_TO_DO))
    else:
        await app.store.create(path, data)
        gone += _owed(app, new_id, data) if kind in _NOTES else []
    await app.store.batch(gone)


def _owed(app: App, new_id: int, note: Mapping[str, Any]) -> list[Upsert]:
    """The write that has the new chat see to a note as the old one would have: it may have seen to others already."""
    owed = {
        "made": note.get("told") is False or ("meta" in note and note["meta"] is None),
        "stale": note["stale"],
        "waits": waits(app, note),
    }
    kinds = [kind for kind, is_owed in owed.items() if is_owed]
    return [left_to_do(new_id, *kinds)] if kinds else []


async def _move_message(app: App, path: str, data: dict[str, Any]) -> None:
    """An edit may have been stored under the new id already: it wins, and what the old text taught is taken back.

    What is in its file is kept where the file is the same.
    """

    async def settle(tx: Transaction) -> None:
        known = await tx.get(path)
        if known is None:
            tx.write(Upsert(path, data))
        elif known.data["chunk"] is None and data["chunk"] is not None:
            edited = known.data["text"] != data["text"]
            kept = {"chunk": data["chunk"], "rederive": edited or known.data["rederive"]}
            if known.data["media"] == data["media"] and data.get("media_text"):
                kept["media_text"] = data["media_text"]
            tx.write(Upsert(path, kept))

    await app.store.transaction(settle)


def _new_path(kind: str, old_id: int, new_id: int, document: Document) -> str:
    rest = document.path.removeprefix(chat_path(old_id))
    if kind == "messages":
        rest = f"/messages/{migrated_message_id(int(document.id))}"
    if kind in _NOTES:
        rest = f"/{kind}/{_moved_node(document.id)}"
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
    if kind == "facts":
        data = {name: _shifted_ids(value) for name, value in data.items()}
    if kind == "messages" and data["chunk"] not in (None, PRIVATE_CHUNK):
        data["chunk"] = _moved_node(data["chunk"])
    if kind in _NOTES:
        data["indexed"] = False
        if isinstance(data.get("meta"), str):
            data["meta"] = _moved_node(data["meta"])
        if "nodes" in data:
            data["nodes"] = [_moved_node(node) for node in data["nodes"]]
    return data


def _moved_node(node_id: str) -> str:
    """The id of a chunk, an episode or a meta summary as it is under the new chat; what is no such id stays."""
    parts = _NODE.fullmatch(node_id)
    if parts is None:
        return node_id
    level, first, last = parts.groups()
    return f"{level}{migrated_message_id(int(first))}-{migrated_message_id(int(last))}"


def _shifted_ids(value: Any) -> Any:
    """Quotes and voices, however deep they lie, with their message ids shifted."""
    match value:
        case dict():
            shifted = {name: _shifted_ids(inner) for name, inner in value.items()}
            if isinstance(shifted.get("message_id"), int):
                shifted["message_id"] = migrated_message_id(shifted["message_id"])
            return shifted
        case list():
            return [_shifted_ids(inner) for inner in value]
    return value


async def _move_fact(app: App, path: str, data: dict[str, Any]) -> None:
    """The new chat may have learnt the same already: then the two are one belief with both evidences."""
    moved, now = fact_from_fields(data, consensus=app.policy.consensus), app.clock.now()
    new_id = int(path.split("/")[1])
    if moved.status is Status.PENDING:
        return  # written anew with the fact that it contradicts

    async def settle(tx: Transaction) -> None:
        document = await tx.get(path)
        if document is None:
            for fact in (moved, *rivals(moved).values()):
                tx.write(Upsert(fact_path(new_id, fact.id), fact_to_fields(fact)))
            for write in subject_writes(new_id, moved.subject, made=int(moved.conflicts_with is None)):
                tx.write(write)
        elif moved.conflicts_with is None:
            change = merge(fact_from_fields(document.data, consensus=app.policy.consensus), moved)
            for write in change_writes(new_id, change, now=now) if change is not None else ():
                tx.write(write)

    await app.store.transaction(settle)


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
