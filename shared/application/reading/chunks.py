"""The dual memory of ten messages: how a chunk is made of them, and made again.

Semantic memory is its summary, episodic memory its facts; both are made from the messages, neither from the other. A
chunk is made again when no model read it, or its messages have changed.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from shared.application.app import App
from shared.application.chats.chat_codec import ChatState, active_fields
from shared.application.chats.choices import choices_for
from shared.application.consolidation.model_lane import note_items
from shared.application.conversation.hearing import consent_changed, consent_holds, readable_before, readable_by_ids
from shared.application.documents import chat_path, chunks_path
from shared.application.facts.memory import learn_candidates
from shared.application.people.admins import rulers
from shared.application.policy import Policy
from shared.application.ports.store import Filter, Transaction, Upsert
from shared.application.ports.system import Clock
from shared.application.reading.model_pass import ChunkReading, ModelPass, ModelTalk, run_model_pass
from shared.application.reading.notes.codec import (
    Chunk,
    InMeta,
    WorkKind,
    in_meta_fields,
    in_meta_for,
    left_to_do,
    new_note_path,
    read_chunk,
)
from shared.application.reading.notes.media_descriptions import describe_media
from shared.application.reading.notes.redoing import Redone, redo_due, stale_parent, waits
from shared.application.reading.proposals import Proposals, count_refused, in_one_lane, read_patterns, sift
from shared.application.reading.setting_aside import Pieces
from shared.application.recall.note_codec import NoteTexts, remade_fields, vector_fields
from shared.application.recall.note_queries import MODEL_PENDING
from shared.domain.conversation.messages import Message
from shared.domain.facts.fact import Candidate
from shared.domain.reading.summaries.excerpts import extractive_summary
from shared.domain.reading.summaries.wording import clean_facts


def new_chunk(
    clock: Clock,
    policy: Policy,
    state: ChatState,
    stretch: Sequence[Message],
    readable: Sequence[Message],
    kept: Sequence[Candidate],
    model: ModelPass,
    reading: ChunkReading,
) -> Chunk:
    """Make a chunk of a stretch of talk.

    Args:
        stretch: All messages of it, in the order of their ids.
        readable: Those that may be read.
        kept: What was found in them.
        model: What the model made of all that it read with them.
        reading: What it made of these.
    """
    first, last, now = stretch[0], stretch[-1], clock.now()
    texts = chunk_texts(readable, kept, reading)
    return Chunk(
        path=new_note_path(state.chat_id, "chunk", first.message_id, last.message_id),
        first=first.message_id,
        last=last.message_id,
        first_at=first.sent_at,
        last_at=last.sent_at,
        texts=texts,
        message_ids=tuple(message.message_id for message in stretch),
        sent_at=tuple(message.sent_at for message in stretch),
        threads=tuple(message.thread_id or 0 for message in stretch),
        awaiting_episode=tuple(range(len(stretch))),
        in_meta=in_meta_for(texts),
        speakers=tuple(sorted({*members_in(readable), *reading.speakers})),
        made_by=model.made_by,
        model_pending=model.pending,
        embedded=reading.embedded,
        awaits_index=True,
        made_at=now,
        expire_at=now + state.retention(policy.retention),
    )


def chunk_texts(messages: Sequence[Message], kept: Sequence[Candidate], reading: ChunkReading) -> NoteTexts:
    """Return the model's texts, and excerpts and what was found in these messages where it gave none."""
    ids = {message.message_id for message in messages}
    found = [each.description for each in kept if any(e.message_id in ids for e in each.evidence)]
    listed = clean_facts("\n".join(f"- {description}" for description in found))
    return NoteTexts(
        summary=reading.summary or extractive_summary(messages),
        episodic=reading.episodic or ("" if reading.nothing_to_record else listed),
    )


def members_in(messages: Sequence[Message]) -> tuple[int, ...]:
    """Return the members whose words these are, ascending."""
    return tuple(sorted({message.user_id for message in messages if not message.is_bot}))


CONTEXT = 10
"""Earlier messages seen beside a chunk: a proposal and its support may lie on both sides of a border."""

_REDO_AT_ONCE = 5


async def redo_without_model(app: App, state: ChatState, pieces: Pieces) -> bool:
    """Give chunks that were made while the model was away their model pass; whether some are still waiting.

    A private chat's chunks, made before it was, wait until it is private no more.
    """
    if app.model is None or choices_for(app.policy, state).private:
        return False
    redone = await redo_chunks(app, state, pieces, which=MODEL_PENDING)
    return redone.later or redone.made == _REDO_AT_ONCE


async def redo_chunks(app: App, state: ChatState, pieces: Pieces, *, which: Filter) -> Redone:
    """Make chunks again.

    Args:
        which: `STALE`: messages of theirs have changed; `MODEL_PENDING`: they were made without the model.
    """
    chunks = chunks_path(state.chat_id)
    return await redo_due(app, state, chunks, which, pieces, most=_REDO_AT_ONCE, read=read_chunk, redo=_redo_chunk)


