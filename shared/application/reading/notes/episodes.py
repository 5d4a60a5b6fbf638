"""Episodes: what a conversation was like, written down once it is over.

Which messages no episode holds yet stands on their chunks (`awaiting_episode`), with times and topics, so whether
something is over is judged without reading a message. Episode and marks are written in one transaction: a task that
dies half-way is run again, and two at once write one episode.
"""

from __future__ import annotations

import logging
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from functools import partial
from typing import NamedTuple

from shared.application.app import App
from shared.application.chats.chat_codec import ChatState
from shared.application.chats.choices import choices_for
from shared.application.conversation.hearing import consent_holds, readable_messages
from shared.application.conversation.message_codec import read_message
from shared.application.documents import chunks_path, episodes_path, message_path
from shared.application.policy import Policy
from shared.application.ports.model import ModelRequest
from shared.application.ports.store import DocumentStore, Filter, Set, Transaction, Upsert
from shared.application.reading.chunks import members_in
from shared.application.reading.notes.codec import (
    AWAITS_EPISODE,
    Chunk,
    Episode,
    Participant,
    episode_mark_fields,
    episode_to_fields,
    left_to_do,
    new_episode_path,
    read_chunk,
    read_episode,
)
from shared.application.reading.notes.embeddings import embed_note
from shared.application.reading.notes.redoing import Redone, ask_if_possible, redo_due, replace_note, waits
from shared.application.reading.setting_aside import ExtractionPiece, Pieces
from shared.application.recall.note_codec import NoteTexts, outdated_fields
from shared.application.recall.note_queries import BY_FIRST, holding_message
from shared.application.spending.asking import OFFLINE, ModelAnswer, memory_request
from shared.domain.conversation.messages import Message
from shared.domain.conversation.transcript import transcript
from shared.domain.reading.episodes import (
    MIN_MESSAGES,
    MOST_MESSAGES,
    SILENCE,
    Outline,
    Portrait,
    divide_by_topic,
    excerpt_portrait,
    is_over,
    read_portrait,
    split_by_silence,
)
from shared.prompts import prompt

log = logging.getLogger(__name__)

EPISODE_TOKENS = 1_000

_OPEN_CHUNKS = 25  # with messages awaiting an episode, looked at in one task: more than the longest episode has
_MOST_CLOSED = 5  # conversations a task; the next one goes on


class Closing(NamedTuple):
    """What a look at the open conversations came to.

    Attributes:
        more: There is more to close right now than one task does.
        due_at: When the first of those that go on would be over, if nothing more is said; None when none would make
            an episode.
    """

    more: bool = False
    due_at: datetime | None = None


class _EpisodeRun(NamedTuple):
    """A conversation: its messages, and where each is marked."""

    outlines: Sequence[Outline]
    over: bool


_Marks = Mapping[Outline, tuple[str, int]]
"""Where each message is marked: the path of its chunk, and its position there."""


async def close_episodes(app: App, state: ChatState, pieces: Pieces, *, quiet_until: datetime) -> Closing:
    """Write down the conversations that are over; one that always fails is passed over.

    Args:
        quiet_until: Nothing was said in the chat between what is in chunks and this instant: now, or the time of the
            oldest message that is in no chunk yet.
    """
    chunks = await app.store.query(
        chunks_path(state.chat_id), where=[AWAITS_EPISODE], order_by=[BY_FIRST], limit=_OPEN_CHUNKS
    )
    outlines = _outlines(map(read_chunk, chunks))
    full = len(chunks) == _OPEN_CHUNKS
    runs = [_EpisodeRun(run, is_over(run, quiet_until=quiet_until)) for run in split_by_silence(list(outlines))]
    closing = [run for run in runs if run.over or len(run.outlines) >= MOST_MESSAGES]
    if full and not closing:
        closing = [_EpisodeRun(runs[0].outlines, over=True)]  # many topics at once: the oldest makes room
    complete = True
    for run in closing[:_MOST_CLOSED]:
        complete = await _close_or_set_aside(app, state, run, outlines, pieces)
        if not complete:
            break
    more = not complete or full or len(closing) > _MOST_CLOSED
    return Closing(more, _due_at([run for run in runs if run not in closing]))


def _outlines(chunks: Iterable[Chunk]) -> dict[Outline, tuple[str, int]]:
    """Every message awaiting an episode with its chunk's path and its position there."""
    return {
        Outline(chunk.message_ids[at], chunk.sent_at[at], chunk.threads[at]): (chunk.path, at)
        for chunk in chunks
        for at in chunk.awaiting_episode
    }


