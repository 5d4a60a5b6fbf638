"""Extracts again from messages that were edited, and from chunks that were made while the model was away."""

from collections.abc import Awaitable, Callable, Mapping, Sequence
from datetime import datetime
from functools import partial
from typing import Any

from shared.application.app import App
from shared.application.chats.chat_codec import ChatState, chat_fields
from shared.application.chats.choices import Method, choices_for
from shared.application.conversation.consent_gate import readable_after, readable_before, readable_messages
from shared.application.conversation.message_codec import (
    ChunkState,
    chunk_field,
    chunk_state_of,
    edited_field,
    read_message,
    retell_field,
)
from shared.application.conversation.message_queries import BY_RETELL_AT, EDITED, retelling_due
from shared.application.documents import chat_path, chunks_path, episodes_path, messages_path
from shared.application.facts.memory import learn_candidates, retract_message
from shared.application.people.admins import admin_record
from shared.application.ports.store import Document, DocumentStore, Filter, Order, Transaction, Upsert
from shared.application.reading.chunks import CONTEXT
from shared.application.reading.model_pass import ModelPass, ModelTalk
from shared.application.reading.notes.codec import mark_work_due
from shared.application.reading.proposals import Proposals, count_refused, propose
from shared.application.reading.setting_aside import ExtractionPiece, Kind, Pieces
from shared.application.recall.note_codec import outdated_fields
from shared.application.recall.note_queries import holding_message
from shared.domain.conversation.messages import Message
from shared.domain.facts.change import Cause, FactChange

_MOST_EDITED = 50
_MOST_HELD = 5  # episodes that hold one message: more than there are


async def rederive_edited(app: App, state: ChatState, pieces: Pieces) -> list[FactChange]:
    """Take back what edited messages had taught, and learn from their new text, unless it is private.

    One that fails leaves the others be.
    """
    changes: list[FactChange] = []
    for piece, document in await _find_pieces(app, state, "edit", "more-edited", [EDITED]):
        again = partial(_rederive, app, state, document)
        changes += await pieces.do(piece, again, partial(_clear, app.store, document, edited_field(False))) or []
    return changes


async def retell_edited(app: App, state: ChatState, pieces: Pieces, *, until: datetime | None = None) -> None:
    """Have the texts that edited messages are in made again, those whose window of edits is over.

    Args:
        until: A window that ends then is over although this clock may be behind the one that stored the edit; no other
            task may come for it. None when nothing is known but the clock.
    """
    now = app.clock.now()
    due, order = [retelling_due(now if until is None else max(now, until))], [BY_RETELL_AT]
    for piece, document in await _find_pieces(app, state, "retelling", "more-retold", due, order, until=until):
        clear = partial(_clear, app.store, document, retell_field(None))
        await pieces.do(piece, partial(_retell, app.store, state, document, clear), clear)


async def _find_pieces(
    app: App,
    state: ChatState,
    kind: Kind,
    mark: str,
    where: Sequence[Filter],
    order: Sequence[Order] = (),
    *,
    until: datetime | None = None,
) -> list[tuple[ExtractionPiece, Document]]:
    """Find edited messages; another task is asked for when these may not be all."""
    path = messages_path(state.chat_id)
    found = await app.store.query(path, where=where, order_by=order, limit=_MOST_EDITED)
    if len(found) == _MOST_EDITED:
        mark = f"{mark}-{app.clock.now():%Y%m%d%H%M%S}"
        await app.schedule.extraction_later(state.chat_id, mark=mark, run_at=None, edits_until=until)
    return [
        (ExtractionPiece(state.chat_id, kind, (stored.message.message_id,), stored.edit_update_id), document)
        for document, stored in zip(found, map(read_message, found), strict=True)
    ]