async def _redo_chunk(app: App, state: ChatState, chunk: Chunk) -> bool:
    payer, messages = chunk.edited_by, await readable_by_ids(app.store, state, chunk.message_ids)
    messages, left = await describe_media(app, state, messages, payer=payer)
    talk = await with_context(app, state, [messages], first=chunk.first)
    choices = choices_for(app.policy, state)
    model = await run_model_pass(app, state, talk, choices, payer=payer)
    model = replace(model, pending=model.pending or left)
    if await consent_changed(app.chats, state):
        return True
    nearby, found = [*talk.context, *talk.messages], [*model.candidates]
    if _is_to_be_forgotten(chunk, messages):  # what patterns find stands in where the model gives no episodic facts
        about = {m.message_id for m in messages}
        found += read_patterns(app.policy, choices, nearby, talk.admins, about=about, since=state.learn_from)
    proposals = sift(app.policy, state, choices, found, nearby, already=model.refused)
    proposals = in_one_lane(proposals, model, nearby, talk.admins)
    await learn_candidates(app, state.chat_id, proposals.kept)
    await note_items(app, state, talk.messages, model.suggested, model.settled, made_by=model.made_by)
    return not await _replace_chunk(app, state, chunk, talk, model, proposals) or model.pending


async def with_context(app: App, state: ChatState, parts: Sequence[Sequence[Message]], *, first: int) -> ModelTalk:
    """Return messages with what was said before the first of them, each with the rights that its author has now."""
    if not any(parts):
        return ModelTalk(state.chat_id, [], parts, frozenset())
    context = await readable_before(app.store, state, first, limit=CONTEXT)
    known = await rulers(app, state)
    earlier, *said = ([known.with_rights(message) for message in each] for each in (context, *parts))
    return ModelTalk(state.chat_id, earlier, said, known.now)


def _is_to_be_forgotten(chunk: Chunk, messages: Sequence[Message]) -> bool:
    """Return whether a chunk's texts may not stay: messages changed, or somebody who spoke may not be heard now."""
    return chunk.stale or not set(chunk.speakers) <= {m.user_id for m in messages}


async def _replace_chunk(
    app: App, state: ChatState, chunk: Chunk, talk: ModelTalk, model: ModelPass, proposals: Proposals
) -> bool:
    """Write the chunk's texts; False when somebody opted out or in, or a message was edited meanwhile."""
    again = _read_again(chunk, talk, model, proposals)

    async def commit(tx: Transaction) -> bool:
        if not await consent_holds(tx, state):
            return False
        document, chat = await tx.get_many([chunk.path, chat_path(state.chat_id)])
        known = None if document is None else read_chunk(document)
        if known is None or not known.model_pending:
            return True  # gone, or a parallel run was faster
        if not known.is_as_read(chunk):
            return False
        changed = again.texts.told != known.texts.told
        writes = await stale_parent(tx, state.chat_id, known, changed=changed)
        owed: list[WorkKind] = []
        if known.in_meta is InMeta.LEFT_OUT and again.in_meta is InMeta.AWAITED:
            owed.append("made")
        if waits(app.model, app.embedder, again if changed else replace(known, model_pending=again.model_pending)):
            owed.append("waits")
        if owed:
            writes.append(left_to_do(state.chat_id, *owed))
        if chat is not None and proposals.kept:
            writes.append(Upsert(chat.path, active_fields(app.clock.now())))
        redone = remade_fields(again)
        redone |= in_meta_fields(again) if known.in_meta is not InMeta.HELD else {}
        redone |= vector_fields(again.embedded) if changed or again.embedded.embedding_model else {}
        for write in (Upsert(chunk.path, redone), *writes, *count_refused(app.clock, state.chat_id, proposals.refused)):
            tx.write(write)
        return True

    return await app.store.transaction(commit)


def _read_again(chunk: Chunk, talk: ModelTalk, model: ModelPass, proposals: Proposals) -> Chunk:
    """The chunk with new texts: of messages that have not changed, what it had stays where the model gives nothing."""
    (reading,) = model.chunks
    texts = chunk_texts(talk.messages, proposals.facts, reading)
    if not _is_to_be_forgotten(chunk, talk.messages):
        episodic = reading.episodic or ("" if reading.nothing_to_record else chunk.texts.episodic)
        texts = texts._replace(summary=reading.summary or chunk.texts.summary, episodic=episodic)
    return replace(
        chunk,
        texts=texts,
        speakers=tuple(sorted({*members_in(talk.messages), *reading.speakers})),
        in_meta=in_meta_for(texts),
        meta_id=None,
        made_by=model.made_by,
        model_pending=model.pending,
        stale=False,
        embedded=reading.embedded,
    )
