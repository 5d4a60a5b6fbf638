"""Words of two scripts are compared by how they sound."""

from __future__ import annotations

import pytest

from shared.domain.people.short_names import families_of, forms_of
from shared.domain.text.sounds import phonetic_key, possessor_key


@pytest.mark.parametrize(
    ("one", "other"), [("біоламу", "biolam"), ("черкасах", "cherkasy"), ("фріз", "freeze"), ("тарасом", "taras")]
)
def test_a_word_sounds_the_same_in_both_scripts_and_every_case(one, other):
    assert phonetic_key(one) == phonetic_key(other)


@pytest.mark.parametrize(
    ("possessive", "name"),
    [("майковим", "майк"), ("олениної", "олена"), ("бодін", "бодя"), ("мартиного", "марта"), ("тарасова", "тарас")],
)
def test_a_possessive_adjective_is_heard_as_its_owner(possessive, name):
    assert possessor_key(possessive) == phonetic_key(name)


@pytest.mark.parametrize("word", ["кіт", "стіл", "їхати", "go"])
def test_another_word_has_no_owner(word):
    assert possessor_key(word) is None


@pytest.mark.parametrize(
    ("short", "full"),
    [("боді", "богдан"), ("соля", "соломія"), ("майк", "michael"), ("ед", "edward"), ("gwen", "гвен")],
)
def test_a_short_name_stands_for_its_full_one(short, full):
    assert families_of(phonetic_key(short)) & families_of(phonetic_key(full))
    assert full in forms_of(phonetic_key(short))


def test_a_word_that_is_no_name_stands_for_none():
    assert not families_of(phonetic_key("насос"))
    assert forms_of(phonetic_key("насос")) == frozenset()
