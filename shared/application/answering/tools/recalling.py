"""A search of the group's own memory."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from datetime import datetime, tzinfo
from typing import TYPE_CHECKING, Any

from shared.application.answering.tools.binding import ToolContext, ToolOutcome, bind, text_of
from shared.application.app import App
from shared.application.chats.choices import choices_for
from shared.domain.conversation.messages import Message
from shared.domain.facts.profile import ProfileFact, people_in, reword, sentences_of
from shared.domain.people.labels import NAMELESS, Identity
from shared.domain.text.excerpt import excerpt_around
from shared.domain.text.plain import one_line

if TYPE_CHECKING:
    from shared.domain.answering.context.material import Excerpt
    from shared.domain.recall.index.note import Note

_MAX_QUERY, _LIMIT, _MAX_TEXT = 300, 8, 500

_NOTHING = "nothing that is remembered fits these words: try others once, else say that you do not know"
"""Stands instead of empty lists, which a model may take for a tool that does not work."""


async def _run(app: App, context: ToolContext, arguments: Mapping[str, Any]) -> ToolOutcome:
    from shared.application.answering.excerpts import UserQuestion, excerpts_of, links_to_sources
    from shared.application.answering.knowing import choose_facts
    from shared.application.facts.profiles import subject_facts
    from shared.application.recall.loading import load_corpus
    from shared.application.recall.search import mark_with_names, name_people, recall

    query = text_of(arguments, "query", most=_MAX_QUERY)
    asker, before = context.message.user_id, context.message.message_id
    corpus = await load_corpus(app, context.state, around=before)
    found = await recall(
        app, context.state, query, asker=asker, topic=context.topic, limit=_LIMIT, before=before, corpus=corpus
    )
    zone, terms = choices_for(app.policy, context.state).timezone, found.question.terms
    asking = UserQuestion(context.message, query, context.language, context.topic)
    excerpts = excerpts_of(app.clock, app.policy, context.state, corpus, found.messages, asking, terms)
    told = {m.message_id: m for excerpt in excerpts for m in (excerpt.message, *excerpt.around)}
    now, own = app.clock.now(), ["chat", f"user:{asker}"]
    known = await choose_facts(
        app.store,
        app.policy,
        context.state,
        await subject_facts(app.store, app.policy, context.state, own, now=now),
        found.question,
        corpus,
        asker=asker,
        headings={},
        now=now,
    )
    mark = mark_with_names(corpus)
    facts = tuple(reword(each.fact, mark) for each in known.picked[:_LIMIT])
    also = {each: Identity(each, "") for each in people_in(facts).union(m.user_id for m in told.values())}
    noted = [hit.note for hit in found.notes]
    texts = [*(note.text for note in noted), *sentences_of(facts)]
    _, labels, tell = name_people(app.policy, context.state, corpus, texts, also)
    notes, facts = tuple(replace(note, text=tell(note.text)) for note in noted), tuple(reword(f, tell) for f in facts)
    hits = {hit.message.message_id for hit in found.messages}
    response = {
        "facts": [_fact(fact, zone, labels) for fact in facts],
        "messages": [_excerpt(excerpt, hits, zone, labels, terms) for excerpt in excerpts],
        "summaries": [_note(note, zone, terms) for note in notes],
    }
    if not any(response.values()):
        return ToolOutcome({"found": _NOTHING})
    links = links_to_sources(app.clock, app.policy, context.state, corpus, facts, notes)
    return ToolOutcome(response, tuple(told.values()), facts, notes, links=links)


def _fact(fact: ProfileFact, zone: tzinfo, labels: Mapping[int, str]) -> dict[str, Any]:
    about = labels.get(fact.user_id, NAMELESS) if fact.user_id else "the chat"
    told: dict[str, Any] = {"about": about, "fact": fact.description, "number": fact.evidence[0].message_id}
    told |= {"since": _time(fact.valid_from, zone)} if fact.valid_from else {}
    ended = {"over_since": _time(fact.ended_at, zone)} if fact.ended_at else {}
    told |= ended or ({"until": f"{last}"} if (last := fact.last_day(zone)) else {})
    told |= {"said_by": labels[fact.evidence[0].user_id]} if fact.evidence[0].user_id in labels else {}
    before = [f"{_time(value.since, zone)}: {value.description}" for value in fact.before]
    return told | ({"before": before} if before else {})


def _excerpt(
    excerpt: Excerpt, hits: Collection[int], zone: tzinfo, labels: Mapping[int, str], asked: Sequence[str]
) -> dict[str, Any]:
    """Return a message with its number and time, and what stands around it but for what was found itself."""
    found = excerpt.message
    told = _message(found, labels, asked) | {"time": _time(found.sent_at, zone), "number": found.message_id}
    at = excerpt.around.index(found)
    beside = {"before": excerpt.around[:at], "after": excerpt.around[at + 1 :]}
    others = {side: [m for m in beside[side] if m.message_id not in hits] for side in beside}
    return told | {side: [_message(m, labels, asked) for m in said] for side, said in others.items() if said}


def _message(message: Message, labels: Mapping[int, str], asked: Sequence[str]) -> dict[str, Any]:
    told: dict[str, Any] = {"speaker": labels[message.user_id]} | ({"forwarded": True} if message.forwarded else {})
    told |= {"text": _part(message.text, asked)} if message.text else {}
    return told | ({"shows": _part(message.media_text, asked)} if message.media_text else {})


def _part(text: str, asked: Sequence[str]) -> str:
    return one_line(excerpt_around(text, asked, _MAX_TEXT), _MAX_TEXT)


def _note(note: Note, zone: tzinfo, asked: Sequence[str]) -> dict[str, Any]:
    since, until = _time(note.first_at, zone), _time(note.last_at, zone)
    return {"kind": note.kind, "number": note.first, "from": since, "to": until, "text": _part(note.text, asked)}


def _time(at: datetime, zone: tzinfo) -> str:
    return f"{at.astimezone(zone):%Y-%m-%d %H:%M}"


BINDING = bind("recall", _run)
