"""The extraction worker: ten messages become a summary, episodic facts and structured facts with evidence.

Which messages are done is marked on the messages themselves (`chunk`), in one transaction with the chunk's document
and after everything else: a message that arrives late, out of order or is stored while a task runs is never skipped,
and a task that dies half-way is simply run again. All its effects have ids from content.
"""

from __future__ import annotations

import logging
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from math import ceil

from shared.application.admins import chat_admins
from shared.application.app import App
from shared.application.asking_group import ask_group
from shared.application.chats import PRIVATE_CHUNK, ChatState
from shared.application.choices import Method, choices_for
from shared.application.chunks import chunk_fields, left_to_do, waits
from shared.application.documents import chat_path, chunks_path, member_path, messages_path
from shared.application.forgetting.hearsay import notice_namesakes
from shared.application.hearing import consent_changed, consent_holds, heard, heard_before
from shared.application.media_descriptions import describe_media
from shared.application.memory import learn_candidates
from shared.application.migration import move_chat
from shared.application.model_pass import ModelPass, Talk, run_model_pass
from shared.application.ports.store import ArrayUnion, Document, Filter, Increment, Order, Transaction, Upsert, Write
from shared.application.profiles import refresh_profiles
from shared.application.proposals import Proposals, count_refused, propose
from shared.application.recall.upkeep import index_chat
from shared.application.schedule import GRACE
from shared.application.second_pass import CONTEXT, rederive_edited, redo_without_model, retell_edited
from shared.application.upkeep import Kept, is_left_to_do, keep_up, note_kept
from shared.domain.facts import Change
from shared.domain.language import detect_language
from shared.domain.messages import SCHEMA, Message

log = logging.getLogger(__name__)

MOST_CHUNKS = 20
"""Chunks per task (own choice): 20 model passes end well within its ten minutes; then it asks for another task."""

_LANGUAGE_SAMPLE = 5
_EPISODE_SLOT = 1_800  # seconds


@dataclass(frozen=True, slots=True)
class Extracted:
    """What one task did.

    Attributes:
        waits: Something waits for the model or the embedder.
        more: There is more to do right now than one task does; another was asked for.
    """

    chunks: int
    changes: tuple[Change, ...]
    waits: bool = False
    more: bool = False


async def extract_chat(app: App, chat_id: int, *, only_when_due: bool = False) -> Extracted:
    """Extract what is new in a chat: edited messages again, every full chunk, and a remainder that is idle.

    Args:
        only_when_due: The task was asked for because somebody talks: do nothing while there is too little to extract.
            Whatever else changes a chat's memory asks for a task of its own, which does everything.

    Raises:
        TransientError: Run the task again; what was done is not done twice.
    """
    state = await app.chats.state(chat_id, fresh=True)
    if only_when_due and await _left_for_later(app, state):
        await ask_group(app, state, talked_at=None)
        return Extracted(0, ())
    if state.migrated_to is not None:  # a message may still have been stored under the old id
        await move_chat(app, chat_id, state.migrated_to)
        chat_id = state.migrated_to
        state = await app.chats.state(chat_id, fresh=True)
    _complain_without_model(app, state)
    changes = await rederive_edited(app, state)
    await retell_edited(app, state)
    waiting = await redo_without_model(app, state)
    done, talked_at, pending = 0, None, await _pending(app, chat_id)
    while done < MOST_CHUNKS and pending and _is_ripe(app, state, pending):
        learnt, later = await _extract_chunk(app, state, pending)
        changes += learnt
        waiting |= app.model is not None and later
        done, talked_at = done + 1, pending[-1].data["sent_at"]
        state = await app.chats.state(chat_id, fresh=True)
        pending = await _pending(app, chat_id)
    kept = await keep_up(app, state, quiet_until=min([app.clock.now(), *(d.data["sent_at"] for d in pending)]))
    waiting |= kept.waits
    await refresh_profiles(app, chat_id)
    await index_chat(app, state)
    await _come_back(app, chat_id, pending, full=done == MOST_CHUNKS)
    await _come_back_for_upkeep(app, chat_id, kept)
    if waiting:
        await app.schedule.extraction_in_an_hour(chat_id)
    await note_kept(app, chat_id, kept)
    await _leave_nothing_behind(app, chat_id)
    await ask_group(app, state, talked_at=talked_at)
    return Extracted(done, tuple(changes), waiting, kept.more or (done == MOST_CHUNKS and bool(pending)))


async def _left_for_later(app: App, state: ChatState) -> bool:
    """Whether there is nothing to do yet; what is too little is looked at again when the chat will be idle.

    Two reads, three when messages wait. What says that there is something to do is read again by who does it.
    """
    private = choices_for(app.policy, state).private
    if state.migrated_to is not None or (not private and await is_left_to_do(app, state.chat_id)):
        return False
    path, waiting = messages_path(state.chat_id), [Filter("chunk", "==", None)]
    last = await app.store.query(path, where=waiting, order_by=[Order("message_id", descending=True)], limit=1)
    if not last:
        return True
    if _is_ripe(app, state, last) or await app.store.count(path, where=waiting) >= app.policy.chunk_size:
        return False
    await app.schedule.extraction_when_idle(state.chat_id, since=last[0].data["received_at"])
    return True


async def _leave_nothing_behind(app: App, chat_id: int) -> None:
    """Bring along what was booked under the chat's id after the chat had moved: the model takes long to answer."""
    if app.model is None:
        return
    state = await app.chats.state(chat_id, fresh=True)
    if state.migrated_to is not None:
        await move_chat(app, chat_id, state.migrated_to)


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
            "the chat learns facts by the model only, and none is configured (GEMINI_API_KEY): its chunks wait for one"
        )


