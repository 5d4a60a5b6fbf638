"""Reads chunks again: those that no model read, whose messages have changed, or that somebody asks for."""

import asyncio
import logging
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import replace
from functools import partial

from shared.application.app import App
from shared.application.chats.chat_codec import ChatState, chat_fields, read_chat
from shared.application.chats.choices import choices_for
from shared.application.consolidation.model_lane import note_items
from shared.application.conversation.consent_gate import consent_changed, readable_by_ids, same_consent
from shared.application.documents import chat_path, chunks_path
from shared.application.facts.memory import learn_candidates
from shared.application.ports.store import DocumentStore, Filter, Transaction, Upsert
from shared.application.reading.chunks import chunk_texts, members_in, with_context
from shared.application.reading.model_pass import ChunkReading, ModelPass, ModelTalk, run_model_pass
from shared.application.reading.notes.codec import (
    Chunk,
    InMeta,
    WorkKind,
    in_meta_fields,
    in_meta_for,
    mark_work_due,
    read_chunk,
)
from shared.application.reading.notes.media_descriptions import describe_media
from shared.application.reading.notes.redoing import Redone, find_due, leave_note, piece_of, stale_parent, waits
from shared.application.reading.proposals import Proposals, count_refused, propose
from shared.application.reading.setting_aside import Pieces
from shared.application.recall.loading import load_names
from shared.application.recall.note_codec import NoteTexts, pending_field, remade_fields, vector_fields
from shared.application.recall.note_queries import BY_LAST, MODEL_PENDING, ending_within
from shared.domain.conversation.messages import Message
from shared.domain.errors import SettingsError, TransientError
from shared.domain.people.naming import NameBook
from shared.domain.reading.stretch import MOST_CHUNKS

log = logging.getLogger(__name__)

_MOST_AGAIN = 10
"""Calls of the model by which one task has chunks read again."""


async def redo_without_model(app: App, state: ChatState, pieces: Pieces) -> bool:
    """Give chunks that were made while the model was away their model pass; whether some are still waiting.

    A private chat's chunks, made before it was, wait until it is private no more.
    """
    if app.model is None or choices_for(app.policy, state).private:
        return False
    return (await redo_chunks(app, state, pieces, which=MODEL_PENDING)).later


async def redo_chunks(app: App, state: ChatState, pieces: Pieces, *, which: Filter) -> Redone:
    """Make chunks again, read as new talk is: as many in one call of the model as a stretch has.

    Args:
        which: `STALE`: messages of theirs have changed; `MODEL_PENDING`: they were made without the model.
    """
    path, made, later, together = chunks_path(state.chat_id), 0, False, True
    for _ in range(_MOST_AGAIN):
        due, passed_over = await find_due(app, state, path, which, most=2 * MOST_CHUNKS, read=read_chunk)
        due = sorted((each for each in due if not pieces.comes_again(piece_of(state.chat_id, each))), key=_call_key)
        later |= passed_over
        if not due:
            return Redone(made, later)
        asked = _call_key(due[0])[0]
        group = [chunk for chunk in due if _call_key(chunk)[0] == asked][: MOST_CHUNKS if together else 1]
        try:
            again = await _read_again(app, state, group)
        except (TransientError, SettingsError):
            raise
        except Exception as error:  # noqa: BLE001 - `pieces` decides what becomes of a bug
            if len(group) > 1:  # which of them it is shows when each is read alone
                log.warning("%d chunks could not be read together: %s", len(group), type(error).__name__)
                together = False
                continue
            again = [partial(_fail, error)]
        for chunk, write in zip(group, again, strict=True):
            piece = piece_of(state.chat_id, chunk)
            waits_on = await pieces.do(piece, write, partial(leave_note, app.store, app.embedder, state.chat_id, chunk))
            made += not pieces.comes_again(piece)
            later |= bool(waits_on)
        if later and which == MODEL_PENDING:
            break
    return Redone(made, True)


def _call_key(chunk: Chunk) -> tuple[tuple[int, bool], int]:
    """Return what chunks that are read in one call have in common, who pays and that none is emptied, and the first
    message."""
    return (chunk.edited_by or 0, chunk.stale and not chunk.texts.told), chunk.first


async def _fail(error: Exception) -> bool:
    raise error


async def _read_again(app: App, state: ChatState, chunks: Sequence[Chunk]) -> list[Callable[[], Awaitable[bool]]]:
    """Have the model read chunks; return for each what writes it: whether the model is still to be asked about it.

    What a forgetting has emptied is made of excerpts of what is left: it has taught all that it may, and a model would
    read every message of whoever was there a second time.
    """
    (payer, is_emptied), choices = _call_key(chunks[0])[0], choices_for(app.policy, state)
    talks, left = list[ModelTalk](), list[bool]()
    for chunk in chunks:
        messages, waits_on = await readable_by_ids(app.store, state, chunk.message_ids), app.model is None
        if not is_emptied:
            messages, waits_on = await describe_media(app, state, messages, payer=payer or None)
        talks.append(await with_context(app, state, [messages], first=chunk.first))
        left.append(waits_on)
    admins = frozenset[int]().union(*(talk.admins for talk in talks))
    whole = ModelTalk(state.chat_id, talks[0].context, [talk.messages for talk in talks], admins)
    nothing = ModelPass(tuple(ChunkReading() for _ in chunks), pending=False)
    model = nothing if is_emptied else await run_model_pass(app, state, whole, choices, payer=payer or None)
    if await consent_changed(app.chats, state):
        return [_stay for _ in chunks]
    await note_items(app, state, whole.messages, model.suggested, model.settled, made_by=model.made_by)
    again, learns = partial(_redo_chunk, app, state), app.model is None or not is_emptied
    return [
        partial(again, chunk, talk, _part_of(model, n, talk, pending=left[n]), learns=learns)
        for n, (chunk, talk) in enumerate(zip(chunks, talks, strict=True))
    ]


