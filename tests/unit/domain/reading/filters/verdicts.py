"""A fact of a model about Olya, and what the gate says of it."""

from dataclasses import replace
from typing import Any

from shared.domain.conversation.messages import Message
from shared.domain.facts.evidence.claim import Authority, Evidence
from shared.domain.facts.fact import Candidate
from shared.domain.reading.filters.gate import reject_reason
from shared.domain.reading.filters.reasons import Reason
from tests.support.talk import said

PEOPLE = {101: ("Olya", "olya"), 102: ("Sam", "sam_dev")}


def from_model(description: str, quote: str, **changes: Any) -> Candidate:
    base = Candidate(
        subject="user:101",
        category="personal_info",
        key="fact",
        value=description.casefold(),
        description=description,
        confidence=0.9,
        evidence=(Evidence(said("x").sent_at, 1, 101, quote, 0.9),),
        authority=Authority.MODEL,
    )
    return replace(base, **changes)


def verdict(candidate: Candidate, *messages: Message, **options: Any) -> Reason | None:
    shown = messages or tuple(said(quote.quote) for quote in candidate.evidence)
    return reject_reason(
        candidate, {m.message_id: m for m in shown}, bot_names=["Nova", "гряг"], participants=PEOPLE, **options
    )
