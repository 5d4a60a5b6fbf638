"""What extraction looks at again: messages that were edited, and chunks that were made while the model was away."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import Any

from shared.application.app import App
from shared.application.chats.choices import choices_for
from shared.application.chats.state import PRIVATE_CHUNK, ChatState
from shared.application.conversation.hearing import (
    consent_changed,
    consent_holds,
    readable_after,
    readable_before,
    readable_messages,
)
from shared.application.documents import chat_path, chunks_path, message_from_fields, message_path, messages_path
from shared.application.facts.memory import learn_candidates, retract_message
from shared.application.people.admins import rulers
from shared.application.ports.store import DELETE_FIELD, Document, DocumentStore, Filter, Order, Transaction, Upsert
from shared.application.reading.model_pass import ModelPass, ModelTalk, run_model_pass
from shared.application.reading.notes.chunks import (
    NO_META,
    Redone,
    chunk_texts,
    is_as_read,
    left_to_do,
    meta_mark,
    outdated_fields,
    payer_of,
    told_by,
    waits,
)
from shared.application.reading.notes.episodes_again import stale_episodes
from shared.application.reading.notes.media_descriptions import describe_media
from shared.application.reading.notes.redoing import redo_due, stale_parent
from shared.application.reading.proposals import Proposals, count_refused, read_patterns, sift
from shared.application.reading.setting_aside import ExtractionPiece, Pieces
from shared.domain.conversation.messages import Message
from shared.domain.facts.fact import FactChange
from shared.domain.reading.filters import Reason

CONTEXT = 10
"""Earlier messages seen beside a chunk: a proposal and its support may lie on both sides of a border."""

_REDO_AT_ONCE = 5
_MOST_EDITED = 50
_SEEN = ("edited_at", "edit_update_id", "text", "chunk")


async def rederive_edited(app: App, state: ChatState, pieces: Pieces) -> list[FactChange]:
    """Take back what edited messages had taught, and learn from their new text, unless it is private.

    One that fails leaves the others be.
    """
    where = [Filter("rederive", "==", True)]
    edited = await app.store.query(messages_path(state.chat_id), where=where, limit=_MOST_EDITED)
    if len(edited) == _MOST_EDITED:
        mark = f"more-edited-{app.clock.now():%Y%m%d%H%M%S}"
        await app.schedule.extraction_later(state.chat_id, mark=mark, run_at=None)
    changes: list[FactChange] = []
    for document in edited:
        version = document.data.get("edit_update_id") or 0
        piece = ExtractionPiece(state.chat_id, "edit", (document.data["message_id"],), version)
        changes += (
            await pieces.do(piece, partial(_rederive, app, state, document), partial(_leave, app.store, document)) or []
        )
    return changes


async def _rederive(app: App, state: ChatState, document: Document) -> list[FactChange]:
    message = message_from_fields(state.chat_id, document.data)
    changes = await retract_message(app, state.chat_id, message.message_id, cause="the message was edited")
    learnt, proposals = await _learn_again(app, state, document, message)
    if document.data.get("retell_at") is None:  # no edit: what was said by reply to a menu, or moved chats
        await _summarise_again(app.store, state, document)
    await _clear_rederive(app, state, document, proposals.refused)
    return [*changes, *learnt]


async def _leave(store: DocumentStore, document: Document) -> None:
    """Look at an edited message no more, unless it is another one by now."""

    async def leave(tx: Transaction) -> None:
        current = await tx.get(document.path)
        if current is not None and not _differs(current, document):
            tx.write(Upsert(document.path, {"rederive": False}))

    await store.transaction(leave)


async def retell_edited(app: App, state: ChatState, pieces: Pieces) -> None:
    """Have the texts that edited messages are in made again, those whose window of edits is over."""
    due, oldest = [Filter("retell_at", "<=", app.clock.now())], [Order("retell_at")]
    edited = await app.store.query(messages_path(state.chat_id), where=due, order_by=oldest, limit=_MOST_EDITED)
    if len(edited) == _MOST_EDITED:
        mark = f"more-retold-{app.clock.now():%Y%m%d%H%M%S}"
        await app.schedule.extraction_later(state.chat_id, mark=mark, run_at=None)
    for document in edited:
        version = document.data.get("edit_update_id") or 0
        piece = ExtractionPiece(state.chat_id, "retelling", (document.data["message_id"],), version)
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
            tx.write(Upsert(document.path, {"retell_at": DELETE_FIELD}))

    await store.transaction(clear)


def _differs(current: Document, read: Document) -> bool:
    return any(current.data.get(name) != read.data.get(name) for name in _SEEN)


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
    if document.data["chunk"] is None or choices.private or not readable_messages(state, [document]):
        return [], Proposals()
    reach = app.policy.chunk_size + CONTEXT  # so far apart a chunk shows a proposal and who agrees
    earlier = await readable_before(app.store, state, message.message_id, limit=reach)
    later = await readable_after(app.store, state, message.message_id, limit=reach)
    known = await rulers(app, state)
    nearby = [known.seen(each) for each in (*earlier, message, *later)]
    found = read_patterns(app.policy, choices, nearby, known.now, about={message.message_id}, since=state.learn_from)
    proposals = sift(app.policy, state, choices, found, nearby)
    return await learn_candidates(app, state.chat_id, proposals.kept), proposals


async def _remember_again(app: App, state: ChatState, message: Message) -> None:
    """What an edited command asks to remember now."""
    from shared.application.facts.remembering import asked_to_remember, remember_words

    words = asked_to_remember(app.policy, message)
    if words is not None:
        await remember_words(app, state, message, words)


async def _summarise_again(store: DocumentStore, state: ChatState, document: Document) -> None:
    """Have the chunk and the episodes that hold the edited message made again, if there are any."""
    chunk = document.data["chunk"]
    if chunk == PRIVATE_CHUNK:  # edited while the chat was private: then the chunk no longer stands on the message
        holding = [Filter("message_ids", "array_contains", document.data["message_id"])]
        found = await store.query(chunks_path(state.chat_id), where=holding, limit=1)
        chunk = found[0].id if found else None
    if chunk is not None:
        path = f"{chunks_path(state.chat_id)}/{chunk}"
        if await store.update(path, outdated_fields(by=document.data["user_id"])):
            await store.update(*left_to_do(state.chat_id, "stale"))
        await stale_episodes(store, state, document.data["message_id"], by=document.data["user_id"])


async def _clear_rederive(app: App, state: ChatState, document: Document, refused: Counter[Reason]) -> None:
    """Unless it was edited or extracted meanwhile: then the next task sees it."""
    private, now = choices_for(app.policy, state).private, app.clock.now()

    async def clear(tx: Transaction) -> None:
        chat, current = await tx.get_many([chat_path(state.chat_id), document.path])
        if current is None or _differs(current, document):
            return
        tx.write(Upsert(document.path, {"rederive": False} | ({"chunk": PRIVATE_CHUNK} if private else {})))
        if chat is not None:  # what was believed has changed without a new chunk: the night looks at it
            tx.write(Upsert(chat.path, {"last_active_at": now}))
        for write in count_refused(app.clock, state.chat_id, refused):
            tx.write(write)

    await app.store.transaction(clear)


async def redo_without_model(app: App, state: ChatState, pieces: Pieces) -> bool:
    """Give chunks that were made while the model was away their model pass; whether some are still waiting.

    A private chat's chunks, made before it was, wait until it is private no more.
    """
    if app.model is None or choices_for(app.policy, state).private:
        return False
    redone = await _redo_chunks(app, state, Filter("model_pending", "==", True), pieces)
    return redone.later or redone.made == _REDO_AT_ONCE


async def redo_stale_chunks(app: App, state: ChatState, pieces: Pieces) -> Redone:
    """Make chunks again whose messages have changed, without the model if need be."""
    return await _redo_chunks(app, state, Filter("stale", "==", True), pieces)


async def _redo_chunks(app: App, state: ChatState, which: Filter, pieces: Pieces) -> Redone:
    chunks = chunks_path(state.chat_id)
    return await redo_due(app, state, chunks, which, pieces, most=_REDO_AT_ONCE, piece_of=_piece_of, redo=_redo_chunk)


def _piece_of(chat_id: int, chunk: Document) -> ExtractionPiece:
    return ExtractionPiece(chat_id, "chunk", tuple(chunk.data["message_ids"]), chunk.data.get("outdated", 0))


async def _redo_chunk(app: App, state: ChatState, document: Document) -> bool:
    """Return whether the model is still to be asked about the chunk."""
    paths = [message_path(state.chat_id, message_id) for message_id in document.data["message_ids"]]
    messages: Sequence[Message] = readable_messages(
        state, [d for d in await app.store.get_many(paths) if d is not None]
    )
    payer = payer_of(document)
    messages, left = await describe_media(app, state, messages, payer=payer)
    talk = ModelTalk(state.chat_id, [], messages, frozenset())
    if messages:
        context = await readable_before(app.store, state, messages[0].message_id, limit=CONTEXT)
        known = await rulers(app, state)
        messages = [known.seen(message) for message in messages]
        talk = ModelTalk(state.chat_id, [known.seen(message) for message in context], messages, known.now)
    choices = choices_for(app.policy, state)
    model = await run_model_pass(app, state, talk, choices, payer=payer)
    model = replace(model, pending=model.pending or left)
    if await consent_changed(app.chats, state):
        return True
    nearby, found = [*talk.context, *messages], [*model.candidates]
    if _is_to_be_forgotten(document, messages):  # what patterns find stands in where the model gives no episodic facts
        about = {m.message_id for m in messages}
        found += read_patterns(app.policy, choices, nearby, talk.admins, about=about, since=state.learn_from)
    proposals = sift(app.policy, state, choices, found, nearby, already=model.refused)
    await learn_candidates(app, state.chat_id, proposals.kept)
    return not await _replace_chunk(app, state, document, talk, model, proposals) or model.pending


def _is_to_be_forgotten(chunk: Document, messages: Sequence[Message]) -> bool:
    """Whether a chunk's texts may not stay: its messages have changed, or not all who spoke may still be heard."""
    return chunk.data["stale"] or not set(chunk.data["speakers"]) <= {m.user_id for m in messages}


