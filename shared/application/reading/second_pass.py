"""What extraction looks at again: messages that were edited, and chunks that were made while the model was away."""

from __future__ import annotations

from collections import Counter
from functools import partial

from shared.application.app import App
from shared.application.chats.chat_codec import ChatState, active_fields
from shared.application.chats.choices import choices_for
from shared.application.conversation.hearing import readable_after, readable_before, readable_messages
from shared.application.conversation.message_codec import (
    ChunkState,
    StoredMessage,
    chunk_field,
    chunk_state_of,
    edited_field,
    read_message,
    retell_field,
)
from shared.application.conversation.message_queries import BY_RETELL_AT, EDITED, retelling_due
from shared.application.documents import chat_path, chunks_path, messages_path
from shared.application.facts.memory import learn_candidates, retract_message
from shared.application.people.admins import rulers
from shared.application.ports.store import Document, DocumentStore, Transaction, Upsert
from shared.application.reading.chunks import CONTEXT
from shared.application.reading.notes.codec import left_to_do
from shared.application.reading.notes.episodes import stale_episodes
from shared.application.reading.proposals import Proposals, count_refused, read_patterns, sift
from shared.application.reading.setting_aside import ExtractionPiece, Pieces
from shared.application.recall.note_codec import outdated_fields
from shared.application.recall.note_queries import holding_message
from shared.domain.conversation.messages import Message
from shared.domain.facts.change import FactChange
from shared.domain.reading.filters import Reason

_MOST_EDITED = 50


async def rederive_edited(app: App, state: ChatState, pieces: Pieces) -> list[FactChange]:
    """Take back what edited messages had taught, and learn from their new text, unless it is private.

    One that fails leaves the others be.
    """
    where = [EDITED]
    edited = await app.store.query(messages_path(state.chat_id), where=where, limit=_MOST_EDITED)
    if len(edited) == _MOST_EDITED:
        mark = f"more-edited-{app.clock.now():%Y%m%d%H%M%S}"
        await app.schedule.extraction_later(state.chat_id, mark=mark, run_at=None)
    changes: list[FactChange] = []
    for document in edited:
        stored = read_message(document)
        piece = ExtractionPiece(state.chat_id, "edit", (stored.message.message_id,), stored.edit_update_id)
        changes += (
            await pieces.do(piece, partial(_rederive, app, state, document), partial(_leave, app.store, document)) or []
        )
    return changes


async def _rederive(app: App, state: ChatState, document: Document) -> list[FactChange]:
    stored = read_message(document)
    message = stored.message
    changes = await retract_message(app, state.chat_id, message.message_id, cause="the message was edited")
    learnt, proposals = await _learn_again(app, state, document, message)
    if stored.retell_at is None:  # no edit: what was said by reply to a menu, or moved chats
        await _summarise_again(app.store, state, document)
    await _clear_rederive(app, state, document, proposals.refused)
    return [*changes, *learnt]


async def _leave(store: DocumentStore, document: Document) -> None:
    """Look at an edited message no more, unless it is another one by now."""

    async def leave(tx: Transaction) -> None:
        current = await tx.get(document.path)
        if current is not None and not _differs(current, document):
            tx.write(Upsert(document.path, edited_field(False)))

    await store.transaction(leave)


async def retell_edited(app: App, state: ChatState, pieces: Pieces) -> None:
    """Have the texts that edited messages are in made again, those whose window of edits is over."""
    due, oldest = [retelling_due(app.clock.now())], [BY_RETELL_AT]
    edited = await app.store.query(messages_path(state.chat_id), where=due, order_by=oldest, limit=_MOST_EDITED)
    if len(edited) == _MOST_EDITED:
        mark = f"more-retold-{app.clock.now():%Y%m%d%H%M%S}"
        await app.schedule.extraction_later(state.chat_id, mark=mark, run_at=None)
    for document in edited:
        stored = read_message(document)
        piece = ExtractionPiece(state.chat_id, "retelling", (stored.message.message_id,), stored.edit_update_id)
        await pieces.do(
            piece, partial(_retell, app.store, state, document), partial(_clear_retell, app.store, document)
        )


async def _retell(store: DocumentStore, state: ChatState, document: Document) -> None:
    await _summarise_again(store, state, document)
    await _clear_retell(store, document)


async def _clear_retell(store: DocumentStore, document: Document) -> None:
    """Unless it was edited or extracted meanwhile: then the next task sees it."""

    async def clear(tx: Transaction) -> None:
        current = await tx.get(document.path)
        if current is not None and not _differs(current, document):
            tx.write(Upsert(document.path, retell_field(None)))

    await store.transaction(clear)


def _differs(current: Document, read: Document) -> bool:
    """Return whether a message was edited, or read, since it was read here."""
    return _version_read(read_message(current)) != _version_read(read_message(read))


def _version_read(stored: StoredMessage) -> tuple[object, ...]:
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
        await _remember_again(app, state, message)
        return [], Proposals()
    if chunk_state_of(document) is ChunkState.UNREAD or choices.private or not readable_messages(state, [document]):
        return [], Proposals()
    reach = app.policy.chunk_size + CONTEXT  # so far apart a chunk shows a proposal and who agrees
    earlier = await readable_before(app.store, state, message.message_id, limit=reach)
    later = await readable_after(app.store, state, message.message_id, limit=reach)
    known = await rulers(app, state)
    nearby = [known.with_rights(each) for each in (*earlier, message, *later)]
    found = read_patterns(app.policy, choices, nearby, known.now, about={message.message_id}, since=state.learn_from)
    proposals = sift(app.policy, state, choices, found, nearby)
    return await learn_candidates(app, state.chat_id, proposals.kept), proposals


async def _remember_again(app: App, state: ChatState, message: Message) -> None:
    """Return what an edited command asks to remember now."""
    from shared.application.facts.remembering import asked_to_remember, remember_words

    words = asked_to_remember(app.policy, message)
    if words is not None:
        await remember_words(app, state, message, words)


async def _summarise_again(store: DocumentStore, state: ChatState, document: Document) -> None:
    """Have the chunk and the episodes that hold the edited message made again, if there are any."""
    stored = read_message(document)
    message_id, author = stored.message.message_id, stored.message.user_id
    chunk = stored.chunk_id
    if stored.chunk_state is ChunkState.PRIVATE:  # edited while the chat was: then its chunk no longer stands on it
        holding = [holding_message(message_id)]
        found = await store.query(chunks_path(state.chat_id), where=holding, limit=1)
        chunk = found[0].id if found else ""
    if chunk:
        path = f"{chunks_path(state.chat_id)}/{chunk}"
        if await store.update(path, outdated_fields(by=author)):
            await store.update(*left_to_do(state.chat_id, "stale"))
        await stale_episodes(store, state, message_id, by=author)


async def _clear_rederive(app: App, state: ChatState, document: Document, refused: Counter[Reason]) -> None:
    """Unless it was edited or extracted meanwhile: then the next task sees it."""
    private, now = choices_for(app.policy, state).private, app.clock.now()

    async def clear(tx: Transaction) -> None:
        chat, current = await tx.get_many([chat_path(state.chat_id), document.path])
        if current is None or _differs(current, document):
            return
        mark = chunk_field(ChunkState.PRIVATE) if private else {}
        tx.write(Upsert(document.path, edited_field(False) | mark))
        if chat is not None:  # what was believed has changed without a new chunk: the night looks at it
            tx.write(Upsert(chat.path, active_fields(now)))
        for write in count_refused(app.clock, state.chat_id, refused):
            tx.write(write)

    await app.store.transaction(clear)
