"""The help, what a misspelt command is told, and what the menus show to whom and in which language."""

import re

import pytest

from shared.application.commands.help import menu
from shared.application.commands.table import COMMANDS
from tests.support.group import running_group

OLYA, ADMIN, MARKO = (101, "Оля"), (102, "Тарас"), (103, "Марко")


@pytest.fixture
async def laptop(sqlite_store):
    """Where nobody can ask too much."""
    async with running_group(sqlite_store, ASKS_PER_USER_PER_HOUR="1000", ASKS_PER_CHAT_PER_HOUR="1000") as running:
        yield running


def misspelt(name):
    """As fingers slip: a letter left out, doubled, or two in the wrong order."""
    middle = (len("gryad") + len(name)) // 2
    slips = (name[:middle] + name[middle + 1 :], name[:middle] + name[middle] + name[middle:])
    return [each for each in (*slips, name[:-2] + name[-1] + name[-2]) if each not in COMMANDS]


async def test_a_misspelt_name_gets_the_command_that_was_meant(laptop):
    wrong = []
    for name in COMMANDS:
        for typed in misspelt(name):
            await laptop.say(f"/{typed}", *ADMIN)
            if f"/{name}?" not in laptop.answers[-1] or f"/{typed}." not in laptop.answers[-1]:
                wrong.append((typed, name, laptop.answers[-1]))
    assert wrong == []


@pytest.mark.parametrize("typed", ["gryadzzz", "gryad", "gryad_", "gryad1111111111111111111111111111111111111"])
async def test_a_name_like_no_command_gets_no_suggestion_but_the_help(laptop, typed):
    await laptop.say(f"/{typed}", *MARKO)
    assert "Може" not in laptop.answers[-1]
    assert "Усі команди: /gryadhelp" in laptop.answers[-1]


async def test_help_shows_how_to_talk_to_the_bot(group):
    await group.say("/gryadhelp")
    assert "/gryadchatfacts" in group.answers[-1]
    assert "@gryag_bot" in group.answers[-1]


async def test_an_unknown_command_of_ours_points_to_the_help_and_others_are_left_alone(group):
    await group.say("/gryadnonsense")
    assert "/gryadhelp" in group.answers[-1]
    await group.say("/start")
    await group.say("/start@other_bot")
    await group.say("/gryadhelp@other_bot")
    assert len(group.answers) == 1
    await group.say("/start@gryag_bot")
    assert len(group.answers) == 2


# --- the menus -----------------------------------------------------------------------------------

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
