"""Candidates of facts from a model's answer: only as far as its quotes stand in the credited member's own messages."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime, time, timedelta, tzinfo

from shared.domain.conversation.messages import Message
from shared.domain.facts.evidence.claim import Authority, Evidence
from shared.domain.facts.fact import Candidate, Relation
from shared.domain.facts.memory_profile import Profile, profile_allows
from shared.domain.reading.fact_keys import BINDING, ONE_AT_A_TIME
from shared.domain.reading.filters.reasons import Reason
from shared.domain.reading.filters.sources import is_anothers
from shared.domain.reading.filters.subjects import find_named_member
from shared.domain.reading.model_output import ModelFact
from shared.domain.text.language import fold
from shared.domain.text.plain import find_verbatim, verify_quote

_RELATIONS = frozenset(Relation)


@dataclass(frozen=True, slots=True)
class ModelCandidates:
    """The candidates of a model's answer that may be looked at further, and a reason for each refused item."""

    candidates: tuple[Candidate, ...]
    refused: tuple[Reason, ...]


def judge_model_facts(
    items: Sequence[ModelFact],
    messages: Sequence[Message],
    participants: Mapping[int, Sequence[str]],
    *,
    admins: frozenset[int] = frozenset(),
    profile: Profile = Profile.UNBOUNDED,
    zone: tzinfo = UTC,
) -> ModelCandidates:
    """Candidates whose quotes were found among the credited member's own messages.

    Args:
        messages: What the model was shown.
        admins: Who may lay down rules: a rule that the model read from anybody else is refused (law 5).
        profile: Which kinds of memory the chat allows; the kind that the model named counts, too.
        zone: In which the last day of a fact ends.
    Returns:
        One candidate for each distinct statement; still to be filtered (`filters.reject_reason`).
    """
    found: dict[tuple[str, str], Candidate] = {}
    refused: list[Reason] = []
    for item in items:
        candidate = _candidate(item, messages, participants, admins, zone)
        if isinstance(candidate, Reason):
            refused.append(candidate)
        elif not profile_allows(profile, candidate, stated=item.memory_type):
            refused.append(Reason.PROFILE)
        else:
            slot = (candidate.subject, fold(candidate.description).rstrip(" .!…"))
            known = found.get(slot, candidate)
            quotes = (*known.evidence, *(quote for quote in candidate.evidence if quote not in known.evidence))
            found[slot] = replace(known, evidence=quotes, confidence=max(known.confidence, candidate.confidence))
    return ModelCandidates(tuple(found.values()), tuple(refused))


def _candidate(
    item: ModelFact,
    messages: Sequence[Message],
    participants: Mapping[int, Sequence[str]],
    admins: frozenset[int],
    zone: tzinfo,
) -> Candidate | Reason:
    source = _source(item, messages, participants)
    if isinstance(source, Reason):
        return source
    if item.about_chat and item.category in BINDING and not source.is_by_admin(admins):
        return Reason.UNAUTHORISED_RULE
    quote = find_verbatim(item.quote, source.text) or ""
    said = source.sent_at, source.message_id, source.user_id
    return Candidate(
        subject="chat" if item.about_chat else f"user:{source.user_id}",
        category=item.category,
        key=item.key or item.category,
        value=(item.value or item.content).strip()[:120].casefold(),
        description=item.content,
        confidence=item.confidence,
        evidence=(Evidence(*said, quote, item.confidence, until=_end_of(item, source, zone)),),
        authority=Authority.MODEL,
        single=item.key in ONE_AT_A_TIME,
        known=item.of,
        relation=Relation(item.verdict) if item.of and item.verdict in _RELATIONS else None,
    )


def _end_of(item: ModelFact, said: Message, zone: tzinfo) -> datetime | None:
    """Return when a fact holds no more: after its last day, which no word tells of that was said later."""
    if item.until is None or item.until < said.sent_at.astimezone(zone).date():
        return None
    return datetime.combine(item.until + timedelta(days=1), time(), zone).astimezone(UTC)


def _source(
    item: ModelFact, messages: Sequence[Message], participants: Mapping[int, Sequence[str]]
) -> Message | Reason:
    """The credited member's message that holds the quote, the one the model named first; never another's."""
    user_id = item.user_id if item.user_id is not None else find_named_member(item.content, participants)
    if not item.about_chat and user_id not in participants:
        return Reason.NON_PARTICIPANT
    saying = [message for message in messages if verify_quote(item.quote, message.text)]
    if not saying:
        quoting = any(is_anothers(item.quote, message) for message in messages)
        return Reason.FOREIGN_SOURCE if quoting else Reason.UNVERIFIABLE_QUOTE
    own = [message for message in saying if user_id in (None, message.user_id)]
    if not own:
        return Reason.WRONG_AUTHOR
    own.sort(key=lambda message: message.message_id != item.message_id)
    return next((message for message in own if message.may_teach), Reason.FOREIGN_SOURCE)
