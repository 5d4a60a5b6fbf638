"""Consensus among members: support, objection and taking back, and what follows for a finding and its candidate.

A reaction belongs to the message it replies to, otherwise to the last finding of another member that is still near.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from enum import StrEnum

from shared.domain.conversation.messages import Message
from shared.domain.facts.evidence.claim import Authority, Evidence, Quorum, Vote, is_person
from shared.domain.facts.fact import Candidate
from shared.domain.reading.matching.clauses import clean
from shared.domain.reading.matching.rows import PatternFinding
from shared.domain.reading.matching.tables import read_marks
from shared.domain.text.data_files import word_lists
from shared.domain.text.language import fold
from shared.domain.text.plain import find_verbatim
from shared.domain.text.words import analyse

NEAR_MESSAGES = 8
"""The number of messages after which an unaddressed "+1" still counts."""

MAX_STRANGERS = 2
"""The number of messages about something else that may stand between."""

_OPENING_WORDS = 12
"""Words of a message that decide how it reacts; what is taken back is looked for in as many."""

_SHORT_MESSAGE = 160
_SUPPORT_GAIN = 0.03
_MAX_CONFIDENCE = 0.97
_JOB = {"occupation", "workplace"}
_MARKS = read_marks(__package__, "consensus", word_lists(__package__, "consensus_lists"))


class Reaction(StrEnum):
    """A message's reaction to the one before it."""

    SUPPORT = "support"
    OBJECTION = "objection"
    RETRACTION = "retraction"


_SIGN = re.compile(
    r"^(?:(?:і|й|теж|and|ну|о|та),? )?(?:\+ ?1|\+{1,3}(?!\d)|100 ?%|💯|"
    r"👍|✅|🙌|☝|👆|❤|🔥|🤝|💪|✋|👌|🫡|🙋(?:‍[♂♀])?|➕)"
)
_AGAINST_SIGN = re.compile(r"^(?:-1|−1|👎|❌|🙅)")


def reaction_of(text: str) -> Reaction | None:
    """Return how a message reacts to the one before it, judged by how it begins; None when it does not."""
    plain = " ".join(clean(text).replace("\ufe0f", "").split(" ")[:_OPENING_WORDS])
    words = analyse(plain)
    if _MARKS["retraction"].mark(words):
        return Reaction.RETRACTION
    asks = "?" in plain[-4:]
    if not asks and (_SIGN.match(plain) or (_MARKS["support"].begin(words) and not _MARKS["not_support"].begin(words))):
        return Reaction.SUPPORT
    return Reaction.OBJECTION if _AGAINST_SIGN.match(plain) or _MARKS["objection"].begin(words) else None


@dataclass(slots=True)
class Thread:
    """A finding with those who answered to it."""

    finding: PatternFinding
    position: int
    supporters: dict[int, Message] = field(default_factory=dict)
    objectors: dict[int, Message] = field(default_factory=dict)

    @property
    def message_ids(self) -> set[int]:
        """The finding's message and its supporters' messages: a reply to any of them is about the finding."""
        return {self.finding.message.message_id, *(message.message_id for message in self.supporters.values())}

    @property
    def needs(self) -> int:
        """Supporters without whom it does not count; one more where its author is nobody's voice (a channel)."""
        needs = self.finding.needs
        return needs + 1 if needs and not is_person(self.finding.message.user_id) else needs

    def holds(self) -> bool:
        """Return whether enough members agree: an admin's rule needs nobody, a proposal more friends than foes."""
        if self.finding.is_decided:
            return True
        return len(self.supporters) >= self.needs and len(self.objectors) <= len(self.supporters)

    def is_replaced_by(self, later: Thread) -> bool:
        """Return whether its author (or an admin, of a rule) has since put another value into the same slot."""
        old, new = self.finding, later.finding
        if old.message.user_id != new.message.user_id and not new.is_decided:
            return False
        later_told = old.subject == new.subject and old.message.message_id != new.message.message_id
        if later_told and {old.key, new.key} == _JOB and _MARKS["changed_job"].mark(analyse(new.message.text)):
            return True  # a change of job, of which the old one was told by place and the new one by profession
        same_slot = (old.subject, old.category, old.key) == (new.subject, new.category, new.key)
        return same_slot and new.single and old.value != new.value and later.holds()


