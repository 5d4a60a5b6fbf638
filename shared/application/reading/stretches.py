"""Reads what is new in a chat, a stretch of talk at a time: summary, episodic facts, structured facts with evidence.

Which messages are done is marked on the messages themselves (`chunk`), in one transaction with the chunk's document and
after everything else.
"""

import logging
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace
from datetime import datetime, timedelta
from functools import partial
from typing import NamedTuple

from shared.application.app import App
from shared.application.chats.chat_codec import ChatState, read_chat
from shared.application.chats.choices import choices_for
from shared.application.consolidation.model_lane import note_items
from shared.application.conversation.consent_gate import (
    consent_changed,
    notice_namesakes,
    readable_messages,
    same_consent,
)
from shared.application.conversation.message_codec import (
    ChunkState,
    chunk_field,
    chunk_state_of,
    edited_field,
    read_message,
)
from shared.application.conversation.message_queries import BY_ID, UNREAD
from shared.application.documents import chat_path, index_head_path, member_path, messages_path
from shared.application.facts.memory import learn_candidates
from shared.application.people.member_codec import speaker_fields
from shared.application.policy import Policy
from shared.application.ports.model import LanguageModel
from shared.application.ports.store import Document, DocumentStore, Increment, Transaction, Upsert
from shared.application.ports.system import Clock
from shared.application.reading.chunks import new_chunk, with_context
from shared.application.reading.model_pass import ModelPass, ModelTalk, run_model_pass
from shared.application.reading.notes.codec import Chunk, WorkKind, chunk_to_fields, mark_work_due
from shared.application.reading.notes.media_descriptions import describe_media
from shared.application.reading.notes.redoing import waits
from shared.application.reading.proposals import Proposals, count_refused, propose
from shared.application.reading.setting_aside import ExtractionPiece, Pieces
from shared.application.recall.head_codec import head_of
from shared.application.recall.loading import load_names
from shared.application.recall.note_codec import indexed_fields
from shared.application.recall.upkeep import Placed, place_notes
from shared.domain.conversation.messages import SCHEMA, Message
from shared.domain.facts.change import FactChange
from shared.domain.reading.stretch import MOST_CHUNKS, stretch_length
from shared.domain.text.language import detect_language

log = logging.getLogger(__name__)

_CLOCKS_DIFFER = timedelta(minutes=1)
"""The most that the clocks of two instances differ by: hosts keep the same time by far better."""

MOST_STRETCHES = 20
"""Stretches per task: 20 model passes end well within its ten minutes; then it asks for another task."""

_LANGUAGE_SAMPLE = 5


class Read(NamedTuple):
    """The result of what one task read of new talk.

    Attributes:
        state: The chat as it was after that.
        stretches: How many it looked at: those that were done, and those that were set aside.
        talked_at: When the last of it was said.
        waits: The model is still to be asked about some of it.
        left: What waits to be read, a stretch of it at most.
    """

    state: ChatState
    done: int
    stretches: int
    changes: tuple[FactChange, ...]
    talked_at: datetime | None
    waits: bool
    left: Sequence[Document]


async def read_stretches(app: App, state: ChatState, pieces: Pieces, *, not_before: datetime | None = None) -> Read:
    """Make chunks of what is new, stretch by stretch, until one fails and is to be tried again.

    Args:
        not_before: As for `extract_chat`.
    """
    done, stretches, changes, talked_at, waiting = 0, 0, list[FactChange](), None, False
    pace = pace_of(app.policy, app.model, state)
    query = partial(app.store.query, where=[UNREAD], order_by=[BY_ID], limit=pace.most + (pace.most > pace.chunk))
    waiting_here = await query(messages_path(state.chat_id))
    while stretches < MOST_STRETCHES and (
        pending := ripe_stretch(latest(app.clock, not_before), app.policy, state, waiting_here, pace)
    ):
        piece = ExtractionPiece(state.chat_id, "stretch", tuple(_id(document) for document in pending))
        aside = partial(_mark, app.store, pending, ChunkState.SET_ASIDE)
        extracted = await pieces.do(piece, partial(_extract_stretch, app, state, pending), aside)
        if pieces.comes_again(piece):
            break
        if extracted is not None:
            learnt, later = extracted
            changes += learnt
            waiting |= app.model is not None and later
            done += len(list(_divide(app.policy, pending)))
            talked_at = read_message(pending[-1]).message.sent_at
        stretches += 1
        state = await app.chats.state(state.chat_id, fresh=True)
        waiting_here = await query(messages_path(state.chat_id))
    return Read(state, done, stretches, tuple(changes), talked_at, waiting, waiting_here)