async def _replace_chunk(
    app: App, state: ChatState, document: Document, talk: ModelTalk, model: ModelPass, proposals: Proposals
) -> bool:
    """Write the chunk's texts; False when somebody opted out or in, or a message was edited meanwhile."""
    texts = _texts_again(document, talk, model, proposals)

    async def commit(tx: Transaction) -> bool:
        if not await consent_holds(tx, state):
            return False
        known, chat = await tx.get_many([document.path, chat_path(state.chat_id)])
        if known is None or not known.data["model_pending"]:
            return True  # gone, or a parallel run was faster
        if not is_as_read(known, document):
            return False
        changed = told_by(texts) != told_by(known.data)
        writes = await stale_parent(tx, state.chat_id, known, changed=changed)
        if owed := _remaining_work(app, known, texts, model, changed=changed):
            writes.append(left_to_do(state.chat_id, *owed))
        if chat is not None and proposals.kept:
            writes.append(Upsert(chat.path, {"last_active_at": app.clock.now()}))
        redone = {**texts, "made_by": model.made_by, "model_pending": model.pending, "stale": False, "indexed": False}
        redone |= {} if model.pending else {"edited_by": None}
        redone |= {"meta": meta_mark(texts)} if known.data["meta"] in (None, NO_META) else {}
        redone |= model.embedded.fields() if changed or model.embedded.embedding_model else {}
        for write in (
            Upsert(document.path, redone),
            *writes,
            *count_refused(app.clock, state.chat_id, proposals.refused),
        ):
            tx.write(write)
        return True

    return await app.store.transaction(commit)


def _texts_again(document: Document, talk: ModelTalk, model: ModelPass, proposals: Proposals) -> dict[str, Any]:
    """The chunk's texts: of messages that have not changed, what it had stays where the model gives nothing new."""
    texts = chunk_texts(talk.messages, proposals.facts, model)
    if _is_to_be_forgotten(document, talk.messages):
        return texts
    episodic = model.episodic or ("" if model.nothing_to_record else document.data["episodic"])
    return texts | {"summary": model.summary or document.data["summary"], "episodic": episodic}


def _remaining_work(
    app: App, known: Document, texts: Mapping[str, Any], model: ModelPass, *, changed: bool
) -> list[str]:
    """Return what the chunk leaves to do now."""
    owed = []
    if known.data["meta"] == NO_META and meta_mark(texts) is None:
        owed.append("made")
    new = {"model_pending": model.pending, "embedding_model": model.embedded.embedding_model}
    if waits(app.model, app.embedder, new if changed else {**known.data, "model_pending": model.pending}):
        owed.append("waits")
    return owed
