"""How a message of the bot keeps the members' last reactions to it (its fields `reacted` and `reacted_by`)."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import Any, NamedTuple

from shared.application.ports.store import Document, Filter

MOST_KEPT = 200
"""Members whose last reaction to one message is kept, the last ones: far more than vote on one value."""


class Reacted(NamedTuple):
    """A member's last reaction.

    Attributes:
        at, update_id: When, in whole seconds, and the update that told it: of two in one second the later.
        supports: What it votes, or None when it votes nothing (any more).
        voted_at: When a reaction of theirs voted last: only that vote is taken back with it, none by a button since.
        fact: What it voted about: a message may show the card of another fact later.
    """

    at: datetime
    update_id: int
    supports: bool | None
    voted_at: datetime | None
    fact: str


def read_reactions(message: Document | None) -> dict[int, Reacted]:
    """Return the last reaction of each member to a message, by user id; none to one that is not there."""
    kept = (message.data.get("reacted") or {}) if message is not None else {}
    return {int(user_id): Reacted(**fields) for user_id, fields in kept.items()}


def reaction_fields(reactions: Mapping[int, Reacted]) -> dict[str, Any]:
    """Return the fields of a message that keep these reactions, and by which they are found; the last `MOST_KEPT`."""
    newest = sorted(reactions, key=lambda user_id: (reactions[user_id].at, str(user_id)))[-MOST_KEPT:]
    reacted = {str(user_id): reactions[user_id]._asdict() for user_id in newest}
    return {"reacted": reacted, "reacted_by": sorted(newest)}


def reacted_at(message: Document, user_id: int) -> datetime | None:
    """Return when a member's reaction that is kept came, or None."""
    kept = (message.data.get("reacted") or {}).get(str(user_id))
    return None if kept is None else kept["at"]


def without_reaction_fields(message: Document, user_id: int) -> dict[str, Any]:
    """Return the fields of a message that keep the reactions of everybody but one member, as they are."""
    others = {name: each for name, each in (message.data.get("reacted") or {}).items() if name != str(user_id)}
    return {"reacted": others, "reacted_by": sorted(map(int, others))}


def reacted_to_by(user_id: int) -> Filter:
    """Return the condition that a member's reaction to a message is kept."""
    return Filter("reacted_by", "array_contains", user_id)
