"""The extraction worker: ten messages become a summary, episodic facts and structured facts with evidence.

Which messages are done is marked on the messages themselves (`chunk`), in one transaction with the chunk's document
and after everything else: a message that arrives late, out of order or is stored while a task runs is never skipped,
and a task that dies half-way is simply run again. All its effects have ids from content.
"""

from __future__ import annotations

import logging
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from shared.application.admins import chat_admins
from shared.application.app import App
from shared.application.chats import ChatState
from shared.application.documents import (
    chat_path,
    chunks_path,
    member_path,
    message_from_fields,
    message_path,
    messages_path,
)
from shared.application.history import messages_after, messages_before
from shared.application.memory import learn_candidates, retract_message
from shared.application.migration import move_chat
from shared.application.model_pass import ModelPass, run_model_pass
from shared.application.ports.store import ArrayUnion, Document, Filter, Increment, Order, Transaction, Upsert, Write
from shared.domain.facts import Candidate, Change
from shared.domain.filters import reject_reason
from shared.domain.language import detect_language
from shared.domain.messages import SCHEMA, Message, known_members
from shared.domain.patterns import extract_patterns
from shared.domain.statistics import extract_statistics
from shared.domain.summaries import extractive_summary

log = logging.getLogger(__name__)

MOST_CHUNKS = 20
"""Chunks per task (own choice): 20 model passes end well within its ten minutes; then it asks for another task."""

CONTEXT = 10
"""Earlier messages seen beside a chunk: a proposal and its support may lie on both sides of a border."""

STATISTICS_EVERY, STATISTICS_OVER = 5, 50
"""Statistics are taken every fifth chunk over the last fifty messages: a smaller sample says nothing."""


_LANGUAGE_SAMPLE = 5
_REDO_AT_ONCE = 5


@dataclass(frozen=True, slots=True)
class Extracted:
    """What one task did."""

    chunks: int
    changes: tuple[Change, ...]


async def extract_chat(app: App, chat_id: int) -> Extracted:
    """Extract what is new in a chat: edited messages again, every full chunk, and a remainder that is idle.

    Raises:
        TransientError: Run the task again; what was done is not done twice.
    """
    state = await app.chats.state(chat_id, fresh=True)
    if state.migrated_to is not None:  # a message may still have been stored under the old id
        await move_chat(app, chat_id, state.migrated_to)
        chat_id = state.migrated_to
        state = await app.chats.state(chat_id, fresh=True)
    changes = await _rederive_edited(app, state)
    waiting = await _redo_without_model(app, state)
    done = 0
    while done < MOST_CHUNKS:
        pending = await _pending(app, chat_id)
        if not pending or not _is_ripe(app, pending):
            break
        learnt, model = await _extract_chunk(app, state, pending)
        changes += learnt
        waiting |= app.model is not None and model.pending
        done += 1
        state = await app.chats.state(chat_id, fresh=True)
    await _come_back(app, chat_id, full=done == MOST_CHUNKS)
    if waiting:
        await app.schedule.extraction_in_an_hour(chat_id)
    return Extracted(done, tuple(changes))


async def _pending(app: App, chat_id: int) -> list[Document]:
    return await app.store.query(
        messages_path(chat_id),
        where=[Filter("chunk", "==", None)],
        order_by=[Order("message_id")],
        limit=app.policy.chunk_size,
    )


def _is_ripe(app: App, pending: Sequence[Document]) -> bool:
    newest = max(document.data["received_at"] for document in pending)
    return len(pending) == app.policy.chunk_size or newest + app.policy.idle <= app.clock.now()


async def _come_back(app: App, chat_id: int, *, full: bool) -> None:
    """Ask for another task when messages are left: at once after a full load, else when the chat will be idle."""
    pending = await _pending(app, chat_id)
    if not pending:
        return
    last = pending[-1].data["message_id"]
    if full or len(pending) == app.policy.chunk_size:
        await app.schedule.extraction_later(chat_id, mark=f"more-{last}-{len(pending)}", run_at=None)
        return
    newest = max(document.data["received_at"] for document in pending)
    await app.schedule.extraction_when_idle(chat_id, since=newest)


