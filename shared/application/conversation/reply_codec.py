"""The codec of a message's fields about answers to it: what a reply means (`asks`), how members reacted (`reacted`)."""

from collections.abc import Mapping
from datetime import datetime
from typing import Any, NamedTuple

from shared.application.derived_codec import DerivedCodec
from shared.application.ports.store import Document, OpenFilter


class ReplyContext(NamedTuple):
    """The subject of a reply, or a reaction, to a message of the bot.

    Attributes:
        command: The command that reads the reply.
        action: What the message is: "question" (to the group, about a fact), "card" (of a fact), "fix" (asks one member
            for a fact's right words), "set" (asks for a setting's words).
        fact: Id of the fact that it is about, "" of a setting.
        about: Mark of the values that the group is asked about (`group_question.mark_of`), "" of all else.
        is_conflict: Whether the question is which of two values holds.
        user_id: Who was asked for words, or None where everybody may reply.
        row: Name of the setting that is asked for, "" of all else.
        words: Mark of the words of a fact as a card shows them, "" where one cannot vote on them there.
        since: Since when the message shows this card, or None when it always did.
    """

    command: str = ""
    action: str = ""
    fact: str = ""
    about: str = ""
    is_conflict: bool = False
    user_id: int | None = None
    row: str = ""
    words: str = ""
    since: datetime | None = None

    @property
    def takes_votes(self) -> bool:
        """Return whether a reaction to the message may be a vote on its fact."""
        return self.action in ("question", "card") and not self.is_conflict


_CONTEXT = DerivedCodec(ReplyContext, names={"is_conflict": "conflict", "user_id": "user"}, sparse=ReplyContext._fields)


def reply_context_of(message: Document | None) -> ReplyContext | None:
    """Return what a reply to a stored message means, without reading the rest of it; None of one that is not there."""
    return None if message is None else read_reply_context(message.data.get("asks"))


def read_reply_context(fields: object) -> ReplyContext | None:
    """Return what a reply means, from the field `asks`; None when it means nothing in particular."""
    if not isinstance(fields, Mapping) or not fields:
        return None
    return _CONTEXT.read(fields)


def reply_context_fields(context: ReplyContext | None) -> dict[str, Any] | None:
    """Return the field `asks`, without what there is nothing of; inverse of `read_reply_context`."""
    if context is None:
        return None
    return _CONTEXT.fields(context) | ({"conflict": context.is_conflict} if context.about else {})


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


reacted_to_by = OpenFilter[int]("reacted_by", "array_contains")
"""The condition that a member's reaction to a message is kept."""
