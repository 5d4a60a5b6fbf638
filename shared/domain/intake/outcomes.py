"""What became of an update: a word for the log, and what else there is to say about it in constants of the code."""

from __future__ import annotations

from enum import StrEnum
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from shared.domain.delivery.outcomes import AnswerOutcome


class UpdateResult(StrEnum):
    """What became of an update that was not answered.

    Attributes:
        ASKED: What it asks was taken in, and is dealt with by who answers.
    """

    STORED = "stored"
    ASKED = "asked"
    EDITED = "edited"
    IGNORED = "ignored"
    REFUSED = "refused"
    REACTION = "reaction"
    MEMBERSHIP = "membership"
    LEFT = "left"
    ADMIN = "admin"
    MIGRATED = "migrated"
    DEAD_LETTER = "recorded as a dead letter"


class Acknowledgement(NamedTuple):
    """What ends the waiting of who pressed a button.

    Attributes:
        text: Shown to them for a moment, plain text of at most 200 characters; "" for nothing.
    """

    callback_id: str
    text: str = ""


class UpdateOutcome(NamedTuple):
    """What became of an update.

    Attributes:
        result: In a word.
        detail: Why, or of which kind; a constant of the code, never words of people; "" for nothing.
        acknowledges: Of a pressed button what Telegram is to be told; else None.
    """

    result: UpdateResult | AnswerOutcome
    detail: str = ""
    acknowledges: Acknowledgement | None = None

    @property
    def log_name(self) -> str:
        """The result as docs/logs.md names it: one word."""
        return self.result.replace(" ", "_")

    def __str__(self) -> str:
        return f"{self.result}: {self.detail}" if self.detail else str(self.result)
