"""What patterns, the model and statistics propose for a chunk, in this order, less what the filters refuse."""

from __future__ import annotations

import logging
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime

from shared.application.chats.chat_codec import ChatState
from shared.application.chats.choices import Choices, Method
from shared.application.conversation.hearing import readable_before
from shared.application.documents import usage_path
from shared.application.policy import Policy
from shared.application.ports.store import DocumentStore, Upsert
from shared.application.ports.system import Clock
from shared.application.reading.model_pass import ModelPass, ModelTalk
from shared.application.spending.usage_codec import refused_fields
from shared.domain.conversation.messages import Message, known_members
from shared.domain.facts.evidence.claim import Authority, Evidence, Voice
from shared.domain.facts.fact import Candidate
from shared.domain.reading.filters.gate import reject_reason
from shared.domain.reading.filters.reasons import Reason
from shared.domain.reading.patterns.consensus import Reaction, reaction_of
from shared.domain.reading.patterns.extraction import read_talk
from shared.domain.reading.statistics import extract_statistics

log = logging.getLogger(__name__)

STATISTICS_EVERY, STATISTICS_OVER = 5, 100
"""Statistics are taken every fifth chunk over the last hundred messages: a smaller sample says little."""


@dataclass(frozen=True, slots=True)
class Proposals:
    """What passed the filters, and how many were refused for which reason."""

    kept: tuple[Candidate, ...] = ()
    refused: Counter[Reason] = field(default_factory=Counter)

    @property
    def facts(self) -> list[Candidate]:
        """Return what of it is a fact by itself."""
        return [candidate for candidate in self.kept if candidate.holds]


async def propose(
    store: DocumentStore, policy: Policy, state: ChatState, choices: Choices, talk: ModelTalk, model: ModelPass
) -> Proposals:
    """Everything that the chat's method finds in a chunk; each candidate knows its authority, hence its source."""
    nearby = [*talk.context, *talk.messages]
    about = {m.message_id for m in talk.messages}
    found = read_patterns(policy, choices, nearby, talk.admins, about=about, since=state.learn_from)
    found += model.candidates
    due = bool(talk.messages) and (state.chunks + 1) % STATISTICS_EVERY == 0
    if due and choices.method.includes(Method.STATISTICAL):
        sample = await readable_before(store, state, talk.messages[-1].message_id + 1, limit=STATISTICS_OVER)
        sample = said_since(sample, state.learn_from)
        nearby = [*nearby, *sample]
        found += extract_statistics(sample, names=(*policy.bot_names, policy.bot_username))
    return sift(policy, state, choices, found, nearby, already=model.refused)


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
    found = _patterns_in(policy, nearby, admins)
    later = said_since(nearby, since)
    if len(later) < len(nearby):  # what was said again since must not be taken for a repetition
        found = [candidate for candidate in found if candidate.subject != "chat"]
        found += [candidate for candidate in _patterns_in(policy, later, admins) if candidate.subject == "chat"]
    return [candidate for candidate in found if not about.isdisjoint(_messages_of(candidate))]


def _patterns_in(policy: Policy, messages: Sequence[Message], admins: frozenset[int]) -> list[Candidate]:
    return read_talk(
        messages,
        admins=admins,
        bot_names=policy.bot_names,
        bot_username=policy.bot_username,
        consensus=policy.consensus,
    )


def said_since(messages: Sequence[Message], since: datetime | None) -> list[Message]:
    """The messages from `since` on; all of them when it is None."""
    return [message for message in messages if since is None or message.sent_at >= since]


def _messages_of(candidate: Candidate) -> Iterator[int]:
    """Ids of the messages that say, support, oppose or ask it."""
    sayings: tuple[Evidence | Voice, ...] = (*candidate.evidence, *candidate.voices)
    for said in sayings:
        yield from (each for each in (said.message_id, said.answers) if each)


def sift(
    policy: Policy,
    state: ChatState,
    choices: Choices,
    proposed: Iterable[Candidate],
    nearby: Sequence[Message],
    *,
    already: Iterable[Reason] = (),
) -> Proposals:
    """Ask the filters about each candidate.

    Args:
        nearby: The messages that the candidates quote.
        already: Reasons for which others were refused before; they are counted, too.
    """
    by_id = {message.message_id: message for message in nearby}
    participants = known_members(nearby, without=state.opted_out)
    kept, refused = [], Counter(already)
    for candidate in proposed:
        reason = reject_reason(
            candidate,
            by_id,
            bot_names=(*policy.bot_names, policy.bot_username),
            participants=participants,
            profile=choices.profile,
            opted_out=state.opted_out,
        )
        if reason is None:
            kept.append(_with_agreement(candidate, by_id))
        elif candidate.holds:
            refused[reason] += 1
    if refused:
        log.debug("refused %s", {str(reason): n for reason, n in sorted(refused.items())})
    return Proposals(tuple(kept), refused)


def _with_agreement(candidate: Candidate, messages: Mapping[int, Message]) -> Candidate:
    """The candidate with those of its quotes marked that only agree with the first one."""
    if candidate.authority is Authority.STATISTICS:
        return candidate  # examples: each counts for itself
    first, *rest = candidate.evidence
    agrees = {e: reaction_of(messages[e.message_id].text) is Reaction.SUPPORT for e in rest}
    return replace(candidate, evidence=(first, *(replace(e, agrees=agrees[e]) for e in rest)))


def count_refused(clock: Clock, chat_id: int, refused: Counter[Reason]) -> list[Upsert]:
    """The write, or none, that adds to the counts of today (UTC).

    It belongs into the transaction that marks the work done, so that work done twice is counted once. One field a
    reason, as increments need: they are not read, so counting never contends with the booking of an answer.
    """
    if not refused:
        return []
    by_name = {str(reason): number for reason, number in refused.items()}
    return [Upsert(usage_path(chat_id, clock.now().date()), refused_fields(by_name))]
