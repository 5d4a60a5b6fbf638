"""What the rows of buttons load."""

from inspect import iscoroutinefunction, signature

import pytest

from shared.application.commands.buttons import ACTIONS


@pytest.mark.parametrize("name", ACTIONS)
def test_an_action_is_a_function_of_a_press(name):
    row = ACTIONS[name]
    given = signature(row.load())
    assert row.name == name
    assert iscoroutinefunction(row.load())
    assert [str(each.annotation) for each in given.parameters.values()] == ["App", "ButtonPress"]
    assert given.return_annotation == "Pressed"


def test_no_two_buttons_do_the_same():
    assert len({row.load() for row in ACTIONS.values()}) == len(ACTIONS)
