"""How a tombstone is written: the mark of what was erased and must not come back (see `tombstones`)."""

from __future__ import annotations

from datetime import datetime
from typing import Any, NamedTuple

from shared.application.ports.store import Document
from shared.domain.conversation.messages import SCHEMA


class Tombstone(NamedTuple):
    """A tombstone.

    Attributes:
        until: What was said until then, of whom or in what it marks, must not come back; what came later is new.
    """

    until: datetime

    def bars(self, at: datetime) -> bool:
        """Return whether it keeps out what was said at an instant."""
        return at <= self.until


def read_tombstone(document: Document) -> Tombstone:
    """Return what a tombstone says."""
    return Tombstone(document.data["until"])


def tombstone_fields(tombstone: Tombstone) -> dict[str, Any]:
    """Inverse of `read_tombstone`."""
    return {"schema": SCHEMA, "until": tombstone.until}
