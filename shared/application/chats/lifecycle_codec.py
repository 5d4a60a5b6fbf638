"""The fields of a chat's document that change when its memory is reset, forgotten, or moves under another id."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import Any

from shared.application.chats.chat_codec import PORTRAIT_FIELD, ChatState, new_chat_fields
from shared.application.chats.consent_codec import hearsay_fields
from shared.application.ports.store import DELETE_FIELD


def reset_field(since: datetime | None) -> dict[str, Any]:
    """Return that nothing said before an instant makes a fact."""
    return {"learn_from": since}


def forgotten_field(at: datetime | None) -> dict[str, Any]:
    """Return when something of the chat was last forgotten for good."""
    return {"forgotten_at": at}


def no_portrait() -> dict[str, Any]:
    """Return what takes the chat's portrait away."""
    return {PORTRAIT_FIELD: DELETE_FIELD}


def stopped_fields(at: datetime) -> dict[str, Any]:
    """Return that the whole chat is being forgotten: no task makes anything of what is still there."""
    return {**forgotten_field(at), "private_mode": True, "active": False}


def forgotten_fields(state: ChatState, seen_names: Sequence[str]) -> dict[str, Any]:
    """Return the whole document of a chat that was forgotten: who opted out, and the hashes of who was forgotten."""
    names = {"opted_out_names": list(seen_names)} if seen_names else {}
    hearsay = hearsay_fields(state.hearsay) if state.hearsay else {}
    consent = {"opted_out": sorted(state.opted_out), **names, **hearsay}
    return {**new_chat_fields(state.chat_id), "forgotten": True, **consent}


def moved_fields(new_id: int) -> dict[str, Any]:
    """Return that a chat goes on under another id."""
    return {"migrated_to": new_id, "active": False}


def arrived_fields(old_id: int) -> dict[str, Any]:
    """Return that a chat was another one before."""
    return {"migrated_from": old_id, "active": True}
