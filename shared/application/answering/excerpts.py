"""Chooses the lines of talk for an answer: what was found, with the lines around it, and what was said last."""

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, replace

import numpy as np

from shared.application.chats.chat_codec import ChatState
from shared.application.conversation.history import Topic
from shared.application.policy import Policy
from shared.application.ports.system import Clock
from shared.application.recall.search import Hit, messages_at, messages_shown, notes_shown
from shared.domain.answering.context.compact import SILENCE
from shared.domain.answering.context.material import Excerpt
from shared.domain.conversation.messages import Message, message_link
from shared.domain.facts.profile import ProfileFact
from shared.domain.reading.guards.private_details import hide_figures
from shared.domain.recall.index.corpus import Corpus
from shared.domain.recall.index.note import Note
from shared.domain.recall.matching import Mask
from shared.domain.text.excerpt import excerpt_around
from shared.domain.text.language import Language
from shared.domain.text.terms import words_of

REPLIES = 2
"""Replies shown beside a message found, at most: the first ones mostly answer it."""

SAID_ON = 5
"""Messages after one found among which its author may have put it right."""


SUMMARIES, METAS, EPISODES = 5, 6, 2
"""Newest notes of each kind, at most: more do not fit their layers."""


_LATEST, _WIDEST = 20, 8  # looked at: among the latest are chunks, metas and episodes, the widest are metas


_FOUND_CHARS, _REPLIED_CHARS = 600, 2_000
"""Characters of a message that is found, and of the one that the question replies to: a fifth of their layer, and what
fits there alone."""


@dataclass(frozen=True, slots=True)
class UserQuestion:
    """A user's question as the bot is to answer it.

    Attributes:
        message: The message that asks.
        text: It without the bot's name.
        topic: The forum's topic that it stands in, or None outside of forums.
        earlier: What its author asked right before it and is answered with it, oldest first; `text` has it, too.
    """

    message: Message
    text: str
    language: Language
    topic: Topic | None
    earlier: tuple[Message, ...] = ()


@dataclass(frozen=True, slots=True)
class Newest:
    """The newest notes of each kind, newest first; of summaries of summaries the widest of each stretch of talk."""

    metas: Sequence[Note] = ()
    summaries: Sequence[Note] = ()
    episodes: Sequence[Note] = ()


def _find_replied(state: ChatState, corpus: Corpus, said: Message) -> list[Hit]:
    """The message that the question replies to, which it is about however old it is."""
    row = int(corpus.rows_of(np.array([said.reply_to or 0], np.int64))[0])
    if said.reply_to is None or row < 0:
        return []
    return [Hit(message, 0.0, _link(state, said.reply_to)) for message in messages_at(state, corpus, [row])]


def keep_back(message: Message, asker: int) -> Message:
    """Return a message as it is shown to a model that answers somebody: what others keep to themselves is hidden."""
    hidden = replace(message, text=hide_figures(message.text), media_text=hide_figures(message.media_text))
    return message if message.user_id == asker else hidden


def excerpts_of(
    clock: Clock,
    policy: Policy,
    state: ChatState,
    corpus: Corpus,
    hits: Sequence[Hit],
    question: UserQuestion,
    asked: Collection[str],
) -> list[Excerpt]:
    """The messages found, each with those that it is understood by; of long ones what was asked for."""
    shown = messages_shown(clock, policy, state, corpus, topic=question.topic, before=question.message.message_id)
    rows = corpus.rows_of(np.array([hit.message.message_id for hit in hits], np.int64))
    told = [_excerpt(state, corpus, int(row), hit, shown) for row, hit in zip(rows, hits, strict=True)]
    return [_shorten(excerpt, asked, question.message) for excerpt in told]


