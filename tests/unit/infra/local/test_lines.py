"""Lines that are typed at a terminal."""

import contextlib
import os
import pty
import sys
import termios

from infra.local.lines import TypedLines, console_lines


@contextlib.contextmanager
def at_a_terminal(monkeypatch):
    """A terminal in place of standard input and output; what somebody types there goes to this descriptor."""
    monkeypatch.setenv("PROMPT_TOOLKIT_NO_CPR", "1")
    monkeypatch.setenv("TERM", "xterm")
    ours, theirs = pty.openpty()
    with (
        monkeypatch.context() as swapped,
        open(theirs, closefd=False) as keys,
        open(theirs, "w", closefd=False) as screen,
    ):
        swapped.setattr(sys, "stdin", keys)
        swapped.setattr(sys, "stdout", screen)
        yield ours
    os.close(ours)
    os.close(theirs)


async def test_what_is_typed_while_nothing_is_asked_is_read_by_the_next_prompt(monkeypatch):
    with at_a_terminal(monkeypatch) as typist, console_lines() as lines:
        assert isinstance(lines, TypedLines)
        os.write(typist, "Оля: Привіт\r".encode())
        assert await lines.read("› ") == "Оля: Привіт"
        os.write(typist, b"\x04")  # Ctrl-D, between two prompts
        assert await lines.read("› ") is None


def test_the_terminal_is_left_as_it_was(monkeypatch):
    with at_a_terminal(monkeypatch):
        before = termios.tcgetattr(sys.stdin.fileno())
        with console_lines():
            assert termios.tcgetattr(sys.stdin.fileno()) != before
        assert termios.tcgetattr(sys.stdin.fileno()) == before
