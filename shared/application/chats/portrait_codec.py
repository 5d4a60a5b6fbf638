"""The codec of a portrait, in a chat's document and in a member's."""

from collections.abc import Mapping
from datetime import datetime
from typing import Any, NamedTuple

from shared.application.derived_codec import DerivedCodec
from shared.application.ports.store import Document


class StoredPortrait(NamedTuple):
    """The portrait of a chat or a member, a few sentences on what they are like (`night.portraits`).

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


_PORTRAIT = DerivedCodec(StoredPortrait)

portrait_fields = _PORTRAIT.fields
"""Return the map that is stored."""


def read_portrait(data: Mapping[str, Any], field: str) -> StoredPortrait | None:
    """Read the portrait in a field of a chat's or a member's document; None where there is none."""
    stored = data.get(field)
    return _PORTRAIT.read(stored) if isinstance(stored, Mapping) else None


def portrait_names(document: Document | None) -> list[str]:
    """Return the names of all fields in which a chat or a member has a portrait, also those of older versions."""
    return [name for name in (document.data if document else ()) if name.startswith(("culture_", "profile_"))]
