"""Scripts and exports of Telegram Desktop as messages; a wrong line is named."""

from __future__ import annotations

import pytest

from infra.local.cli import main
from infra.local.clocks import ReplayClock
from infra.local.script import ScriptError, read_script
from tests.support.group import FRIDAY
from tests.unit.infra.local.processes import SCRIPTS

pytestmark = [pytest.mark.usefixtures("logging_restored"), pytest.mark.wall_clock]


def test_an_export_keeps_the_ids_that_the_bot_api_gives():
    script = read_script(SCRIPTS / "result.json", clock=ReplayClock(FRIDAY))
    assert (script.chat.chat_id, script.chat.type, script.chat.title) == (-1001234567890, "supergroup", "Друзі")
    messages = [*script.messages]
    assert [said.person.user_id for said in messages] == [101, 102, 102, -1001234567890]
    assert [said.reply_to for said in messages] == [None, 2, None, None]
    assert [said.forwarded is not None for said in messages] == [False, False, True, False]


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


@pytest.mark.parametrize("content", ['{"messages": []}', "", '{"type": "public_channel", "id": 1, "messages": []}'])
def test_what_is_neither_format_is_refused(tmp_path, content):
    script = tmp_path / "talk"
    script.write_text(content)
    with pytest.raises(ScriptError, match="talk"):
        read_script(script, clock=ReplayClock(FRIDAY))
