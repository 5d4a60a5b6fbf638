"""`python -m infra.local` as a person runs it: scripts, piped lines, the three functions in one process, polling."""

from __future__ import annotations

import asyncio
import contextlib
import io
import json
import os
import pty
import re
import signal
import socket
import subprocess
import sys
from collections.abc import AsyncIterator, Callable
from datetime import timedelta
from pathlib import Path
from typing import Any

import httpx
import pytest

from infra.local.chat.messenger import FAR_ID, Messenger
from infra.local.chat.raw_updates import LOCAL_CHAT, Person
from infra.local.chat.terminal import TerminalGateway
from infra.local.cli import main
from infra.local.clocks import ReplayClock
from infra.local.doors import SECRET_FILE
from infra.local.events import Deleted, Line, LineEdited
from infra.local.script import ScriptError, read_script
from infra.local.typed import Typed, read_line
from infra.local.view import terminal_view
from shared.application.ports.chat import Button, OutgoingFile, OutgoingText
from shared.domain.errors import ChatForbidden, MessageRejected
from tests.support.group import FRIDAY
from tests.support.hour import handed_on
from tests.support.telegram.bot_api import FakeBotApi
from tests.support.updates import START, message_update, user

ROOT = Path(__file__).parents[4]
SCRIPTS = ROOT / "tests" / "data" / "scripts"
COMMAND = [sys.executable, "-m", "infra.local"]


pytestmark = [pytest.mark.usefixtures("logging_restored"), pytest.mark.wall_clock]


def environment(folder: Path, **settings: str) -> dict[str, str]:
    """Only these settings, and the folder's SQLite file; any free port."""
    own = {**handed_on(ROOT), "SPOMYN_PORT": "0", "SPOMYN_STORE": f"sqlite:{folder}/spomyn.db"}
    return {"PATH": os.environ["PATH"], "PYTHONDONTWRITEBYTECODE": "1", **own, **settings}


def run(folder: Path, *arguments: str, lines: str = "", **settings: str) -> subprocess.CompletedProcess[str]:
    done = subprocess.run(
        [*COMMAND, *arguments],
        check=False,
        cwd=folder,
        env=environment(folder, **settings),
        input=lines,
        capture_output=True,
        text=True,
        encoding="utf-8",
        timeout=180,
    )
    assert "Traceback" not in done.stderr, done.stderr
    return done


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> pytest.MonkeyPatch:
    """This process stands in the folder and has its settings: one of its own would read dictionaries for seconds."""
    monkeypatch.chdir(tmp_path)
    for name, value in environment(tmp_path).items():
        monkeypatch.setenv(name, value)
    return monkeypatch