def _is_ripe(app: App, state: ChatState, pending: Sequence[Document]) -> bool:
    if choices_for(app.policy, state).private:
        return True  # marked at once: the chat may be private no more when it falls silent
    newest = max(document.data["received_at"] for document in pending)
    return len(pending) == app.policy.chunk_size or newest + app.policy.idle <= app.clock.now()


async def _come_back(app: App, chat_id: int, pending: Sequence[Document], *, full: bool) -> None:
    """Ask for another task when messages are left: at once after a full load, else when the chat will be idle."""
    if not pending:
        return
    last = pending[-1].data["message_id"]
    if full or len(pending) == app.policy.chunk_size:
        await app.schedule.extraction_later(chat_id, mark=f"more-{last}-{len(pending)}", run_at=None)
        return
    newest = max(document.data["received_at"] for document in pending)
    await app.schedule.extraction_when_idle(chat_id, since=newest)


async def _come_back_for_upkeep(app: App, chat_id: int, kept: Kept) -> None:
    """Ask for another task at once when more is to be made, and when the conversation that goes on may be over.

    The latter is rounded up to half an hour: two requests an hour at most, however long the talk.
    """
    if kept.more:
        await app.schedule.extraction_later(chat_id, mark=f"upkeep-{app.clock.now():%Y%m%d%H%M%S}", run_at=None)
    if kept.due_at is not None:
        slot = ceil((kept.due_at + GRACE).timestamp() / _EPISODE_SLOT)
        run_at = datetime.fromtimestamp(slot * _EPISODE_SLOT, UTC)
        await app.schedule.extraction_later(chat_id, mark=f"episode-{slot}", run_at=run_at)


async def _extract_chunk(app: App, state: ChatState, pending: Sequence[Document]) -> tuple[list[Change], bool]:
    """What was learnt, and whether the model is still to be asked."""
    choices = choices_for(app.policy, state)
    if choices.private:
        await _pass_over(app, pending)
        return [], False
    talk = await _talk(app, state, pending)
    await notice_namesakes(app, state, talk.messages)
    described = await describe_media(app, state, talk.messages)
    talk = talk._replace(messages=described.messages)
    model = await run_model_pass(app, state, talk, choices)
    model = replace(model, pending=model.pending or described.left)
    if await consent_changed(app, state):
        return [], False  # nothing is marked: the next round does these messages as is right now
    proposals = await propose(app, state, choices, talk, model)
    changes = await learn_candidates(app, state.chat_id, proposals.kept)
    await _mark_done(app, state, pending, talk, proposals, model)
    log.debug(
        "extracted method=%s candidates=%d changes=%s model=%s",
        choices.method, len(proposals.kept),
        dict(Counter(change.kind for change in changes)), model.made_by,
    )  # fmt: skip
    return changes, model.pending


async def _talk(app: App, state: ChatState, pending: Sequence[Document]) -> Talk:
    context = await heard_before(app, state, pending[0].data["message_id"], limit=CONTEXT)
    return Talk(state.chat_id, context, heard(state, pending), await chat_admins(app, state))


async def _pass_over(app: App, pending: Sequence[Document]) -> None:
    """Mark messages of a private chat as done without reading them; what is extracted already stays so."""

    async def mark(tx: Transaction) -> None:
        for document in await tx.get_many([document.path for document in pending]):
            if document is not None and document.data["chunk"] is None:
                tx.write(Upsert(document.path, {"chunk": PRIVATE_CHUNK}))

    await app.store.transaction(mark)
    log.debug("private: %d messages passed over", len(pending))


async def _mark_done(
    app: App,
    state: ChatState,
    pending: Sequence[Document],
    talk: Talk,
    proposals: Proposals,
    model: ModelPass,
) -> None:
    """Write the chunk and mark its messages, last of all and in one transaction.

    Nothing is written when one of the messages is another chunk's or gone, or somebody opted out or in: the next round
    takes what is there then.
    """
    chat_id, now, chunk_id = state.chat_id, app.clock.now(), _chunk_id(pending)
    chat = {"chunks": Increment(1), "cursor": pending[-1].data["message_id"], "last_active_at": now}
    chunk = chunk_fields(app, state, pending, talk.messages, proposals.kept, model)
    writes = [
        left_to_do(chat_id, "made", *(["waits"] if waits(app, chunk) else [])),
        Upsert(f"{chunks_path(chat_id)}/{chunk_id}", chunk),
        Upsert(
            chat_path(chat_id),
            {"schema": SCHEMA, "chat_id": chat_id, **chat, **_language(talk.messages, state.language)},
        ),
        *_members(chat_id, talk.messages),
        *count_refused(app, chat_id, proposals.refused),
    ]

    async def commit(tx: Transaction) -> list[int]:
        if not await consent_holds(tx, state):
            return []
        found = [d for d in await tx.get_many([document.path for document in pending]) if d is not None]
        if len(found) < len(pending) or any(document.data["chunk"] is not None for document in found):
            return []
        read = {document.path: document.data["text"] for document in pending}
        stale = [document for document in found if document.data["text"] != read[document.path]]
        for document in found:  # one that was edited meanwhile is learnt from again
            tx.write(Upsert(document.path, {"chunk": chunk_id} | ({"rederive": True} if document in stale else {})))
        for write in writes:
            tx.write(write)
        return [document.data["message_id"] for document in stale]

    for message_id in await app.store.transaction(commit):
        mark = f"edited-meanwhile-{message_id}-{now:%Y%m%d%H%M%S}"
        await app.schedule.extraction_later(chat_id, mark=mark, run_at=None)


def _chunk_id(pending: Sequence[Document]) -> str:
    return f"{pending[0].data['message_id']}-{pending[-1].data['message_id']}"


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
