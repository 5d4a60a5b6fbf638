"""A terminal in Telegram's place: it saves files, knows who is there and refuses what Telegram refuses."""

from __future__ import annotations

from datetime import timedelta
from pathlib import Path

import pytest

from infra.local.chat.messenger import FAR_ID
from infra.local.chat.raw_updates import LOCAL_CHAT, Person
from infra.local.events import Deleted
from shared.application.ports.chat import OutgoingFile, OutgoingText
from shared.domain.errors import ChatForbidden, MessageRejected
from tests.unit.infra.local.chat.terminals import Terminal, rows

pytestmark = [pytest.mark.usefixtures("logging_restored"), pytest.mark.wall_clock]


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
