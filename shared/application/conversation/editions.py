"""Edits of stored messages; an edited one says which wording it had when (`domain.conversation.editions`).

Only an edited message says so: of any other the text is the only wording, and an ordinary message costs nothing.
"""

from dataclasses import replace

from shared.application.conversation.message_codec import (
    ChunkState,
    StoredMessage,
    edited_field,
    editions_field,
    read_message,
)
from shared.application.ports.store import DocumentStore, Transaction, Upsert
from shared.application.schedule import Schedule
from shared.domain.conversation.messages import Edition, join_editions, wording_mark


def editions_of(known: StoredMessage | None, delivered: StoredMessage) -> tuple[Edition, ...]:
    """Return the editions of a message once a version of it was delivered.

    Args:
        known: As it is stored, or None when it is not yet.
    """
    before = [] if known is None else known.message.editions or [_edition(known)]
    return join_editions(before, [_edition(delivered)])


async def note_original(
    store: DocumentStore, schedule: Schedule, chat_id: int, path: str, delivered: StoredMessage
) -> None:
    """Note how a message read before it was edited, when the edit was delivered first. Idempotent."""

    async def note(tx: Transaction) -> bool:
        found = await tx.get(path)
        known = None if found is None else read_message(found)
        if known is None or not known.message.editions:
            return False
        editions = editions_of(known, delivered)
        if editions == known.message.editions:
            return False
        tx.write(Upsert(path, editions_field(editions) | edited_field()))
        return True

    if await store.transaction(note):
        await schedule.extraction_after_edits(chat_id)


def with_editions(stored: StoredMessage, editions: tuple[Edition, ...]) -> StoredMessage:
    """Return a message that had these editions."""
    return stored._replace(message=replace(stored.message, editions=editions))


def edited_message(schedule: Schedule, known: StoredMessage, edit: StoredMessage) -> StoredMessage:
    """Return a message as an edit leaves it.

    Telegram does not let a quote or an origin be edited; one that is not there any more was forgotten.
    """
    was = known.message
    is_replaced = known.file_id != edit.file_id
    is_changed = is_replaced or was.text != edit.message.text
    # What the model made of the old words is made anew once for all edits of a while, not once for each.
    # The earliest end that anybody asks a task for: whoever stored the edit before may have died before asking.
    retell_at = None
    if is_changed or known.retell_at is not None:
        end = schedule.edits_end()
        retell_at = end if known.retell_at is None else min(known.retell_at, end)
    # What is typed in private stays out, as a new message.
    chunk = edit if edit.chunk_state is ChunkState.PRIVATE else known
    return edit._replace(
        message=replace(
            edit.message,
            quote=was.quote,
            origin_ids=was.origin_ids,
            origin_names=was.origin_names,
            origin_at=was.origin_at,
            media_text=edit.message.media_text if is_replaced else was.media_text,
        ),
        received_at=known.received_at,
        expire_at=known.expire_at or edit.expire_at,
        chunk_state=chunk.chunk_state,
        chunk_id=chunk.chunk_id,
        is_edited=is_changed or known.is_edited,
        retell_at=retell_at,
    )


def _edition(stored: StoredMessage) -> Edition:
    return Edition(*stored.edition_order, wording_mark(stored.message.text))
