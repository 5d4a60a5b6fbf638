"""Which slot a key names: data in the order in which it is tried, and what the code makes of it."""

import re

import pytest

from shared.domain.facts.dedup.slots import comparable, holds_one, slot_of
from shared.domain.text.data_files import read_data

SLOTS = read_data("shared.domain.facts.dedup", "slots")


@pytest.mark.parametrize("slot", SLOTS)
def test_each_alternative_is_an_expression_and_stands_once(slot):
    alternatives = SLOTS[slot]
    assert len(alternatives) == len(set(alternatives))
    assert [alternative for alternative in alternatives if alternative == "" or re.fullmatch(alternative, "")] == []


@pytest.mark.parametrize(
    ("key", "slot"),
    [("city", "location"), ("місто", "location"), ("рідне місто", "hometown"), ("др", "birthday"), ("shoe size", None)],
)
def test_a_key_names_its_slot_in_both_languages(key, slot):
    assert slot_of("personal_info", key, "") == slot


def test_a_key_that_says_nothing_leaves_it_to_the_description():
    assert slot_of("personal_info", "info", "lives in lviv") == "location"


def test_a_favourite_is_a_slot_of_its_kind():
    assert slot_of("preference", "favourite tea", "") == "favourite tea"


def test_a_skill_has_no_slot():
    assert slot_of("skill", "language", "") is None


def test_who_studies_twice_keeps_both():
    assert (holds_one("education"), holds_one("location"), holds_one(None)) == (False, True, False)


def test_what_was_done_is_not_what_is_wanted():
    assert comparable("rule", "norm")
    assert not comparable("experience", "goal")
