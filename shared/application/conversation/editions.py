"""How an edited message's document says which wording it had when (`shared.domain.conversation.editions`).

Only an edited message says so: of any other the text is the only wording, and an ordinary message costs nothing.
"""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import Any

from shared.application.ports.store import DocumentStore, Transaction, Upsert
from shared.application.schedule import Schedule
from shared.domain.conversation.editions import Edition, joined_editions, wording_mark


def edition_of(fields: Mapping[str, Any]) -> tuple[datetime, int]:
    """Orders the versions of a message; Telegram's dates are whole seconds, so within one the update id decides."""
    return fields["edited_at"] or fields["sent_at"], fields.get("edit_update_id", 0)


def with_edition(known: Mapping[str, Any] | None, fields: Mapping[str, Any]) -> list[dict[str, Any]]:
    """The field `editions` of a message once a version of it was delivered.

    Args:
        known: Its document, or None when there is none yet.
        fields: The delivered version.
    """
    before = [] if known is None else _editions(known) or [_edition(known)]
    return [edition._asdict() for edition in joined_editions(before, [_edition(fields)])]


async def note_original(
    store: DocumentStore, schedule: Schedule, chat_id: int, path: str, fields: Mapping[str, Any]
) -> None:
    """Note how a message read before it was edited, when the edit was delivered first. Repeats harmlessly."""

    async def note(tx: Transaction) -> bool:
        known = await tx.get(path)
        if known is None or not _editions(known.data):
            return False
        editions = with_edition(known.data, fields)
        if editions == known.data["editions"]:
            return False
        tx.write(Upsert(path, {"editions": editions, "rederive": True}))
        return True

    if await store.transaction(note):
        await schedule.extraction_after_edits(chat_id)


def _editions(fields: Mapping[str, Any]) -> list[Edition]:
    return [Edition(**edition) for edition in fields.get("editions", ())]


def _edition(fields: Mapping[str, Any]) -> Edition:
    return Edition(*edition_of(fields), wording_mark(fields["text"]))
