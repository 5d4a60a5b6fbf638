"""The result of one run of a job."""

from collections.abc import Mapping
from datetime import datetime
from typing import NamedTuple


class JobResult(NamedTuple):
    """The result of one run of a job for one chat.

    Attributes:
        counts: What was done, by name, for the log and for people.
        next_at: When there is something to do although nothing more is said in the chat (a fact expires, a message is
            too old), or None.
        more: There is more to do right now than one task does: it is run again at once.
    """

    counts: Mapping[str, int] = {}
    next_at: datetime | None = None
    more: bool = False