class Pace(NamedTuple):
    """The amount that is read at once, and when: patterns read a chunk, a model several in one call.

    Attributes:
        chunk, most: Messages of a chunk, and of a stretch at most.
        wait: How long fewer than `most` wait before they are read, once the chat is idle.
    """

    chunk: int
    most: int
    idle: timedelta
    wait: timedelta

    def is_full(self, count: int) -> bool:
        """Return whether so many messages make a stretch, however long they have waited."""
        return count >= self.most

    def ripe_at(self, oldest: datetime, newest: datetime) -> datetime:
        """Return when fewer messages than make a stretch are to be read, if nothing more is said.

        Args:
            oldest, newest: When the first and the last of them came.
        """
        return max(newest + self.idle, oldest + self.wait)


def pace_of(policy: Policy, model: LanguageModel | None, state: ChatState) -> Pace:
    """Return how much is read at once, with a model or without one; what soon expires does not wait for more."""
    if model is None:
        return Pace(policy.chunk_size, policy.chunk_size, policy.idle, timedelta())
    wait = min(policy.reading_wait, state.retention(policy.retention) / 2)
    return Pace(policy.chunk_size, MOST_CHUNKS * policy.chunk_size, policy.idle, wait)


def latest(clock: Clock, not_before: datetime | None) -> datetime:
    """Return what time it is by this clock, which may be behind the one that asked for a task at `not_before`.

    A task that comes earlier than clocks differ was run before its time, as a replay runs all that waits.
    """
    now = clock.now()
    return not_before if not_before is not None and now < not_before <= now + _CLOCKS_DIFFER else now


def ripe_stretch(
    now: datetime, policy: Policy, state: ChatState, waiting: Sequence[Document], pace: Pace
) -> Sequence[Document]:
    """Return what of the oldest unread messages is to be read now: a full stretch, or all that is there in a chat that
    is idle; nothing while neither is so."""
    if not waiting:
        return waiting
    stored = [read_message(document) for document in waiting]
    if choices_for(policy, state).private:
        return waiting[: pace.most]  # marked at once: the chat may be private no more when it falls silent
    came = [each.received_at for each in stored]
    if not pace.is_full(len(waiting)) and pace.ripe_at(min(came), max(came)) > now:
        return ()
    return waiting[: stretch_length([each.message.sent_at for each in stored], most=pace.most, chunk=pace.chunk)]


def _divide(policy: Policy, pending: Sequence[Document]) -> Iterator[Sequence[Document]]:
    """Return the chunks of a stretch, ten messages each but for the last."""
    for start in range(0, len(pending), policy.chunk_size):
        yield pending[start : start + policy.chunk_size]


async def _extract_stretch(app: App, state: ChatState, pending: Sequence[Document]) -> tuple[list[FactChange], bool]:
    """Return what was learnt, and whether the model is still to be asked."""
    choices = choices_for(app.policy, state)
    if choices.private:
        await _mark(app.store, pending, ChunkState.PRIVATE)
        log.debug("private: %d messages passed over", len(pending))
        return [], False
    parts = [readable_messages(state, part) for part in _divide(app.policy, pending)]
    talk = await with_context(app, state, parts, first=_id(pending[0]))
    await notice_namesakes(app.chats, state, talk.messages)
    described = [await describe_media(app, state, part) for part in talk.parts]
    talk = talk._replace(parts=[each.messages for each in described])
    model = await run_model_pass(app, state, talk, choices)
    model = replace(model, pending=model.pending or any(each.left for each in described))
    if await consent_changed(app.chats, state):
        return [], False  # nothing is marked: the next round does these messages as is right now
    proposals = await propose(app.store, app.policy, state, choices, talk, model)
    changes = await learn_candidates(app, state.chat_id, proposals.kept)
    await note_items(app, state, talk.messages, model.suggested, model.settled, made_by=model.made_by)
    await _mark_done(app, state, pending, talk, proposals, model)
    log.debug(
        "extracted method=%s candidates=%d changes=%s model=%s",
        choices.method, len(proposals.kept),
        dict(Counter(change.kind for change in changes)), model.made_by,
    )  # fmt: skip
    return changes, model.pending


