"""Where documents live and how domain objects are written in them. Every document carries `schema`."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from datetime import date, datetime
from typing import Any

from shared.domain.facts import Authority, Change, Evidence, Fact, Status
from shared.domain.messages import SCHEMA, Message


def chat_path(chat_id: int) -> str:
    """A chat; everything of it lies under this path."""
    return f"chats/{chat_id}"


def messages_path(chat_id: int) -> str:
    """The collection of a chat's messages."""
    return f"chats/{chat_id}/messages"


def message_path(chat_id: int, message_id: int) -> str:
    """One message."""
    return f"chats/{chat_id}/messages/{message_id}"


def member_path(chat_id: int, user_id: int) -> str:
    """One member of a chat."""
    return f"chats/{chat_id}/members/{user_id}"


def facts_path(chat_id: int) -> str:
    """The collection of a chat's facts, about itself and its members."""
    return f"chats/{chat_id}/facts"


def fact_path(chat_id: int, fact_id: str) -> str:
    """One fact."""
    return f"chats/{chat_id}/facts/{fact_id}"


def chunks_path(chat_id: int) -> str:
    """The collection of a chat's 10-message chunks."""
    return f"chats/{chat_id}/chunks"


def usage_path(chat_id: int, day: date) -> str:
    """What the model cost a chat on one UTC day."""
    return f"chats/{chat_id}/usage/{day.isoformat()}"


def message_to_fields(message: Message) -> dict[str, Any]:
    """The message's own fields; what extraction and retention add is left to the use case."""
    return {
        "schema": SCHEMA,
        "message_id": message.message_id,
        "sent_at": message.sent_at,
        "user_id": message.user_id,
        "name": message.name,
        "username": message.username,
        "text": message.text,
        "kind": message.kind,
        "is_bot": message.is_bot,
        "is_admin": message.is_admin,
        "reply_to": message.reply_to,
        "quote": message.quote,
        "thread_id": message.thread_id,
        "forwarded": message.forwarded,
        "edited_at": message.edited_at,
        "media": dict(message.media) if message.media is not None else None,
    }


def message_from_fields(chat_id: int, data: Mapping[str, Any]) -> Message:
    """Inverse of `message_to_fields`."""
    return Message(
        chat_id=chat_id,
        message_id=data["message_id"],
        sent_at=data["sent_at"],
        user_id=data["user_id"],
        name=data["name"],
        username=data["username"],
        text=data["text"],
        kind=data["kind"],
        is_bot=data["is_bot"],
        is_admin=data["is_admin"],
        reply_to=data["reply_to"],
        quote=data["quote"],
        thread_id=data["thread_id"],
        forwarded=data["forwarded"],
        edited_at=data["edited_at"],
        media=data["media"],
    )


def evidence_to_fields(evidence: Evidence) -> dict[str, Any]:
    """One quote."""
    return {
        "message_id": evidence.message_id,
        "user_id": evidence.user_id,
        "quote": evidence.quote,
        "sent_at": evidence.sent_at,
        "confidence": evidence.confidence,
    }


def fact_to_fields(fact: Fact) -> dict[str, Any]:
    """A fact with its evidence; `evidence_message_ids` makes it findable by message."""
    return {
        "schema": SCHEMA,
        "subject": fact.subject,
        "category": fact.category,
        "key": fact.key,
        "value": fact.value,
        "description": fact.description,
        "confidence": fact.confidence,
        "evidence": [evidence_to_fields(e) for e in fact.evidence],
        "evidence_message_ids": sorted({e.message_id for e in fact.evidence}),
        "authority": int(fact.authority),
        "single": fact.single,
        "status": str(fact.status),
        "version": fact.version,
        "valid_from": fact.valid_from,
        "last_reinforced_at": fact.last_reinforced_at,
        "valid_to": fact.closed_at,
        "conflicts_with": fact.conflicts_with,
        "supporters": sorted(fact.supporters),
        "objectors": [],
    }


def fact_from_fields(data: Mapping[str, Any]) -> Fact:
    """Inverse of `fact_to_fields`."""
    return Fact(
        subject=data["subject"],
        category=data["category"],
        key=data["key"],
        value=data["value"],
        description=data["description"],
        confidence=data["confidence"],
        evidence=tuple(Evidence(**e) for e in data["evidence"]),
        authority=Authority(data["authority"]),
        single=data["single"],
        status=Status(data["status"]),
        version=data["version"],
        valid_from=data["valid_from"],
        last_reinforced_at=data["last_reinforced_at"],
        closed_at=data["valid_to"],
        conflicts_with=data["conflicts_with"],
    )


def version_path(chat_id: int, fact: Fact) -> str:
    """The record of the change that made `fact` what it is."""
    return f"{fact_path(chat_id, fact.id)}/versions/{fact.version:06d}"


def version_to_fields(change: Change, *, at: datetime) -> dict[str, Any]:
    """What changed, why, by which evidence, confidence before and after."""
    before, after = change.before, change.after
    known = before.evidence if before else ()
    return {
        "schema": SCHEMA,
        "change": change.kind,
        "cause": change.cause,
        "at": at,
        "value": after.value,
        "description": after.description,
        "status": str(after.status),
        "confidence_before": before.confidence if before else None,
        "confidence_after": after.confidence,
        "previous_value": before.value if before and before.value != after.value else None,
        "previous_valid_from": before.valid_from if before else None,
        "valid_from": after.valid_from,
        "valid_to": after.closed_at,
        "evidence": [evidence_to_fields(e) for e in after.evidence if e not in known],
        "retracted": [evidence_to_fields(e) for e in known if e not in after.evidence],
    }


def moved_message(message: Message, chat_id: int, new_id: int, reply_to: int | None) -> Message:
    """The same message under another chat and id."""
    return replace(message, chat_id=chat_id, message_id=new_id, reply_to=reply_to)
