"""`/gryadrecap`: what somebody missed, with links."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

import numpy as np

from shared.application.app import App
from shared.application.chats.choices import choices_for
from shared.application.commands.call import CommandCall, answer, usage
from shared.application.conversation.history import Topic
from shared.application.delivery.answer import Answer
from shared.application.delivery.wording import pages, showing
from shared.application.facts.profiles import subject_facts
from shared.application.policy import Policy
from shared.application.ports.system import Clock
from shared.application.recall.loading import load_corpus
from shared.application.recall.search import messages_at, messages_shown, notes_shown
from shared.domain.answering.recap import gist, said_to, since_when, telling
from shared.domain.conversation.links import message_link
from shared.domain.conversation.messages import Message
from shared.domain.delivery.markup import escape
from shared.domain.facts.profile import ProfileFact, people_in
from shared.domain.recall.index.corpus import Corpus
from shared.domain.recall.index.note import Note
from shared.domain.text.plain import one_line
from shared.locales import say

WITHOUT_OWN_WORD = timedelta(days=1)
"""What is told to somebody who never said anything here."""

MOST_READ = 500
"""Messages looked through for what was said to the asker."""

MOST_FACTS = 6
"""Newly learnt facts in a recap."""

_NOTE, _QUOTE = 220, 160  # characters of each line


@dataclass(frozen=True, slots=True)
class Missed:
    """What came after `since`.

    Attributes:
        count: Messages of people.
        first: The first of them, or None.
    """

    since: datetime
    count: int
    people: int
    first: Message | None
    notes: Sequence[Note]
    to_asker: Sequence[Message]
    facts: Sequence[ProfileFact]


async def tell(app: App, call: CommandCall) -> Answer:
    """Return what was said since the asker's last message, or since the time that they name."""
    zone = choices_for(app.policy, call.state).timezone
    named = since_when(call.args, now=app.clock.now().astimezone(zone)) if call.args else None
    if call.args and named is None:
        return usage(call)
    corpus, facts = await asyncio.gather(
        load_corpus(app, call.state),
        subject_facts(app.store, app.policy, call.state, ["chat"], now=app.clock.now()),
    )
    missed = _count_missed(app.clock, app.policy, call, corpus, named, facts["chat"])
    since = _clock(missed.since.astimezone(zone))
    if not missed.count:
        private = call.state.is_private(by_default=app.policy.private_mode)
        return answer(call, "recap_private" if private else "recap_nothing", since=since)
    told = Answer.of(*pages(_lines(call, missed, since)))
    said = {int(each) for note in missed.notes for each in np.unique(corpus.speakers[_within(corpus, note)])}
    return showing(told, said | {message.user_id for message in missed.to_asker} | people_in(missed.facts))


def _within(corpus: Corpus, note: Note) -> np.ndarray:
    """Return which messages a note is about."""
    return (corpus.message_ids >= note.first) & (corpus.message_ids <= note.last)


def _count_missed(
    clock: Clock,
    policy: Policy,
    call: CommandCall,
    corpus: Corpus,
    named: datetime | None,
    facts: Sequence[ProfileFact],
) -> Missed:
    topic = Topic(call.message.thread_id) if call.state.is_forum and call.message.thread_id else None
    shown = messages_shown(clock, policy, call.state, corpus, topic=topic, before=call.message.message_id)
    mine = corpus.speakers == call.user_id
    since = named or _last_word(clock, corpus, np.flatnonzero(mine & shown))
    after = shown & ~corpus.bots & (corpus.sent_at > since.timestamp()) & ~mine
    rows = np.flatnonzero(after)
    rows = rows[np.argsort(corpus.message_ids[rows], kind="stable")]
    read = [message for message in messages_at(call.state, corpus, rows[-MOST_READ:]) if message.kind != "command"]
    own = frozenset(map(int, corpus.message_ids[mine]))
    return Missed(
        since=since,
        count=len(rows),
        people=len(np.unique(corpus.speakers[rows])),
        first=corpus.message(int(rows[0])) if len(rows) else None,
        notes=telling(_notes(clock, policy, call, corpus, topic, int(corpus.message_ids[rows[0]])))
        if len(rows)
        else (),
        to_asker=said_to(read, call.user_id, names=corpus.names.get(call.user_id, ()), own=own),
        facts=[fact for fact in facts if fact.valid_from is not None and fact.valid_from > since][:MOST_FACTS],
    )


def _last_word(clock: Clock, corpus: Corpus, rows: np.ndarray) -> datetime:
    now = clock.now()
    if not len(rows):
        return now - WITHOUT_OWN_WORD
    return datetime.fromtimestamp(int(corpus.sent_at[rows].max()), now.tzinfo)


def _notes(
    clock: Clock, policy: Policy, call: CommandCall, corpus: Corpus, topic: Topic | None, first: int
) -> Iterable[Note]:
    """Notes of which at least the end was missed."""
    shown = notes_shown(clock, policy, call.state, corpus, topic=topic, before=call.message.message_id)
    rows = np.flatnonzero(shown & (corpus.notes.lasts >= first))
    return [corpus.notes.note(int(row)) for row in rows]


# --- how it is told -----------------------------------------------------------------------------


def _lines(call: CommandCall, missed: Missed, since: str) -> list[str]:
    lines = [say(call.language, "recap_title", since=since, count=str(missed.count), people=str(missed.people))]
    if missed.first is not None and (link := _link(call, missed.first.message_id, missed.first.thread_id)):
        lines[0] += f' <a href="{escape(link)}">{say(call.language, "recap_from_here")}</a>'
    for title, told in (
        ("recap_to_you", [_render_message(call, message) for message in missed.to_asker]),
        ("recap_talk", [_render_note(call, note) for note in missed.notes]),
        ("recap_learnt", [_render_fact(call, fact) for fact in missed.facts]),
    ):
        if told:
            lines += ["", say(call.language, title), *told]
    return lines


def _render_message(call: CommandCall, message: Message) -> str:
    return _item(call, f"{one_line(message.name, 40)}: {one_line(message.text, _QUOTE)}", message.message_id)


def _render_note(call: CommandCall, note: Note) -> str:
    return _item(call, one_line(gist(note), _NOTE), note.first)


def _render_fact(call: CommandCall, fact: ProfileFact) -> str:
    return _item(call, one_line(fact.description, _QUOTE), fact.evidence[0].message_id if fact.evidence else 0)


def _item(call: CommandCall, text: str, message_id: int) -> str:
    link = _link(call, message_id, None)
    return f"• {escape(text)}" + (f' <a href="{escape(link)}">→</a>' if link else "")


def _link(call: CommandCall, message_id: int, thread_id: int | None) -> str | None:
    return message_link(call.state.chat_id, message_id, username=call.state.username, thread_id=thread_id)


def _clock(at: datetime) -> str:
    return f"{at:%d.%m %H:%M}"