async def _mark(store: DocumentStore, pending: Sequence[Document], mark: ChunkState) -> None:
    """Mark messages as seen to without reading them; what is extracted already stays so."""

    async def write(tx: Transaction) -> None:
        for document in await tx.get_many([document.path for document in pending]):
            if document is not None and chunk_state_of(document) is ChunkState.UNREAD:
                tx.write(Upsert(document.path, chunk_field(mark)))

    await store.transaction(write)


async def _mark_done(
    app: App, state: ChatState, pending: Sequence[Document], talk: ModelTalk, proposals: Proposals, model: ModelPass
) -> None:
    """Write the chunks, mark their messages and put both into the index, last of all and in one transaction: whoever
    asks meanwhile finds them among what is unread, or in the index.

    Nothing is written when one of the messages is another chunk's or gone, or somebody opted out or in: the next round
    takes what is there then.
    """
    chat_id, now = state.chat_id, app.clock.now()
    chunk_of: dict[str, Chunk] = {}
    names = await load_names(app.store, app.indexes, state, talk.messages)
    for part, readable, reading in zip(_divide(app.policy, pending), talk.parts, model.chunks, strict=True):
        said = [read_message(document).message for document in part]
        chunk = new_chunk(app.clock, app.policy, state, said, readable, proposals.facts, model, reading, names)
        chunk_of |= {document.path: chunk for document in part}
    chunks = list({chunk.id: chunk for chunk in chunk_of.values()}.values())
    chat = {"chunks": Increment(len(chunks)), "cursor": _id(pending[-1]), "last_active_at": now}
    owed: list[WorkKind] = ["waits"] if any(waits(app.model, app.embedder, chunk) for chunk in chunks) else []
    language = _language(talk.messages, state.language)
    speakers = {message.user_id: message for message in talk.messages if message.may_teach}
    writes = [
        mark_work_due(chat_id, "made", *owed),
        Upsert(chat_path(chat_id), {"schema": SCHEMA, "chat_id": chat_id, **chat, **language}),
        *(Upsert(member_path(chat_id, user_id), speaker_fields(last)) for user_id, last in speakers.items()),
        *count_refused(app.clock, chat_id, proposals.refused),
    ]

    async def commit(tx: Transaction) -> list[int]:
        kept = [chat_path(chat_id), index_head_path(chat_id)]
        document, head, *there = await tx.get_many([*kept, *(document.path for document in pending)])
        chat_now, found = read_chat(chat_id, document), [document for document in there if document is not None]
        if not same_consent(chat_now, state) or len(found) < len(pending):
            return []
        if any(chunk_state_of(each) is not ChunkState.UNREAD for each in found):
            return []
        said, placed = {document.path: document for document in found}, Placed()
        if head is not None or not state.chunks:  # else the index is lost, and `index_chat` takes all up
            placed = await place_notes(tx, chat_now, head_of(head), chunks, said)
        read = {document.path: read_message(document).message.text for document in pending}
        stale = [document for document in found if read_message(document).message.text != read[document.path]]
        for document in found:  # one that was edited meanwhile is learnt from again
            again = edited_field() if document in stale else {}
            tx.write(Upsert(document.path, chunk_field(ChunkState.READ, chunk_of[document.path].id) | again))
        for chunk in chunks:
            tx.write(Upsert(chunk.path, chunk_to_fields(chunk) | indexed_fields(done=chunk in placed.notes)))
        for write in (*writes, *placed.writes):
            tx.write(write)
        return [_id(document) for document in stale]

    for message_id in await app.store.transaction(commit):
        mark = f"edited-meanwhile-{message_id}-{now:%Y%m%d%H%M%S}"
        await app.schedule.extraction_later(chat_id, mark=mark, run_at=None)


def _id(document: Document) -> int:
    return int(document.id)


def _language(messages: Sequence[Message], known: str | None) -> dict[str, str]:
    """The language that most of the messages are in; a few do not change what is known."""
    spoken = Counter(language for m in messages if m.may_teach and (language := detect_language(m.text)))
    if not spoken:
        return {}
    most, count = spoken.most_common(1)[0]
    return {"language": most} if known is None or count >= _LANGUAGE_SAMPLE else {}