async def _extract_chunk(app: App, state: ChatState, pending: Sequence[Document]) -> tuple[list[Change], ModelPass]:
    messages = [message_from_fields(state.chat_id, document.data) for document in pending]
    context = await messages_before(app, state.chat_id, messages[0].message_id, limit=CONTEXT)
    admins = await chat_admins(app, state)
    model = await run_model_pass(app, state.chat_id, context, messages, admins)
    candidates = await _candidates(app, state, context, messages, admins, model)
    changes = await learn_candidates(app, state.chat_id, candidates)
    await _mark_done(app, state, messages, candidates, model)
    log.info(
        "extracted chat=%s chunk=%s-%s candidates=%d changes=%s model=%s",
        state.chat_id, messages[0].message_id, messages[-1].message_id, len(candidates),
        dict(Counter(change.kind for change in changes)), model.made_by,
    )  # fmt: skip
    return changes, model


async def _candidates(
    app: App,
    state: ChatState,
    context: Sequence[Message],
    messages: Sequence[Message],
    admins: frozenset[int],
    model: ModelPass,
) -> list[Candidate]:
    """What patterns, statistics and the model propose, less what the filters refuse."""
    new = {message.message_id for message in messages}
    nearby = [*context, *messages]
    found = extract_patterns(
        nearby, admins=admins, bot_names=app.policy.bot_names, bot_username=app.policy.bot_username
    )
    proposed = [candidate for candidate in found if any(e.message_id in new for e in candidate.evidence)]
    proposed += [candidate for candidate in model.candidates if not _is_covered(candidate, proposed)]
    if (state.chunks + 1) % STATISTICS_EVERY == 0:
        sample = await messages_before(app, state.chat_id, messages[-1].message_id + 1, limit=STATISTICS_OVER)
        nearby = [*nearby, *sample]
        proposed += extract_statistics(sample)
    return _filtered(app, state, proposed, nearby)


def _is_covered(candidate: Candidate, found: Sequence[Candidate]) -> bool:
    """Whether a pattern already read the same kind of fact from the same message."""
    ids = {e.message_id for e in candidate.evidence}
    return any(
        (candidate.subject, candidate.category) == (other.subject, other.category)
        and any(e.message_id in ids for e in other.evidence)
        for other in found
    )


def _filtered(app: App, state: ChatState, proposed: Sequence[Candidate], nearby: Sequence[Message]) -> list[Candidate]:
    by_id = {message.message_id: message for message in nearby}
    participants = known_members(nearby, without=state.opted_out)
    kept, refused = [], Counter[str]()
    for candidate in proposed:
        reason = reject_reason(
            candidate,
            by_id,
            bot_names=(*app.policy.bot_names, app.policy.bot_username),
            participants=participants,
        )
        if reason is None:
            kept.append(candidate)
        else:
            refused[str(reason)] += 1
    if refused:
        log.info("refused chat=%s %s", state.chat_id, dict(refused))
    return kept


async def _mark_done(
    app: App, state: ChatState, messages: Sequence[Message], candidates: Sequence[Candidate], model: ModelPass
) -> None:
    """Write the chunk and mark its messages, last of all and in one transaction."""
    chat_id, now = state.chat_id, app.clock.now()
    chunk_id = f"{messages[0].message_id}-{messages[-1].message_id}"
    paths = [message_path(chat_id, message.message_id) for message in messages]
    chunk = {
        "schema": SCHEMA,
        "first": messages[0].message_id,
        "last": messages[-1].message_id,
        "first_at": messages[0].sent_at,
        "last_at": messages[-1].sent_at,
        "message_ids": [message.message_id for message in messages],
        "summary": model.summary or extractive_summary(messages),
        "episodic": model.episodic or "\n".join(f"- {candidate.description}" for candidate in candidates),
        "made_by": model.made_by,
        "model_pending": model.pending,
        "embedding": model.embedding,
        "embedding_model": model.embedding_model,
        "made_at": now,
        "expire_at": now + app.policy.retention,
    }
    chat = {"chunks": Increment(1), "cursor": messages[-1].message_id, "last_active_at": now} | _language(
        messages, state.language
    )
    members = _members(chat_id, messages)

    async def commit(tx: Transaction) -> list[int]:
        found = await tx.get_many(paths)
        if all(document is None or document.data["chunk"] is not None for document in found):
            return []  # a parallel run was faster
        tx.write(Upsert(f"{chunks_path(chat_id)}/{chunk_id}", chunk))
        stale = [
            m.message_id for m, d in zip(messages, found, strict=True) if d is not None and d.data["text"] != m.text
        ]
        for message, document in zip(messages, found, strict=True):
            if document is not None:  # one that was edited meanwhile is learnt from again
                again = {"rederive": True} if message.message_id in stale else {}
                tx.write(Upsert(document.path, {"chunk": chunk_id, **again}))
        tx.write(Upsert(chat_path(chat_id), {"schema": SCHEMA, "chat_id": chat_id, **chat}))
        for write in members:
            tx.write(write)
        return stale

    for message_id in await app.store.transaction(commit):
        mark = f"edited-meanwhile-{message_id}-{now:%Y%m%d%H%M%S}"
        await app.schedule.extraction_later(chat_id, mark=mark, run_at=None)


