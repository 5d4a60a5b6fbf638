"""A subject's facts in one document: an answer reads one a subject, however many facts there are.

A profile is made from the facts when it is asked for and not there. Every transaction that changes a fact removes it
and raises the subject's revision (`subject_codec.subject_writes`), and it is only put there when the revision is still
the one that was read before the facts: so a profile that is there says what the facts say, and holds no quote of a fact
that is gone.
"""

import asyncio
import logging
from collections.abc import Iterable, Sequence
from datetime import datetime

from shared.application.app import App
from shared.application.chats.chat_codec import ChatState
from shared.application.conversation.consent_gate import silent_members
from shared.application.conversation.message_codec import read_message
from shared.application.documents import (
    facts_path,
    learning_path,
    member_path,
    message_path,
    profile_path,
    subjects_path,
)
from shared.application.facts.codec import LAST_REINFORCED_AT, about_any, fact_from_fields, with_status
from shared.application.facts.profile_codec import profile_fields, read_profile, row_bytes
from shared.application.facts.subject_codec import NOT_PROFILED, read_subject, subject_changes
from shared.application.facts.writes import read_foremost
from shared.application.people.member_codec import read_member
from shared.application.policy import Policy
from shared.application.ports.store import Document, DocumentStore, Order, Set, Transaction, Upsert
from shared.domain.errors import TransientError
from shared.domain.facts.evidence.claim import Authority, Evidence
from shared.domain.facts.fact import Status
from shared.domain.facts.profile import ProfileFact, profile_fact, quotes_shown, without_opted_out
from shared.domain.facts.ranking import rank_facts, sort_binding_first

log = logging.getLogger(__name__)


MOST_READ, MOST_KEPT = 600, 400
"""Active facts of one subject, the newest, that are ranked at once, and how many a profile keeps: what
binds the group, then the best. Where there are more, those that count are read besides (`queries`)."""

MOST_ENDED = 20
"""Facts that are over, the newest, that an answer looks at."""

MOST_REFRESHED = 20
"""Profiles made by one task; the others wait for the next task, or for an answer that needs them."""

MAX_BYTES = 500_000
"""The limit for the rows of a profile, as `row_bytes` measures: half of what Firestore allows a document."""


async def subject_facts(
    store: DocumentStore, policy: Policy, state: ChatState, subjects: Sequence[str], *, now: datetime, make: bool = True
) -> dict[str, list[ProfileFact]]:
    """The active facts about each subject that may be shown, best first; never older than the last change of one.

    Nothing about members who opted out is among them, and none of their words (`without_opted_out`).

    Costs one read a subject; after a change as many more as the subject has facts, and what its profile takes; three
    of a subject about which nothing was ever learnt.

    Args:
        make: Make the profiles that are not there; else nothing is known of these until the next task makes them.
    """
    profiles = await _profiles(store, policy, state.chat_id, subjects, now, make=make)
    shown = (without_opted_out(facts, silent_members(state)) for facts in profiles)
    return {subject: _rank(policy, facts, now) for subject, facts in zip(subjects, shown, strict=True)}


async def ended_facts(store: DocumentStore, state: ChatState, subjects: Sequence[str]) -> list[ProfileFact]:
    """The facts about these subjects, 30 at most, that are over without another in their place, the newest; one query.

    What was only counted is not among them, and nothing of members who opted out (`without_opted_out`).
    """
    where = [about_any(subjects), with_status(Status.EXPIRED)]
    order = [Order(LAST_REINFORCED_AT, descending=True)]
    found = await store.query(facts_path(state.chat_id), where=where, order_by=order, limit=MOST_ENDED)
    facts = [fact for each in found if (fact := fact_from_fields(each.data)).conflicts_with is None]
    told = [profile_fact(fact, {}) for fact in facts if fact.authority is not Authority.STATISTICS]
    return without_opted_out(told, silent_members(state))


async def open_members(store: DocumentStore, state: ChatState, user_ids: Sequence[int]) -> dict[int, str]:
    """Return those of these members who let everybody in the chat know what is known of them, and their names, "" where
    none is known; costs a read each."""
    found = await store.get_many([member_path(state.chat_id, user_id) for user_id in user_ids])
    members = zip(user_ids, found, strict=True)
    return {each: "" if kept is None else read_member(kept).name for each, kept in members if not hides_facts(kept)}


