"""The console: what is typed or piped is answered, learnt and remembered."""

from __future__ import annotations

import asyncio
import contextlib
import json
import os
import pty
import re
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from tests.unit.infra.local.processes import COMMAND, environment, run

pytestmark = [pytest.mark.usefixtures("logging_restored"), pytest.mark.wall_clock]


def test_piped_lines_are_answered_learnt_and_remembered_by_the_next_run(tmp_path):
    first = run(tmp_path, lines="Оля*: Нагадую: ніякої політики в чаті!\nТарас: Зрозуміло\nгряг, які в нас правила?\n")
    assert first.returncode == 0
    assert first.stdout.index("learnt · rule") < first.stdout.index("без мовної моделі")
    lines = "Тарас: /gryadchatreset\nОля: /gryadchatreset\nТарас: /1\nОля: /2\nТарас: /gryadchatfacts"
    second = json.loads(run(tmp_path, "--json", lines=lines).stdout)
    assert [fact["key"] for fact in second["facts"]] == ["forbidden_topics"]
    told = [line["text"] for line in second["transcript"] if line["is_bot"]]
    assert told[0] == "Це можуть лише адміни цього чату."
    assert "політика" in told[-1]
    assert second["transcript"][0]["message_id"] == 5


class TerminalScreen:
    """A terminal at which somebody types, and what came to it: text alone, without what steers the screen."""

    def __init__(self, ours: int) -> None:
        self._ours = ours
        self._raw = b""
        self._seen = 0

    async def type(self, keys: str) -> None:
        os.write(self._ours, keys.encode())

    async def shows(self, words: str) -> None:
        """Wait until these words come after those that were waited for before."""
        async with asyncio.timeout(60):
            while (at := self._text().find(words, self._seen)) < 0:
                self._raw += await asyncio.to_thread(os.read, self._ours, 65_536)
        self._seen = at + len(words)

    def _text(self) -> str:
        return re.sub(r"\x1b\[[0-9;?]*[a-zA-Z]", "", self._raw.decode("utf-8", "ignore"))


@contextlib.asynccontextmanager
async def at_a_terminal(
    folder: Path, **settings: str
) -> AsyncIterator[tuple[TerminalScreen, asyncio.subprocess.Process]]:
    ours, theirs = pty.openpty()
    env = environment(folder, TERM="xterm", PROMPT_TOOLKIT_NO_CPR="1", **settings)
    process = await asyncio.create_subprocess_exec(
        *COMMAND, cwd=folder, env=env, stdin=theirs, stdout=theirs, stderr=theirs, start_new_session=True
    )
    os.close(theirs)
    try:
        yield TerminalScreen(ours), process
    finally:
        with contextlib.suppress(ProcessLookupError):
            process.kill()
        await process.wait()
        os.close(ours)


@pytest.mark.parametrize("keys", ["\x03", "/quit\r"], ids=["Ctrl-C", "quit"])
async def test_a_person_leaves_the_terminal_as_programs_are_left(tmp_path, keys):
    async with at_a_terminal(tmp_path) as (screen, process):
        await screen.shows("Гість›")
        await screen.type(keys)
        assert await asyncio.wait_for(process.wait(), 30) == 0


async def test_a_line_is_typed_on_while_something_is_learnt_and_can_be_recalled(tmp_path):
    async with at_a_terminal(tmp_path, EXTRACTION_IDLE_SECONDS="1") as (screen, process):
        await screen.shows("Гість›")
        await screen.type("Оля*: Нагадую: ніякої політики в чаті!\r")
        await screen.shows("1  Оля*  Нагадую")
        await screen.shows("Оля›")
        await screen.type("Тарас: Зро")
        await screen.shows("learnt · rule")
        await screen.shows("Оля› Тарас: Зро")  # it stands there again, below what was learnt
        await screen.type("зуміло\r")
        await screen.shows("2  Тарас  Зрозуміло")
        await screen.type("\x1b[A\r")
        await screen.shows("3  Тарас  Зрозуміло")
        await screen.type("\x1b[200~Раз\nДва\x1b[201~\r")  # pasted
        await screen.shows("5  Тарас  Два")
        await screen.type("\x04")
        assert await asyncio.wait_for(process.wait(), 30) == 0


def test_what_is_written_to_the_bot_in_private_is_answered_there(tmp_path):
    done = run(tmp_path, "--json", lines="Оля: Привіт\nОля~: /gryadhelp\nОля: Бувайте")
    assert "Оля (privately)  /gryadhelp" in done.stderr
    assert "гряг (privately to Оля) ↩ 1" in done.stderr
    lines = [(line["message_id"], line["private_to"], line["is_bot"]) for line in json.loads(done.stdout)["transcript"]]
    assert lines == [(1, None, False), (1, "Оля", False), (2, "Оля", True), (2, None, False)]


def test_any_message_with_buttons_can_be_pressed_by_its_number(tmp_path):
    lines = "Оля*: /gryadchatreset\nОля: /gryadchatreset\nОля > 2: /2\nОля > 3: /1\nОля: /1\nОля: /1\nОля > 99: так"
    done = run(tmp_path, lines=lines)
    pressed = [line.strip() for line in done.stdout.splitlines() if "pressed" in line]
    assert len(pressed) == 2
    assert pressed[0] != pressed[1]
    assert done.stdout.count("✎") == 2
    assert "    6  Оля*  /1" in done.stdout  # no button is left: it is said
    assert "This is not possible: there is no message 99 to reply to." in done.stdout
