"""Episodes: what a conversation was like, written down once it is over from what the model read in its chunks.

Which messages no episode holds yet stands on their chunks (`awaiting_episode`), with times and topics, so whether
something is over is judged without reading a message. Episode and marks are written in one transaction: a task that
dies half-way is run again, and two at once write one episode.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from functools import partial
from typing import NamedTuple

from shared.application.app import App
from shared.application.chats.chat_codec import ChatState
from shared.application.conversation.consent_gate import consent_holds, may_retell, quotable_messages, readable_by_ids
from shared.application.documents import chunks_path, episodes_path
from shared.application.ports.store import DocumentStore, Set, Transaction, Upsert
from shared.application.reading.chunks import members_in
from shared.application.reading.notes.codec import (
    AWAITS_EPISODE,
    Episode,
    episode_mark_fields,
    episode_to_fields,
    mark_work_due,
    new_note_path,
    read_chunk,
    read_episode,
)
from shared.application.reading.notes.embeddings import embed_note
from shared.application.reading.notes.redoing import redo_due, replace_note, waits
from shared.application.reading.setting_aside import ExtractionPiece, Pieces
from shared.application.recall.loading import load_names
from shared.application.recall.note_codec import NoteTexts
from shared.application.recall.note_queries import BY_FIRST, BY_LAST, ending_from
from shared.application.spending.asking import OFFLINE
from shared.domain.conversation.messages import Message
from shared.domain.people.naming import NameBook, mark_names, plain_names
from shared.domain.reading.episodes.conversations import (
    MIN_MESSAGES,
    MOST_MESSAGES,
    SILENCE,
    Outline,
    divide_by_topic,
    is_over,
    split_by_silence,
)
from shared.domain.reading.episodes.portrait import excerpt_portrait
from shared.domain.reading.summaries.wording import clean_summary

_OPEN_CHUNKS = 25  # with messages awaiting an episode, looked at in one task: more than the longest episode has
_MOST_CLOSED = 5  # conversations a task; the next one goes on


class Closing(NamedTuple):
    """The result of a look at the open conversations.

    Attributes:
        more: There is more to close right now than one task does.
        due_at: When the first of those that go on would be over, if nothing more is said; None when none would make
            an episode.
    """

    more: bool = False
    due_at: datetime | None = None


_Marks = Mapping[Outline, tuple[str, int]]
"""The place at which each message is marked: the path of its chunk, and its position there."""


async def close_episodes(app: App, state: ChatState, pieces: Pieces, *, quiet_until: datetime) -> Closing:
    """Write down the conversations that are over; one that always fails is passed over.

    Args:
        quiet_until: Nothing was said in the chat between what is in chunks and this instant: now, or the time of the
            oldest message that is in no chunk yet.
    """
    chunks = await app.store.query(
        chunks_path(state.chat_id), where=[AWAITS_EPISODE], order_by=[BY_FIRST], limit=_OPEN_CHUNKS
    )
    marks: _Marks = {
        Outline(chunk.message_ids[at], chunk.sent_at[at], chunk.threads[at]): (chunk.path, at)
        for chunk in map(read_chunk, chunks)
        for at in chunk.awaiting_episode
    }
    full = len(chunks) == _OPEN_CHUNKS
    runs = split_by_silence(list(marks))
    over = [is_over(run, quiet_until=quiet_until) for run in runs]
    closing = [n for n, run in enumerate(runs) if over[n] or len(run) >= MOST_MESSAGES]
    going_on = [run for n, run in enumerate(runs) if n not in closing]
    if full and not closing:  # many topics at once: the oldest makes room
        closing, over[0] = [0], True
    complete = True
    for n in closing[:_MOST_CLOSED]:
        close = partial(_close, app, state, runs[n], marks, pieces, is_over=over[n])
        aside = partial(_write, app, state, [], [marks[outline] for outline in runs[n]])
        complete = await pieces.do(_conversation(state, runs[n]), close, aside) is not False
        if not complete:
            break
    ends = [run[-1].sent_at + SILENCE for run in going_on if len(run) >= MIN_MESSAGES]
    return Closing(not complete or full or len(closing) > _MOST_CLOSED, min(ends, default=None))


def _conversation(state: ChatState, said: Sequence[Outline | Message]) -> ExtractionPiece:
    return ExtractionPiece(state.chat_id, "conversation", tuple(each.message_id for each in said))


async def _close(
    app: App, state: ChatState, run: Sequence[Outline], marks: _Marks, pieces: Pieces, *, is_over: bool
) -> bool:
    """Return whether the conversation is written down, or passed over as too short; False when something came between.

    A part of it that always fails is passed over; while one is to be tried again, all of it is.
    """
    parts, in_episode = [], list(run)
    if len(run) >= MIN_MESSAGES:
        parts = divide_by_topic(await _read_messages(app.store, state, [outline.message_id for outline in run]))
        if not is_over and len(parts) > 1:  # the last one goes on
            *parts, rest = parts
            next_one = (rest[0].sent_at, rest[0].message_id)
            in_episode = [outline for outline in in_episode if (outline.sent_at, outline.message_id) < next_one]
    episodes = []
    for part in parts:
        if sum(1 for m in part if m.may_teach or (m.media and not m.is_bot)) < MIN_MESSAGES:
            continue
        piece = _conversation(state, part)
        episode = await pieces.do(piece, partial(_compose, app, state, part))
        if pieces.comes_again(piece):
            return True
        episodes += [] if episode is None else [episode]
    return await _write(app, state, episodes, [marks[outline] for outline in in_episode])


async def _read_messages(store: DocumentStore, state: ChatState, message_ids: Sequence[int]) -> list[Message]:
    """Return what may be read of these messages, in the order in which they were said."""
    return sorted(await readable_by_ids(store, state, message_ids), key=lambda m: (m.sent_at, m.message_id))


async def _compose(app: App, state: ChatState, messages: Sequence[Message]) -> Episode:
    told = await _read_chunk_summaries(app.store, state, messages)
    ids = sorted(message.message_id for message in messages)
    now = app.clock.now()
    episode = Episode(
        path=new_note_path(state.chat_id, "episode", ids[0], ids[-1]),
        first=ids[0],
        last=ids[-1],
        first_at=messages[0].sent_at,
        last_at=messages[-1].sent_at,
        thread_id=messages[0].thread_id,
        message_ids=tuple(ids),
        texts=NoteTexts(),
        model_pending=told.is_pending,
        awaits_index=True,
        made_at=now,
        expire_at=now + state.retention(app.policy.retention),
    )
    names = await load_names(app.store, app.indexes, state, messages)
    shown = quotable_messages(state, messages)
    return await embed_note(app.embedder, state, with_portrait(episode, told, shown, names))


class ChunkSummaries(NamedTuple):
    """A model's texts about the chunks that a conversation lies in.

    Attributes:
        summary: Of all of them, or "": no model read one of them, or what it wrote may not be told.
        speakers: Whose words that was made from.
        made_with: With which messages it was.
        is_pending: A model is still to read one of them.
    """

    summary: str = ""
    made_by: str = OFFLINE
    speakers: frozenset[int] = frozenset()
    made_with: frozenset[int] = frozenset()
    is_pending: bool = False


async def _read_chunk_summaries(store: DocumentStore, state: ChatState, messages: Sequence[Message]) -> ChunkSummaries:
    ids = {message.message_id for message in messages}
    ending = [ending_from(min(ids, default=0))]
    found = await store.query(chunks_path(state.chat_id), where=ending, order_by=[BY_LAST], limit=_OPEN_CHUNKS)
    chunks = [chunk for chunk in map(read_chunk, found) if not ids.isdisjoint(chunk.message_ids)]
    if any(chunk.model_pending for chunk in chunks):
        return ChunkSummaries(is_pending=True)
    if not chunks or any(c.made_by == OFFLINE or not may_retell(state, c.speakers) for c in chunks):
        return ChunkSummaries()
    chunks.sort(key=lambda chunk: (chunk.first_at, chunk.first))
    summaries = dict.fromkeys(plain_names(chunk.texts.summary) for chunk in chunks)
    speakers = frozenset(user_id for chunk in chunks for user_id in chunk.speakers)
    made_with = frozenset(each for chunk in chunks for each in chunk.made_with or chunk.message_ids)
    return ChunkSummaries(clean_summary("\n".join(summaries)), chunks[-1].made_by, speakers, made_with)


def with_portrait(episode: Episode, told: ChunkSummaries, messages: Sequence[Message], book: NameBook) -> Episode:
    """Return an episode with what its chunks tell, and with what its messages show; excerpts where no model read
    them."""
    portrait = excerpt_portrait(messages)
    texts = NoteTexts(
        summary=mark_names(told.summary or portrait.summary, book),
        themes=tuple(theme for theme in portrait.themes if not book.members_named(theme)),
        tone=portrait.tone,
        key_topics=tuple(topic for topic in portrait.key_topics if not book.members_named(topic)),
    )
    made_by = told.made_by if told.summary else OFFLINE
    speakers = tuple(sorted({*members_in(messages), *told.speakers}))
    made_with = tuple(sorted({*(message.message_id for message in messages), *told.made_with}))
    return replace(episode, texts=texts, speakers=speakers, made_with=made_with, made_by=made_by)


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
            tx.write(mark_work_due(state.chat_id, "waits"))
        return True

    return await app.store.transaction(commit)


async def _redo(app: App, state: ChatState, episode: Episode) -> bool:
    messages = await _read_messages(app.store, state, episode.message_ids)
    told = await _read_chunk_summaries(app.store, state, messages)
    if told.is_pending and not episode.stale:
        return True  # what it says holds until the model is back
    again = replace(episode, model_pending=told.is_pending, stale=False)
    shown = quotable_messages(state, messages)
    if shown and (told.summary or episode.stale):
        again = with_portrait(again, told, shown, await load_names(app.store, app.indexes, state, messages))
    again = await embed_note(app.embedder, state, again)
    return not await replace_note(app, state, episode, again) or told.is_pending


redo_episodes = partial(redo_due, path=episodes_path, read=read_episode, redo=_redo)
"""Make episodes again from their messages."""
