"""Forgets a member at their request, in a worker: it erases, proves it, and tells them.

The task is idempotent: what they said after they asked stays, and what is gone is not found again. The numbers that the
first run counted are kept for some days, without any id, so that a later run shows the same.
"""

import logging
from collections.abc import Mapping
from datetime import timedelta
from typing import Any

from shared.application.app import App
from shared.application.conversation.consent_gate import may_speak
from shared.application.delivery.parcels import show_instead
from shared.application.delivery.wording import localized_text
from shared.application.forgetting.forget import erase_archived, erase_member, forget_chat
from shared.application.forgetting.numbers_codec import ForgettingNumbers, numbers_fields, numbers_path, read_numbers
from shared.application.forgetting.proof import Proof, preview_chat, prove
from shared.application.forgetting.request import ForgettingRequest, render_done, render_failed
from shared.application.forgetting.traces.presence import end_forgetting
from shared.application.forgetting.traces.scope import Preview
from shared.application.payload_codec import read_payload
from shared.application.ports.chat import ChatGateway, OutgoingText
from shared.application.ports.store import DocumentStore
from shared.application.ports.system import Clock
from shared.domain.errors import Contention, ObjectLocked, TransientError

log = logging.getLogger(__name__)

_LONG = timedelta(seconds=10)
"""The time after which a member whose words are still being erased is told that the search has begun."""


async def forget_as_requested(app: App, payload: Mapping[str, Any]) -> dict[str, int]:
    """Carry out a request, show the member what came of it, and return how much went.

    Raises:
        BadPayload: The payload is not of its shape.
        TransientError: Run it again.
    """
    request = read_payload(ForgettingRequest, payload)
    try:
        erased, locked, proof = await _erase(app, request)
    except TransientError:
        await _show_if_possible(app.gateway, request, render_failed(app.policy, request))
        raise
    log.info("forgot on request searched=%d locked=%d", proof.searched, len(locked))
    numbers = ForgettingNumbers(erased.counts, proof.searched, len(locked))
    if request.message_id is not None:
        opted_out = not may_speak(await app.chats.state(erased.chat_ids[-1]), request.user_id)
        found_nothing = erased.looked_at is not None
        numbers = await _first_numbers(app.store, app.clock, request, numbers, found_nothing=found_nothing)
        await _show(app.gateway, request, render_done(app.policy, request, numbers, opted_out=opted_out))
    return {**erased.counts, "searched": proof.searched}


async def _first_numbers(
    store: DocumentStore, clock: Clock, request: ForgettingRequest, numbers: ForgettingNumbers, *, found_nothing: bool
) -> ForgettingNumbers:
    """Return the numbers of the first run that came to its end: any other run finds nothing more.

    Whoever asks once more on the same day, with nothing new, is shown the numbers of that day.
    """
    of_day = numbers_path(request.chat_id, request.user_id, f"{request.until:%Y-%m-%d}")
    if found_nothing and (first := await store.get(of_day)) is not None:
        return read_numbers(first)
    path = numbers_path(request.chat_id, request.user_id, request.until.isoformat())
    kept = numbers_fields(numbers, now=clock.now())
    if await store.create(path, kept):
        await store.set(of_day, kept)
        return numbers
    first = await store.get(path)
    return numbers if first is None else read_numbers(first)


async def _erase(app: App, request: ForgettingRequest) -> tuple[Preview, tuple[str, ...], Proof]:
    """Return what was erased, keys of what the archive does not let go, and the proof that nothing else is left."""
    began = app.clock.now()
    erased, locked = await _erase_requested(app, request)
    if app.clock.now() - began >= _LONG:
        await _show_if_possible(app.gateway, request, localized_text(request.language, "forget_checking"))
    proof = Proof((), erased.looked_at) if erased.looked_at is not None else await prove(app.store, app.archive, erased)
    if left := [path for path in proof.left if path not in locked]:
        raise Contention(f"something of chat {request.chat_id} came back meanwhile: {len(left)} documents")
    await end_forgetting(app.store, erased.chat_ids[-1], request.user_id)
    return erased, locked, proof


async def _erase_requested(app: App, request: ForgettingRequest) -> tuple[Preview, tuple[str, ...]]:
    """Erase the member, or all of their private chat unless its memory began after they asked: then it was done."""
    chat_id, user_id, until = request.chat_id, request.user_id, request.until
    if chat_id == user_id:
        since = (await app.chats.state(chat_id, fresh=True)).first_seen_at
        if since is None or since <= until:
            return await _erase_chat(app, chat_id)
    erased = await erase_member(app, chat_id, user_id, until=until, shown=request.message_id)
    try:
        await erase_archived(app, erased)
    except ObjectLocked as error:
        return erased, error.keys
    return erased, ()


async def _erase_chat(app: App, chat_id: int) -> tuple[Preview, tuple[str, ...]]:
    sought, locked = await preview_chat(app.store, chat_id), tuple[str, ...]()
    try:
        await forget_chat(app, chat_id)
    except ObjectLocked as error:
        locked = error.keys
    until = app.clock.now() if (await app.chats.state(chat_id, fresh=True)).known else None
    return sought._replace(until=until), locked


async def _show_if_possible(gateway: ChatGateway, request: ForgettingRequest, text: OutgoingText) -> None:
    """Show what will be shown again, or overwritten, anyway."""
    try:
        await _show(gateway, request, text)
    except TransientError as error:
        log.warning("the chat is not told how its forgetting goes: %s", error)


async def _show(gateway: ChatGateway, request: ForgettingRequest, text: OutgoingText) -> None:
    if request.message_id is not None:
        await show_instead(gateway, request.chat_id, request.message_id, text)
