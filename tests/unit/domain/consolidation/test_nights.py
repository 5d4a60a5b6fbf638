"""Weeks of groups that nobody tuned the rules for: the documents hold what a member would look for, and little else."""

import pytest

from tests.unit.domain.consolidation.nights import NAMES, item_lists, reading

LEAST = {"parents": (0.95, 0.95), "band": (0.95, 0.95), "moving": (0.7, 0.7), "allotment": (0.7, 0.7)}
"""Recall and precision; the last two were written before the rules were changed and not looked at while they were."""


def test_every_week_has_its_limits():
    assert set(NAMES) == set(LEAST)


@pytest.mark.parametrize("name", NAMES)
def test_the_documents_hold_what_a_member_would_look_for(name):
    read = reading(name)
    recall, precision = LEAST[name]
    assert read.recall >= recall, read.missed
    assert read.precision >= precision, read.idle


@pytest.mark.parametrize("name", NAMES)
def test_one_line_for_one_thing(name):
    for items in item_lists(name).values():
        lines = [(item.section, item.text.casefold()) for item in items]
        assert len(lines) == len(set(lines))
