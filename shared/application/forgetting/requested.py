"""Forgets a member at their request, in a worker: it erases, proves it, and tells them.

The task is idempotent: what they said after they asked stays, and what is gone is not found again. The numbers that the
first run counted are kept for some days, without any id, so that a later run shows the same.
"""

from __future__ import annotations

import logging
from collections.abc import Mapping
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Any, NamedTuple, cast

from shared.application.app import App
from shared.application.chats.settings_codec import LANGUAGES
from shared.application.chats.state import Chats
from shared.application.forgetting.forget import erase_archived, erase_member
from shared.application.forgetting.numbers_codec import ForgettingNumbers, numbers_fields, numbers_path, read_numbers
from shared.application.forgetting.proof import Proof, preview_chat, prove
from shared.application.forgetting.status import ForgettingTarget, checking, render_done, render_failed
from shared.application.forgetting.traces.presence import end_forgetting
from shared.application.forgetting.traces.scope import Preview
from shared.application.forgetting.whole_chat import forget_chat
from shared.application.ports.chat import OutgoingText
from shared.application.ports.store import DocumentStore
from shared.application.ports.system import Clock
from shared.application.ports.tasks import Task, TaskQueue
from shared.domain.errors import (
    BadPayload,
    ChatForbidden,
    ChatMigrated,
    Contention,
    MessageRejected,
    ObjectLocked,
    TransientError,
)
from shared.domain.text.language import Language

if TYPE_CHECKING:
    from shared.application.ports.chat import ChatGateway


log = logging.getLogger(__name__)

_TARGET = "/maintenance/forget"

_A_MOMENT = timedelta(seconds=3)
"""Delay of the task: what the member sees meanwhile is shown first."""

_LONG = timedelta(seconds=10)
"""When erasing takes longer, the member is told that the search has begun."""


class ForgettingRequest(NamedTuple):
    """What is to be forgotten, and where to say so.

    Attributes:
        user_id: The member. In their private chat with the bot it is the chat's own id: then all of the chat is
            forgotten.
        until: What was said later stays.
        message_id: The bot's message that shows how it goes, or None: nobody is told.
    """

    chat_id: int
    user_id: int
    until: datetime
    message_id: int | None = None
    language: Language = "en"

    @property
    def place(self) -> ForgettingTarget:
        """Return where and to whom it is told."""
        return ForgettingTarget(self.chat_id, self.user_id, self.language)

    def task(self, mark: str) -> Task:
        """Return the task that does it; there is one of each mark."""
        fields = {**self._asdict(), "until": self.until.isoformat(), "target": _TARGET}
        return Task(f"forget-{self.chat_id}-{self.user_id}-{mark}", _TARGET, fields, self.until + _A_MOMENT)


async def request_forgetting(queue: TaskQueue, request: ForgettingRequest, *, mark: str) -> bool:
    """Enqueue the task; return False when it was enqueued already.

    Raises:
        QueueUnavailable: It may not have been enqueued.
    """
    return await queue.enqueue(request.task(mark))


async def forget_as_requested(app: App, payload: Mapping[str, Any]) -> dict[str, int]:
    """Carry out a request, show the member what came of it, and return how much went.

    Raises:
        BadPayload: The payload is not of its shape.
        TransientError: Run it again.
    """
    request = _read_request(payload)
    try:
        erased, locked, proof = await _erase(app, request)
    except TransientError:
        await _show_if_possible(app.gateway, request, render_failed(app.policy, request.place))
        raise
    log.info("forgot on request searched=%d locked=%d", proof.searched, len(locked))
    numbers = ForgettingNumbers(erased.counts, proof.searched, len(locked))
    if request.message_id is not None:
        opted_out = request.user_id in (await app.chats.state(erased.chat_ids[-1])).opted_out
        found_nothing = erased.looked_at is not None
        numbers = await _first_numbers(app.store, app.clock, request, numbers, found_nothing=found_nothing)
        done = render_done(app.policy, request.place, **numbers._asdict(), opted_out=opted_out)
        await _show(app.gateway, request, done)
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


def _read_request(payload: Mapping[str, Any]) -> ForgettingRequest:
    chat_id, user_id, message_id = (payload.get(name) for name in ("chat_id", "user_id", "message_id"))
    try:
        until = datetime.fromisoformat(str(payload.get("until")))
    except ValueError as error:
        raise BadPayload("until is no instant") from error
    ids = [chat_id, user_id, 0 if message_id is None else message_id]
    if until.tzinfo is None or not all(isinstance(each, int) and not isinstance(each, bool) for each in ids):
        raise BadPayload("forget needs chat_id, user_id, message_id and until with an offset")
    language = payload.get("language")
    chosen = cast("Language", language) if language in LANGUAGES else "en"
    return ForgettingRequest(cast("int", chat_id), cast("int", user_id), until.astimezone(UTC), message_id, chosen)


async def _erase(app: App, request: ForgettingRequest) -> tuple[Preview, tuple[str, ...], Proof]:
    """Return what was erased, keys of what the archive does not let go, and the proof that nothing else is left."""
    began = app.clock.now()
    erased, locked = await _erase_requested(app, request)
    if app.clock.now() - began >= _LONG:
        await _show_if_possible(app.gateway, request, checking(request.place))
    proof = Proof((), erased.looked_at) if erased.looked_at is not None else await prove(app.store, app.archive, erased)
    if left := [path for path in proof.left if path not in locked]:
        raise Contention(f"something of chat {request.chat_id} came back meanwhile: {len(left)} documents")
    await end_forgetting(app.store, erased.chat_ids[-1], request.user_id)
    return erased, locked, proof


async def _erase_requested(app: App, request: ForgettingRequest) -> tuple[Preview, tuple[str, ...]]:
    if request.user_id == request.chat_id and not await _began_anew(app.chats, request):
        return await _erase_chat(app, request)
    erased = await erase_member(app, request.chat_id, request.user_id, until=request.until, shown=request.message_id)
    try:
        await erase_archived(app, erased)
    except ObjectLocked as error:
        return erased, error.keys
    return erased, ()


async def _erase_chat(app: App, request: ForgettingRequest) -> tuple[Preview, tuple[str, ...]]:
    sought, locked = await preview_chat(app.store, request.chat_id), tuple[str, ...]()
    try:
        await forget_chat(app, request.chat_id)
    except ObjectLocked as error:
        locked = error.keys
    until = app.clock.now() if (await app.chats.state(request.chat_id, fresh=True)).known else None
    return sought._replace(until=until), locked


async def _began_anew(chats: Chats, request: ForgettingRequest) -> bool:
    """Return whether the private chat's memory began after the request: it was carried out before."""
    since = (await chats.state(request.chat_id, fresh=True)).first_seen_at
    return since is not None and since > request.until


async def _show_if_possible(gateway: ChatGateway, request: ForgettingRequest, text: OutgoingText) -> None:
    """Show what will be shown again, or overwritten, anyway."""
    try:
        await _show(gateway, request, text)
    except TransientError as error:
        log.warning("the chat is not told how its forgetting goes: %s", error)


async def _show(gateway: ChatGateway, request: ForgettingRequest, text: OutgoingText) -> None:
    if request.message_id is None:
        return
    try:
        await gateway.edit(request.chat_id, request.message_id, text)
    except (ChatForbidden, ChatMigrated, MessageRejected) as error:
        log.warning("a message could not be changed: %s", error)
