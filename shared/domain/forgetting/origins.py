"""Whether a message carries words of a forgotten member: by ids and whole names, without looking at any word.

The webhook asks it of what is quoted, answered and forwarded, so nothing heavy is imported here.
"""

from __future__ import annotations

from dataclasses import replace

from shared.domain.conversation.messages import Message
from shared.domain.forgetting.erased import Erased, mark

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
