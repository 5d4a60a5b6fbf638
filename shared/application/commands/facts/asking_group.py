"""The bot asks the group whether what it noticed is so: seldom, never in quiet hours, never the same twice.

What was asked about a fact is kept in `questions/{fact}`, when was asked last in the chat's document; both are written
in one transaction before the question is sent. A crash in between is made good by the next task, for the chat's
document also says whether the question is known to be out, and sending is done once under a name of its own.
"""

import logging
from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import Any, NamedTuple

from shared.application.app import App
from shared.application.chats.chat_codec import ChatState, LastQuestion, chat_fields, read_chat
from shared.application.chats.choices import choices_for
from shared.application.commands.call import Scene
from shared.application.commands.facts.questions import render_question
from shared.application.conversation.consent_gate import silent_members
from shared.application.conversation.message_codec import read_message
from shared.application.conversation.reply_codec import ReplyContext
from shared.application.delivery.answer import SILENCE, Answer, AnswerPiece
from shared.application.delivery.lease import memory_of
from shared.application.delivery.sending import say_once
from shared.application.derived_codec import DerivedCodec
from shared.application.documents import chat_path, fact_path, facts_path, message_path, question_path
from shared.application.facts.codec import about, fact_from_fields, with_status
from shared.application.facts.moderation import current_fact
from shared.application.facts.profiles import subject_facts
from shared.application.policy import Policy
from shared.application.ports.store import Document, DocumentStore, Transaction, Upsert
from shared.application.ports.system import Clock
from shared.domain.errors import TransientError
from shared.domain.facts.fact import Fact, Status
from shared.domain.facts.group_question import (
    GroupQuestion,
    may_be_a_pattern,
    may_be_asked,
    questions,
    rival_asked_about,
)
from shared.domain.text.language import interface_language


class AskedAbout(NamedTuple):
    """A record of what the group was asked about one fact.

    Attributes:
        fact: The fact's id, as it was then.
        marks: Of the values that it was asked about (`group_question.mark_of`), the last ones, oldest first.
    """

    fact: str
    marks: tuple[str, ...] = ()


_ASKED = DerivedCodec(AskedAbout, names={"marks": "about"})


def read_asked_about(document: Document) -> AskedAbout:
    """Read what was asked about a fact."""
    return _ASKED.read({"fact": document.id, **document.data})


def asked_about_fields(fact_id: str, marks: Sequence[str], *, at: datetime) -> dict[str, Any]:
    """Return the document of a fact that was asked about last at an instant."""
    return {**_ASKED.document(AskedAbout(fact_id, tuple(marks))), "at": at}


log = logging.getLogger(__name__)

BETWEEN = timedelta(hours=20)
"""The least time between two questions: not more than one a day, and not at the same hour each day."""

AWAKE = timedelta(hours=1)
"""The group is taken to be there for so long after somebody spoke: idle talk is extracted sooner."""

MOST_CONFLICTS, MOST_PATTERNS = 10, 10
"""Conflicts and patterns that are looked at for one question; each costs two reads or three."""

MOST_PROMISING = 40
"""Patterns among which those are looked for that nothing was ever asked about."""

MOST_REMEMBERED = 20
"""Values of one fact that are remembered as asked about, the last ones."""


async def ask_group(app: App, state: ChatState, *, talked_at: datetime | None) -> bool:
    """Ask a group about what was noticed in it, when it may be asked now and there is something worth it.

    Reads nothing unless the chat's document, which the caller has just read, says that one may be asked. That it cannot
    be done now is no failure: the next task does it.

    Args:
        talked_at: When the last of what was learnt since the last call was said; None when nothing was. Nobody is asked
            about old talk that is learnt from late, or from an import.
    Returns:
        Whether a question was dealt with.
    """
    asked = state.question if state.question is not None and not state.question.said else None
    # The group is there, or was when the question that waits was noted: later it has other things in mind.
    known = [talked_at, asked.at if asked is not None else None]
    is_there = any(at is not None and app.clock.now() - at <= AWAKE for at in known)
    if not (is_there and _may_ask(app.clock, app.policy, state)):
        return False
    try:
        if asked is None and (state.question is None or app.clock.now() - state.question.at >= BETWEEN):
            asked = await _note_next(app, state)
        if asked is not None:
            await _say(app, state, asked)
    except TransientError as error:
        log.warning("a question to the chat waits for the next task: %s", error)
        return False
    return asked is not None


def _may_ask(clock: Clock, policy: Policy, state: ChatState) -> bool:
    choices = choices_for(policy, state)
    quiet = choices.quiet_hours.holds(clock.now().astimezone(choices.timezone))
    return choices.questions and state.known and state.active and state.migrated_to is None and not quiet


async def _note_next(app: App, state: ChatState) -> LastQuestion | None:
    """Choose the best question that was never asked, and note it as asked; None when there is none."""
    for question in await _candidates(app, state):
        noted = await _note(app, state, question)
        if noted is not None:
            app.chats.forget(state.chat_id)
            return noted
    return None


# --- what to ask --------------------------------------------------------------------------------