def _shorten(excerpt: Excerpt, asked: Collection[str], question: Message) -> Excerpt:
    def shorten(message: Message) -> Message:
        limit = _REPLIED_CHARS if message.message_id == question.reply_to else _FOUND_CHARS
        shown = keep_back(message, question.user_id)
        return replace(shown, text=excerpt_around(shown.text, asked, limit))

    return excerpt._replace(message=shorten(excerpt.message), around=tuple(map(shorten, excerpt.around)))


def _excerpt(state: ChatState, corpus: Corpus, row: int, hit: Hit, shown: Mask) -> Excerpt:
    """A message with those of the same sitting right before and after it, the one it replies to, replies to it, and
    what its author said next of the same: "no, it is at seven"."""

    def is_of_sitting(other: int) -> bool:
        apart = abs(int(corpus.sent_at[other] - corpus.sent_at[row]))
        return bool(corpus.threads[other] == corpus.threads[row]) and apart < SILENCE.total_seconds()

    sitting = [other for other in (row - 1, row + 1) if 0 <= other < corpus.size and is_of_sitting(other)]
    own = (n for n in range(row + 2, min(row + SAID_ON + 1, corpus.size)) if corpus.speakers[n] == corpus.speakers[row])
    told = frozenset(words_of(hit.message.text))
    put_right = [n for n in own if is_of_sitting(n) and not told.isdisjoint(words_of(corpus.message(n).text))][:1]
    replies = np.flatnonzero(corpus.replies == row)[:REPLIES]
    near = {*sitting, *put_right, *map(int, replies), int(corpus.replies[row])} - {-1, row}
    around = messages_at(state, corpus, (other for other in near if shown[other]))
    in_order = sorted([*around, hit.message], key=lambda m: (m.sent_at, m.message_id))
    return Excerpt(hit.message, tuple(in_order), hit.link)


def _choose_newest(clock: Clock, policy: Policy, state: ChatState, corpus: Corpus, question: UserQuestion) -> Newest:
    shown = notes_shown(clock, policy, state, corpus, topic=question.topic, before=question.message.message_id)
    rows, notes = np.flatnonzero(shown), corpus.notes
    latest = rows[np.argsort(-notes.lasts[rows], kind="stable")][:_LATEST]
    widest = rows[np.argsort(notes.firsts[rows] - notes.lasts[rows], kind="stable")][:_WIDEST]
    told = {int(row): notes.note(int(row)) for row in (*latest, *widest)}
    recent_notes = [told[int(row)] for row in latest]
    return Newest(
        metas=_choose_outermost(note for note in told.values() if note.kind == "meta")[:METAS],
        summaries=[note for note in recent_notes if note.kind == "chunk"][:SUMMARIES],
        episodes=[note for note in recent_notes if note.kind == "episode"][:EPISODES],
    )


def _choose_outermost(metas: Iterable[Note]) -> list[Note]:
    """Those that lie in no other, newest first."""
    kept: list[Note] = []
    for meta in sorted(metas, key=lambda note: (note.first - note.last, -note.last)):
        if not any(wider.first <= meta.first and meta.last <= wider.last for wider in kept):
            kept.append(meta)
    return sorted(kept, key=lambda note: -note.last)


def links_to_sources(
    clock: Clock, policy: Policy, state: ChatState, corpus: Corpus, facts: Iterable[ProfileFact], notes: Iterable[Note]
) -> dict[int, str]:
    """Return where the messages can be seen, by id, that facts and notes are cited by; none of one that expired."""
    ids = [*(said.message_id for fact in facts for said in fact.evidence[:1]), *(note.first for note in notes)]
    rows = corpus.rows_of(np.array(ids, np.int64))
    shown = messages_shown(clock, policy, state, corpus, topic=None, before=None)
    kept = [number for number, row in zip(ids, rows, strict=True) if row >= 0 and shown[row]]
    return {number: link for number in kept if (link := _link(state, number)) is not None}


def _link(state: ChatState, message_id: int) -> str | None:
    return message_link(state.chat_id, message_id, username=state.username)
