"""Words of two scripts are compared by how they sound."""

from __future__ import annotations

import pytest

from shared.domain.people.short_names import families_of, forms_of
from shared.domain.text.sounds import heard, heard_owner


@pytest.mark.parametrize(
    ("one", "other"), [("біоламу", "biolam"), ("черкасах", "cherkasy"), ("фріз", "freeze"), ("тарасом", "taras")]
)
def test_a_word_sounds_the_same_in_both_scripts_and_every_case(one, other):
    assert heard(one) == heard(other)


@pytest.mark.parametrize(
    ("possessive", "name"),
    [("майковим", "майк"), ("олениної", "олена"), ("бодін", "бодя"), ("мартиного", "марта"), ("тарасова", "тарас")],
)
def test_a_possessive_adjective_is_heard_as_its_owner(possessive, name):
    assert heard_owner(possessive) == heard(name)


@pytest.mark.parametrize("word", ["кіт", "стіл", "їхати", "go"])
def test_another_word_has_no_owner(word):
    assert heard_owner(word) is None


@pytest.mark.parametrize(
    ("short", "full"),
    [("боді", "богдан"), ("соля", "соломія"), ("майк", "michael"), ("ед", "edward"), ("gwen", "гвен")],
)
def test_a_short_name_stands_for_its_full_one(short, full):
    assert families_of(heard(short)) & families_of(heard(full))
    assert full in forms_of(heard(short))


def test_a_word_that_is_no_name_stands_for_none():
    assert not families_of(heard("насос"))
    assert forms_of(heard("насос")) == frozenset()
