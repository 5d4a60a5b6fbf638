"""Limits on questions within an hour, worked out from the questions asked: there is no counter to keep."""

from collections import Counter
from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import Literal, NamedTuple

HOUR = timedelta(hours=1)


class Limit(NamedTuple):
    """A limit that was reached: by a member or the chat, and until when no question is answered."""

    whose: Literal["member", "chat"]
    until: datetime


class CountedQuestion(NamedTuple):
    """A question that was asked; `user_id` is None of somebody who was forgotten."""

    user_id: int | None
    at: datetime


def chat_limit(before: Sequence[CountedQuestion], *, per_user: int, per_chat: int) -> Limit | None:
    """Return the limit that all of a chat reached together, or None as long as there is room for a question.

    Questions over their own author's limit take nobody's room, also while nobody has told their author so.

    Args:
        before: What was asked within the hour before, oldest first; once it reaches the limit, what follows changes
            nothing.
        per_user, per_chat: Questions an hour, at least 1.
    """
    asked = Counter(each.user_id for each in before)
    answered = sum(times if user is None else min(times, per_user) for user, times in asked.items())
    return Limit("chat", before[0].at + HOUR) if answered >= per_chat else None