@pytest.fixture
def replay(here: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Callable[[str], dict[str, Any]]:
    def replayed(script: str) -> dict[str, Any]:
        assert main(["--script", str(SCRIPTS / script), "--json"]) == 0
        return json.loads(capsys.readouterr().out)

    return replayed


@pytest.fixture
def play(tmp_path: Path, replay: Callable[[str], dict[str, Any]]) -> Callable[..., dict[str, Any]]:
    """Replays these lines; the outcome."""

    def played(*lines: dict[str, Any]) -> dict[str, Any]:
        script = tmp_path / "talk.jsonl"
        script.write_text("\n".join(json.dumps(line) for line in lines))
        return replay(str(script))

    return played


@contextlib.asynccontextmanager
async def serving(folder: Path, **settings: str) -> AsyncIterator[tuple[httpx.AsyncClient, asyncio.StreamReader]]:
    """A run with nothing on its standard input: a client of its HTTP server and what it prints. It ends cleanly."""
    process = await asyncio.create_subprocess_exec(
        *COMMAND,
        cwd=folder,
        env=environment(folder, **settings),
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )
    try:
        address = (await line_with(process.stdout, "http://")).split()[3]
        async with httpx.AsyncClient(base_url=address, timeout=60) as client:
            yield client, process.stdout
    finally:
        process.send_signal(signal.SIGTERM)
        _, errors = await asyncio.wait_for(process.communicate(), 60)
    assert process.returncode == 0, errors.decode()
    assert b"Traceback" not in errors, errors.decode()


async def line_with(output: asyncio.StreamReader, words: str) -> str:
    """The next line that holds these words."""
    async with asyncio.timeout(120):
        while words not in (line := (await output.readline()).decode()):
            assert line, f"the run ended without saying {words!r}"
    return line


# --- Scripts -----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("script", "category", "key", "value", "least", "quote"),
    [
        ("1-language.jsonl", "preference", "language_preference", "ukrainian", 0.8, "давайте більше українською"),
        ("2-tradition.jsonl", "tradition", "weekly_recap", "friday", 0.85, "в п'ятницю підіб'ємо підсумки"),
        ("3-rule.jsonl", "rule", "forbidden_topics", "politics", 0.9, "ніякої політики в чаті"),
    ],
)
def test_a_seed_scenario_is_learnt_and_the_bot_quotes_it(replay, script, category, key, value, least, quote):
    outcome = replay(script)
    facts = [f for f in outcome["facts"] if (f["subject"], f["category"], f["key"]) == ("chat", category, key)]
    assert [fact["value"] for fact in facts] == [value]
    assert facts[0]["status"] == "active"
    assert facts[0]["confidence"] >= least
    said = {line["message_id"]: line["text"] for line in outcome["transcript"]}
    assert all(evidence["quote"] in said[evidence["message_id"]] for evidence in facts[0]["evidence"])
    *_, question, answer = outcome["transcript"]
    assert (answer["is_bot"], answer["reply_to"]) == (True, question["message_id"])
    assert quote in answer["text"]
    assert "без мовної моделі" in answer["text"]
    assert outcome["usage"]["reads"] > 0
    assert outcome["usage"]["model_calls"] == outcome["usage"]["tokens"] == 0


def test_a_replay_comes_out_the_same_in_every_process(tmp_path, replay):
    done = run(tmp_path, "--script", str(SCRIPTS / "1-language.jsonl"), "--json")
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout) == replay("1-language.jsonl")


def test_an_export_of_telegram_desktop_is_replayed_without_learning_from_forwards(replay):
    outcome = replay("result.json")
    assert [line["message_id"] for line in outcome["transcript"]] == [2, 3, 5, 6, 7]
    assert outcome["transcript"][0]["text"] == "Хлопці, давайте більше українською спілкуватися"
    assert {fact["key"] for fact in outcome["facts"] if fact["subject"] == "chat"} == {"language_preference"}


def test_members_and_the_bot_are_numbered_in_one_sequence_and_given_ids_are_kept(play):
    said = [("гряг, ти тут?", None), ("Привіт", None), ("гряг, і ще?", 4), ("гряг, а тепер?", 5), ("Ага", None)]
    lines = [{"name": "Оля", "text": text, "message_id": message_id} for text, message_id in said]
    told = [(line["message_id"], line["is_bot"]) for line in play(*lines)["transcript"]]
    assert told == [(1, False), (2, True), (3, False), (4, False), (6, True), (5, False), (7, True), (8, False)]


def test_private_chats_share_the_bots_own_sequence(terminal):
    async def numbered():
        terminal.messenger.meet(Person(101, "Оля"), writes=True)
        terminal.messenger.meet(Person(102, "Тарас"), writes=True)
        return [await terminal.messenger.next_id(chat_id) for chat_id in (101, 102, 101, -1001)]

    assert asyncio.run(numbered()) == [1, 2, 3, 5]


def test_an_export_keeps_the_ids_that_the_bot_api_gives():
    script = read_script(SCRIPTS / "result.json", clock=ReplayClock(FRIDAY))
    assert (script.chat.chat_id, script.chat.type, script.chat.title) == (-1001234567890, "supergroup", "Друзі")
    messages = [*script.messages]
    assert [said.person.user_id for said in messages] == [101, 102, 102, -1001234567890]
    assert [said.reply_to for said in messages] == [None, 2, None, None]
    assert [said.forwarded is not None for said in messages] == [False, False, True, False]


