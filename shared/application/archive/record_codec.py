"""The codec of the record of what the archive holds of a chat: `chats/{c}/upkeep/archive`."""

from collections.abc import Mapping
from datetime import datetime
from typing import Any, NamedTuple

from shared.application.derived_codec import DerivedCodec
from shared.application.ports.objects import ObjectInfo
from shared.application.ports.store import DELETE_FIELD, Document, Increment
from shared.domain.conversation.messages import SCHEMA


class ArchiveRecord(NamedTuple):
    """A record of what the archive holds of a chat.

    Attributes:
        exported_on: Midnight, UTC, of the day of the last export, or None.
        context_sha256: Of the CONTEXT.md there, hexadecimal, or None: there is none.
        writing: The number of `erasures` that a run knew which is not over, or None.
        erasures: How often the chat's objects were erased.
        moved_from: The old id whose objects are gone, or None.
    """

    exported_on: datetime | None = None
    context_sha256: str | None = None
    writing: int | None = None
    erasures: int = 0
    moved_from: int | None = None

    @property
    def is_fenced(self) -> bool:
        """Return whether a run began before an erasure, and died before it could see it."""
        return self.writing is not None and self.writing != self.erasures


_RECORD = DerivedCodec(ArchiveRecord)


record_fields = _RECORD.changes
"""Return the fields by which a record changes."""


def record_path(chat_id: int) -> str:
    """Return where the record of a chat is."""
    return f"chats/{chat_id}/upkeep/archive"


def read_archive_record(document: Document | None) -> ArchiveRecord:
    """Read the record; of a chat that was never archived it is empty."""
    return _RECORD.of(document)


def writing_fields(erasures: int) -> dict[str, Any]:
    """Return that a run writes, which knows of so many erasures."""
    return {"schema": SCHEMA, "writing": erasures}


def finished_fields(changes: Mapping[str, Any]) -> dict[str, Any]:
    """Return what a run wrote, and that it is over."""
    return {"schema": SCHEMA, **changes, "writing": None}


def export_fields(info: ObjectInfo, now: datetime) -> dict[str, Any]:
    """Return that there is an export of the day.

    It counts as made at midnight: whether an earlier run of the day put it, before something was said, is not known.
    """
    told = {"key": info.key, "etag": info.etag, "checksum": info.checksum, "size": info.size}
    return {"exported_on": midnight(now), "export": told}


def context_field(digest: str | None) -> dict[str, Any]:
    """Return which CONTEXT.md is there; None when there is none any more."""
    return {"context_sha256": DELETE_FIELD if digest is None else digest}


def erased_fields() -> dict[str, Any]:
    """Return that all objects of the chat are gone: one erasure more, and nothing of what there was."""
    gone = dict.fromkeys(("exported_on", "export", "context_sha256", "writing"), DELETE_FIELD)
    return {"erasures": Increment(1), **gone}


def midnight(moment: datetime) -> datetime:
    """Return the beginning of a moment's day."""
    return moment.replace(hour=0, minute=0, second=0, microsecond=0)
