"""Portraits: what a group is like, and who a member is to it, in a few sentences.

A portrait is made from the facts about its subject, by the model or by rules, and kept as `culture_summary` in the
chat's document and as `profile_summary` in the member's (`portrait_codec`). It is written in a transaction that checks
that the facts and who may be heard are still the same. Whoever changes a fact marks its subject (`subject_codec`), so a
night reads the subjects that changed. There, too, is a digest of what was told, so that the model is not asked again
about the same, and the version of the prompt that it was asked with; when it was not, it is asked another night.
"""

from __future__ import annotations

import hashlib
import logging
from collections import Counter
from collections.abc import Mapping, Sequence
from datetime import timedelta
from enum import Enum
from typing import Any, NamedTuple

from shared.application.app import App
from shared.application.chats.chat_codec import PORTRAIT_FIELD, ChatState, no_portrait, read_chat
from shared.application.chats.choices import Choices, choices_for
from shared.application.chats.job import JobResult
from shared.application.chats.portrait_codec import StoredPortrait, portrait_fields, read_portrait
from shared.application.conversation.consent_gate import may_retell, same_consent, silent_members
from shared.application.documents import chat_path, learning_path, member_path, subjects_path
from shared.application.facts.profiles import subject_facts
from shared.application.facts.subject_codec import (
    NOT_SUMMARIZED,
    SUMMARY_BY,
    SubjectRecord,
    outdated_portrait_fields,
    read_subject,
    subject_changes,
)
from shared.application.people.member_codec import PORTRAIT as MEMBER_PORTRAIT
from shared.application.people.member_codec import no_portrait as no_member_portrait
from shared.application.people.member_codec import read_member
from shared.application.ports.model import ModelRequest
from shared.application.ports.store import DELETE_FIELD, Document, DocumentStore, Filter, Order, Transaction, Upsert
from shared.application.spending.asking import OFFLINE, ask, can_ask, memory_request
from shared.domain.answering.portrait import keep_supported, portrait_by_rules, words_of
from shared.domain.delivery.markup import plain
from shared.domain.facts.fact import CHAT_CATEGORIES, MEMBER_CATEGORIES
from shared.domain.facts.profile import ProfileFact
from shared.domain.facts.ranking import choose_foremost
from shared.domain.reading.summaries.wording import clean_summary
from shared.domain.text.language import LANGUAGE_NAMES, Language
from shared.domain.text.plain import quote_inline
from shared.locales import say
from shared.prompts import prompt

log = logging.getLogger(__name__)

MOST_SUBJECTS = 20
"""Portraits of one run: with a call of the model each, well under five minutes."""

CHAT_CHARS, MEMBER_CHARS = 600, 300
"""The longest portrait of a chat, and of a member."""

CHAT_FACTS, MEMBER_FACTS = 20, 15
"""Best facts that a portrait is made from: some three times what it can tell."""

FEW_FACTS = 10  # of fewer a model would say no more than they do
LONGEST = timedelta(minutes=4)  # of one run: what is left then is the next one's

AGAIN = timedelta(days=1)
"""The time after which the model is asked again when it was away or the day's budget was spent."""

ANSWER_TOKENS = 700
"""Tokens of the model's answer: the longest portrait in Ukrainian, and what the model thinks before it."""

_CHAT = "chat"


class _Sitter(NamedTuple):
    """The subject of a portrait, and where it is kept."""

    id: str
    path: str
    field: str
    whom: str
    categories: Sequence[str]
    most_facts: int
    most_chars: int

    @classmethod
    def of(cls, chat_id: int, subject: str) -> _Sitter:
        if subject == _CHAT:
            path = chat_path(chat_id)
            return cls(subject, path, PORTRAIT_FIELD, "the group", CHAT_CATEGORIES, CHAT_FACTS, CHAT_CHARS)
        path, whom = member_path(chat_id, int(subject.removeprefix("user:"))), "one member of the group"
        return cls(subject, path, MEMBER_PORTRAIT, whom, MEMBER_CATEGORIES, MEMBER_FACTS, MEMBER_CHARS)


class _Drawing(NamedTuple):
    """A portrait as made: a text ("" for none), by whom, and which version of the prompt the model was asked with."""

    text: str = ""
    made_by: str = OFFLINE
    asked: int = 0


_PortraitEnding = Enum("_PortraitEnding", ["KEPT", "CHANGED", "SILENCED", "GONE", "LATE"])
"""Kept, or not: its facts changed meanwhile, or who may be heard did, or the chat went, or the run's time is over."""