async def _candidates(app: App, state: ChatState) -> list[GroupQuestion]:
    conflicts, patterns = await _conflicts(app.store, app.policy, state), await _patterns(app, state)
    found = questions(conflicts, patterns, opted_out=silent_members(state))
    # Also asked about under the ids of facts that became part of it.
    ids = sorted({fact_id for question in found for fact_id in (question.fact.id, *question.fact.aliases)})
    stored = await app.store.get_many([question_path(state.chat_id, fact_id) for fact_id in ids])
    known = [read_asked_about(document) for document in stored if document is not None]
    asked = {(about.fact, mark) for about in known for mark in about.marks}
    return [q for q in found if asked.isdisjoint((fact_id, q.mark) for fact_id in (q.fact.id, *q.fact.aliases))]


async def _conflicts(store: DocumentStore, policy: Policy, state: ChatState) -> list[tuple[Fact, Fact]]:
    where = [about("chat"), with_status(Status.PENDING)]
    waiting = await store.query(facts_path(state.chat_id), where=where, limit=MOST_CONFLICTS)
    rivals = _facts(policy, waiting)
    contested = await store.get_many([fact_path(state.chat_id, r.conflicts_with or "-") for r in rivals])
    roots = {fact.id: fact for fact in _facts(policy, contested)}
    return [(roots[r.conflicts_with], r) for r in rivals if r.conflicts_with in roots]


async def _patterns(app: App, state: ChatState) -> list[Fact]:
    known = (await subject_facts(app.store, app.policy, state, ["chat"], now=app.clock.now()))["chat"]
    promising = [fact.id for fact in known if may_be_a_pattern(fact)][:MOST_PROMISING]
    if len(promising) > MOST_PATTERNS:  # or those that were asked about, and stay open, would keep the rest from it
        asked = await app.store.get_many([question_path(state.chat_id, fact_id) for fact_id in promising])
        known_as = {document.id for document in asked if document is not None}
        promising.sort(key=known_as.__contains__)
    paths = [fact_path(state.chat_id, fact_id) for fact_id in promising[:MOST_PATTERNS]]
    return _facts(app.policy, await app.store.get_many(paths))


def _facts(policy: Policy, documents: Sequence[Document | None]) -> list[Fact]:
    return [fact_from_fields(d.data, consensus=policy.consensus) for d in documents if d is not None]


async def _note(app: App, state: ChatState, question: GroupQuestion) -> LastQuestion | None:
    """Note a question as asked; None when it was meanwhile, or another one, or is not worth asking any more."""
    chat_id, (fact, rival), now = state.chat_id, question, app.clock.now()
    paths = [chat_path(chat_id), question_path(chat_id, fact.id), fact_path(chat_id, fact.id)]
    paths += [fact_path(chat_id, rival.id)] if rival is not None else []
    noted = LastQuestion(now, fact.id, question.mark, said=False)

    async def note(tx: Transaction) -> LastQuestion | None:
        chat, before, *stored = await tx.get_many(paths)
        about = () if before is None else read_asked_about(before).marks
        current = read_chat(chat_id, chat)
        facts = _facts(app.policy, stored)
        same = len(facts) == len(stored) and GroupQuestion(*facts).mark == question.mark
        asked_meanwhile = current.question != state.question or question.mark in about
        if asked_meanwhile or not same or not may_be_asked(GroupQuestion(*facts), opted_out=silent_members(current)):
            return None
        marks = [*about, question.mark][-MOST_REMEMBERED:]
        tx.write(Upsert(paths[1], asked_about_fields(fact.id, marks, at=now)))
        tx.write(Upsert(paths[0], chat_fields(question=noted)))
        return noted

    return await app.store.transaction(note)


# --- asking it ----------------------------------------------------------------------------------


async def _say(app: App, state: ChatState, asked: LastQuestion) -> None:
    """Send the question, once, where it was talked about; one that is settled meanwhile is not asked."""
    as_of = await memory_of(app.store, state.chat_id)
    fact = await current_fact(app.store, app.policy, state.chat_id, asked.fact)
    key, topic = f"question-{state.chat_id}-{asked.fact}-{asked.about}", await _topic(app.store, state, fact)
    question = _compose_question(app.policy, state, fact, asked)
    await say_once(app, state.chat_id, key, question, as_of=as_of, thread_id=topic)
    now = app.clock.now()
    said = asked._replace(at=now, said=True)  # one that had to wait was noted long ago
    await app.store.update(chat_path(state.chat_id), chat_fields(question=said, spoke_at=now))
    app.chats.forget(state.chat_id)


def _compose_question(policy: Policy, state: ChatState, fact: Fact | None, asked: LastQuestion) -> Answer:
    if fact is None:
        return SILENCE
    question = GroupQuestion(fact, rival_asked_about(fact, asked.about))
    if question.mark != asked.about or not may_be_asked(question, opted_out=silent_members(state)):
        return SILENCE
    here, is_conflict = Scene(policy, state, interface_language(state.language, None)), question.rival is not None
    shows = render_question(here, fact, asked.about, is_conflict=is_conflict)
    asks = ReplyContext("gryadfix", "question", fact.id, about=asked.about, is_conflict=is_conflict)
    return Answer((AnswerPiece(shows, asks=asks),))


async def _topic(store: DocumentStore, state: ChatState, fact: Fact | None) -> int | None:
    """Return where in a forum it was said last."""
    if not state.is_forum or fact is None or not fact.evidence:
        return None
    newest = await store.get(message_path(state.chat_id, max(fact.evidence).message_id))
    return None if newest is None else read_message(newest).message.thread_id