def test_for_people_a_replay_is_a_transcript_with_facts_and_usage(tmp_path, here, capsys):
    assert main(["--script", str(SCRIPTS / "3-rule.jsonl"), "--keep", "kept.db"]) == 0
    shown = capsys.readouterr().out
    assert "Оля*  Нагадую: ніякої політики в чаті!" in shown
    assert "learnt · rule" in shown
    assert "0 model calls" in shown
    assert (tmp_path / "kept.db").exists()


@pytest.mark.parametrize(
    ("line", "complaint"),
    [
        ("{nope", "not JSON"),
        ("[]", "not a JSON object"),
        ('{"name": "Оля"}', '"text" is missing'),
        ('{"text": "a"}', "who speaks"),
        ('{"name": "Оля", "text": 5}', '"text" must be text, not 5'),
        ('{"name": "Оля", "text": "a", "is_admin": "yes"}', '"is_admin" must be true or false'),
        ('{"name": "Оля", "text": "a", "message_id": 0}', '"message_id" must be 1 or more'),
        ('{"name": "Оля", "text": "a", "message_id": 7}', '"message_id" 7 stands already in'),
        ('{"name": "Оля", "text": "a", "date": "yesterday"}', "\"date\" 'yesterday' is not like"),
    ],
)
def test_a_wrong_line_of_a_script_is_named(tmp_path, capsys, line, complaint):
    script = tmp_path / "talk.jsonl"
    script.write_text('{"name": "Тарас", "text": "Привіт", "message_id": 7}\n\n' + line + "\n")
    assert main(["--script", str(script)]) == 2
    errors = capsys.readouterr().err
    assert errors.startswith(f"{script}:3: ")
    assert complaint in errors
    assert errors.count("\n") == 1


def test_lines_without_dates_come_twenty_seconds_after_one_another(play):
    lines = [{"name": "a", "text": "1"}, {"name": "b", "text": "2", "message_id": 2}, {"name": "a", "text": "3"}]
    done = play({"date": "2026-03-06T18:20:00"} | lines[0], *lines[1:])["lines"]
    assert [line["message_id"] for line in done] == [1, 2, 3]
    assert [line["date"] for line in done] == [f"2026-03-06T18:20:{second}+00:00" for second in ("00", "20", "40")]


@pytest.mark.parametrize("content", ['{"messages": []}', "", '{"type": "public_channel", "id": 1, "messages": []}'])
def test_what_is_neither_format_is_refused(tmp_path, content):
    script = tmp_path / "talk"
    script.write_text(content)
    with pytest.raises(ScriptError, match="talk"):
        read_script(script, clock=ReplayClock(FRIDAY))


def test_a_missing_script_and_a_wrong_setting_are_one_sentence(tmp_path, capsys, monkeypatch):
    assert main(["--script", str(tmp_path / "none.jsonl")]) == 2
    assert capsys.readouterr().err == f"{tmp_path / 'none.jsonl'} cannot be read: No such file or directory.\n"
    monkeypatch.setenv("SPOMYN_PORT", "http")
    assert main([]) == 2
    assert capsys.readouterr().err.startswith("SPOMYN_PORT is wrong")


