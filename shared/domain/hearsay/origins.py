"""Whether a message carries words of a forgotten member: by ids and whole names, without looking at any word.

The webhook asks it of what is quoted, answered and forwarded, so nothing heavy is imported here.
"""

from __future__ import annotations

from shared.domain.hearsay.erased import Erased, mark
from shared.domain.messages import Message


def answers(salt: str, person: Erased, message: Message) -> bool:
    """Whether a message carries or answers what the member said before they were forgotten."""
    then = message.origin_at is None or message.origin_at <= person.until
    keys = [*map(id_key, message.origin_ids), *map(hidden_key, message.origin_names)]
    return then and any(mark(salt, key) in person.who for key in keys)


def id_key(user_id: int) -> str:
    """What an id is known by."""
    return f"i:{user_id}"


def hidden_key(name: str) -> str:
    """What the mark of a whole name (`messages.name_mark`) is known by."""
    return f"h:{name}"
