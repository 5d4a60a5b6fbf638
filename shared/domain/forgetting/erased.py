"""One forgotten member as the memory keeps them: salted hashes, and the instant until which they hold.

Stored as texts of eight characters a hash, one after the other: a chat's document is read with its messages, and a list
of hashes would cost an index entry each.
"""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Mapping
from dataclasses import replace
from datetime import datetime
from functools import lru_cache
from typing import Any, NamedTuple

from shared.domain.conversation.messages import Message

_BYTES = 6
_LETTERS = 8

_MOST = 1_000
"""Marks of a kind of somebody who is forgotten again and again."""

Marks = frozenset[str]


@lru_cache(maxsize=200_000)
def mark(salt: str, key: str) -> str:
    """Hash of a key: eight URL-safe characters, of 48 bits."""
    digest = hashlib.blake2b(key.encode(), digest_size=_BYTES, key=salt.encode()[:64]).digest()
    return base64.urlsafe_b64encode(digest).decode()


class Erased(NamedTuple):
    """A forgotten member.

    Attributes:
        until: What they say later is new, and whoever retells that retells nothing erased.
        who: Marks of their id, and of their whole names for who hides the account when forwarded.
        names: Of what they were called: stems, short forms, usernames.
        facts: Of the words of their facts.
        said: Of telling words of their messages: these weigh half.
        namesakes: Of the ids of others who are called so, too.
        shared: Names among `names` that are those of namesakes.
        taken: Words among `facts` and `said` that a namesake says of their own accord, or the member says anew.
    """

    until: datetime
    who: Marks
    names: Marks = frozenset()
    facts: Marks = frozenset()
    said: Marks = frozenset()
    namesakes: Marks = frozenset()
    shared: Marks = frozenset()
    taken: Marks = frozenset()

    def fields(self) -> dict[str, Any]:
        """Return the fields as stored."""
        return {"until": self.until} | {name: "".join(sorted(getattr(self, name))) for name in _SETS}

    @staticmethod
    def of(fields: Mapping[str, Any]) -> Erased:
        """Inverse of `fields`."""
        return Erased(fields["until"], **{name: _unpack_marks(fields.get(name, "")) for name in _SETS})

    def merge(self, other: Erased) -> Erased:
        """The same member forgotten once more, or under another chat id: what holds for either holds."""
        both = {name: getattr(self, name) | getattr(other, name) for name in _SETS}
        # What was said anew since the first time is erased by the second.
        later = max(self, other, key=lambda each: each.until)
        both |= {name: frozenset(sorted(both[name])[:_MOST]) for name in ("facts", "said", "taken")}
        taken = both["taken"] - (later.facts | later.said) if self.until != other.until else both["taken"]
        return Erased(later.until, **{**both, "taken": taken})

    def without_namesake(self, who: str) -> Erased:
        """Return what is left when somebody of the same name was forgotten themselves."""
        left = self.namesakes - {who}
        return self._replace(namesakes=left) if left else self._replace(namesakes=left, shared=left, taken=left)


_SETS = tuple(name for name in Erased._fields if name != "until")


def _unpack_marks(text: str) -> Marks:
    return frozenset(text[at : at + _LETTERS] for at in range(0, len(text), _LETTERS))


_HASHED = "="
"""Before a hash among the names that a message keeps."""


def answers(salt: str, person: Erased, message: Message) -> bool:
    """Return whether a message carries or answers what the member said before they were forgotten."""
    return bool(_theirs(salt, person, message))


def hash_origin(salt: str, person: Erased, message: Message) -> Message:
    """A message that answers what the member said then, with a hash in the place of who they are."""
    theirs = _theirs(salt, person, message)
    if not theirs:
        return message
    ids = tuple(each for each in message.origin_ids if mark(salt, id_key(each)) not in theirs)
    names = (each for each in message.origin_names if mark(salt, hidden_key(each)) not in theirs)
    kept = {*names, *(f"{_HASHED}{each}" for each in theirs)}
    return replace(message, origin_ids=ids, origin_names=tuple(sorted(kept)))


def _theirs(salt: str, person: Erased, message: Message) -> frozenset[str]:
    if message.origin_at is not None and message.origin_at > person.until:
        return frozenset()
    known = {mark(salt, id_key(each)) for each in message.origin_ids}
    known |= {mark(salt, hidden_key(each)) for each in message.origin_names}
    known |= {each.removeprefix(_HASHED) for each in message.origin_names if each.startswith(_HASHED)}
    return person.who & known


def id_key(user_id: int) -> str:
    """Return what an id is known by."""
    return f"i:{user_id}"


def hidden_key(name: str) -> str:
    """Return what the mark of a whole name (`messages.name_mark`) is known by."""
    return f"h:{name}"
