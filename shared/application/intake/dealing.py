"""Decides what becomes of an update, whoever brought it: the webhook, long polling, the console or a script.

    it was dealt with                  done
    TransientError, SettingsError      it has to come again
    PermanentError                     a dead letter
    any other exception (a bug)        it has to come again, `MOST_ATTEMPTS` times in all; then a dead letter

So no update stops the others, and none is lost silently. Nothing but this module decides it; `tasks` decides it for
tasks.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from typing import TYPE_CHECKING, NoReturn

from shared.application.intake.receive import receive_update
from shared.application.ports.store import DocumentStore
from shared.application.ports.system import Clock
from shared.application.telemetry import note_chat
from shared.domain.errors import GivenUp, PermanentError, SettingsError, TransientError, UnforeseenFailure
from shared.domain.intake.updates import ChatMigratedTo, Ignored, Update, UpdateOutcome

if TYPE_CHECKING:
    from shared.application.app import Intake


async def deal_with_update(app: Intake, body: bytes, read: Callable[[], Update]) -> UpdateOutcome:
    """Deal with one update and return what became of it; may be called again with the same one.

    Args:
        body: As it came: what is kept of a dead letter.
        read: Makes the update of it.

    Raises:
        GivenUp: It is a dead letter.
        TransientError: It has to come again; after an exception that nobody foresaw an `UnforeseenFailure`.
        SettingsError: It has to come again when a setting is mended.
    """
    update: Update | None = None
    try:
        update = read()
        note_chat(_chat_of(update))
        return await receive_update(app, update)
    except (TransientError, SettingsError):
        raise
    except PermanentError as error:
        await _give_up(app.store, app.clock, body, error, str(error))
    except Exception as error:  # the one place where it is decided what becomes of a bug
        attempts = await _count(app.store, app.clock, body, update)
        if attempts is not None:
            raise UnforeseenFailure(f"attempt {attempts}: {error!r}") from error
        await _give_up(app.store, app.clock, body, error, f"every attempt failed, the last with {error!r}")


async def give_up_head(store: DocumentStore, clock: Clock, head: bytes, error: PermanentError) -> NoReturn:
    """Record an update that is too large to be read: its beginning.

    Raises:
        GivenUp: It is a dead letter.
    """
    await _give_up(store, clock, head, error, "over the size limit; only the beginning is kept")


async def _count(store: DocumentStore, clock: Clock, body: bytes, update: Update | None) -> int | None:
    """Return which attempt failed, or None when it was the last. What could not even be read is known by its bytes."""
    from shared.application.delivery.closing import MOST_ATTEMPTS, count_failure  # not for the start of every instance

    what = hashlib.sha256(body).hexdigest()[:32] if update is None else str(update.update_id)
    attempts = await count_failure(store, clock, what)
    return attempts if attempts < MOST_ATTEMPTS else None


async def _give_up(store: DocumentStore, clock: Clock, body: bytes, error: Exception, reason: str) -> NoReturn:
    from shared.application.dead_letters import give_up

    letter_id = await give_up(store, clock, kind="update", body=body, reason=reason, error=error)
    raise GivenUp(letter_id) from error


def _chat_of(update: Update) -> int | None:
    if isinstance(update, ChatMigratedTo):
        return update.new_chat_id
    chat = None if isinstance(update, Ignored) else update.chat
    return None if chat is None else chat.chat_id