def _due_at(going_on: Sequence[_EpisodeRun]) -> datetime | None:
    ends = [run.outlines[-1].sent_at + SILENCE for run in going_on if len(run.outlines) >= MIN_MESSAGES]
    return min(ends, default=None)


async def _close_or_set_aside(app: App, state: ChatState, run: _EpisodeRun, outlines: _Marks, pieces: Pieces) -> bool:
    """Return whether it is done with for this task; False when something came between."""
    piece = _conversation(state, (outline.message_id for outline in run.outlines))
    marks = [outlines[outline] for outline in run.outlines]
    close = partial(_close, app, state, run, outlines, pieces)
    return await pieces.do(piece, close, partial(_write, app, state, [], marks)) is not False


def _conversation(state: ChatState, message_ids: Iterable[int]) -> ExtractionPiece:
    return ExtractionPiece(state.chat_id, "conversation", tuple(message_ids))


async def _close(app: App, state: ChatState, run: _EpisodeRun, marks: _Marks, pieces: Pieces) -> bool:
    """Return whether the conversation is written down, or passed over as too short; False when something came between.

    A part of it that always fails is passed over; while one is to be tried again, all of it is.
    """
    parts, in_episode = [], list(run.outlines)
    if len(run.outlines) >= MIN_MESSAGES:
        messages = await readable_by_ids(app.store, state, [outline.message_id for outline in run.outlines])
        parts = divide_by_topic(messages)
        if not run.over and len(parts) > 1:  # the last one goes on
            *parts, rest = parts
            next_one = (rest[0].sent_at, rest[0].message_id)
            in_episode = [outline for outline in in_episode if (outline.sent_at, outline.message_id) < next_one]
    episodes = []
    for part in filter(_is_conversation, parts):
        piece = _conversation(state, (message.message_id for message in part))
        episode = await pieces.do(piece, partial(_compose, app, state, part))
        if pieces.comes_again(piece):
            return True
        episodes += [] if episode is None else [episode]
    return await _write(app, state, episodes, [marks[outline] for outline in in_episode])


async def readable_by_ids(store: DocumentStore, state: ChatState, message_ids: Sequence[int]) -> list[Message]:
    """Return what may be read of these messages, in the order in which they were said."""
    found = await store.get_many([message_path(state.chat_id, message_id) for message_id in message_ids])
    said = readable_messages(state, [document for document in found if document is not None])
    return sorted(said, key=lambda m: (m.sent_at, m.message_id))


def _is_conversation(messages: Sequence[Message]) -> bool:
    return sum(1 for m in messages if m.may_teach or (m.media and not m.is_bot)) >= MIN_MESSAGES


async def _compose(app: App, state: ChatState, messages: Sequence[Message]) -> Episode:
    asked = await ask_if_possible(app, state, episode_request(app.policy, state, messages))
    ids = sorted(message.message_id for message in messages)
    now = app.clock.now()
    episode = Episode(
        path=new_episode_path(state.chat_id, ids[0], ids[-1]),
        first=ids[0],
        last=ids[-1],
        first_at=messages[0].sent_at,
        last_at=messages[-1].sent_at,
        thread_id=messages[0].thread_id,
        message_ids=tuple(ids),
        texts=NoteTexts(),
        model_pending=asked.later,
        awaits_index=True,
        made_at=now,
        expire_at=now + state.retention(app.policy.retention),
    )
    return await embed_note(app.embedder, state, with_portrait(episode, asked, messages, excerpts=True))


def episode_request(policy: Policy, state: ChatState, messages: Sequence[Message]) -> ModelRequest:
    """Asks what a conversation was like."""
    from shared.prompts.episode import describe_episode_fields, episode_schema

    return memory_request(
        "episode",
        choices_for(policy, state),
        most_tokens=EPISODE_TOKENS,
        schema=episode_schema(),
        fields=describe_episode_fields(),
        transcript=transcript(list(messages), media=True),
    )


def portrait_from_answer(text: str, messages: Sequence[Message]) -> Portrait | None:
    """Return what is kept of the model's answer; None when it is of no use."""
    return read_portrait(text, messages, instructions=prompt("episode").text) if text else None


