"""The conversation at the console: lines from a terminal or a pipe, spoken by several members."""

from __future__ import annotations

import asyncio
import contextlib
import os
import sys
import threading
from collections.abc import AsyncIterator

from infra.local.assembly import Local
from infra.local.events import Notice
from infra.local.messenger import Impossible, Messenger
from infra.local.raw_updates import Person
from infra.local.room import Room
from infra.local.script.people import FIRST_USER
from infra.local.script.steps import Press, Say
from infra.local.typed import HELP, Typed, read_line
from infra.local.view import View
from shared.domain.errors import TransientError

NOBODY = "Гість"
"""Who speaks when no line has named anybody yet."""

_LONGEST = 16_384  # bytes read at once


class Console:
    """Turns lines into messages and pressed buttons of the room's members."""

    def __init__(self, local: Local, room: Room, messenger: Messenger, view: View) -> None:
        self._local = local
        self._room = room
        self._messenger = messenger
        self._view = view
        self._ids: dict[str, int] = {}
        self._speaker = Person(FIRST_USER, NOBODY)
        self._pasted = False

    async def converse(self, lines: StdinLines) -> int:
        """Take lines until they end or say /quit; how many there were."""
        self._ids = await self._room.recall()
        count = 0
        self._ask(lines)
        async for line in lines:
            count += 1
            if line.strip() == "/quit":
                break
            try:
                await self._take(line)
            except TransientError as error:
                self._view.show(Notice(f"This did not work, say it again: {error}"))
            except Impossible as error:
                self._view.show(Notice(f"This is not possible: {error}."))
            self._ask(lines)
        return count

    def _ask(self, lines: StdinLines) -> None:
        self._view.prompt(f"{self._speaker.name}› ")
        self._pasted = lines.waiting

    async def _take(self, line: str) -> None:
        if not line.strip():
            return
        if line.strip() == "/help":
            self._view.say(HELP)
            return
        typed = read_line(line)
        speaker = self._speaker = self._person(typed.name or self._speaker.name)
        if typed.is_admin:
            await self._room.make_admin(speaker)
        if typed.press is not None and await self._pressed(speaker, typed.press, typed.reply_to):
            return
        if typed.text:
            await self._say(speaker, typed)

    async def _pressed(self, speaker: Person, number: int, message_id: int | None) -> bool:
        """Press a button; False where there is none: then the words are said."""
        try:
            await self._room.press(Press(speaker, number, message_id))
        except Impossible:
            return False
        return True

    async def _say(self, speaker: Person, typed: Typed) -> None:
        is_admin = self._messenger.status(self._room.chat.chat_id, speaker.user_id) == "administrator"
        if not self._pasted:  # else the line above is another one
            self._view.take_back_typed()
        said = Say(
            speaker,
            typed.text,
            is_admin=is_admin and not typed.is_private,
            reply_to=typed.reply_to,
            private=typed.is_private,
        )
        await self._room.say(said)

    def _person(self, name: str) -> Person:
        """The member of this name, with the id that they had in earlier runs."""
        free = max([FIRST_USER - 1, *self._ids.values()]) + 1
        return Person(self._ids.setdefault(name, free), name)


class StdinLines:
    """The lines of standard input until it ends; the loop goes on meanwhile, and may end before it."""

    def __init__(self) -> None:
        self._queue = asyncio.Queue[str | None]()

    @property
    def waiting(self) -> bool:
        """Whether a line is there that nobody took yet."""
        return not self._queue.empty()

    async def __aiter__(self) -> AsyncIterator[str]:
        if sys.stdin is None:
            return
        # A thread, because epoll takes neither files nor /dev/null; os.read, because a thread that is blocked in
        # sys.stdin holds a lock that the interpreter needs to exit.
        arguments = (sys.stdin.fileno(), asyncio.get_running_loop(), self._queue)
        threading.Thread(target=_read_stdin, args=arguments, daemon=True).start()
        while (line := await self._queue.get()) is not None:
            yield line


def _read_stdin(descriptor: int, loop: asyncio.AbstractEventLoop, queue: asyncio.Queue[str | None]) -> None:
    def put(line: str | None) -> None:
        with contextlib.suppress(RuntimeError):  # the loop is closed: nobody listens any more
            loop.call_soon_threadsafe(queue.put_nowait, line)

    rest = b""
    while chunk := _read(descriptor):
        *whole, rest = (rest + chunk).split(b"\n")
        for line in whole:
            put(_decoded(line))
    if rest:
        put(_decoded(rest))
    put(None)


def _read(descriptor: int) -> bytes:
    try:
        return os.read(descriptor, _LONGEST)
    except OSError:  # the terminal is gone
        return b""


def _decoded(line: bytes) -> str:
    return line.decode("utf-8", "replace").strip("\r\ufeff")