async def portray_chat(app: App, state: ChatState) -> JobResult:
    """Make the portraits of a chat and its members whose facts changed, and remove those of members who opted out.

    A private chat is left alone. Without a model, or when it is away or over the chat's budget, portraits are made by
    rules, and the model is asked another night.

    Raises:
        TransientError: Run it again.
    """
    choices = choices_for(app.policy, state)
    if choices.private or not state.known or state.migrated_to is not None:
        return JobResult()
    removed = await _remove_silenced(app.store, state)
    run = _PortraitRun(app, state, choices)
    more = await run.work()
    counts = {name: count for name, count in (*run.done.items(), ("removed", removed)) if count}
    return JobResult(counts, app.clock.now() + AGAIN if run.away else None, more)


class _PortraitRun:
    """One run.

    Attributes:
        done: Portraits by who made them: "by_model", "by_rules", "unchanged" and "none" (nothing to tell).
        away: The model could not be asked, and is not asked again in this run.
    """

    def __init__(self, app: App, state: ChatState, choices: Choices) -> None:
        self._app, self._state, self._choices = app, state, choices
        self._language: Language = "en" if state.language == "en" else "uk"
        self._ends_at = app.clock.now() + LONGEST
        self.done: Counter[str] = Counter()
        self.away = False

    async def work(self) -> bool:
        """Make portraits of what changed, then those that the model, or this prompt, has not made yet.

        Return whether there is more to do right now.
        """
        subjects, query = subjects_path(self._state.chat_id), self._app.store.query
        changed = await query(subjects, where=[NOT_SUMMARIZED], limit=MOST_SUBJECTS + 1)
        ending = await self._portray_all(changed[:MOST_SUBJECTS])
        room = MOST_SUBJECTS - len(changed)
        if ending is not None or room < 0:
            return ending is not _PortraitEnding.GONE
        if self._app.model is None or self.away:
            return False
        older = [Filter(SUMMARY_BY, "<", prompt("culture").version)]
        waiting = await query(subjects, where=older, order_by=[Order(SUMMARY_BY)], limit=room + 1)
        for guard in waiting[:room]:
            ending = await self._portray_all([guard])
            if ending is not None or self.away:
                return ending in (_PortraitEnding.SILENCED, _PortraitEnding.LATE)
        return len(waiting) > room

    async def _portray_all(self, guards: Sequence[Document]) -> _PortraitEnding | None:
        """Return why the run ends before all were made, or None."""
        for guard in guards:
            if self._app.clock.now() >= self._ends_at:
                return _PortraitEnding.LATE
            ending = await self._portray(guard)
            if ending in (_PortraitEnding.SILENCED, _PortraitEnding.GONE):
                return ending
        return None

    async def _portray(self, guard: Document) -> _PortraitEnding:
        """Make one portrait from facts that are read after the subject's revision."""
        app, subject, known = self._app, _Sitter.of(self._state.chat_id, guard.id), read_subject(guard)
        found = await subject_facts(app.store, app.policy, self._state, [subject.id], now=app.clock.now())
        facts = choose_foremost(found[subject.id], subject.most_facts)
        digest = digest_of(facts, self._language)
        same = known.summary_of == digest or await self._still_tells(subject, known, found[subject.id])
        is_asked = app.model is None or known.summary_by >= prompt("culture").version
        portrait = None if same and is_asked else await self._make(subject, facts)
        if portrait is None or (same and not portrait.asked):  # what is there still holds
            by, ending = "unchanged", await self._write(subject, guard, subject_changes(summarized=True))
        else:
            by = "none" if not portrait.text else "by_rules" if portrait.made_by == OFFLINE else "by_model"
            told = subject_changes(summarized=True, summary_of=digest, summary_by=portrait.asked)
            stored = StoredPortrait(
                text=portrait.text,
                made_at=app.clock.now(),
                speakers=frozenset(quote.user_id for fact in facts for quote in fact.evidence),
                made_by=portrait.made_by,
                facts=tuple(fact.id for fact in facts),
                revision=known.revision,
            )
            field = {subject.field: portrait_fields(stored) if portrait.text else DELETE_FIELD}
            ending = await self._write(subject, guard, told, field)
        self.done[by] += ending is _PortraitEnding.KEPT
        return ending

    async def _still_tells(self, subject: _Sitter, known: SubjectRecord, facts: Sequence[ProfileFact]) -> bool:
        """Return whether the model's portrait still holds, and fewer than half of the facts are new to it."""
        holder = None if known.summary_of is None else await self._app.store.get(subject.path)
        stored = None if holder is None else read_portrait(holder.data, subject.field)
        ids = {fact.id for fact in facts}
        if stored is None or stored.made_by == OFFLINE or not ids.issuperset(stored.facts):
            return False
        told = keep_supported(stored.text, words_of(facts), language=self._language, most_chars=subject.most_chars)
        return told == stored.text and len(ids) < 2 * len(stored.facts)

    async def _make(self, subject: _Sitter, facts: Sequence[ProfileFact]) -> _Drawing:
        version = prompt("culture").version
        if not facts:
            return _Drawing(asked=version)
        headings = {category: plain(say(self._language, f"category_{category}")) for category in subject.categories}
        by_rules = portrait_by_rules(facts, headings, most_chars=subject.most_chars)
        if self._app.model is not None and len(facts) < FEW_FACTS:
            return _Drawing(by_rules, asked=version)
        if self._app.model is None or self.away or not await can_ask(self._app, self._state):
            self.away = self._app.model is not None
            return _Drawing(by_rules)
        request = portrait_request(self._choices, subject.whom, facts, self._language, most_chars=subject.most_chars)
        answer = await ask(self._app, self._state, request, about=subject.id)
        self.away = answer.later
        if answer.later:
            return _Drawing(by_rules)
        said = clean_summary(answer.text, instructions=prompt("culture").text, most_chars=3 * subject.most_chars)
        text = keep_supported(said, words_of(facts), language=self._language, most_chars=subject.most_chars)
        if answer.text and not text:
            log.warning("nothing of a portrait that the model made holds")
        return _Drawing(text, answer.made_by("culture"), version) if text else _Drawing(by_rules, asked=version)

    async def _write(
        self, subject: _Sitter, guard: Document, told: Mapping[str, Any], portrait: Mapping[str, Any] | None = None
    ) -> _PortraitEnding:
        async def commit(tx: Transaction) -> _PortraitEnding:
            paths = dict.fromkeys([chat_path(self._state.chat_id), guard.path, subject.path])  # the chat holds its own
            chat, known, *holder = await tx.get_many(list(paths))
            if chat is None or (now := read_chat(self._state.chat_id, chat)).migrated_to is not None:
                return _PortraitEnding.GONE
            if not same_consent(now, self._state):
                return _PortraitEnding.SILENCED
            if known is None or read_subject(known).revision != read_subject(guard).revision:
                return _PortraitEnding.CHANGED
            tx.write(Upsert(guard.path, told))
            if portrait is not None and None not in holder:
                tx.write(Upsert(subject.path, portrait))
            return _PortraitEnding.KEPT

        ending = await self._app.store.transaction(commit)
        if ending is _PortraitEnding.KEPT and subject.id == _CHAT:
            self._app.chats.forget(self._state.chat_id)
        return ending


