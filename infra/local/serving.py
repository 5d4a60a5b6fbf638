"""The run that stays: HTTP, the queue, and either a console or a real group by long polling."""

from __future__ import annotations

import asyncio
import contextlib
import signal
import socket
import sys
from collections.abc import AsyncIterator, Awaitable

from infra.bootstrap import queue_path
from infra.local.assembly import Local, assemble_local, files_folder, local_bot, open_observer
from infra.local.chat.messenger import Messenger
from infra.local.chat.raw_updates import LOCAL_CHAT
from infra.local.chat.room import Room
from infra.local.chat.terminal import ShownGateway, TerminalGateway
from infra.local.clocks import MovableClock, SkippingClock
from infra.local.console import Console
from infra.local.doors import local_secret
from infra.local.events import Event, Line, Notice
from infra.local.lines import console_lines
from infra.local.outcome import ReplayOutcome, outcome_of
from infra.local.polling import poll_for_ever
from infra.local.server import HOST, LocalServer, listening_socket
from infra.local.view import TerminalView
from infra.system import SystemClock
from infra.telegram.gateway import TelegramGateway
from shared.application.commands.dispatch import publish_menu
from shared.domain.errors import PermanentError, QueueUnavailable, TransientError
from shared.settings import Settings

_FIRST_NIGHT_AFTER, _BETWEEN_NIGHTS = 60, 600
"""Seconds; a day's night has one name, so that asking for it again changes nothing."""


async def serve(settings: Settings, view: TerminalView) -> ReplayOutcome | None:
    """Serve until a signal, /quit or the end of the input; the outcome of what was piped in, else None.

    Raises:
        SettingsError: A setting is wrong, or the port is taken.
    """
    clock = SkippingClock(SystemClock())
    with contextlib.closing(listening_socket(settings.spomyn_port)) as listening:
        if settings.telegram_bot_token:
            await _with_telegram(settings, settings.telegram_bot_token, clock, view, listening)
            return None
        return await _with_console(settings, clock, view, listening)


async def _with_console(
    settings: Settings, clock: MovableClock, view: TerminalView, listening: socket.socket
) -> ReplayOutcome | None:
    transcript: list[Line] = []

    def listener(event: Event) -> None:
        if isinstance(event, Line) and (event.chat_id == LOCAL_CHAT.chat_id or event.private_to):
            transcript.append(event)
        view.show(event)

    observer = open_observer(settings)
    messenger = Messenger(store=observer, bot=local_bot(settings))
    gateway = TerminalGateway(listener, messenger, clock=clock, files=files_folder(settings))
    async with assemble_local(settings, clock, listener, gateway, observer) as local:
        piped = not (sys.stdin and sys.stdin.isatty())
        room = Room(local, messenger, listener, LOCAL_CHAT, ahead=piped)
        console = Console(local, room, messenger, view)
        outcomes: list[ReplayOutcome] = []

        async def conversation() -> None:
            with console_lines() as lines:
                count = await console.converse(lines)
            if piped and count == 0:  # nobody is there: a service, or a test
                await asyncio.Event().wait()
            if piped:
                outcomes.append(await outcome_of(local, LOCAL_CHAT.chat_id, transcript))

        async with _serve_in_background(local, listening, view):
            if not piped:
                view.say("/help says how to type; Ctrl-D leaves.")
            await _until_signal(conversation())
        return outcomes[0] if outcomes else None


async def _with_telegram(
    settings: Settings, token: str, clock: MovableClock, view: TerminalView, listening: socket.socket
) -> None:
    telegram = TelegramGateway(token, api_url=settings.telegram_api_url, clock=clock)
    async with contextlib.AsyncExitStack() as stack:
        stack.push_async_callback(telegram.aclose)
        _, username = await telegram.me()
        settings = settings._replace(bot_username=username or settings.bot_username)
        view.show(Notice(f"@{settings.bot_username} is polled from here; its webhook, if it had one, is removed."))
        await telegram.delete_webhook()
        gateway = ShownGateway(telegram, view.show, bot_name=settings.bot_names[0])
        local = await stack.enter_async_context(
            assemble_local(settings, clock, view.show, gateway, open_observer(settings))
        )
        await stack.enter_async_context(_serve_in_background(local, listening, view))
        await _publish_menu(local, view)
        await _until_signal(poll_for_ever(local, telegram, view.show))


async def _publish_menu(local: Local, view: TerminalView) -> None:
    try:
        await publish_menu(local.app.gateway)
    except (TransientError, PermanentError) as error:
        view.show(Notice(f"The bot's menus of commands are not set (`python -m infra.cli menu` does it): {error}"))


@contextlib.asynccontextmanager
async def _serve_in_background(local: Local, listening: socket.socket, view: TerminalView) -> AsyncIterator[None]:
    """HTTP and the queue while the block runs."""
    server = LocalServer(local.runtime, secret=local_secret(queue_path(local.runtime.settings).parent))
    serving = asyncio.create_task(server.serve(sockets=[listening]))
    local.worker.start()
    tending = asyncio.create_task(_tend_for_ever(local))
    address = f"http://{HOST}:{listening.getsockname()[1]}"
    view.say(f"Spomyn listens on {address} (/webhook, /answer, /extract, /maintenance/<job>)")
    try:
        yield
    finally:
        tending.cancel()
        server.should_exit = True
        await serving


async def _tend_for_ever(local: Local) -> None:
    """Have the nights planned, as the scheduler does elsewhere: soon after the start, and whenever a day has begun."""
    await asyncio.sleep(_FIRST_NIGHT_AFTER)  # who only pipes a few lines in has gone by then
    while True:
        with contextlib.suppress(QueueUnavailable):
            await local.app.schedule.night()
        await asyncio.sleep(_BETWEEN_NIGHTS)


async def _until_signal(work: Awaitable[None]) -> None:
    """Wait for the work, or for SIGINT or SIGTERM, which end it."""
    loop, stopped = asyncio.get_running_loop(), asyncio.Event()
    for number in (signal.SIGINT, signal.SIGTERM):
        loop.add_signal_handler(number, stopped.set)
    working, waiting = asyncio.ensure_future(work), asyncio.ensure_future(stopped.wait())
    await asyncio.wait([working, waiting], return_when=asyncio.FIRST_COMPLETED)
    waiting.cancel()
    working.cancel()
    with contextlib.suppress(asyncio.CancelledError):
        await working
