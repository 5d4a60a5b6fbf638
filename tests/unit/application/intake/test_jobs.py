"""What the tables of jobs load."""

from inspect import iscoroutinefunction

import pytest

from shared.application.intake.jobs import GLOBAL, NIGHT, TASKS
from shared.application.night.fan_out import NIGHTLY
from tests.support.commands.signatures import parameters_of


def parameters(function):
    assert iscoroutinefunction(function)
    return parameters_of(function)


@pytest.mark.parametrize("name", TASKS)
def test_what_a_member_asks_for_is_a_function_of_the_payload(name):
    assert parameters(TASKS[name]()) == ["App", "Mapping[str, Any]"]


@pytest.mark.parametrize("name", GLOBAL)
def test_a_job_for_all_chats_needs_no_more_than_the_product(name):
    assert parameters(GLOBAL[name]()) == ["App"]


@pytest.mark.parametrize("name", NIGHT)
def test_a_job_of_the_night_is_a_function_of_the_chats_state(name):
    assert parameters(NIGHT[name]()) == ["App", "ChatState"]


def test_what_the_timetable_names_can_be_done():
    assert list(NIGHT) == [job.name for job in NIGHTLY.values()]


def test_no_name_means_two_jobs():
    assert len({*TASKS, *GLOBAL, *NIGHT}) == len(TASKS) + len(GLOBAL) + len(NIGHT)
