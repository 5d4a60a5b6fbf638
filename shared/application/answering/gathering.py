"""Gathers an answer's material, at once and with few reads: profiles, the index, CONTEXT.md.

The index is read once (its head and the messages not yet in it) and gives recent talk, messages found, their neighbours
and the newest summaries. An outage is never an empty memory: when the store does not answer, the answer is made later.
"""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import datetime
from itertools import chain
from typing import Any

from shared.application.answering.excerpts import (
    Newest,
    UserQuestion,
    _choose_newest,
    _find_replied,
    _link,
    excerpts_of,
    keep_back,
    links_to_sources,
)
from shared.application.answering.knowing import MEMBER_FACTS, FactsToTell, choose_facts
from shared.application.app import App
from shared.application.chats.chat_codec import ChatState
from shared.application.chats.choices import choices_for
from shared.application.chats.context_codec import context_path, read_context_text
from shared.application.conversation.consent_gate import may_retell
from shared.application.facts.profiles import subject_facts
from shared.application.ports.model import Grounding
from shared.application.ports.store import DocumentStore
from shared.application.recall.loading import load_corpus
from shared.application.recall.search import Recalled, mark_with_names, name_people, recall, recent
from shared.domain.answering.context.assembly import RECENT, people_told
from shared.domain.answering.context.material import ChatFacts, ContextFileText, Excerpt, Material
from shared.domain.answering.offline_answer import Saying
from shared.domain.answering.small_talk import reply_to_small_talk
from shared.domain.conversation.messages import Message
from shared.domain.delivery.markup import plain
from shared.domain.facts.fact import CHAT_CATEGORIES, MEMBER_CATEGORIES
from shared.domain.facts.profile import ProfileFact, sentences_of
from shared.domain.recall.fact_ranking import values_held_then
from shared.domain.recall.index.corpus import Corpus
from shared.domain.recall.index.talk import IndexedTalk
from shared.domain.recall.question import SearchQuery
from shared.locales import say

HITS = 12
"""Messages and notes that a search gives an answer: more than fit, as some may be too large."""

LATER = 10
"""Messages said after the question that are shown, the newest: more are seldom about it."""

_LAYERS = "metas", "summaries", "key_facts", "episodes"


@dataclass(frozen=True, slots=True)
class Gathered:
    """Everything for one answer, for a model that composes and for one that quotes.

    Attributes:
        hits: The messages that `grounding.found` quotes, and those without a text.
    """

    material: Material
    grounding: Grounding
    hits: tuple[Message, ...] = ()


async def gather(app: App, state: ChatState, question: UserQuestion, rules: str) -> Gathered:
    """Read what the answer to a question may be made from.

    Args:
        rules: The constant text of the prompt.

    Raises:
        StoreUnavailable: The store did not answer.
    """
    choices = choices_for(app.policy, state)
    asker = question.message.user_id
    now, categories = app.clock.now(), (*CHAT_CATEGORIES, *MEMBER_CATEGORIES)
    headings = {category: plain(say(question.language, f"category_{category}")) for category in categories}
    own, file, (corpus, talk, later, found, excerpts, notes) = await asyncio.gather(
        subject_facts(app.store, app.policy, state, ["chat", f"user:{asker}"], now=now),
        _read_context_file(app.store, state),
        _read_memory(app, state, question),
    )
    known = await choose_facts(
        app.store, app.policy, state, own, found.question, corpus, asker=asker, headings=headings, now=now
    )
    mark = mark_with_names(corpus)
    known, portrait = known.reword(mark), mark(state.portrait)
    file = None if file is None else file._replace(text=mark(file.text))
    material = Material(
        rules=rules,
        question=question.message,
        earlier=question.earlier,
        language=question.language,
        now=now,
        zone=choices.timezone,
        bot_id=app.policy.bot_id,
        bot_name=app.policy.bot_names[0],
        chat=ChatFacts(known.chat, app.policy.chat_facts, app.policy.chat_facts_tokens),
        portrait=portrait,
        portrait_of=state.portrait_of,
        asker=known.asker,
        asker_limit=MEMBER_FACTS,
        named=known.members,
        names=known.names,
        headings=headings,
        talk=talk,
        later=later,
        found=excerpts,
        context_file=file,
        metas=notes.metas,
        summaries=notes.summaries,
        key_facts=[hit.note for hit in found.notes if hit.note.kind != "episode"],
        episodes=[hit.note for hit in found.notes if hit.note.kind == "episode"] or notes.episodes,
    )
    layers = {name: getattr(material, name) for name in _LAYERS}
    facts = [*known.chat, *known.asker, *known.members]
    texts = [*(note.text for note in chain(*layers.values())), *sentences_of(facts), portrait]
    texts += [] if file is None else [file.text]
    people, labels, tell = name_people(app.policy, state, corpus, texts, people_told(material))
    told: dict[str, Any] = {name: [replace(n, text=tell(n.text)) for n in notes] for name, notes in layers.items()}
    known, chat = known.reword(tell), material.chat
    told |= {"chat": chat._replace(facts=known.chat), "asker": known.asker, "named": known.members}
    told |= {"portrait": tell(portrait), "context_file": None if file is None else file._replace(text=tell(file.text))}
    material = replace(material, people=people, **told)
    notes_told = [*material.metas, *material.summaries, *material.key_facts, *material.episodes]
    material = replace(material, links=links_to_sources(app.clock, app.policy, state, corpus, facts, notes_told))
    here = now.astimezone(choices.timezone)
    grounding = _grounding(state, question, known, found, here, labels)
    return Gathered(material, grounding, tuple(hit.message for hit in found.messages))


