"""What the rows of buttons load."""

from inspect import iscoroutinefunction

import pytest

from shared.application.commands.buttons import ACTIONS
from shared.application.commands.call import Pressed
from tests.support.commands.signatures import name_annotation, parameters_of, result_of


@pytest.mark.parametrize("name", ACTIONS)
def test_an_action_is_a_function_of_a_press(name):
    row = ACTIONS[name]
    assert row.name == name
    assert iscoroutinefunction(row.load())
    assert parameters_of(row.load()) == ["App", "ButtonPress"]
    assert result_of(row.load()) in ("Pressed", name_annotation(Pressed))


def test_no_two_buttons_do_the_same():
    assert len({row.load() for row in ACTIONS.values()}) == len(ACTIONS)
