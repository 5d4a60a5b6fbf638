"""Episodes: what a conversation was like, written down once it is over.

Which messages no episode holds yet stands on their chunks (`untold`), with times and topics, so whether something is
over is judged without reading a message. Episode and marks are written in one transaction: a task that dies half-way
is run again, and two at once write one episode.
"""

from __future__ import annotations

import logging
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from functools import partial
from typing import Any, NamedTuple

from shared.application.app import App
from shared.application.chats.chat_codec import ChatState
from shared.application.chats.choices import choices_for
from shared.application.conversation.hearing import consent_holds, readable_messages
from shared.application.documents import chunks_path, episodes_path, message_path
from shared.application.policy import Policy
from shared.application.ports.model import ModelRequest
from shared.application.ports.store import Document, DocumentStore, Filter, Order, Set, Transaction, Upsert
from shared.application.reading.notes.chunks import told_by, waits
from shared.application.reading.notes.upkeep_codec import left_to_do
from shared.application.reading.setting_aside import ExtractionPiece, Pieces
from shared.application.spending.asking import OFFLINE, Embedded, ModelAnswer, ask, can_ask, embed_text, memory_request
from shared.domain.conversation.messages import SCHEMA, Message
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


class _Told(NamedTuple):
    """An episode to write."""

    path: str
    data: dict[str, Any]


async def close_episodes(app: App, state: ChatState, pieces: Pieces, *, quiet_until: datetime) -> Closing:
    """Write down the conversations that are over; one that always fails is passed over.

    Args:
        quiet_until: Nothing was said in the chat between what is in chunks and this instant: now, or the time of the
            oldest message that is in no chunk yet.
    """
    where = [Filter("told", "==", False)]
    chunks = await app.store.query(
        chunks_path(state.chat_id), where=where, order_by=[Order("first")], limit=_OPEN_CHUNKS
    )
    outlines = _outlines(chunks)
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


def _outlines(chunks: Sequence[Document]) -> dict[Outline, tuple[str, int]]:
    """Every message awaiting an episode with its chunk's path and its position there."""
    return {
        Outline(data["message_ids"][at], data["sent"][at], data["threads"][at]): (path, at)
        for path, data in chunks
        for at in data["untold"]
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
        episode = await pieces.do(piece, partial(_tell, app, state, part))
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


async def _tell(app: App, state: ChatState, messages: Sequence[Message]) -> _Told:
    can = await can_ask(app, state)
    asked = (
        await ask(app, state.chat_id, episode_request(app.policy, state, messages)) if can else ModelAnswer(later=True)
    )
    portrait = read_episode(asked.text, messages)
    ids = sorted(m.message_id for m in messages)
    now = app.clock.now()
    data = {
        "schema": SCHEMA,
        "first": ids[0],
        "last": ids[-1],
        "first_at": messages[0].sent_at,
        "last_at": messages[-1].sent_at,
        "thread_id": messages[0].thread_id,
        "message_ids": ids,
        "messages": len(ids),
        **fields_of_portrait(portrait or excerpt_portrait(messages), messages),
        "made_by": asked.made_by("episode") if portrait else OFFLINE,
        "model_pending": asked.later,
        "stale": False,
        "indexed": False,
        "made_at": now,
        "expire_at": now + state.retention(app.policy.retention),
    }
    embedded = (
        await embed_text(app.embedder, told_by(data)) if app.embedder is not None and not asked.later else Embedded()
    )
    return _Told(f"{episodes_path(state.chat_id)}/{ids[0]}-{ids[-1]}", {**data, **embedded.fields()})


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


def read_episode(text: str, messages: Sequence[Message]) -> Portrait | None:
    """Return what is kept of the model's answer; None when it is of no use."""
    return read_portrait(text, messages, instructions=prompt("episode").text) if text else None


def fields_of_portrait(portrait: Portrait, messages: Sequence[Message]) -> dict[str, Any]:
    names = {m.user_id: m.name for m in messages}
    return {
        "summary": portrait.summary,
        "themes": list(portrait.themes),
        "tone": portrait.tone,
        "emotional_arc": portrait.emotional_arc,
        "participants": [{"user_id": user, "name": names[user]} for user in portrait.participants],
        "key_topics": list(portrait.key_topics),
        "speakers": sorted({m.user_id for m in messages if not m.is_bot}),
    }


async def _write(app: App, state: ChatState, episodes: Sequence[_Told], marks: Sequence[tuple[str, int]]) -> bool:
    """Store the episodes and mark their messages; False when another run was faster, or who may be heard changed."""
    positions: dict[str, set[int]] = defaultdict(set)
    for path, at in marks:
        positions[path].add(at)

    async def commit(tx: Transaction) -> bool:
        if episodes and not await consent_holds(tx, state):
            return False
        found = [chunk for chunk in await tx.get_many(sorted(positions)) if chunk is not None]
        still = [chunk for chunk in found if positions[chunk.path] <= set(chunk.data["untold"])]
        if len(still) < len(positions):
            return False  # put into one by another run, moved away or expired
        for path, data in episodes:
            tx.write(Set(path, data))
        for chunk in found:
            awaiting_episode = [at for at in chunk.data["untold"] if at not in positions[chunk.path]]
            tx.write(Upsert(chunk.path, {"untold": awaiting_episode, "told": not awaiting_episode}))
        if any(waits(app.model, app.embedder, data) for _, data in episodes):
            tx.write(left_to_do(state.chat_id, "waits"))
        return True

    return await app.store.transaction(commit)
