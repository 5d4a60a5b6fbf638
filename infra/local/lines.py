"""The sources of the console's lines: a person at a terminal, or a pipe."""

from __future__ import annotations

import asyncio
import contextlib
import os
import sys
import threading
from collections import deque
from collections.abc import Iterator
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from prompt_toolkit.input import Input

_LONGEST = 16_384  # bytes read at once


class Lines(Protocol):
    """Lines to be read one by one."""

    async def read(self, prompt: str) -> str | None:
        """Return the next line, or None when there are no more; a person who types it sees the prompt."""


class TypedLines:
    """Lines typed at a terminal: they can be edited and recalled, and what is printed meanwhile leaves them alone.

    A line is taken off the screen when it is entered: as a message it comes again, with its number.
    """

    def __init__(self, keys: Input | None = None) -> None:
        # A quarter of a second that scripts and pipes do without.
        from prompt_toolkit import PromptSession

        # Ctrl-C leaves as Ctrl-D does. What was typed is kept in memory only: whoever is forgotten is in no file.
        self._session = PromptSession[str](
            erase_when_done=True, enable_suspend=True, interrupt_exception=EOFError, input=keys
        )
        self._entered = deque[str]()

    async def read(self, prompt: str) -> str | None:
        while not self._entered:
            try:
                entered = await self._session.prompt_async(prompt, handle_sigint=False)
            except EOFError:
                return None
            self._entered.extend(entered.splitlines())
        return self._entered.popleft()


class PipedLines:
    """The lines of standard input until it ends; the loop goes on meanwhile, and may end before it."""

    def __init__(self) -> None:
        self._queue: asyncio.Queue[str | None] | None = None

    async def read(self, prompt: str) -> str | None:
        del prompt  # nobody would see it
        if self._queue is None:
            self._queue = _start_reading()
        return await self._queue.get()


@contextlib.contextmanager
def console_lines() -> Iterator[Lines]:
    """Read the lines of whoever is there; at a terminal everything is printed above the line that is being typed."""
    if not (sys.stdin and sys.stdin.isatty() and sys.stdout.isatty()):
        yield PipedLines()
        return
    from prompt_toolkit.patch_stdout import patch_stdout

    with _unbuffered_terminal() as keys, patch_stdout(raw=True):
        yield TypedLines(keys)


@contextlib.contextmanager
def _unbuffered_terminal() -> Iterator[Input | None]:
    """Keep what is typed while no prompt reads for the next one, key by key.

    A terminal that gathers lines by itself shows such keys twice and swallows a Ctrl-D. That would be so between two
    prompts and, for a moment, whenever something is printed above one. Ctrl-C still interrupts.

    Yields:
        What a prompt is to read keys from; None where that is not needed: a console of Windows keeps keys anyway.
    """
    try:
        import termios

        from prompt_toolkit.input.vt100 import Vt100Input
    except ImportError:  # Windows
        yield None
        return

    class Keys(Vt100Input):
        def cooked_mode(self) -> contextlib.AbstractContextManager[None]:
            return contextlib.nullcontext()

    descriptor = sys.stdin.fileno()
    before = termios.tcgetattr(descriptor)
    unbuffered = [*before]
    unbuffered[3] &= ~(termios.ICANON | termios.ECHO)
    termios.tcsetattr(descriptor, termios.TCSANOW, unbuffered)
    try:
        yield Keys(sys.stdin)
    finally:
        termios.tcsetattr(descriptor, termios.TCSANOW, before)


def _start_reading() -> asyncio.Queue[str | None]:
    """Start reading standard input; return the queue to which its lines go, and None after the last."""
    queue = asyncio.Queue[str | None]()
    if sys.stdin is None:
        queue.put_nowait(None)
        return queue
    # A thread, because epoll takes neither files nor /dev/null; os.read, because a thread that is blocked in
    # sys.stdin holds a lock that the interpreter needs to exit.
    arguments = (sys.stdin.fileno(), asyncio.get_running_loop(), queue)
    threading.Thread(target=_read_stdin, args=arguments, daemon=True).start()
    return queue


def _read_stdin(descriptor: int, loop: asyncio.AbstractEventLoop, queue: asyncio.Queue[str | None]) -> None:
    def put(line: str | None) -> None:
        with contextlib.suppress(RuntimeError):  # the loop is closed: nobody listens any more
            loop.call_soon_threadsafe(queue.put_nowait, line)

    rest = b""
    while chunk := _read(descriptor):
        *whole, rest = (rest + chunk).split(b"\n")
        for line in whole:
            put(_decode_line(line))
    if rest:
        put(_decode_line(rest))
    put(None)


def _read(descriptor: int) -> bytes:
    try:
        return os.read(descriptor, _LONGEST)
    except OSError:  # the terminal is gone
        return b""


def _decode_line(line: bytes) -> str:
    return line.decode("utf-8", "replace").strip("\r\ufeff")
