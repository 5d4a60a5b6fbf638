"""What the rows of commands and replies load, and that the table itself loads none of it."""

import subprocess
import sys
from inspect import iscoroutinefunction

import pytest

from shared.application.commands.table import ALIASES, COMMANDS, REPLIES
from tests.support.commands.signatures import parameters_of, result_of


def takes(function):
    return iscoroutinefunction(function), parameters_of(function)


@pytest.mark.parametrize("name", COMMANDS)
def test_a_command_is_a_function_of_a_call(name):
    row = COMMANDS[name]
    assert row.name == name
    assert takes(row.load()) == (True, ["App", "CommandCall"])
    assert result_of(row.load()) == "Answer"


@pytest.mark.parametrize("name", REPLIES)
def test_a_reply_is_taken_by_a_function_of_a_call_and_of_what_was_asked(name):
    is_async, (*given, asks) = takes(REPLIES[name]())
    assert (is_async, given) == (True, ["App", "CommandCall"])
    assert asks == "ReplyContext"


def test_no_two_commands_do_the_same():
    assert len({row.load() for row in COMMANDS.values()}) == len(COMMANDS)
    assert set(ALIASES.values()) <= set(COMMANDS)


def test_the_tables_are_read_without_importing_a_command():
    """A cold start that answers one command pays for its modules alone."""
    tables = "shared.application.commands.table, shared.application.commands.buttons"
    listed = f"import sys, {tables}; print(*(m for m in sys.modules if m.startswith('shared.application')))"
    ran = subprocess.run([sys.executable, "-c", listed], capture_output=True, text=True, check=True)
    packages = {"shared.application", "shared.application.commands"}
    assert set(ran.stdout.split()) == packages | set(tables.split(", "))
