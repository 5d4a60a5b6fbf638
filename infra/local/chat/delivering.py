"""Hands updates to the product as the webhook does, and waits for what they ask to be answered."""

from __future__ import annotations

import contextlib
import json
import logging
from collections.abc import Callable, Mapping
from typing import Any

from infra.local.assembly import Local
from infra.local.events import Listener, Notice
from infra.telegram.updates import parse_update
from shared.application.app import App
from shared.application.intake.dealing import deal_with_update
from shared.domain.errors import (
    ChatForbidden,
    ChatMigrated,
    GivenUp,
    MessageRejected,
    UnforeseenFailure,
)
from shared.domain.intake.updates import Update, UpdateOutcome, UpdateResult

log = logging.getLogger(__name__)


async def deal_with(
    app: App, raw: object, listener: Listener, *, read: Callable[[], Update] | None = None
) -> UpdateOutcome:
    """Take one update in as the webhook does; what became of it. Whoever pressed a button is answered by a call.

    Args:
        read: Makes the update of it, when it is to be noticed that it does.

    Raises:
        TransientError: It has to come again; an `UnforeseenFailure` comes a few times at most.
        SettingsError: A setting is wrong.
    """
    body = json.dumps(raw, ensure_ascii=False).encode(errors="replace")
    try:
        outcome = await deal_with_update(app, body, read or (lambda: parse_update(raw)))
    except GivenUp as error:
        outcome = UpdateOutcome(UpdateResult.DEAD_LETTER, error.letter_id)
        listener(Notice(f"An update was given up, {outcome}: {error.__cause__}"))
    if outcome.acknowledges is not None:
        with contextlib.suppress(ChatForbidden, ChatMigrated, MessageRejected):  # the press is no less one
            await app.gateway.answer_callback(*outcome.acknowledges)
    return outcome


async def deliver(local: Local, raw: Mapping[str, Any], listener: Listener) -> str:
    """Deal with an update that nobody delivers again but we: what Telegram would do after a failure is done at once.
    What it asks is answered before this returns.

    Returns:
        What became of it.

    Raises:
        TransientError: Something is down.
        SettingsError: A setting is wrong.
    """
    while True:  # until it is a dead letter: the attempts are counted
        try:
            outcome = await deal_with(local.app, raw, listener)
            break
        except UnforeseenFailure as error:
            log.exception("an update failed and is tried again", exc_info=error.__cause__)
    if outcome.result is UpdateResult.ASKED:
        outcome = await local.worker.answer(raw["update_id"]) or outcome
    return str(outcome)