# --- The console -------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("line", "typed"),
    [
        ("Оля: Привіт", Typed("Привіт", "Оля")),
        ("Оля*: Нагадую: ніякої політики!", Typed("Нагадую: ніякої політики!", "Оля", is_admin=True)),
        ("Тарас > 12: згоден", Typed("згоден", "Тарас", reply_to=12)),
        ("Ігор Бондар* > 3 :так", Typed("так", "Ігор Бондар", is_admin=True, reply_to=3)),
        ("> 12: згоден", Typed("згоден", reply_to=12)),
        ("Оля: /1", Typed("/1", "Оля", press=1)),
        ("Оля > 12: /2", Typed("/2", "Оля", reply_to=12, press=2)),
        ("Оля~: /gryadexport", Typed("/gryadexport", "Оля", is_private=True)),
        ("Оля*~ > 3: так", Typed("так", "Оля", is_admin=True, reply_to=3, is_private=True)),
        ("~: і ще", Typed("і ще", is_private=True)),
        ("десь ~: там", Typed("там", "десь", is_private=True)),
        ("просто далі", Typed("просто далі")),
        (" Увага: збори", Typed("Увага: збори")),
        ("о 12:30 зустріч", Typed("о 12:30 зустріч")),
        ("12:30 зустріч", Typed("12:30 зустріч")),
        ("https://example.org", Typed("https://example.org")),
        ("ось ще один приклад: такий", Typed("ось ще один приклад: такий")),
        ("/gryadchatfacts", Typed("/gryadchatfacts")),
    ],
)
def test_a_typed_line_says_who_speaks(line, typed):
    assert read_line(line) == typed


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


class Terminal:
    """A terminal gateway, and what it told."""

    def __init__(self, store, folder, *, strict=False):
        self.told = []
        self.clock = ReplayClock(FRIDAY)
        self.messenger = Messenger(store=store, bot=Person(0, "гряг", is_bot=True), strict=strict)
        self.gateway = TerminalGateway(self.told.append, self.messenger, clock=self.clock, files=folder)
        self.messenger.open_chat(LOCAL_CHAT, admins=frozenset())
        self.messenger.keep_id(-1001, 4)


@pytest.fixture
def terminal(sqlite_store, tmp_path):
    return Terminal(sqlite_store, tmp_path / "files")


def rows(*labels):
    return OutgoingText("?", "?", tuple((Button(label, f"data-{label}"),) for label in labels))


async def test_a_terminal_saves_files_and_says_where(terminal, tmp_path):
    await terminal.gateway.send(-1001, OutgoingFile("звіт.json", "application/json", b"{}", rows("a")), reply_to=3)
    [line] = terminal.told
    assert (line.message_id, line.text, line.reply_to, line.buttons) == (5, "?", 3, (("a",),))
    assert Path(line.file) == tmp_path / "files" / "5-звіт.json"
    assert Path(line.file).read_bytes() == b"{}"


async def test_a_file_stays_in_its_folder_whatever_it_is_called(terminal, tmp_path):
    for name in ("../../etc/passwd", "/etc/passwd", "..", "a\x1b[2J/b", "ї" * 500 + ".png"):
        await terminal.gateway.send(-1001, OutgoingFile(name, "text/plain", b"x"))
    assert {Path(line.file).parent for line in terminal.told} == {tmp_path / "files"}
    assert len(list((tmp_path / "files").iterdir())) == 5


async def test_a_folder_that_cannot_be_made_refuses_the_file(terminal, tmp_path):
    (tmp_path / "files").write_text("in the way")
    with pytest.raises(MessageRejected, match="cannot be written"):
        await terminal.gateway.send(-1001, OutgoingFile("a", "text/plain", b"x"))


async def test_buttons_are_those_that_are_shown_now(terminal):
    gateway = terminal.gateway
    await gateway.send(-1001, rows("a", "b"))
    await gateway.send(-1001, rows("c"))
    assert terminal.messenger.keyboard({-1001}, None)[:2] == (-1001, 6)
    await gateway.edit(-1001, 5, rows("d"))
    chat_id, message_id, [button] = terminal.messenger.keyboard({-1001}, None)
    assert (chat_id, message_id, button.data) == (-1001, 5, "data-d")
    assert terminal.told[-1] == LineEdited(-1001, 5, "?", (("d",),))
    await gateway.edit(-1001, 5, OutgoingText("done", "done"))
    assert terminal.messenger.keyboard({-1001}, 5) is None
    assert terminal.messenger.keyboard({-1001}, None)[1] == 6
    assert terminal.messenger.keyboard({101}, None) is None


