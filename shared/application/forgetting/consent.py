"""Lets members opt out and in again (law 8): whether their words are stored and used in a chat.

Who opted out is written in the chat's document, which every instance reads anew within a minute. What other instances
store in that minute, and what the bot itself has retold of the words or is yet to say, a worker removes soon after;
CONTEXT.md loses them at once. Everything else that they said stays stored, is hidden wherever something is shown or
sent to the model, and is there again when they opt in.
"""

import asyncio
from collections.abc import Collection, Mapping, Sequence
from datetime import datetime, timedelta
from typing import Any, NamedTuple

from shared.application.app import App
from shared.application.bulk import delete_all, update_all
from shared.application.chats.chat_codec import ChatState
from shared.application.chats.marks import note_change
from shared.application.chats.settings_codec import opt_in_fields, opt_out_fields, read_seen_names
from shared.application.consolidation.changing import forget_in_context
from shared.application.documents import chunks_path, learning_path
from shared.application.facts.subject_codec import outdated_portrait_fields
from shared.application.forgetting.forget import forget_messages
from shared.application.forgetting.steps import SECOND_LOOK, have_read_anew, member_meant
from shared.application.forgetting.traces.outside import take_back_retelling
from shared.application.forgetting.traces.survey import NoteSeen, empty_notes, find_affected, leave_others_words, survey
from shared.application.payload_codec import payload_of, read_payload
from shared.application.ports.store import Document, DocumentStore
from shared.application.ports.system import Clock
from shared.application.ports.tasks import Task, TaskQueue
from shared.application.reading.notes.codec import mark_work_due, read_chunk
from shared.application.recall.note_codec import (
    EMBEDDING_MODEL,
    NOTE_KINDS,
    StoredNote,
    indexed_fields,
    notes_path,
    outdated_fields,
    read_stored_note,
)
from shared.application.recall.note_queries import spoken_by
from shared.application.recall.placing import forget_in_index
from shared.domain.recall.index.vectors import embedded_text

_TARGET = "/maintenance/consent"

_A_MOMENT = timedelta(seconds=5)
"""The delay of the first task: what was chosen is written, and what the member is answered is sent first."""


class ConsentChosen(NamedTuple):
    """A member's choice about a chat, and when they made it."""

    chat_id: int
    user_id: int
    since: datetime


async def opt_out(app: App, chat_id: int, user_id: int, *, name: str = "") -> bool:
    """Neither store nor use what a member says from now on; return False when that is so already.

    Args:
        name: What they are called as far as it is known; other names are noted as they are seen.

    Raises:
        GoesOnElsewhere: The chat does; the same update finds it there.
    """
    state = await app.chats.state(chat_id, fresh=True)
    if state.migrated_to is None and user_id in state.opted_out:
        return False
    # Asked for first: a crash in between leaves nothing undone.
    await _look_after(app.queue, app.clock, chat_id, user_id, _A_MOMENT, SECOND_LOOK)
    await app.chats.amend(chat_id, lambda _: opt_out_fields(user_id, *([name] if name else [])))
    await forget_in_context(app, chat_id, user_id=user_id)
    return True


async def opt_in(app: App, chat_id: int, user_id: int) -> bool:
    """Store and use again what a member says; return False when that is so already. It raises what `opt_out` does."""

    def take_out(state: ChatState, chat: Document | None) -> dict[str, Any]:
        return opt_in_fields(user_id, state.opted_out, read_seen_names(chat))

    state = await app.chats.state(chat_id, fresh=True)
    if state.migrated_to is None and user_id not in state.opted_out:
        return False
    await _look_after(app.queue, app.clock, chat_id, user_id, _A_MOMENT)
    await app.chats.amend_stored(chat_id, take_out)
    return True


async def _look_after(queue: TaskQueue, clock: Clock, chat_id: int, user_id: int, *after: timedelta) -> None:
    now = clock.now()
    payload = payload_of(ConsentChosen(chat_id, user_id, now)) | {"target": _TARGET}
    name = f"consent-{chat_id}-{user_id}-{now:%Y%m%d%H%M%S}"
    tasks = [Task(f"{name}-{each.seconds}", _TARGET, payload, now + each) for each in after]
    await asyncio.gather(*map(queue.enqueue, tasks))


