"""Who speaks in a script: named once, known on every later line."""

from __future__ import annotations

from infra.local.clocks import ReplayClock
from infra.local.script import read_script
from tests.support.group import FRIDAY
from tests.support.scripts import script_of
from tests.unit.infra.local.script.plays import OLIA, TARAS


def test_who_is_only_named_has_an_id_that_nobody_else_has(tmp_path):
    said = [{"name": "Ігор"}, OLIA, {"name": "Оля"}, TARAS, {"name": "Ігор"}]
    script = read_script(script_of(tmp_path, [who | {"text": "га"} for who in said]), clock=ReplayClock(FRIDAY))
    assert [message.person.user_id for message in script.messages] == [103, 101, 101, 102, 103]


def test_what_was_said_of_somebody_need_not_be_said_again(tmp_path):
    lines = [
        TARAS | {"username": "taras", "text": "га"},
        {"user_id": 102, "text": "га"},
        {"user_id": 102, "name": "Канал", "sender_chat": -1009, "text": "га"},
        {"name": "Тарас", "text": "га"},
    ]
    people = [said.person for said in read_script(script_of(tmp_path, lines), clock=ReplayClock(FRIDAY)).messages]
    assert [(person.user_id, person.name, person.username) for person in people] == [
        (102, "Тарас", "taras"),
        (102, "Тарас", "taras"),
        (102, "Канал", "taras"),
        (102, "Тарас", "taras"),
    ]