async def _read_context_file(store: DocumentStore, state: ChatState) -> ContextFileText | None:
    """Return CONTEXT.md, unless somebody opted out whose words are still in it."""
    stored = read_context_text(await store.get(context_path(state.chat_id)))
    if stored.updated_at is None or not may_retell(state, stored.user_ids):
        return None
    return ContextFileText(stored.text, stored.updated_at, stored.revision, stored.user_ids)


# --- the index ----------------------------------------------------------------------------------


_Memory = tuple[Corpus, list[Message], list[Message], Recalled, list[Excerpt], Newest]


async def _read_memory(app: App, state: ChatState, question: UserQuestion) -> _Memory:
    """The index, recent talk, what was said since, what was found, and the newest notes."""
    said, before, topic = question.message, question.message.message_id, question.topic
    corpus = await load_corpus(app, state, around=before)
    if state.is_private(by_default=app.policy.private_mode):  # it has no index: what was said last is searched
        last = await recent(app, state, before=before, limit=RECENT, topic=topic)
        corpus = Corpus([IndexedTalk.of([m for m in last if m.kind != "command"])])
    # Where nothing has a vector, the question needs none either.
    made_by = {kind.model for kind in corpus.vectors.stack.kinds | corpus.notes.vectors.stack.kinds}
    searching = app if app.embedder is not None and app.embedder.name in made_by else replace(app, embedder=None)
    talk, later, found = await asyncio.gather(
        recent(app, state, before=before, limit=RECENT, topic=topic, corpus=corpus),
        recent(app, state, after=before, limit=LATER, topic=topic, corpus=corpus),
        recall(
            searching,
            state,
            question.text,
            asker=said.user_id,
            topic=topic,
            limit=HITS,
            before=question.earlier[0].message_id if question.earlier else before,
            corpus=corpus,
        ),
    )
    hits = [*_find_replied(state, corpus, said), *found.messages]
    excerpts = excerpts_of(app.clock, app.policy, state, corpus, hits, question, found.question.terms)
    return (
        corpus,
        [keep_back(m, said.user_id) for m in talk if m.kind != "command"],
        [keep_back(m, said.user_id) for m in later if m.kind != "command"],
        found,
        excerpts,
        _choose_newest(app.clock, app.policy, state, corpus, question),
    )


# --- the words of people for the model that quotes ----------------------------------------------


def _describe_fact(fact: ProfileFact, question: SearchQuery) -> str:
    """Return what a fact says, from when to when where it is over, and what held at the time that is asked for."""
    before = (f"{value.since:%d.%m.%Y}: {value.description}" for value in values_held_then(fact, question))
    held = f"{fact.valid_from:%d.%m.%Y}–{fact.ended_at:%d.%m.%Y}: " if fact.ended_at and fact.valid_from else ""
    return " ← ".join((held + fact.description, *reversed([*before])))


def _grounding(
    state: ChatState,
    question: UserQuestion,
    known: FactsToTell,
    found: Recalled,
    now: datetime,
    labels: Mapping[int, str],
) -> Grounding:
    asker, speakers = question.message.user_id, found.question.speakers
    relevance = {each.fact.id: each.relevance for each in known.picked}
    facts = sorted((*known.asker, *known.members, *known.chat), key=lambda fact: -relevance.get(fact.id, 0.0))
    return Grounding(
        question.text,
        question.language,
        facts=tuple(
            Saying(
                labels.get(said.user_id, said.name),
                said.quote,
                _describe_fact(fact, found.question),
                said.sent_at,
                _link(state, said.message_id),
                relevance.get(fact.id, 0.0),
                "chat" if fact.subject == "chat" else "asker" if fact.subject == f"user:{asker}" else "other",
                said.user_id == asker,
            )
            for fact in facts
            for said in fact.evidence[:1]
        ),
        found=tuple(
            Saying(
                labels.get(hit.message.user_id, hit.message.name),
                hit.message.text,
                said_at=hit.message.sent_at,
                link=hit.link,
                by_asker=hit.message.user_id == asker,
                coverage=hit.coverage,
            )
            for hit in found.messages
            if hit.message.text
        ),
        meant="other" if speakers - {asker} else "asker" if speakers else "chat",
        small_talk=reply_to_small_talk(question.text, question.language, now),
    )