async def _rederive(app: App, state: ChatState, document: Document) -> list[FactChange]:
    stored = read_message(document)
    message = stored.message
    changes = await retract_message(app, state.chat_id, message.message_id, cause=Cause.EDITED)
    learnt, proposals = await _learn_again(app, state, document, message)
    if stored.retell_at is None:  # no edit: what was said by reply to a menu, or moved chats
        await _summarise_again(app.store, state, document)
    mark = chunk_field(ChunkState.PRIVATE) if choices_for(app.policy, state).private else {}
    # What was believed has changed without a new chunk: the night looks at it.
    active = Upsert(chat_path(state.chat_id), chat_fields(last_active_at=app.clock.now()))
    counts = count_refused(app.clock, state.chat_id, proposals.refused)
    await _clear(app.store, document, edited_field(False) | mark, active=active, counts=counts)
    return [*changes, *learnt]


async def _retell(
    store: DocumentStore, state: ChatState, document: Document, clear: Callable[[], Awaitable[None]]
) -> None:
    await _summarise_again(store, state, document)
    await clear()


async def _clear(
    store: DocumentStore,
    document: Document,
    fields: Mapping[str, Any],
    *,
    active: Upsert | None = None,
    counts: Sequence[Upsert] = (),
) -> None:
    """Look at a message no more, unless it was edited or extracted meanwhile: then the next task sees it.

    Args:
        active, counts: Written with it, the former where its document is still there.
    """

    async def clear(tx: Transaction) -> None:
        current, *chat = await tx.get_many([document.path, *([active.path] if active is not None else [])])
        if current is None or _version_read(current) != _version_read(document):
            return
        kept = [active] if active is not None and chat[0] is not None else []
        for write in (Upsert(document.path, fields), *kept, *counts):
            tx.write(write)

    await store.transaction(clear)


def _version_read(document: Document) -> tuple[object, ...]:
    """Return what is another when a message was edited, or read."""
    stored = read_message(document)
    message = stored.message
    return message.edited_at, stored.edit_update_id, message.text, stored.chunk_state, stored.chunk_id


async def _learn_again(
    app: App, state: ChatState, document: Document, message: Message
) -> tuple[list[FactChange], Proposals]:
    choices = choices_for(app.policy, state)
    if message.reply_to is not None:
        from shared.application.facts.correcting import correct_again

        await correct_again(app, state, message)
    if message.kind == "command":
        from shared.application.facts.remembering import remember_words
        from shared.application.facts.statements import words_after_command

        if (words := words_after_command(app.policy, message, "gryadremember")) is not None:
            await remember_words(app, state, message, words)
        return [], Proposals()
    if chunk_state_of(document) is ChunkState.UNREAD or choices.private or not readable_messages(state, [document]):
        return [], Proposals()
    if app.model is not None and choices.method is Method.HYBRID:
        return [], Proposals()  # the model reads it when its chunk is made again, or patterns do in its place
    reach = app.policy.chunk_size + CONTEXT  # so far apart a chunk shows a proposal and who agrees
    earlier = await readable_before(app.store, state, message.message_id, limit=reach)
    later = await readable_after(app.store, state, message.message_id, limit=reach)
    known = await admin_record(app, state)
    before, said, after = ([known.with_rights(each) for each in part] for part in (earlier, [message], later))
    talk, no_model = ModelTalk(state.chat_id, before, [said], known.now, after), ModelPass(())
    proposals = await propose(app.store, app.policy, state, choices, talk, no_model, statistics=False)
    return await learn_candidates(app, state.chat_id, proposals.kept), proposals


async def _summarise_again(store: DocumentStore, state: ChatState, document: Document) -> None:
    """Have the chunk and the episodes that hold the edited message made again, if there are any."""
    stored = read_message(document)
    message_id, chunk_id = stored.message.message_id, stored.chunk_id
    holding = [holding_message(message_id)]
    if stored.chunk_state is ChunkState.PRIVATE:  # edited while the chat was: then its chunk no longer stands on it
        found = await store.query(chunks_path(state.chat_id), where=holding, limit=1)
        chunk_id = found[0].id if found else ""
    if not chunk_id:
        return
    episodes = await store.query(episodes_path(state.chat_id), where=holding, limit=_MOST_HELD)
    for path in [f"{chunks_path(state.chat_id)}/{chunk_id}", *(episode.path for episode in episodes)]:
        if await store.update(path, outdated_fields(by=stored.message.user_id)):
            await store.update(*mark_work_due(state.chat_id, "stale"))