async def apply_consent(app: App, payload: Mapping[str, Any]) -> dict[str, int]:
    """Do what follows from a member's choice as it is now, and return how much. Idempotent.

    Args:
        payload: Of `ConsentChosen`.

    Raises:
        BadPayload: It is not of this shape.
        TransientError: Run it again.
    """
    chat_id, user_id, since = read_payload(ConsentChosen, payload)
    state = await app.chats.current(chat_id, fresh=True)
    if user_id in state.opted_out:
        return {"taken_away": await _take_away(app, state.chat_id, user_id, since)}
    return {"brought_back": await _bring_back(app, state.chat_id, user_id)}


async def _take_away(app: App, chat_id: int, user_id: int, since: datetime) -> int:
    """Forget what was stored since they opted out and what the bot retold of their words; return how many messages."""
    meant = await member_meant(app.store, app.clock, chat_id, user_id)
    words = meant.words()
    await leave_others_words(app.store, meant.scope, words)
    found = await survey(app.store, app.policy, meant.scope._replace(user_id=None), words, whose=user_id)
    # Replies to them stay: that they have opted out is told in one.
    await take_back_retelling(app.store, chat_id, words, given=found.given, but=meant.scope.message_ids)
    touched = meant.scope.message_ids | found.echoes.keys() | found.quoting.keys()
    await _hide_notes(app, chat_id, user_id, find_affected(found.notes, touched), found.quoting)
    late = {each.message.message_id for each in meant.said.values() if each.message.sent_at > since}
    gone = late | found.echoes.keys()
    if gone:
        await forget_messages(app, chat_id, gone)
    await delete_all(app.store, sorted(found.given))
    await forget_in_context(app, chat_id, user_id=user_id)
    await note_change(app.store, app.clock, chat_id)
    return len(gone)


async def _hide_notes(
    app: App, chat_id: int, user_id: int, notes: Sequence[NoteSeen], quoting: Collection[int]
) -> None:
    """Take notes out of the index, where they are recognised by messages that it is going to lose.

    Notes in which the member does not speak, but may be retold, are made again without them; these put messages that
    quote the member back into the index without the quote.
    """
    spoken = {note.path for note in await _notes_with(app.store, chat_id, user_id)}
    await empty_notes(app.store, chat_id, [note for note in notes if note.path not in spoken])
    if notes:
        told = [(note.kind, note.id) for note in notes]
        await forget_in_index(app.store, app.indexes, chat_id, message_ids=frozenset(quoting), notes=told)
        await have_read_anew(app.schedule, app.clock, chat_id, why=f"consent-{user_id}")


async def _bring_back(app: App, chat_id: int, user_id: int) -> int:
    """Have the index take up what it left out, and notes and vectors without them made again; return how many notes."""
    spoken = await _notes_with(app.store, chat_id, user_id)
    await update_all(app.store, [note.path for note in spoken], indexed_fields(done=False))
    # Embedded while they were out: it got no vector, and a chunk none of their messages.
    in_part = [n.path for n in spoken if n.embedded.embedding_model is not None and n.embedded.embedding is None]
    await update_all(app.store, in_part, {EMBEDDING_MODEL: None})
    without = await _chunks_without(app.store, app.clock, chat_id, user_id)
    await update_all(app.store, without, {**outdated_fields(), **indexed_fields(done=False)})
    for subject in ("chat", f"user:{user_id}"):
        await app.store.update(learning_path(chat_id, subject), outdated_portrait_fields())
    if without or in_part:
        await app.store.batch([mark_work_due(chat_id, "stale", "waits")])
    await note_change(app.store, app.clock, chat_id)
    await have_read_anew(app.schedule, app.clock, chat_id, why=f"consent-{user_id}")
    return len(spoken) + len(without)


async def _notes_with(store: DocumentStore, chat_id: int, user_id: int) -> list[StoredNote]:
    """Return the chunks, meta summaries and episodes in which they speak."""
    where = [spoken_by(user_id)]
    found = await asyncio.gather(*(store.query(notes_path(chat_id, kind), where=where) for kind in NOTE_KINDS))
    return [read_stored_note(document) for documents in found for document in documents]


async def _chunks_without(store: DocumentStore, clock: Clock, chat_id: int, user_id: int) -> list[str]:
    """Return the paths of chunks that hold messages of theirs and were made while they were opted out."""
    said = (await member_meant(store, clock, chat_id, user_id)).said.values()
    ids = {each.chunk_id for each in said if embedded_text(each.message)} - {""}
    found = await store.get_many([f"{chunks_path(chat_id)}/{chunk_id}" for chunk_id in sorted(ids)])
    chunks = [read_chunk(document) for document in found if document is not None]
    return [chunk.path for chunk in chunks if user_id not in chunk.speakers]
