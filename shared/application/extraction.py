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
from typing import Any

from shared.application.admins import chat_admins
from shared.application.app import App
from shared.application.chats import PRIVATE_CHUNK, ChatState
from shared.application.choices import Method, choices_for
from shared.application.documents import chat_path, chunks_path, member_path, messages_path
from shared.application.hearing import consent_changed, heard, heard_before
from shared.application.memory import learn_candidates
from shared.application.migration import move_chat
from shared.application.model_pass import ModelPass, Talk, run_model_pass
from shared.application.ports.store import ArrayUnion, Document, Filter, Increment, Order, Transaction, Upsert, Write
from shared.application.proposals import Proposals, count_refused, propose
from shared.application.second_pass import CONTEXT, rederive_edited, redo_without_model
from shared.domain.facts import Change
from shared.domain.language import detect_language
from shared.domain.messages import SCHEMA, Message
from shared.domain.summaries import extractive_summary

log = logging.getLogger(__name__)

MOST_CHUNKS = 20
"""Chunks per task (own choice): 20 model passes end well within its ten minutes; then it asks for another task."""

_LANGUAGE_SAMPLE = 5


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
    _complain_without_model(app, state)
    changes = await rederive_edited(app, state)
    waiting = await redo_without_model(app, state)
    done = 0
    while done < MOST_CHUNKS:
        pending = await _pending(app, chat_id)
        if not pending or not _is_ripe(app, state, pending):
            break
        learnt, later = await _extract_chunk(app, state, pending)
        changes += learnt
        waiting |= app.model is not None and later
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


def _complain_without_model(app: App, state: ChatState) -> None:
    if app.model is None and choices_for(app.policy, state).method is Method.MODEL:
        log.warning(
            "chat=%s learns facts by the model only, and none is configured (GEMINI_API_KEY): its chunks wait for one",
            state.chat_id,
        )


def _is_ripe(app: App, state: ChatState, pending: Sequence[Document]) -> bool:
    if choices_for(app.policy, state).private:
        return True  # marked at once: the chat may be private no more when it falls silent
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


async def _extract_chunk(app: App, state: ChatState, pending: Sequence[Document]) -> tuple[list[Change], bool]:
    """What was learnt, and whether the model is still to be asked."""
    choices = choices_for(app.policy, state)
    if choices.private:
        await _pass_over(app, state, pending)
        return [], False
    talk = await _talk(app, state, pending)
    model = await run_model_pass(app, talk, choices)
    if await consent_changed(app, state):
        return [], False  # nothing is marked: the next round does these messages as is right now
    proposals = await propose(app, state, choices, talk, model)
    changes = await learn_candidates(app, state.chat_id, proposals.kept)
    if await consent_changed(app, state):
        return changes, False  # what was proposed on the word of who has just opted out, others may say, too
    await _mark_done(app, state, pending, talk, proposals, model)
    log.info(
        "extracted chat=%s chunk=%s method=%s candidates=%d changes=%s model=%s",
        state.chat_id, _chunk_id(pending), choices.method, len(proposals.kept),
        dict(Counter(change.kind for change in changes)), model.made_by,
    )  # fmt: skip
    return changes, model.pending


async def _talk(app: App, state: ChatState, pending: Sequence[Document]) -> Talk:
    context = await heard_before(app, state, pending[0].data["message_id"], limit=CONTEXT)
    return Talk(state.chat_id, context, heard(state, pending), await chat_admins(app, state))


async def _pass_over(app: App, state: ChatState, pending: Sequence[Document]) -> None:
    """Mark messages of a private chat as done without reading them; what is extracted already stays so."""

    async def mark(tx: Transaction) -> None:
        for document in await tx.get_many([document.path for document in pending]):
            if document is not None and document.data["chunk"] is None:
                tx.write(Upsert(document.path, {"chunk": PRIVATE_CHUNK}))

    await app.store.transaction(mark)
    log.info("private chat=%s messages=%d passed over", state.chat_id, len(pending))


async def _mark_done(
    app: App,
    state: ChatState,
    pending: Sequence[Document],
    talk: Talk,
    proposals: Proposals,
    model: ModelPass,
) -> None:
    """Write the chunk and mark its messages, last of all and in one transaction."""
    chat_id, now, chunk_id = state.chat_id, app.clock.now(), _chunk_id(pending)
    chat = {"chunks": Increment(1), "cursor": pending[-1].data["message_id"], "last_active_at": now}
    writes = [
        Upsert(f"{chunks_path(chat_id)}/{chunk_id}", _chunk(app, pending, talk, proposals, model)),
        Upsert(
            chat_path(chat_id),
            {"schema": SCHEMA, "chat_id": chat_id, **chat, **_language(talk.messages, state.language)},
        ),
        *_members(chat_id, talk.messages),
        *count_refused(app, chat_id, proposals.refused),
    ]

    async def commit(tx: Transaction) -> list[int]:
        found = [d for d in await tx.get_many([document.path for document in pending]) if d is not None]
        if all(document.data["chunk"] is not None for document in found):
            return []  # a parallel run was faster
        read = {document.path: document.data["text"] for document in pending}
        stale = [document for document in found if document.data["text"] != read[document.path]]
        for document in found:  # one that was edited meanwhile is learnt from again
            mark = PRIVATE_CHUNK if document.data["chunk"] == PRIVATE_CHUNK else chunk_id
            tx.write(Upsert(document.path, {"chunk": mark} | ({"rederive": True} if document in stale else {})))
        for write in writes:
            tx.write(write)
        return [document.data["message_id"] for document in stale]

    for message_id in await app.store.transaction(commit):
        mark = f"edited-meanwhile-{message_id}-{now:%Y%m%d%H%M%S}"
        await app.schedule.extraction_later(chat_id, mark=mark, run_at=None)


def _chunk_id(pending: Sequence[Document]) -> str:
    return f"{pending[0].data['message_id']}-{pending[-1].data['message_id']}"


def _chunk(app: App, pending: Sequence[Document], talk: Talk, proposals: Proposals, model: ModelPass) -> dict[str, Any]:
    """The fields of a chunk's document; without a model its texts are excerpts."""
    first, last, now = pending[0].data, pending[-1].data, app.clock.now()
    return {
        "schema": SCHEMA,
        "first": first["message_id"],
        "last": last["message_id"],
        "first_at": first["sent_at"],
        "last_at": last["sent_at"],
        "message_ids": [document.data["message_id"] for document in pending],
        "summary": model.summary or extractive_summary(talk.messages),
        "episodic": model.episodic or "\n".join(f"- {candidate.description}" for candidate in proposals.kept),
        "made_by": model.made_by,
        "model_pending": model.pending,
        "embedding": model.embedding,
        "embedding_model": model.embedding_model,
        "made_at": now,
        "expire_at": now + app.policy.retention,
    }


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