# --- who opted out -------------------------------------------------------------------------------


async def _remove_silenced(store: DocumentStore, state: ChatState) -> int:
    """Remove the portraits of members who opted out, and the chat's when it leans on one of them; how many.

    The chat's is made again without them.
    """
    if not (gone := sorted(silent_members(state))):
        return 0
    found = await store.get_many([member_path(state.chat_id, user_id) for user_id in gone])
    theirs = [member.path for member in found if member is not None and read_member(member).portrait]
    removed = [await store.update(path, no_member_portrait()) for path in theirs]

    async def remove_if_dependent(tx: Transaction) -> bool:
        chat, guard = await tx.get_many([chat_path(state.chat_id), learning_path(state.chat_id, _CHAT)])
        if chat is None or may_retell(state, read_chat(state.chat_id, chat).portrait_of):
            return False
        tx.write(Upsert(chat.path, no_portrait()))
        if guard is not None:
            tx.write(Upsert(guard.path, outdated_portrait_fields()))
        return True

    return sum(removed) + await store.transaction(remove_if_dependent)


def portrait_request(
    choices: Choices, whom: str, facts: Sequence[ProfileFact], language: Language, *, most_chars: int
) -> ModelRequest:
    """Return the request for a portrait of these facts, best first."""
    return memory_request(
        "culture",
        choices,
        most_tokens=ANSWER_TOKENS,
        whom=whom,
        language=LANGUAGE_NAMES[language],
        characters=str(most_chars),
        facts="\n".join(f"{fact.category}: {quote_inline(fact.description)}" for fact in facts),
    )


def digest_of(facts: Sequence[ProfileFact], language: Language) -> str:
    """Return a digest, 16 hexadecimal digits, of everything that a portrait is made from."""
    told = sorted((fact.id, fact.description, [(q.name, q.quote) for q in fact.evidence]) for fact in facts)
    return hashlib.blake2s(repr((language, told)).encode("utf-8", "surrogatepass"), digest_size=8).hexdigest()