async def test_a_terminal_refuses_what_telegram_refuses(sqlite_store, tmp_path):
    strict = Terminal(sqlite_store, tmp_path / "files", strict=True)
    gateway, text = strict.gateway, OutgoingText("a", "a")
    strict.messenger.keep({"message_id": 3, "chat": LOCAL_CHAT.to_json(), "from": {"id": 101}, "text": "Олине"})
    for missing in (3, 77):
        with pytest.raises(MessageRejected, match="message to edit not found"):
            await gateway.edit(-1001, missing, text)
    for wrong in (OutgoingText(" ", " "), OutgoingText("ї" * 4097, "ї" * 4097), rows("ї" * 40)):
        with pytest.raises(MessageRejected):
            await gateway.send(-1001, wrong)
    with pytest.raises(MessageRejected, match="thread"):
        await gateway.send(-1001, text, thread_id=40)
    strict.messenger.meet(Person(101, "Оля"), writes=False)
    with pytest.raises(ChatForbidden):
        await gateway.send(101, text)
    strict.messenger.meet(Person(101, "Оля"), writes=True)
    assert (await gateway.send(101, text)).message_id == 1
    assert [line.chat_id for line in strict.told] == [101]


async def test_what_the_bot_deleted_can_be_pressed_and_changed_no_more(sqlite_store, tmp_path):
    strict = Terminal(sqlite_store, tmp_path / "files", strict=True)
    gateway, clock = strict.gateway, strict.clock
    old = (await gateway.send(-1001, rows("old"))).message_id
    clock.skip(timedelta(hours=49))
    new = (await gateway.send(-1001, rows("new"))).message_id
    await gateway.delete(-1001, [old, new, 77])
    assert strict.told[-1] == Deleted(-1001, new)
    assert strict.messenger.keyboard({-1001}, None)[1] == old  # too old to be deleted
    with pytest.raises(MessageRejected, match="not found"):
        await gateway.edit(-1001, new, OutgoingText("a", "a"))


async def test_a_terminal_knows_who_is_in_the_chat(terminal):
    for user_id, status in ((101, "administrator"), (102, "member"), (103, "left"), (104, "kicked")):
        terminal.messenger.set_status(-1001, user_id, status)
    assert await terminal.gateway.administrators(-1001) == {101}
    assert [await terminal.gateway.is_member(-1001, user_id) for user_id in range(101, 106)] == [
        *(True, True, False, False),
        True,  # of whom nothing is known it is believed
    ]


async def test_a_private_line_names_the_one_who_sees_it(terminal):
    terminal.messenger.meet(Person(101, "Оля"), writes=True)
    await terminal.gateway.send(101, rows())
    await terminal.gateway.send(202, rows())
    assert [(line.message_id < FAR_ID, line.private_to) for line in terminal.told] == [(True, "Оля"), (False, "")]


def test_a_long_list_of_buttons_is_shown_row_by_row():
    output = io.StringIO()
    buttons = (("«", "1/9", "»"), *((f"факт {number}",) for number in range(4, 12)))
    terminal_view(output).show(Line(-1001, 5, "гряг", "Факти:\nусі", is_bot=True, buttons=buttons, file="a.json"))
    shown = output.getvalue().splitlines()
    assert shown[:4] == ["    5  гряг  Факти:", "       усі", "       file: a.json", "       /1 [«]  /2 [1/9]  /3 [»]"]
    assert shown[4:] == [f"       /{number} [факт {number}]" for number in range(4, 12)]


# --- The servers -------------------------------------------------------------------------------