async def _stay() -> bool:
    return True


def _part_of(model: ModelPass, number: int, talk: ModelTalk, *, pending: bool) -> ModelPass:
    """Return what the model made of one chunk of several."""
    said = {message.message_id for message in talk.messages}
    own = tuple(each for each in model.candidates if any(quote.message_id in said for quote in each.evidence))
    refused = model.refused if number == 0 else ()
    pending |= model.pending
    return replace(model, chunks=(model.chunks[number],), candidates=own, refused=refused, pending=pending)


async def _redo_chunk(
    app: App, state: ChatState, chunk: Chunk, talk: ModelTalk, model: ModelPass, *, learns: bool
) -> bool:
    if not (talk.messages or chunk.stale):  # expired: nothing is there to make it better
        await leave_note(app.store, app.embedder, state.chat_id, chunk)
        return False
    choices = choices_for(app.policy, state)
    matched = learns and _is_to_be_forgotten(chunk, talk.messages)
    proposals = await propose(app.store, app.policy, state, choices, talk, model, patterns=matched, statistics=False)
    await learn_candidates(app, state.chat_id, proposals.kept if learns else ())
    return not await _replace_chunk(app, state, chunk, talk, model, proposals) or model.pending


async def read_anew(store: DocumentStore, chat_id: int, *, after: int, last: int, most: int) -> int:
    """Have the chunks that end after one message and up to another read again by the chat's next task; how many.

    What they tell stays where the model gives nothing.
    """
    within = ending_within(after, last)
    found = await store.query(chunks_path(chat_id), where=within, order_by=[BY_LAST], limit=most)
    return sum(await asyncio.gather(*(store.update(document.path, pending_field()) for document in found)))


def _is_to_be_forgotten(chunk: Chunk, messages: Sequence[Message]) -> bool:
    """Return whether a chunk's texts may not stay: messages changed, or somebody who spoke may not be heard now."""
    return chunk.stale or not set(chunk.speakers) <= {m.user_id for m in messages}


async def _replace_chunk(
    app: App, state: ChatState, chunk: Chunk, talk: ModelTalk, model: ModelPass, proposals: Proposals
) -> bool:
    """Write the chunk's texts; False when somebody opted out or in, or a message was edited meanwhile."""
    names = await load_names(app.store, app.indexes, state, talk.messages)
    again = _reword_chunk(chunk, talk, model, proposals, names)

    async def commit(tx: Transaction) -> bool:
        document, chat = await tx.get_many([chunk.path, chat_path(state.chat_id)])
        if not same_consent(read_chat(state.chat_id, chat), state):
            return False
        known = None if document is None else read_chunk(document)
        if known is None or not known.model_pending:
            return True  # gone, or a parallel run was faster
        if not known.is_as_read(chunk):
            return False
        changed = again.texts.told != known.texts.told
        is_new = changed or known.stale  # then a message may say something else, and the vectors are due again
        writes = await stale_parent(tx, state.chat_id, known, changed=changed)
        owed: list[WorkKind] = []
        if known.in_meta is InMeta.LEFT_OUT and again.in_meta is InMeta.AWAITED:
            owed.append("made")
        if waits(app.model, app.embedder, again if is_new else replace(known, model_pending=again.model_pending)):
            owed.append("waits")
        if owed:
            writes.append(mark_work_due(state.chat_id, *owed))
        if chat is not None and proposals.kept:
            writes.append(Upsert(chat.path, chat_fields(last_active_at=app.clock.now())))
        redone = remade_fields(again)
        redone |= in_meta_fields(again) if known.in_meta is not InMeta.HELD else {}
        redone |= vector_fields("chunk", again.embedded) if is_new or again.embedded.embedding_model else {}
        for write in (Upsert(chunk.path, redone), *writes, *count_refused(app.clock, state.chat_id, proposals.refused)):
            tx.write(write)
        return True

    return await app.store.transaction(commit)


def _reword_chunk(chunk: Chunk, talk: ModelTalk, model: ModelPass, proposals: Proposals, names: NameBook) -> Chunk:
    """The chunk with new texts: of messages that have not changed, what it had stays where the model gives nothing."""
    (reading,) = model.chunks
    texts = chunk_texts(talk.messages, proposals.facts, reading, names)
    made_with = reading.made_with | talk.message_ids
    if not _is_to_be_forgotten(chunk, talk.messages):
        made_with = made_with.union(chunk.made_with or chunk.message_ids)
        summary = texts.summary if reading.summary else chunk.texts.summary
        is_told = reading.episodic or reading.nothing_to_record
        texts = NoteTexts(summary, texts.episodic if is_told else chunk.texts.episodic)
    return replace(
        chunk,
        texts=texts,
        speakers=tuple(sorted({*members_in(talk.messages), *reading.speakers})),
        made_with=tuple(sorted(made_with)),
        in_meta=in_meta_for(texts),
        meta_id=None,
        made_by=model.made_by,
        model_pending=model.pending,
        stale=False,
        embedded=reading.embedded,
    )
