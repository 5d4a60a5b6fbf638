"""What the menus of commands show, to whom and in which language."""

import re

import pytest

from shared.application.commands.menu import menu
from shared.application.commands.table import COMMANDS

EVERYBODYS = [command.name for command in COMMANDS.values() if command.who != "admins"]
SCOPES = ["default", "all_private_chats", "all_group_chats", "all_chat_administrators"]


@pytest.mark.parametrize(
    ("scope", "names"),
    [
        ("default", EVERYBODYS),
        ("all_group_chats", EVERYBODYS),
        ("all_chat_administrators", list(COMMANDS)),
        ("all_private_chats", list(COMMANDS)),
    ],
)
def test_the_commands_of_admins_are_shown_where_there_are_admins(scope, names):
    assert [entry.name for entry in menu(scope, "uk")] == names
    assert set(EVERYBODYS) < set(COMMANDS)


@pytest.mark.parametrize("language", ["uk", "en"])
@pytest.mark.parametrize("scope", SCOPES)
def test_every_entry_is_one_that_telegram_takes(scope, language):
    for entry in menu(scope, language):
        assert re.fullmatch("[a-z0-9_]{1,32}", entry.name)
        assert 1 <= len(entry.about) <= 256
        assert not re.search("[<>\n]|&[a-z]+;", entry.about)


def test_the_languages_are_different_and_both_whole():
    ukrainian, english = menu("default", "uk"), menu("default", "en")
    assert [entry.name for entry in ukrainian] == [entry.name for entry in english]
    assert all(re.search("[а-яіїєґ]", entry.about) for entry in ukrainian)
    assert not any(re.search("[а-яіїєґ]", entry.about) for entry in english)
