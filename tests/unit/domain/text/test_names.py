"""Names across scripts: one name in any case form and spelling, and no two brought together."""

from __future__ import annotations

import pytest

from shared.domain.people.labels import families_of, forms_of
from shared.domain.text.names import phonetic_key, possessor_key, same_name


@pytest.mark.parametrize(
    ("latin", "cyrillic"),
    [("siemens", "сіменсі"), ("penicillin", "пеніцилін"), ("microsoft", "майкрософтом"), ("bosch", "боші")],
)
def test_a_declined_loan_word_is_the_same_name(latin, cyrillic):
    assert same_name(latin, cyrillic)
    assert same_name(cyrillic, latin)


@pytest.mark.parametrize(
    ("one", "other"), [("oleksandr", "олександра"), ("marian", "маріана"), ("paula", "павло"), ("bosch", "босий")]
)
def test_names_that_only_sound_alike_stay_two(one, other):
    assert not same_name(one, other)


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
