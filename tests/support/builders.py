"""Defaults for domain objects, so that a test shows only what matters."""

from datetime import UTC, datetime, timedelta

from shared.domain.conversation.messages import Message
from shared.domain.facts.evidence.claim import Authority, Evidence
from shared.domain.facts.fact import Candidate

START = datetime(2026, 3, 6, 18, 0, tzinfo=UTC)


def at(minutes: float) -> datetime:
    return START + timedelta(minutes=minutes)


def message(text="Привіт", *, message_id=1, user_id=101, name="Оля", **more) -> Message:
    defaults = {"chat_id": -1001, "sent_at": at(message_id), "username": None}
    return Message(message_id=message_id, user_id=user_id, name=name, text=text, **(defaults | more))


def evidence(message_id=1, *, user_id=101, quote=None, minutes=None, confidence=0.8) -> Evidence:
    when = at(message_id if minutes is None else minutes)
    return Evidence(when, message_id, user_id, quote or f"quote {message_id}", confidence)


def agreed(value="friday", *, minutes=1, **more) -> Candidate:
    """What three members say, one of them with a quote of message 1."""
    quotes = [evidence(message_id, user_id=user_id, minutes=minutes) for message_id, user_id in _CONSENSUS]
    return candidate(value, *quotes, **more)


_CONSENSUS = ((1, 101), (1001, 1001), (1002, 1002))


def candidate(value="friday", *quotes: Evidence, key="weekly_recap", confidence=0.8, **more) -> Candidate:
    defaults = {
        "subject": "chat",
        "category": "tradition",
        "description": f"Recap on {value}",
        "authority": Authority.CONSENSUS,
        "single": True,
    }
    return Candidate(key=key, value=value, confidence=confidence, evidence=quotes or (evidence(),), **(defaults | more))