def with_portrait(episode: Episode, asked: ModelAnswer, messages: Sequence[Message], *, excerpts: bool) -> Episode:
    """Return an episode with what the model says of its messages.

    Args:
        excerpts: Excerpts stand in where the model gives nothing of use; else the episode says what it said.
    """
    portrait = portrait_from_answer(asked.text, messages)
    if portrait is None and not excerpts:
        return episode
    made_by = asked.made_by("episode") if portrait is not None else OFFLINE
    portrait = portrait or excerpt_portrait(messages)
    names = {message.user_id: message.name for message in messages}
    texts = NoteTexts(
        summary=portrait.summary,
        themes=portrait.themes,
        tone=portrait.tone,
        emotional_arc=portrait.emotional_arc,
        key_topics=portrait.key_topics,
    )
    participants = tuple(Participant(user_id, names[user_id]) for user_id in portrait.participants)
    return replace(episode, texts=texts, participants=participants, speakers=members_in(messages), made_by=made_by)


async def _write(app: App, state: ChatState, episodes: Sequence[Episode], marks: Sequence[tuple[str, int]]) -> bool:
    """Store the episodes and mark their messages; False when another run was faster, or who may be heard changed."""
    positions: dict[str, set[int]] = defaultdict(set)
    for path, at in marks:
        positions[path].add(at)

    async def commit(tx: Transaction) -> bool:
        if episodes and not await consent_holds(tx, state):
            return False
        found = await tx.get_many(sorted(positions))
        chunks = [read_chunk(document) for document in found if document is not None]
        still = [chunk for chunk in chunks if positions[chunk.path] <= set(chunk.awaiting_episode)]
        if len(still) < len(positions):
            return False  # put into one by another run, moved away or expired
        for episode in episodes:
            tx.write(Set(episode.path, episode_to_fields(episode)))
        for chunk in chunks:
            awaiting_episode = [at for at in chunk.awaiting_episode if at not in positions[chunk.path]]
            tx.write(Upsert(chunk.path, episode_mark_fields(awaiting_episode)))
        if any(waits(app.model, app.embedder, episode) for episode in episodes):
            tx.write(left_to_do(state.chat_id, "waits"))
        return True

    return await app.store.transaction(commit)


_MOST_HELD = 5  # episodes that hold one message: more than there are


async def redo_episodes(app: App, state: ChatState, pieces: Pieces, *, which: Filter, limit: int) -> Redone:
    """Make episodes again from their messages.

    Args:
        which: `STALE`: messages of theirs have changed; `MODEL_PENDING`: they were made without the model.
    """
    episodes = episodes_path(state.chat_id)
    return await redo_due(app, state, episodes, which, pieces, most=limit, read=read_episode, redo=_redo)


async def _redo(app: App, state: ChatState, episode: Episode) -> bool:
    """Return whether the model is still to be asked about it."""
    messages = await readable_by_ids(app.store, state, episode.message_ids)
    request = episode_request(app.policy, state, messages) if messages else None
    asked = await ask_if_possible(app, state, request, payer=episode.edited_by)
    if asked.later and not episode.stale:
        return True  # what it says holds until the model is back
    again = replace(episode, model_pending=asked.later, stale=False)
    again = with_portrait(again, asked, messages, excerpts=episode.stale and bool(messages))
    again = await embed_note(app.embedder, state, again)
    return not await replace_note(app, state, episode, again) or asked.later


async def stale_episodes(store: DocumentStore, state: ChatState, message_id: int, *, by: int) -> None:
    """Have the episodes that hold a message made again: its author edited it."""
    where = [holding_message(message_id)]
    found = await store.query(episodes_path(state.chat_id), where=where, limit=_MOST_HELD)
    for document in found:
        if await store.update(document.path, outdated_fields(by=by)):
            await store.update(*left_to_do(state.chat_id, "stale"))


async def tell_again(store: DocumentStore, chat_id: int, message_ids: Sequence[int]) -> int:
    """Have messages that are in chunks told by an episode once more; how many there are."""

    async def untell(tx: Transaction) -> int:
        said = [d for d in await tx.get_many([message_path(chat_id, each) for each in message_ids]) if d is not None]
        ids = {chunk_id for document in said if (chunk_id := read_message(document).chunk_id)}
        paths = [f"{chunks_path(chat_id)}/{chunk_id}" for chunk_id in sorted(ids)]
        awaiting_episode = 0
        found = await tx.get_many(paths) if paths else []
        for chunk in (read_chunk(document) for document in found if document is not None):
            at = {n for n, each in enumerate(chunk.message_ids) if each in message_ids}
            awaiting = sorted(at | set(chunk.awaiting_episode))
            tx.write(Upsert(chunk.path, episode_mark_fields(awaiting)))
            awaiting_episode += len(at)
        tx.write(left_to_do(chat_id, "made"))
        return awaiting_episode

    return await store.transaction(untell)
