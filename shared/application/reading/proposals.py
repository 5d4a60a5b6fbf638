"""Proposes candidates for a chunk, from patterns, the model and statistics, in this order, less what filters refuse."""

import logging
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from functools import partial

from shared.application.chats.chat_codec import ChatState
from shared.application.chats.choices import Choices, Method
from shared.application.conversation.consent_gate import readable_before
from shared.application.documents import usage_path
from shared.application.facts.gate import gate_for
from shared.application.policy import Policy
from shared.application.ports.store import DocumentStore, Upsert
from shared.application.ports.system import Clock
from shared.application.reading.model_pass import ModelPass, ModelTalk
from shared.application.spending.usage_codec import refused_fields
from shared.domain.conversation.messages import Message
from shared.domain.facts.evidence.claim import Authority, Evidence, Vote
from shared.domain.facts.fact import Candidate, Relation
from shared.domain.facts.profile import ProfileFact
from shared.domain.reading.filters.reasons import Reason
from shared.domain.reading.guards.private_details import holds_private_detail
from shared.domain.reading.one_statement import join_lanes, needs_agreement
from shared.domain.reading.patterns.consensus import Reaction, reaction_of
from shared.domain.reading.patterns.extraction import read_talk
from shared.domain.reading.statistics.manner import extract_statistics

log = logging.getLogger(__name__)

STATISTICS_EVERY, STATISTICS_OVER = 5, 100
"""Statistics are taken every fifth chunk over the last hundred messages: a smaller sample says little."""


@dataclass(frozen=True, slots=True)
class Proposals:
    """The candidates that passed the filters, and how many were refused for which reason."""

    kept: tuple[Candidate, ...] = ()
    refused: Counter[Reason] = field(default_factory=Counter)

    @property
    def facts(self) -> list[Candidate]:
        """Return what of it is a fact by itself."""
        return [candidate for candidate in self.kept if candidate.holds]


async def propose(
    store: DocumentStore,
    policy: Policy,
    state: ChatState,
    choices: Choices,
    talk: ModelTalk,
    model: ModelPass,
    *,
    patterns: bool = True,
    statistics: bool = True,
) -> Proposals:
    """Everything that the chat's method finds in a stretch; each candidate knows its authority, hence its source.

    Where the model has read it, facts come from the model and from statistics; patterns say who stands behind them.

    Args:
        patterns, statistics: Whether they are asked; what is read again has them already.
    """
    nearby = [*talk.context, *talk.messages, *talk.after]
    about = {m.message_id for m in talk.messages} if patterns else set[int]()
    found = read_patterns(policy, choices, nearby, talk.admins, about=about, since=state.learn_from) if about else []
    found += model.candidates
    due = (state.chunks + len(talk.parts)) // STATISTICS_EVERY > state.chunks // STATISTICS_EVERY
    if statistics and due and talk.messages and choices.method.includes(Method.STATISTICAL):
        sample = await readable_before(store, state, talk.messages[-1].message_id + 1, limit=STATISTICS_OVER)
        sample = messages_since(sample, state.learn_from)
        nearby = [*nearby, *sample]
        found += extract_statistics(sample, zone=choices.timezone, names=(*policy.bot_names, policy.bot_username))
    sifted = sift(policy, state, found, nearby, already=model.refused, known=model.known.values())
    return merge_lanes(sifted, model, nearby, talk.admins)


def merge_lanes(sifted: Proposals, model: ModelPass, nearby: Sequence[Message], admins: frozenset[int]) -> Proposals:
    """Return what passed the filters, with what the model and patterns found in the same words as one."""
    by_id = {message.message_id: message for message in nearby}
    read = [_with_right(each, by_id, admins, model) for each in sifted.kept if each.authority is Authority.MODEL]
    matched = [each for each in sifted.kept if each.authority not in (Authority.MODEL, Authority.STATISTICS)]
    allowed = [each for each in read if not needs_agreement(each, matched)]
    counted = [each for each in sifted.kept if each.authority is Authority.STATISTICS]
    lane = join_lanes(allowed, matched) if model.has_read else [*matched, *allowed]
    refused = sifted.refused + Counter({Reason.UNAUTHORISED_RULE: len(read) - len(allowed)})
    return replace(sifted, kept=(*lane, *counted), refused=refused)


