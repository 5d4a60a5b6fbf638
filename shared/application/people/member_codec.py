"""The codec of a member of a chat, in their document (`documents.member_path`)."""

from collections.abc import Mapping
from datetime import datetime
from typing import Any, NamedTuple

from shared.application.chats.portrait_codec import StoredPortrait, read_portrait
from shared.application.derived_codec import DerivedCodec
from shared.application.ports.store import DELETE_FIELD, ArrayUnion, Document, Filter, Order
from shared.domain.conversation.messages import SCHEMA, Message

PORTRAIT = "profile_summary"
"""The field that holds a member's portrait (see `night.portraits`)."""


class StoredMember(NamedTuple):
    """A member of a chat who said something there, or chose who sees what is known of them.

    Attributes:
        name: As Telegram showed it last, "" when they only chose.
        username: The last one, or None.
        usernames_seen: All that they had while they spoke.
        last_seen_at: When they said the last words that were learnt from, or None.
        hides_facts: Whether they chose that only they see what is known of them.
        portrait: Who they are to the group, or None when nobody wrote it.
    """

    user_id: int
    name: str = ""
    username: str | None = None
    usernames_seen: tuple[str, ...] = ()
    last_seen_at: datetime | None = None
    hides_facts: bool = False
    portrait: StoredPortrait | None = None

    @property
    def names(self) -> list[str]:
        """Return what they are or were called: name, username, and the usernames of before."""
        return list(dict.fromkeys(filter(None, (self.name, self.username, *self.usernames_seen))))


_MEMBER = DerivedCodec(StoredMember)


def named_user(data: Mapping[str, Any]) -> int | None:
    """Return whom the fields of a member's document, or of a message, name; an export may hold anything there."""
    user_id = data.get("user_id")
    return user_id if isinstance(user_id, int) else None


def read_member(document: Document) -> StoredMember:
    """Return what stands in a member's document."""
    data = document.data
    hides_facts, portrait = data.get("visibility") == "nobody", read_portrait(data, PORTRAIT)
    return _MEMBER.read(data, user_id=int(document.id), hides_facts=hides_facts, portrait=portrait)


def shown_fields(document: Document) -> dict[str, Any]:
    """Return what a member is shown of their document: all that stands there of who they are and what they chose."""
    return {name: value for name, value in document.data.items() if name not in ("schema", "user_id", PORTRAIT)}


# --- updates of a part ---------------------------------------------------------------------------


def speaker_fields(message: Message) -> dict[str, Any]:
    """Return what a member's words tell of who they are."""
    seen = {"usernames_seen": ArrayUnion((message.username,))} if message.username else {}
    named = {"schema": SCHEMA, "user_id": message.user_id, "name": message.name, "username": message.username}
    return {**named, "last_seen_at": message.sent_at, **seen}


def choice_fields(user_id: int, name: str, *, hides_facts: bool) -> dict[str, Any]:
    """Return what says who may see what is known of a member."""
    return {"schema": SCHEMA, "user_id": user_id, "name": name, "visibility": "nobody" if hides_facts else "group"}


def inherited_choice_fields(data: Mapping[str, Any], known: Mapping[str, Any]) -> dict[str, Any]:
    """Return what says who may see what is known of a member, as one document has it and the other does not yet."""
    return {name: data[name] for name in ("visibility",) if name in data and name not in known}


def no_portrait() -> dict[str, Any]:
    """Return what removes a member's portrait."""
    return {PORTRAIT: DELETE_FIELD}


# --- queries -------------------------------------------------------------------------------------

HIDES_FACTS = Filter("visibility", "==", "nobody")
LAST_SEEN_FIRST = Order("last_seen_at", descending=True)


def by_username(*usernames: str) -> Filter:
    """Return the condition that a member has one of these usernames."""
    return Filter("username", "in", list(dict.fromkeys(usernames)))
