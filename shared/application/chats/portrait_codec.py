"""How a portrait is stored: in a chat's document, and in a member's."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import Any, NamedTuple


class StoredPortrait(NamedTuple):
    """What a chat or a member is like, in a few sentences (`night.culture`).

    Attributes:
        text: Never empty.
        made_by: The model's name, or by rules.
        facts: Ids of all facts that it may tell.
        speakers: Whose quotes those have.
        revision: Of the subject's facts that it was made from, or None.
    """

    text: str
    made_at: datetime
    speakers: frozenset[int]
    made_by: str = ""
    facts: tuple[str, ...] = ()
    revision: int | None = None

    def fields(self) -> dict[str, Any]:
        """Return the map that is stored."""
        lists = {"facts": list(self.facts), "speakers": sorted(self.speakers)}
        return {**self._asdict(), **lists}


def read_portrait(stored: object) -> StoredPortrait | None:
    """Read the map that holds a portrait; None where there is none."""
    if not isinstance(stored, Mapping):
        return None
    facts, speakers = tuple(stored.get("facts", ())), frozenset(stored["speakers"])
    made_by, revision = stored.get("made_by", ""), stored.get("revision")
    return StoredPortrait(str(stored["text"]), stored["made_at"], speakers, made_by, facts, revision)
