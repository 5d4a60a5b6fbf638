"""What became of an update: a word for the log, and what else there is to say about it in constants of the code."""

from __future__ import annotations

from enum import StrEnum
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from shared.domain.delivery.outcomes import AnswerOutcome


class UpdateResult(StrEnum):
    """What became of an update that was not answered."""

    STORED = "stored"
    EDITED = "edited"
    IGNORED = "ignored"
    REFUSED = "refused"
    REACTION = "reaction"
    MEMBERSHIP = "membership"
    LEFT = "left"
    ADMIN = "admin"
    MIGRATED = "migrated"
    DEAD_LETTER = "recorded as a dead letter"


class UpdateOutcome(NamedTuple):
    """What became of an update.

    Attributes:
        result: In a word.
        detail: Why, or of which kind; a constant of the code, never words of people; "" for nothing.
    """

    result: UpdateResult | AnswerOutcome
    detail: str = ""

    @property
    def log_name(self) -> str:
        """The result as docs/logs.md names it: one word."""
        return self.result.replace(" ", "_")

    def __str__(self) -> str:
        return f"{self.result}: {self.detail}" if self.detail else str(self.result)
