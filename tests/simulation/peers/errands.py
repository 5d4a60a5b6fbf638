"""Errands: one run of a task each, told from others that the same instance has at the same time."""

from __future__ import annotations

from collections.abc import Mapping
from contextvars import ContextVar
from dataclasses import dataclass, field
from typing import Any


@dataclass(eq=False, slots=True)
class Errand:
    """One run of a task.

    Attributes:
        task: Its payload.
        troubles: Virtual seconds at which something went wrong that may have kept it from noting what it did.
        over_at: When it ended; None while it goes on, or when its instance died.
        stood_still: Seconds for which its instance did in the middle of it, in all.
    """

    task: Mapping[str, Any]
    troubles: list[float] = field(default_factory=list)
    over_at: float | None = None
    stood_still: float = 0.0

    def had_trouble(self, since: float, until: float) -> bool:
        """Return whether something went wrong in it between two instants."""
        return any(since <= at <= until for at in self.troubles)


at_work: ContextVar[Errand] = ContextVar("at_work")
"""What goes on here."""
