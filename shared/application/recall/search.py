"""Searching a chat's memory: what was said, and what was noted about it, each with a link to where it stands.

Whatever the index still holds, what is shown is what may be shown now: nothing of members who opted out, nothing older
than messages are kept, nothing of bots, and of other topics only when none is asked for.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from datetime import timedelta
from functools import partial
from typing import TYPE_CHECKING

import numpy as np

from shared.application.app import App
from shared.application.chats.chat_codec import ChatState
from shared.application.chats.choices import choices_for
from shared.application.conversation.consent_gate import may_speak, quotable_messages, silent_members
from shared.application.conversation.history import Topic, newest_messages
from shared.application.conversation.message_codec import read_message
from shared.application.conversation.message_queries import in_topic
from shared.application.policy import Policy
from shared.application.ports.system import Clock
from shared.application.recall.loading import load_corpus
from shared.application.telemetry import tell_model_error
from shared.domain.conversation.messages import Message, message_link
from shared.domain.errors import ModelRefused, ModelUnavailable
from shared.domain.people.labels import Identity, labels_of
from shared.domain.people.naming import bearing_book, call_today, mark_names, people_marked
from shared.domain.reading.guards.private_details import hide_figures
from shared.domain.recall.coverage import coverage
from shared.domain.recall.index.corpus import Corpus
from shared.domain.recall.index.note import Note
from shared.domain.recall.index.vectors import AskedVector
from shared.domain.recall.layout import layout_of
from shared.domain.recall.matching import Mask
from shared.domain.recall.question import SearchQuery, read_question
from shared.domain.recall.ranking import rank, rank_notes
from shared.domain.recall.roster import roster_of
from shared.domain.text.plain import is_blank
from shared.domain.text.terms import words_of

if TYPE_CHECKING:
    from shared.application.ports.model import Embedder


VECTOR_WAIT = timedelta(seconds=3)  # for a question's vector: people wait for it, and a tool that searches has five
_READ_TOGETHER = 60  # messages: a stretch that a model reads in one call, and what it is shown before it


@dataclass(frozen=True, slots=True)
class Hit:
    """A message that was found; `link` opens it in Telegram, where that has links, and `coverage` is how much of the
    question it answers at all (`domain.recall.coverage`)."""

    message: Message
    score: float
    link: str | None
    coverage: float = 1.0


@dataclass(frozen=True, slots=True)
class NoteHit:
    """A note that was found; `link` opens the first message that it is about."""

    note: Note
    score: float
    link: str | None


@dataclass(frozen=True, slots=True)
class Recalled:
    """The messages and notes that were found, best first.

    Attributes:
        question: As it was read.
    """

    messages: list[Hit]
    notes: list[NoteHit]
    question: SearchQuery = field(default_factory=lambda: SearchQuery(()))


async def recall(
    app: App,
    state: ChatState,
    text: str,
    *,
    asker: int,
    topic: Topic | None,
    limit: int,
    before: int | None,
    corpus: Corpus | None = None,
) -> Recalled:
    """Search a chat for what answers a question.

    Args:
        asker: Whom "I" and "my" mean.
        topic: Only what was said there; None is everywhere.
        limit: At most so many messages, and so many notes.
        before: Only messages with a lower id, or None.
        corpus: What `load_corpus` gave, when it is at hand; else it is read.

    Raises:
        StoreUnavailable: The store did not answer. That the embedder does not answer only makes the search poorer.
    """
    memory, vector = await asyncio.gather(_load_at_hand(app, state, corpus), _vector(app.embedder, text))
    here = app.clock.now().astimezone(choices_for(app.policy, state).timezone)
    question = read_question(text, asked_at=here, names=memory.names, aliases=memory.aliases, asker=asker)
    shown = messages_shown(app.clock, app.policy, state, memory, topic=topic, before=before)
    told = shown & ~_mark_bot_questions(app.policy, memory)
    messages = rank(memory, question, limit=limit, allowed=told, vector=vector)
    may_show = notes_shown(app.clock, app.policy, state, memory, topic=topic, before=before)
    notes = rank_notes(memory, question, limit=limit, allowed=may_show, vector=vector)
    name = state.username
    shares = coverage(memory, question, [ranked.row for ranked in messages])
    found = [
        Hit(s, each.score, message_link(s.chat_id, s.message_id, username=name, thread_id=s.thread_id or None), share)
        for each, share in zip(messages, shares, strict=True)
        for s in messages_at(state, memory, [each.row])
    ]
    hits = [(memory.notes.item(ranked.row), ranked.score) for ranked in notes]
    noted_at = [(replace(note, text=state.hearsay.without_calls(note.text)), score) for note, score in hits]
    noted = [NoteHit(note, score, message_link(state.chat_id, note.first, username=name)) for note, score in noted_at]
    return Recalled(found, noted, question)


async def recent(
    app: App,
    state: ChatState,
    *,
    before: int | None = None,
    after: int | None = None,
    limit: int,
    topic: Topic | None,
    corpus: Corpus | None = None,
) -> list[Message]:
    """The last `limit` messages before one, or after one (of a topic, when one is given), oldest first, the bots' among
    them.

    They come from the index and its tail, at no read for each; only a private chat, which is not indexed, is queried.

    Args:
        before, after: One of them: the message.
        corpus: What `load_corpus` gave, when it is at hand; else it is read.

    Raises:
        StoreUnavailable: The store did not answer.
    """
    if state.is_private(by_default=app.policy.private_mode):
        where = [] if topic is None else [in_topic(topic.thread_id)]
        said = await newest_messages(app.store, app.clock, state, before=before, after=after, limit=limit, where=where)
        return quotable_messages(state, (read_message(document).message for document in reversed(said)))
    memory = await _load_at_hand(app, state, corpus)
    shown = messages_shown(app.clock, app.policy, state, memory, topic=topic, before=before)
    if after is not None:
        shown &= memory.message_ids > after
    rows = np.flatnonzero(shown)
    newest = rows[np.argsort(memory.message_ids[rows], kind="stable")][max(0, len(rows) - limit) :]
    return messages_at(state, memory, newest)


def messages_at(state: ChatState, corpus: Corpus, rows: Iterable[int]) -> list[Message]:
    """Return what may be used of some rows of the corpus, in their order: the way by which its words are read."""
    return quotable_messages(state, (corpus.message(int(row)) for row in rows))


async def _load_at_hand(app: App, state: ChatState, corpus: Corpus | None) -> Corpus:
    return await load_corpus(app, state) if corpus is None else corpus


async def _vector(embedder: Embedder | None, text: str) -> AskedVector | None:
    if embedder is None or is_blank(text):  # a sticker has no words, and Gemini refuses an empty text
        return None
    try:
        async with asyncio.timeout(VECTOR_WAIT.total_seconds()):
            return AskedVector(embedder.name, (await embedder.embed([text], query=True))[0])
    except (ModelUnavailable, ModelRefused, TimeoutError) as error:
        tell_model_error(error, purpose="embedding")
        return None


def _mark_bot_questions(policy: Policy, corpus: Corpus) -> Mask:
    """Questions to the bot: like the one that is asked now they hold its words, and not their answer."""
    named = np.zeros(corpus.size, np.bool_)
    for word in words_of(" ".join((*policy.bot_names, policy.bot_username))):
        named[corpus.postings(word)[0]] = True
    return named & layout_of(corpus).asking


def messages_shown(
    clock: Clock, policy: Policy, state: ChatState, corpus: Corpus, *, topic: Topic | None, before: int | None
) -> Mask:
    """Return which messages may be shown, as a mask over the corpus."""
    shown = corpus.sent_at >= (clock.now() - state.retention(policy.retention)).timestamp()
    if before is not None:
        shown &= corpus.message_ids < before
    if topic is not None:
        shown &= corpus.threads == (topic.thread_id or 0)
    return shown & ~_by_silenced(state, corpus)


def notes_shown(
    clock: Clock, policy: Policy, state: ChatState, corpus: Corpus, *, topic: Topic | None, before: int | None
) -> Mask:
    """Return which notes may be shown: not those about talk in which somebody spoke who has opted out since, nor about
    what a model may have read together with it."""
    notes = corpus.notes
    shown = notes.sent_at >= (clock.now() - state.retention(policy.retention)).timestamp()
    if before is not None:
        shown &= notes.firsts < before
    if topic is not None:
        shown &= _touches(corpus, corpus.threads == (topic.thread_id or 0))
    gone = _by_silenced(state, corpus)
    return shown & ~_touches(corpus, gone, near=_READ_TOGETHER) if gone.any() else shown


def mark_with_names(corpus: Corpus) -> Callable[[str], str]:
    """Return what marks the names in a text that was stored without marks: a fact, a portrait, CONTEXT.md."""
    return partial(mark_names, book=bearing_book(corpus.names, corpus.aliases))


def name_people(
    policy: Policy, state: ChatState, corpus: Corpus, texts: Iterable[str], also: Mapping[int, Identity]
) -> tuple[dict[int, Identity], dict[int, str], Callable[[str], str]]:
    """Return who is named in marked texts, with some more, what they are called today, and what tells a text so; not
    private details, for of a note nobody knows who wrote them."""
    named = people_marked(*texts).union(also)
    found = roster_of(corpus, named, state.admins).items()
    known = {**also, **{user_id: each for user_id, each in found if may_speak(state, user_id)}}
    labels = labels_of(known.values(), bot_id=policy.bot_id, bot_name=policy.bot_names[0])
    tell, keep = call_today(known, labels), state.hearsay.without_calls
    return known, labels, lambda text: "\n".join(map(hide_figures, keep(tell(text)).split("\n")))


async def label_people(app: App, state: ChatState, names: Mapping[int, str]) -> dict[int, str]:
    """Return what people are called in all that is shown, by the names that are known of them where nobody heard them.

    Raises:
        StoreUnavailable: The store did not answer.
    """
    also = {user_id: Identity(user_id, name) for user_id, name in names.items()}
    _, labels, _ = name_people(app.policy, state, await load_corpus(app, state), (), also)
    return {user_id: labels[user_id] for user_id in names}


def _by_silenced(state: ChatState, corpus: Corpus) -> Mask:
    gone: Mask = np.isin(corpus.speakers, np.array(sorted(silent_members(state)), np.int64))
    return gone


def _touches(corpus: Corpus, rows: Mask, *, near: int = 0) -> Mask:
    """Return which notes are about a stretch of talk that one of these rows is in, or so many messages beside it."""
    everything, notes = np.sort(corpus.message_ids), corpus.notes
    places = np.sort(everything.searchsorted(corpus.message_ids[rows]))
    firsts, lasts = everything.searchsorted(notes.firsts, "left"), everything.searchsorted(notes.lasts, "right")
    touched: Mask = places.searchsorted(firsts - near, "left") < places.searchsorted(lasts + near, "left")
    return touched
