"""Moving a chat's documents under its new id, each in one transaction, when a basic group became a supergroup."""

from collections.abc import Sequence
from typing import Any

from shared.application.app import App
from shared.application.bulk import delete_all
from shared.application.chats.migration import LATE_PART, ask_to_move, is_of_index
from shared.application.conversation.message_codec import (
    ChunkState,
    chunk_field,
    edited_field,
    media_text_field,
    read_message,
)
from shared.application.documents import chat_path, fact_path, profile_path
from shared.application.facts.codec import fact_from_fields, fact_to_fields
from shared.application.facts.subject_codec import subject_writes
from shared.application.facts.writes import change_writes
from shared.application.people.member_codec import inherited_choice_fields
from shared.application.policy import Policy
from shared.application.ports.store import Delete, Document, DocumentStore, Set, Transaction, Upsert, Write
from shared.application.ports.system import Clock
from shared.application.reading.moved_codec import (
    NOTE_COLLECTIONS,
    inherited_fields,
    left_behind_fields,
    move_node,
    moved_fields,
    sum_counts,
)
from shared.application.reading.notes.codec import WORK_KINDS, Chunk, Episode, WorkKind, mark_work_due, read_note
from shared.application.reading.notes.redoing import waits
from shared.domain.chats.hours import timezone_named
from shared.domain.conversation.messages import SCHEMA, migrated_message_id
from shared.domain.facts.fact import Fact, Status
from shared.domain.facts.revision import merge
from shared.domain.facts.slot import rivals

MOST_MOVED = 1_000
"""Documents per task: a thousand moves of two writes each end within minutes."""

_FACT_DEPTH = 3


async def move_chat(app: App, old_id: int, new_id: int, *, part: int = 0) -> int:
    """Move the old chat's documents under the new one; how many were moved. Idempotent.

    After `MOST_MOVED` documents it asks for another task (`part` counts them). Messages that are still stored under
    the old id meanwhile are moved by the old id's own extraction task. The old index is searched until the new one is
    made: it goes when all else has, and only with what is moved late (from `LATE_PART` on).
    """
    if old_id == new_id:
        return 0
    await _inherit(app.store, old_id, new_id)
    moved, index = 0, list[str]()
    async for document in app.store.subtree(chat_path(old_id)):
        if is_of_index(document):
            index.append(document.path)
            continue
        await _move(app, old_id, new_id, document)
        moved += 1
        if moved == MOST_MOVED:
            await ask_to_move(app.schedule, old_id, new_id, part=part + 1)
            break
    else:
        moved += await delete_all(app.store, index) if part >= LATE_PART else 0
    app.chats.forget(old_id)
    app.chats.forget(new_id)
    if moved:
        await app.schedule.extraction_later(new_id, mark=f"moved-{old_id}-{part}-{moved}", run_at=None)
    return moved


async def _inherit(store: DocumentStore, old_id: int, new_id: int) -> None:
    """Give the new chat what the old one has, while it is there, and the new one has not."""

    async def give(tx: Transaction) -> None:
        old, new = await tx.get_many([chat_path(old_id), chat_path(new_id)])
        if missing := inherited_fields(old, new):
            tx.write(Upsert(chat_path(new_id), {"schema": SCHEMA, "chat_id": new_id, **missing}))
        if gone := left_behind_fields(old):
            tx.write(Upsert(chat_path(old_id), gone))

    await store.transaction(give)


async def _move(app: App, old_id: int, new_id: int, document: Document) -> None:
    path, kind = document.path, document.path.split("/")[2]
    if kind in ("profiles", "delivery"):  # made from what is, where it goes
        await app.store.delete(path)
        return
    rest = path.removeprefix(chat_path(old_id))
    if kind == "messages":
        rest = f"/messages/{migrated_message_id(int(document.id))}"
    if kind in NOTE_COLLECTIONS:
        rest = f"/{kind}/{move_node(document.id)}"
    new_path = chat_path(new_id) + rest
    taken = f"{new_path}-{old_id}"  # of a version whose number both chats have

    async def move(tx: Transaction) -> None:
        old, *there = await tx.get_many([path, new_path, *([taken] if _is_version(path) else [])])
        if old is None:
            return
        for write in (Delete(path), *_move_document(app, old_id, new_path, moved_fields(kind, old.data), there)):
            tx.write(write)

    await app.store.transaction(move)


