"""Lines that are typed at a terminal."""

import asyncio
import contextlib
import io
import os
import pty
import sys
import termios

from prompt_toolkit.application.current import get_app_session

from infra.local.lines import TypedLines, console_lines


class Screen(io.FileIO):
    """What is printed; somebody presses Ctrl-D at the very moment at which "now" is."""

    def __init__(self, theirs, ours):
        super().__init__(theirs, "w", closefd=False)
        self._ours = ours
        self.shown = b""

    def type(self, keys):
        os.write(self._ours, keys)

    def write(self, shown, /):
        self.shown += bytes(shown)
        if b"now" in bytes(shown):
            self.type(b"\x04")
        return super().write(shown)


@contextlib.contextmanager
def at_a_terminal(monkeypatch):
    """A terminal in place of standard input and output; whoever sits there can type."""
    monkeypatch.setenv("PROMPT_TOOLKIT_NO_CPR", "1")
    monkeypatch.setenv("TERM", "xterm")
    ours, theirs = pty.openpty()
    raw = Screen(theirs, ours)
    with (
        monkeypatch.context() as swapped,
        open(theirs, closefd=False) as keys,
        io.TextIOWrapper(io.BufferedWriter(raw), encoding="utf-8") as screen,
    ):
        swapped.setattr(sys, "stdin", keys)
        swapped.setattr(sys, "stdout", screen)
        swapped.setattr(get_app_session(), "_output", None)  # the library keeps the first screen that it sees
        yield raw
    os.close(ours)
    os.close(theirs)


async def test_what_is_typed_while_nothing_is_asked_is_read_by_the_next_prompt(monkeypatch):
    with at_a_terminal(monkeypatch) as screen, console_lines() as lines:
        assert isinstance(lines, TypedLines)
        screen.type("Оля: Привіт\r".encode())
        assert await lines.read("› ") == "Оля: Привіт"
        screen.type(b"\x04")  # Ctrl-D, between two prompts
        assert await lines.read("› ") is None


async def test_what_is_typed_while_something_is_printed_above_the_prompt_is_read(monkeypatch):
    with at_a_terminal(monkeypatch) as screen, console_lines() as lines:
        reading = asyncio.create_task(lines.read("› "))
        while "›".encode() not in screen.shown:
            await asyncio.sleep(0.01)
        print("now")
        assert await reading is None


def test_the_terminal_is_left_as_it_was(monkeypatch):
    with at_a_terminal(monkeypatch):
        before = termios.tcgetattr(sys.stdin.fileno())
        with console_lines():
            assert termios.tcgetattr(sys.stdin.fileno()) != before
        assert termios.tcgetattr(sys.stdin.fileno()) == before