def hides_facts(member: Document | None) -> bool:
    """Return whether a member chose that only they see what is known of them (`visibility`: "group" or "nobody")."""
    return member is not None and read_member(member).hides_facts


async def refresh_profiles(app: App, chat_id: int) -> None:
    """Make profiles that changes of facts removed, whoever made these, so that answers need not.

    At most `MOST_REFRESHED`; that it fails loses nothing.
    """
    try:
        changed = await app.store.query(subjects_path(chat_id), where=[NOT_PROFILED], limit=MOST_REFRESHED)
        await _profiles(app.store, app.policy, chat_id, [document.id for document in changed], app.clock.now())
    except TransientError as error:
        log.warning("profiles are left to the next answer: %s", error)


async def _profiles(
    store: DocumentStore, policy: Policy, chat_id: int, subjects: Sequence[str], now: datetime, *, make: bool = True
) -> list[Sequence[ProfileFact]]:
    """Return what is kept of each subject, whoever may be shown it; made where it is not, if it should be."""
    found = await store.get_many([profile_path(chat_id, subject) for subject in subjects])

    async def facts_about(subject: str, document: Document | None) -> Sequence[ProfileFact]:
        known = read_profile(document, subject)
        if known is None and make:
            return await _make_profile(store, policy, chat_id, subject, now)
        return known or []

    return await asyncio.gather(*map(facts_about, subjects, found))


def _rank(policy: Policy, facts: Iterable[ProfileFact], now: datetime) -> list[ProfileFact]:
    return rank_facts(facts, now=now, half_life=policy.half_life, weights=policy.weights)


async def _make_profile(
    store: DocumentStore, policy: Policy, chat_id: int, subject: str, now: datetime
) -> list[ProfileFact]:
    """A profile made from the facts, and put there for the next one who asks."""
    guard = await store.get(learning_path(chat_id, subject))  # first: what changes meanwhile is then noticed
    found = await read_foremost(store, chat_id, subject, most=MOST_READ, active=True)
    facts = [fact for document in found if (fact := fact_from_fields(document.data)).conflicts_with is None]
    names = await names_of(store, chat_id, [said for fact in facts for said in quotes_shown(fact.evidence)])
    kept = _keep_fitting(sort_binding_first(_rank(policy, (profile_fact(fact, names) for fact in facts), now)))
    if len(kept) < len(facts) or len(found) >= MOST_READ:
        log.warning("there are more facts about somebody than a profile keeps: %d", len(kept))
    if guard is not None:  # else nothing was ever learnt, or the chat has just moved to another id
        await _put(store, chat_id, subject, kept, revision=read_subject(guard).revision, now=now)
    return kept


async def names_of(store: DocumentStore, chat_id: int, said: Sequence[Evidence]) -> dict[int, str]:
    """Return what the authors of quotes are called, by user id: as members, else as their message says."""
    messages = {e.user_id: e.message_id for e in said}
    members = await store.get_many([member_path(chat_id, user_id) for user_id in messages])
    names = {member.user_id: member.name for member in map(read_member, filter(None, members))}
    rest = [message_path(chat_id, message_id) for user_id, message_id in messages.items() if user_id not in names]
    said_by = [read_message(document).message for document in filter(None, await store.get_many(rest))]
    return names | {message.user_id: message.name for message in said_by}


def _keep_fitting(ranked: Iterable[ProfileFact]) -> list[ProfileFact]:
    """The first facts that fit; one that is too large for what is left makes room for the next."""
    kept: list[ProfileFact] = []
    left = MAX_BYTES
    for fact in ranked:
        size = row_bytes(fact)
        if len(kept) < MOST_KEPT and size <= left:
            kept.append(fact)
            left -= size
    return kept


async def _put(
    store: DocumentStore, chat_id: int, subject: str, facts: Sequence[ProfileFact], *, revision: int, now: datetime
) -> None:
    async def put(tx: Transaction) -> None:
        guard = await tx.get(learning_path(chat_id, subject))
        if guard is not None and read_subject(guard).revision == revision:
            tx.write(Set(profile_path(chat_id, subject), profile_fields(facts, made_at=now)))
            tx.write(Upsert(guard.path, subject_changes(profiled=True)))

    try:
        await store.transaction(put)
    except TransientError as error:
        log.warning("a profile is not kept: %s", error)