def _is_version(path: str) -> bool:
    return path.split("/")[2] in ("facts", "context") and path.count("/") > _FACT_DEPTH


def _move_document(
    app: App, old_id: int, path: str, data: dict[str, Any], there: Sequence[Document | None]
) -> list[Write]:
    """The writes beside the old document's end.

    Args:
        data: As it is under the new chat.
        there: What is at `path` already, and for a version at the path beside it.
    """
    _, new_id, kind, *_ = path.split("/")
    known = there[0]
    if _is_version(path):
        free = next((p for p, d in zip((path, f"{path}-{old_id}"), there, strict=True) if d is None), None)
        return [] if free is None else [Set(free, data)]
    match kind:
        case "facts":
            fact = fact_from_fields(data, consensus=app.policy.consensus)
            # An instance that knows of no move may have made the old profile.
            old_profile = Delete(profile_path(old_id, fact.subject))
            return [old_profile, *_move_fact(app.clock, app.policy, int(new_id), fact, known)]
        case "messages":
            return _move_message(path, data, known)
        case "context":
            from shared.application.consolidation.changing import join_contexts

            zone = timezone_named(app.policy.timezone)
            return [Set(path, join_contexts(known, Document(path, data), now=app.clock.now(), zone=zone))]
        case "usage" | "spending" if known is not None:
            return [Upsert(path, sum_counts(data, known.data))]
        case "members" if known is not None:
            return [Upsert(path, chosen)] if (chosen := inherited_choice_fields(data, known.data)) else []
        case "upkeep":  # what was left to do is not moved but said again beside each note that wants it
            return [mark_work_due(int(new_id), *WORK_KINDS)]
    copied: list[Write] = [Set(path, data)] if known is None else []
    if kind not in NOTE_COLLECTIONS:
        return copied
    # The new chat sees to the note as the old one would have: it may have seen to others already.
    note = read_note(Document(path, data))
    followed = isinstance(note, Chunk) and bool(note.awaiting_episode)
    owed: dict[WorkKind, bool] = {
        "made": followed or (not isinstance(note, Episode) and note.awaits_meta),
        "stale": note.stale,
        "waits": waits(app.model, app.embedder, note),
    }
    kinds = [work for work, is_owed in owed.items() if is_owed]
    return [*copied, mark_work_due(int(new_id), *kinds)] if kinds else copied


def _move_message(path: str, data: dict[str, Any], known: Document | None) -> list[Write]:
    """An edit may have been stored under the new id already: it wins, and what the old text taught is taken back.

    What is in its file is kept where the file is the same.
    """
    if known is None:
        return [Upsert(path, data)]
    there, moved = read_message(known), read_message(Document(path, data))
    if there.chunk_state is not ChunkState.UNREAD or moved.chunk_state is ChunkState.UNREAD:
        return []
    edited = there.message.text != moved.message.text
    kept = chunk_field(moved.chunk_state, moved.chunk_id) | edited_field(edited or there.is_edited)
    if there.message.media == moved.message.media and moved.message.media_text:
        kept |= media_text_field(moved.message.media_text)
    return [Upsert(path, kept)]


def _move_fact(clock: Clock, policy: Policy, new_id: int, moved: Fact, known: Document | None) -> list[Write]:
    """The new chat may have learnt the same already: then the two are one belief with both evidences."""
    if moved.status is Status.PENDING:
        return []  # written anew with the fact that it contradicts
    if known is None:
        facts = [Upsert(fact_path(new_id, fact.id), fact_to_fields(fact)) for fact in (moved, *rivals(moved).values())]
        return [*facts, *subject_writes(new_id, moved.subject, made=int(moved.conflicts_with is None))]
    if moved.conflicts_with is not None:
        return []
    change = merge(fact_from_fields(known.data, consensus=policy.consensus), moved)
    return list(change_writes(new_id, change, now=clock.now())) if change is not None else []