def _with_right(
    candidate: Candidate, by_id: Mapping[int, Message], admins: frozenset[int], model: ModelPass
) -> Candidate:
    """Return what the model read with the right that its author has: an admin's rule is one, and what somebody says
    later of themselves, an admin of the group, or a group of itself, takes the place of what was said before."""
    said = candidate.evidence[0]
    decreed = candidate.subject == "chat" and by_id[said.message_id].is_by_admin(admins)
    if candidate.category == "rule" and decreed:
        return replace(candidate, authority=Authority.ADMIN)
    own_slot = candidate.single and (decreed or candidate.subject != "chat") and candidate.relation is None
    slot = (candidate.subject, candidate.category, candidate.key)
    met = [
        fact
        for fact in model.known.values()
        if fact.id == candidate.known or (own_slot and slot == (fact.subject, fact.category, fact.key))
    ]
    is_later = all(fact.valid_from is None or fact.valid_from < said.sent_at for fact in met)
    if not is_later or not (own_slot or candidate.relation is Relation.REPLACES):
        return candidate
    return replace(candidate, authority=Authority.ADMIN if decreed else Authority.OWN_STATEMENT)


def read_patterns(
    policy: Policy,
    choices: Choices,
    nearby: Sequence[Message],
    admins: frozenset[int],
    *,
    about: set[int],
    since: datetime | None = None,
) -> list[Candidate]:
    """Return what patterns find in these messages and at least one of the ids in `about` says, supports or opposes.

    Args:
        since: The chat's last reset; about the chat itself nothing that was said before is read.
    """
    if not choices.method.includes(Method.PATTERN):
        return []
    read = partial(
        read_talk,
        admins=admins,
        bot_names=policy.bot_names,
        bot_username=policy.bot_username,
        consensus=policy.consensus,
    )
    found, later = read(nearby), messages_since(nearby, since)
    if len(later) < len(nearby):  # what was said again since must not be taken for a repetition
        found = [candidate for candidate in found if candidate.subject != "chat"]
        found += [candidate for candidate in read(later) if candidate.subject == "chat"]

    def concerns(candidate: Candidate) -> bool:
        sayings: tuple[Evidence | Vote, ...] = (*candidate.evidence, *candidate.voices)
        return any({said.message_id, said.answers} & about for said in sayings)

    return list(filter(concerns, found))


def messages_since(messages: Sequence[Message], since: datetime | None) -> list[Message]:
    """The messages from `since` on; all of them when it is None."""
    return [message for message in messages if since is None or message.sent_at >= since]


def sift(
    policy: Policy,
    state: ChatState,
    proposed: Iterable[Candidate],
    nearby: Sequence[Message],
    *,
    already: Iterable[Reason] = (),
    known: Iterable[ProfileFact] = (),
) -> Proposals:
    """Ask the filters about each candidate.

    Args:
        nearby: The messages that the candidates quote.
        already: Reasons for which others were refused before; they are counted, too.
        known: The facts that candidates may speak of.
    """
    by_id, refuse = {message.message_id: message for message in nearby}, gate_for(policy, state, nearby, known=known)
    kept, refused = [], Counter(already)
    for candidate in proposed:
        reason = refuse(candidate)
        if reason is None and candidate.authority is not Authority.STATISTICS and _tells_secret(candidate):
            reason = Reason.PRIVATE_DETAIL
        if reason is None and candidate.authority is Authority.STATISTICS:
            kept.append(candidate)  # its quotes are examples: each counts for itself
        elif reason is None:  # the others may only agree with the first one
            first, *rest = candidate.evidence
            marked = (replace(e, agrees=reaction_of(by_id[e.message_id].text) is Reaction.SUPPORT) for e in rest)
            kept.append(replace(candidate, evidence=(first, *marked)))
        elif candidate.holds:
            refused[reason] += 1
    if refused:
        log.debug("refused %s", {str(reason): n for reason, n in sorted(refused.items())})
    return Proposals(tuple(kept), refused)


def _tells_secret(candidate: Candidate) -> bool:
    quotes = (quote.quote for quote in candidate.evidence)
    return any(map(holds_private_detail, (candidate.value, candidate.description, *quotes)))


def count_refused(clock: Clock, chat_id: int, refused: Counter[Reason]) -> list[Upsert]:
    """The write, or none, that adds to the counts of today (UTC).

    It belongs into the transaction that marks the work done, so that work done twice is counted once. One field a
    reason, as increments need: they are not read, so counting never contends with the booking of an answer.
    """
    if not refused:
        return []
    by_name = {str(reason): number for reason, number in refused.items()}
    return [Upsert(usage_path(chat_id, clock.now().date()), refused_fields(by_name))]
