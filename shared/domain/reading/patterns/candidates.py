"""Candidates of facts from what patterns found: the words of who says and supports it, and voices against it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from shared.domain.conversation.messages import Message
from shared.domain.facts.evidence.claim import Authority, Evidence, Quorum, Voice, is_person
from shared.domain.facts.fact import Candidate
from shared.domain.reading.matching.rows import PatternFinding
from shared.domain.reading.patterns.consensus import Thread
from shared.domain.text.language import fold
from shared.domain.text.quotes import find_verbatim

_SHORT_MESSAGE = 160
_SUPPORT_GAIN = 0.03
_MAX_CONFIDENCE = 0.97


def candidate_of(thread: Thread, consensus: int) -> Candidate:
    finding = thread.finding
    confidence = min(_MAX_CONFIDENCE, round(finding.confidence + _SUPPORT_GAIN * len(thread.supporters), 4))
    said = replace(_evidence(finding.message, finding.sentence.quote, confidence), answers=finding.answers)
    quotes = [replace(said, quorum=_quorum(finding)), *(_agreement(m, confidence) for m in thread.supporters.values())]
    proposed = finding.message.message_id
    voices = (
        Voice(message.worded_at, message.user_id, supports=False, message_id=message.message_id, answers=proposed)
        for message in thread.objectors.values()
    )
    return Candidate(
        subject=finding.subject,
        category=finding.category,
        key=finding.key,
        value=finding.value,
        description=finding.description,
        confidence=confidence,
        evidence=tuple(quotes[:1] + [replace(quote, answers=proposed) for quote in quotes[1:]]),
        authority=_authority(thread, consensus),
        single=finding.single,
        voices=tuple(voices),
    )


def _quorum(finding: PatternFinding) -> Quorum:
    """Return how many must stand behind it, besides those who have spoken here."""
    if finding.needs == 0:
        return Quorum.ONE
    return Quorum.CONSENSUS if finding.kind == "rule" else Quorum.SECONDED


def _agreement(message: Message, confidence: float) -> Evidence:
    """The words of who agrees, since when they stand there."""
    return replace(_evidence(message, message.text, confidence), sent_at=message.worded_at)


def _authority(thread: Thread, consensus: int) -> Authority:
    if thread.finding.kind == "rule" and thread.finding.needs == 0:
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