def threads_addressed_by(
    threads: Sequence[Thread], message: Message, position: int, strangers: Sequence[int]
) -> list[Thread]:
    """The findings about the chat that a message reacts to: those of one message go together.

    Without a reply they are the newest that are open; whether anything else is, too, is for the caller to see.

    Args:
        strangers: Positions of messages that were neither findings nor reactions.
    """
    if message.reply_to is not None:
        return [thread for thread in _drop_author(threads, message) if message.reply_to in thread.message_ids]
    found = open_threads(threads, message, position, strangers)
    newest = max((thread.position for thread in found), default=None)
    return [thread for thread in found if thread.position == newest]


def open_threads(threads: Sequence[Thread], message: Message, position: int, strangers: Sequence[int]) -> list[Thread]:
    """The findings of others about the chat that an unaddressed message may react to: those near by.

    Who has reacted to a finding already means another one, if there is another; else they change their mind.
    """
    near = [thread for thread in _drop_author(threads, message) if _is_near(thread.position, position, strangers)]
    return [thread for thread in near if message.user_id not in thread.supporters | thread.objectors] or near


def _drop_author(threads: Sequence[Thread], message: Message) -> list[Thread]:
    others = (thread for thread in threads if thread.finding.message.user_id != message.user_id)
    return [thread for thread in others if thread.finding.subject == "chat"]


def _is_near(at: int, position: int, strangers: Sequence[int]) -> bool:
    return position - at <= NEAR_MESSAGES and sum(at < stranger < position for stranger in strangers) <= MAX_STRANGERS


def candidate_of(thread: Thread, consensus: int) -> Candidate:
    """Make a candidate of a finding: the words of its author and supporters, and voices against it."""
    finding = thread.finding
    confidence = min(_MAX_CONFIDENCE, round(finding.confidence + _SUPPORT_GAIN * len(thread.supporters), 4))
    proposed = finding.message.message_id
    needed = Quorum.CONSENSUS if finding.kind == "rule" else Quorum.SECONDED
    said = _evidence(finding.message, finding.sentence.quote, confidence)
    supported = (
        replace(_evidence(message, message.text, confidence), sent_at=message.worded_at, answers=proposed)
        for message in thread.supporters.values()
    )
    voices = (
        Vote(message.worded_at, message.user_id, supports=False, message_id=message.message_id, answers=proposed)
        for message in thread.objectors.values()
    )
    return Candidate(
        subject=finding.subject,
        category=finding.category,
        key=finding.key,
        value=finding.value,
        description=finding.description,
        confidence=confidence,
        evidence=(replace(said, answers=finding.answers, quorum=needed if finding.needs else Quorum.ONE), *supported),
        authority=_authority(thread, consensus),
        single=finding.single,
        voices=tuple(voices),
    )


def _authority(thread: Thread, consensus: int) -> Authority:
    if thread.finding.is_decided:
        return Authority.ADMIN
    author = is_person(thread.finding.message.user_id)
    return Authority.CONSENSUS if len(thread.supporters) + author >= consensus else Authority.OWN_STATEMENT


def _evidence(message: Message, quote: str, confidence: float) -> Evidence:
    """The author's own words: the whole message when short, else the sentence, exactly as stored."""
    text = message.text.strip()
    words = text if len(text) <= _SHORT_MESSAGE else find_verbatim(quote, text) or text[:_SHORT_MESSAGE]
    return Evidence(message.sent_at, message.message_id, message.user_id, words, confidence)


def merge_candidates(candidates: Sequence[Candidate]) -> list[Candidate]:
    """One candidate per slot and value; the evidence of repetitions adds up."""
    merged: dict[tuple[str, str, str, str], Candidate] = {}
    for candidate in candidates:
        slot = (candidate.subject, candidate.category, candidate.key, fold(candidate.value))
        known = merged.get(slot)
        merged[slot] = candidate if known is None else _join_evidence(known, candidate)
    return list(merged.values())


def _join_evidence(known: Candidate, again: Candidate) -> Candidate:
    seen = {quote.message_id for quote in known.evidence}
    more = tuple(quote for quote in again.evidence if quote.message_id not in seen)
    return replace(
        known,
        evidence=known.evidence + more,
        confidence=max(known.confidence, again.confidence),
        authority=max(known.authority, again.authority),
        voices=known.voices + again.voices,
    )
