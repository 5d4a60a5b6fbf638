"""The frame that all commands share: an open Spomyn, `--json`, and errors as exit codes."""

from __future__ import annotations

import asyncio
import contextlib
import functools
import json
import re
import sys
from collections.abc import AsyncIterator, Awaitable, Callable
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

import click
from dotenv import dotenv_values
from rich.console import Console

from infra.bootstrap import build_app, environment, queue_path, telegram_gateway
from infra.cli.no_chat import NoChat
from infra.foundation import cloud_tasks_queue
from infra.observability import configure_logging
from infra.system import SystemClock
from infra.tasks.local_queue import LocalQueue
from shared.application.app import App
from shared.application.chats.chat_codec import ChatState
from shared.application.ports.chat import ChatGateway
from shared.application.ports.system import Clock
from shared.application.ports.tasks import TaskQueue
from shared.domain.errors import SettingsError, SpomynError, TransientError
from shared.settings import Settings

FAILED, WRONG, TRY_AGAIN, INTERRUPTED = 1, 2, 3, 130
"""Exit codes: see `root`."""


_NEGATIVE = re.compile(r"-\d+")


class Failed(click.ClickException):
    """The command could not do what it was asked for; the message says what and what to do."""

    exit_code = FAILED


def plain_console(*, stderr: bool = False) -> Console:
    """A console on which no text is markup: what members typed is printed as it is (pass it through `one_line`, or it
    could steer the terminal). For colours use `rich.text.Text`."""
    return Console(stderr=stderr, markup=False, emoji=False, highlight=False)


@dataclass
class Session:
    """One run of a command.

    Attributes:
        app: The product.
        as_json: Whether `--json` was given: then one JSON document goes to standard output, and nothing else.
        console: For people: standard output, or with `--json` standard error.
        progress: Standard error, for progress bars.
    """

    app: App
    settings: Settings
    as_json: bool = False
    console: Console = field(default_factory=plain_console)
    progress: Console = field(default_factory=lambda: plain_console(stderr=True))

    async def chat(self, chat_id: int) -> ChatState:
        """Return the state of a known chat.

        Raises:
            Failed: There is none, or it goes on under another id.
        """
        state = await self.app.chats.state(chat_id, fresh=True)
        if not state.known:
            raise Failed(f"There is no chat {chat_id}: `stats` lists the chats (ids of groups are negative).")
        if state.migrated_to is not None:
            raise Failed(f"Chat {chat_id} became {state.migrated_to}: use that id.")
        return state

    def show(self, result: Any, tell: Callable[[Console], None]) -> None:
        """End with a result: as JSON, or told to a person by `tell`."""
        if self.as_json:
            click.echo(json.dumps(result, ensure_ascii=False, indent=2, default=_plain))
        else:
            tell(self.console)


class _Command(click.Command):
    """Takes a negative number for an argument, not for an option: ids of groups are negative."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        ctx.ignore_unknown_options = any(_NEGATIVE.fullmatch(arg) for arg in args)
        return super().parse_args(ctx, args)


def _plain(value: Any) -> Any:
    if isinstance(value, datetime):
        return value.isoformat()
    if isinstance(value, bytes):
        return {"bytes": len(value)}
    return str(value)


def command(name: str, *, example: str, **more: Any) -> Callable[[Callable[..., Awaitable[int | None]]], click.Command]:
    """Make a command of `async def work(session, **parameters) -> exit code or None`.

    Args:
        example: A command line (or several lines) shown at the end of `--help`.
        more: For `click.command`; the help text is the function's docstring.
    """

    def decorate(work: Callable[..., Awaitable[int | None]]) -> click.Command:
        @click.option("--json", "as_json", is_flag=True, help="Print one JSON document instead of text.")
        @functools.wraps(work)
        def run(*, as_json: bool, **parameters: Any) -> None:
            sys.exit(_run_guarded(work, as_json, parameters))

        lines = "\n".join(f"  {line}" for line in example.strip().splitlines())
        made: click.Command = click.command(name, cls=_Command, epilog=f"\b\nExample:\n{lines}", **more)(run)
        return made

    return decorate


def _run_guarded(work: Callable[..., Awaitable[int | None]], as_json: bool, parameters: dict[str, Any]) -> int:
    try:
        return asyncio.run(_run(work, as_json, parameters)) or 0
    except SettingsError as error:
        return _say(error, WRONG)
    except TransientError as error:
        return _say(error, TRY_AGAIN)
    except SpomynError as error:
        return _say(error, FAILED)
    except KeyboardInterrupt:
        return INTERRUPTED


def _say(error: Exception, code: int) -> int:
    click.echo(f"Error: {error}", err=True)
    return code


async def _run(work: Callable[..., Awaitable[int | None]], as_json: bool, parameters: dict[str, Any]) -> int | None:
    env = environment(dotenv_values(".env"))
    configure_logging(env.get("LOG_LEVEL") or "ERROR")
    settings = Settings.from_env(env)
    async with open_app(settings) as app:
        console = plain_console(stderr=as_json)
        return await work(Session(app, settings, as_json, console), **parameters)


@contextlib.asynccontextmanager
async def open_app(settings: Settings, *, clock: Clock | None = None) -> AsyncIterator[App]:
    """The product as the settings say, closed at the end. Tasks go to the queue that `make run` or the functions serve.

    Raises:
        SettingsError: The store or the queue cannot be opened.
    """
    clock = clock or SystemClock()
    async with contextlib.AsyncExitStack() as stack:
        queue = _queue(settings, clock)
        stack.push_async_callback(queue.aclose)
        gateway = _gateway(settings, clock)
        stack.push_async_callback(gateway.aclose)
        app = build_app(settings, clock=clock, queue=queue, gateway=gateway)
        for part in (app.store, app.model, app.embedder, app.weather, app.archive):
            if part is not None and hasattr(part, "aclose"):
                stack.push_async_callback(part.aclose)
        yield app


def _queue(settings: Settings, clock: Clock) -> TaskQueue:
    if settings.spomyn_queue == "cloud-tasks":
        return cloud_tasks_queue(settings)
    return LocalQueue(queue_path(settings), clock=clock)


def _gateway(settings: Settings, clock: Clock) -> ChatGateway:
    return telegram_gateway(settings, clock) if settings.telegram_bot_token else NoChat()