async def test_one_process_serves_the_three_functions(tmp_path):
    async with serving(tmp_path, EXTRACTION_IDLE_SECONDS="0") as (client, output):
        assert "Spomyn" in (await client.get("/")).text
        said = ("Хлопці, давайте більше українською спілкуватися", "Підтримую!", "+1, українська краща")
        for number, text in enumerate(said, 1):
            update = message_update(text, update_id=number, message_id=number, sender=user(100 + number, f"M{number}"))
            assert (await client.post("/webhook", json=update)).status_code == 200
        await line_with(output, "learnt · preference")  # the queue's task came by itself
        question = message_update("гряг, якою мовою ми спілкуємось?", update_id=4, message_id=4, date=START + 60)
        assert (await client.post("/webhook", json=question)).status_code == 200
        assert "↩ 4" in await line_with(output, "гряг")
        secret = (tmp_path / SECRET_FILE).read_text().strip()
        assert (tmp_path / SECRET_FILE).stat().st_mode & 0o777 == 0o600
        assert (await client.post("/extract", json={"chat_id": -1_001_000_000_001})).status_code == 401
        client.headers["authorization"] = f"Bearer {secret}"
        extracted = await client.post("/extract", json={"chat_id": -1_001_000_000_001})
        # The question itself is a chunk, made now or already by the queue's own task; it teaches nothing.
        assert extracted.json() in ({"chunks": 1, "changes": 0}, {"chunks": 0, "changes": 0})
        done = (await client.post("/maintenance/decay", json={})).json()
        assert (done["chats"], done["failed"]) == (1, 0)
        assert done["enqueued"] in (1, 2)  # the thirty hours ahead hold one night, in the evening two
        assert (await client.post("/maintenance/none", json={})).status_code == 404
        assert (await client.get("/webhook")).status_code == 405
        rebound = await client.get("/", headers={"host": "evil.example"})
        assert (rebound.status_code, "localhost" in rebound.text) == (421, True)


async def test_with_a_token_real_groups_are_polled_and_answered(tmp_path):
    async with FakeBotApi("123456:fake-token-for-a-local-run") as api:
        api.add_chat(-1_001_000_000_001)
        api.fail_next("getUpdates", status=502)
        api.push({"update_id": 6, "message": {"message_id": "broken"}})
        api.push(message_update("@spomyn_bot що ти знаєш?", update_id=7, message_id=5))
        settings = {"TELEGRAM_BOT_TOKEN": api.token, "TELEGRAM_API_URL": api.url}
        async with serving(tmp_path, **settings) as (_, output):
            await line_with(output, "що ти знаєш?")
            await line_with(output, "↩ 5")
    assert len(api.sent) == 1
    assert api.menus.of("all_group_chats", "uk")
    assert "deleteWebhook" in [call.method for call in api.calls]


async def test_menus_that_cannot_be_set_do_not_keep_groups_from_being_polled(tmp_path):
    async with FakeBotApi("123456:fake-token-for-a-local-run") as api:
        api.add_chat(-1_001_000_000_001)
        api.fail_next("setMyCommands", status=502)
        api.push(message_update("Привіт", update_id=7, message_id=5))
        settings = {"TELEGRAM_BOT_TOKEN": api.token, "TELEGRAM_API_URL": api.url}
        async with serving(tmp_path, **settings) as (_, output):
            assert "python -m infra.cli menu" in await line_with(output, "menus")
            await line_with(output, "Привіт")


def test_a_port_in_use_is_said_in_one_sentence(here, capsys):
    with socket.create_server(("127.0.0.1", 0)) as taken:
        here.setenv("SPOMYN_PORT", str(taken.getsockname()[1]))
        assert main([]) == 2
    errors = capsys.readouterr().err
    assert "SPOMYN_PORT" in errors
    assert errors.count("\n") == 1


def test_a_local_run_has_its_own_queue(here, capsys):
    cloud = {"GOOGLE_CLOUD_PROJECT": "p", "EXTRACT_URL": "http://e.test", "MAINTENANCE_URL": "http://m.test"}
    for name, value in {"SPOMYN_QUEUE": "cloud-tasks", "CLOUD_TASKS_EMULATOR_HOST": "127.0.0.1:1", **cloud}.items():
        here.setenv(name, value)
    assert main([]) == 2
    assert "SPOMYN_QUEUE" in capsys.readouterr().err
