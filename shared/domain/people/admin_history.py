"""The history of a chat's admins: what Telegram told of changes, and what its lists showed in between.

A rule counts by who its author was when it was said, whenever it is read: so what is known of each change is kept, and
the answer is a function of that set, in whatever order it became known (law 10).
"""

from collections.abc import Collection, Iterable
from datetime import datetime
from typing import NamedTuple

MOST_NOTED = 200
"""Notes that are kept of one chat, the newest: changes of years."""


class AdminNote(NamedTuple):
    """A note that a person was, or was not, an admin at one moment.

    Attributes:
        is_admin: Since then for what was told, just then for what a list showed.
        told: Whether Telegram told the change itself: then it was the other way until then.
    """

    at: datetime
    user_id: int
    is_admin: bool
    told: bool


def was_admin(history: Iterable[AdminNote], user_id: int, at: datetime) -> bool | None:
    """Return whether somebody was an admin at a time; None when nothing is known of them but who is one now.

    Between two lists that differ the later one is believed: it is read soon after what was said. In the second of a
    change they are no admin, whichever way it went.
    """
    notes = sorted(note for note in history if note.user_id == user_id)
    earlier = [note for note in notes if note.at < at or (note.at == at and not note.is_admin)]
    later = [note for note in notes if note not in earlier]
    if later:
        return not later[0].is_admin if later[0].told else later[0].is_admin
    return earlier[-1].is_admin if earlier else None


def join_notes(*known: Iterable[AdminNote]) -> tuple[AdminNote, ...]:
    """All of them, oldest first; of too many the newest. A union, so order and repetition change nothing."""
    return tuple(sorted({note for notes in known for note in notes})[-MOST_NOTED:])


def notes_of_list(
    before: Collection[int], checked_at: datetime | None, now_listed: Collection[int], now: datetime
) -> list[AdminNote]:
    """Return what a list says that is new: who came and who went since the one before.

    Args:
        before: Who was an admin by the list that was read at `checked_at`, None when there was none.
    """
    if checked_at is None:
        return []
    changed = {(user_id, True) for user_id in set(now_listed) - set(before)}
    changed |= {(user_id, False) for user_id in set(before) - set(now_listed)}
    return [
        note
        for user_id, is_admin in sorted(changed)
        for note in (
            AdminNote(checked_at, user_id, not is_admin, told=False),
            AdminNote(now, user_id, is_admin, told=False),
        )
    ]
