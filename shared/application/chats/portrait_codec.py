"""The codec of a portrait, in a chat's document and in a member's."""

from collections.abc import Mapping
from datetime import datetime
from typing import NamedTuple

from shared.application.derived_codec import DerivedCodec


class StoredPortrait(NamedTuple):
    """The portrait of a chat or a member, a few sentences on what they are like (`night.culture`).

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


def read_portrait(stored: object) -> StoredPortrait | None:
    """Read the map that holds a portrait; None where there is none."""
    if not isinstance(stored, Mapping):
        return None
    return _PORTRAIT.read(stored)
