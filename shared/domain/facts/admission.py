"""What of a candidate may be learnt: quotes that stored messages hold, and about a member only their own words."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from datetime import datetime
from typing import NamedTuple

from shared.domain.facts.evidence.claim import Authority
from shared.domain.facts.fact import Candidate


class SaidMessage(NamedTuple):
    """What a stored message says now, and whether it may teach (law 3)."""

    user_id: int
    text: str
    may_teach: bool = True


def still_said(
    candidate: Candidate, messages: Mapping[int, SaidMessage], *, since: datetime | None = None
) -> Candidate | None:
    """The candidate with the quotes that hold, and the voices whose messages are there (laws 1, 3 and 4).

    None when its first quote does not hold: that one says it, the others may only agree ("+1").

    Args:
        messages: The stored messages by id, as they read now.
        since: What was said before does not count.
    """

    def stands(message_id: int | None, user_id: int, at: datetime, quote: str) -> bool:
        message = messages.get(message_id) if message_id is not None else None
        teaches = message is not None and message.may_teach and message.user_id == user_id and quote in message.text
        return teaches and (since is None or at >= since)

    held = tuple(
        e for e in candidate.evidence if e.quote.strip() and stands(e.message_id, e.user_id, e.sent_at, e.quote)
    )
    if not held or held[0] != candidate.evidence[0]:
        return None
    voices = tuple(v for v in candidate.voices if stands(v.message_id, v.user_id, v.at, ""))
    return own_words(replace(candidate, evidence=held, voices=voices))


def own_words(candidate: Candidate) -> Candidate | None:
    """About a member only their own words count (law 4); None when there are none."""
    if candidate.subject == "chat":
        return candidate if candidate.evidence else None
    own = tuple(e for e in candidate.evidence if f"user:{e.user_id}" == candidate.subject)
    if not own:
        return None
    inner = Authority.OWN_STATEMENT if candidate.authority is Authority.CONSENSUS else candidate.authority
    voices = tuple(v for v in candidate.voices if f"user:{v.user_id}" == candidate.subject)
    return replace(candidate, evidence=own, authority=inner, voices=voices)