def _members(chat_id: int, messages: Sequence[Message]) -> list[Write]:
    speakers = {message.user_id: message for message in messages if message.may_teach}
    return [
        Upsert(
            member_path(chat_id, user_id),
            {
                "schema": SCHEMA,
                "user_id": user_id,
                "name": message.name,
                "username": message.username,
                "last_seen_at": message.sent_at,
            }
            | ({"usernames_seen": ArrayUnion((message.username,))} if message.username else {}),
        )
        for user_id, message in speakers.items()
    ]


def _language(messages: Sequence[Message], known: str | None) -> dict[str, str]:
    """The language that most of the messages are in; a few do not change what is known."""
    spoken = Counter(tongue for m in messages if m.may_teach and (tongue := detect_language(m.text)))
    if not spoken:
        return {}
    tongue, count = spoken.most_common(1)[0]
    return {"language": tongue} if known is None or count >= _LANGUAGE_SAMPLE else {}


async def _rederive_edited(app: App, state: ChatState) -> list[Change]:
    """Take back what edited messages had taught, and learn from their new text."""
    edited = await app.store.query(messages_path(state.chat_id), where=[Filter("rederive", "==", True)])
    changes: list[Change] = []
    for document in edited:
        message = message_from_fields(state.chat_id, document.data)
        changes += await retract_message(app, state.chat_id, message.message_id, cause="the message was edited")
        if document.data["chunk"] is not None:
            changes += await _learn_again(app, state, message)
            await app.store.update(f"{chunks_path(state.chat_id)}/{document.data['chunk']}", {"model_pending": True})
        await _clear_rederive(app, document)
    return changes


async def _learn_again(app: App, state: ChatState, message: Message) -> list[Change]:
    earlier = await messages_before(app, state.chat_id, message.message_id, limit=CONTEXT)
    later = await messages_after(app, state.chat_id, message.message_id, limit=CONTEXT)
    nearby = [*earlier, message, *later]
    found = extract_patterns(
        nearby,
        admins=await chat_admins(app, state),
        bot_names=app.policy.bot_names,
        bot_username=app.policy.bot_username,
    )
    mine = [c for c in found if any(e.message_id == message.message_id for e in c.evidence)]
    return await learn_candidates(app, state.chat_id, _filtered(app, state, mine, nearby))


_SEEN = ("edited_at", "text", "chunk")


async def _clear_rederive(app: App, document: Document) -> None:
    """Unless it was edited or extracted meanwhile: then the next task sees it."""

    async def clear(tx: Transaction) -> None:
        current = await tx.get(document.path)
        if current is not None and all(current.data[name] == document.data[name] for name in _SEEN):
            tx.write(Upsert(document.path, {"rederive": False}))

    await app.store.transaction(clear)


async def _redo_without_model(app: App, state: ChatState) -> bool:
    """Give chunks that were made while the model was away their model pass; whether some are still waiting."""
    if app.model is None:
        return False
    where = [Filter("model_pending", "==", True)]
    waiting = await app.store.query(chunks_path(state.chat_id), where=where, limit=_REDO_AT_ONCE)
    left = len(waiting) == _REDO_AT_ONCE
    for document in waiting:
        paths = [message_path(state.chat_id, message_id) for message_id in document.data["message_ids"]]
        found = [d for d in await app.store.get_many(paths) if d is not None]
        left |= await _redo_chunk(app, state, document, [message_from_fields(state.chat_id, d.data) for d in found])
    return left


async def _redo_chunk(app: App, state: ChatState, document: Document, messages: Sequence[Message]) -> bool:
    """Whether the model is still to be asked about the chunk."""
    context, admins = [], frozenset[int]()
    if messages:
        context = await messages_before(app, state.chat_id, messages[0].message_id, limit=CONTEXT)
        admins = await chat_admins(app, state)
    model = await run_model_pass(app, state.chat_id, context, messages, admins)
    kept = _filtered(app, state, model.candidates, [*context, *messages])
    await learn_candidates(app, state.chat_id, kept)
    redone = {
        "summary": model.summary or document.data["summary"],
        "episodic": model.episodic or document.data["episodic"],
        "made_by": model.made_by,
        "model_pending": model.pending,
    }
    if model.embedding is not None:
        redone |= {"embedding": model.embedding, "embedding_model": model.embedding_model}
    await app.store.update(document.path, redone)
    return model.pending
