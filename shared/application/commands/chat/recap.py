"""`/gryadrecap`: what somebody missed, with links."""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta

import numpy as np

from shared.application.app import App
from shared.application.commands.call import CommandCall, Scene, answer, usage
from shared.application.conversation.history import Topic
from shared.application.delivery.answer import Answer
from shared.application.delivery.wording import pages, show_people
from shared.application.facts.profiles import subject_facts
from shared.application.policy import Policy
from shared.application.ports.system import Clock
from shared.application.recall.loading import load_corpus
from shared.application.recall.search import messages_at, messages_shown, name_people, notes_shown
from shared.domain.answering.recap import choose_telling, gist, read_begin, said_to
from shared.domain.conversation.messages import Message
from shared.domain.delivery.markup import escape
from shared.domain.facts.profile import ProfileFact, people_in
from shared.domain.people.labels import Identity
from shared.domain.recall.index.corpus import Corpus
from shared.domain.recall.index.note import Note
from shared.domain.text.plain import one_line

WITHOUT_OWN_WORD = timedelta(days=1)
"""The time that is told to somebody who never said anything here."""

MOST_READ = 500
"""Messages looked through for what was said to the asker."""

MOST_FACTS = 6
"""Newly learnt facts in a recap."""

_NOTE, _QUOTE = 220, 160  # characters of each line


@dataclass(frozen=True, slots=True)
class Missed:
    """The talk, notes and facts that came after `since`.

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
    here = call.scene(app.policy)
    named = read_begin(call.args, now=app.clock.now().astimezone(here.zone)) if call.args else None
    if call.args and named is None:
        return usage(call)
    corpus, facts = await asyncio.gather(
        load_corpus(app, call.state), subject_facts(app.store, app.policy, call.state, ["chat"], now=app.clock.now())
    )
    missed = _count_missed(app.clock, app.policy, call, corpus, named, facts["chat"])
    since = f"{missed.since.astimezone(here.zone):%d.%m %H:%M}"
    if not missed.count:
        private = call.state.is_private(by_default=app.policy.private_mode)
        return answer(call, "recap_private" if private else "recap_nothing", since=since)
    also = {m.user_id: Identity(m.user_id, m.name, username=m.username) for m in missed.to_asker}
    _, labels, retell = name_people(app.policy, call.state, corpus, [note.text for note in missed.notes], also)
    notes = [replace(note, text=retell(note.text)) for note in missed.notes]
    addressed = [replace(message, name=labels[message.user_id]) for message in missed.to_asker]
    told = Answer.of(*pages(_lines(here, replace(missed, notes=notes, to_asker=addressed), since)))
    between = [(corpus.message_ids >= note.first) & (corpus.message_ids <= note.last) for note in missed.notes]
    said = {int(each) for rows in between for each in np.unique(corpus.speakers[rows])}
    return show_people(told, said | {message.user_id for message in missed.to_asker} | people_in(missed.facts))


def _count_missed(
    clock: Clock,
    policy: Policy,
    call: CommandCall,
    corpus: Corpus,
    named: datetime | None,
    facts: Sequence[ProfileFact],
) -> Missed:
    topic = Topic(call.message.thread_id) if call.state.is_forum and call.message.thread_id else None
    before, now = call.message.message_id, clock.now()
    shown = messages_shown(clock, policy, call.state, corpus, topic=topic, before=before)
    mine = corpus.speakers == call.user_id
    own = np.flatnonzero(mine & shown)
    last_word = datetime.fromtimestamp(int(corpus.sent_at[own].max()), now.tzinfo) if len(own) else None
    since = named or last_word or now - WITHOUT_OWN_WORD
    rows = np.flatnonzero(shown & ~corpus.bots & (corpus.sent_at > since.timestamp()) & ~mine)
    rows = rows[np.argsort(corpus.message_ids[rows], kind="stable")]
    first, notes = corpus.message(int(rows[0])) if len(rows) else None, list[Note]()
    if first is not None:  # those of which at least the end was missed
        of_notes = notes_shown(clock, policy, call.state, corpus, topic=topic, before=before)
        late = np.flatnonzero(of_notes & (corpus.notes.lasts >= first.message_id))
        notes = choose_telling(corpus.notes.note(int(row)) for row in late)
    read = [message for message in messages_at(call.state, corpus, rows[-MOST_READ:]) if message.kind != "command"]
    replied_to = frozenset(map(int, corpus.message_ids[mine]))
    return Missed(
        since=since,
        count=len(rows),
        people=len(np.unique(corpus.speakers[rows])),
        first=first,
        notes=notes,
        to_asker=said_to(read, call.user_id, names=corpus.names.get(call.user_id, ()), own=replied_to),
        facts=[fact for fact in facts if fact.valid_from is not None and fact.valid_from > since][:MOST_FACTS],
    )


def _lines(here: Scene, missed: Missed, since: str) -> list[str]:
    lines = [here.say("recap_title", since=since, count=str(missed.count), people=str(missed.people))]
    if missed.first is not None and (link := here.link(missed.first.message_id, missed.first.thread_id)):
        lines[0] += f' <a href="{escape(link)}">{here.say("recap_from_here")}</a>'
    addressed = ((f"{one_line(m.name, 40)}: {one_line(m.text, _QUOTE)}", m.message_id) for m in missed.to_asker)
    talk = ((one_line(gist(note), _NOTE), note.first) for note in missed.notes)
    learnt = (
        (one_line(fact.description, _QUOTE), fact.evidence[0].message_id if fact.evidence else 0)
        for fact in missed.facts
    )
    for title, items in (("recap_to_you", addressed), ("recap_talk", talk), ("recap_learnt", learnt)):
        told = [f"• {escape(text)}{here.arrow(message_id)}" for text, message_id in items]
        lines += ["", here.say(title), *told] if told else []
    return lines
