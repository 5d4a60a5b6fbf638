"""What is said in two languages: one fact where words, names and numbers say so, no conflict for want of a word."""

from __future__ import annotations

from types import SimpleNamespace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from shared.domain.facts.dedup import Verdict, verdict
from shared.domain.facts.dedup.lexicon import phrase_at
from shared.domain.text.names import same_name

MERGES = (Verdict.DUPLICATE, Verdict.REINFORCES)


def said(category, key, value, description=""):
    return SimpleNamespace(
        subject="user:1", category=category, key=key, value=value, description=description or value.capitalize()
    )


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (said("preference", "diet", "meat", "Avoids meat."), said("preference", "diet", "м'ясо", "Не вживає: м'яса.")),
        (
            said("personal_info", "occupation", "engineer at siemens", "Works as an engineer at Siemens."),
            said("personal_info", "occupation", "інженером на сіменсі", "Працює: інженером на Сіменсі."),
        ),
        (
            said("personal_info", "allergy", "penicillin", "Is allergic to penicillin"),
            said("personal_info", "алергія", "пеніцилін", "Має алергію на пеніцилін"),
        ),
    ],
)
def test_one_statement_in_two_languages_is_one_fact(one, other):
    assert verdict(one, other) in MERGES
    assert verdict(other, one) in MERGES


GUILDS = ["glazier", "cooper", "luthier", "cartographer", "falconer", "thatcher", "farrier", "chandler"]
CRAFTS = ["скляр", "бондар", "лютник", "картограф", "сокольник", "покрівельник", "коваль", "свічкар"]
SLOTS = st.sampled_from(["occupation", "hobby", "location", "education", "housing", "phone", "boss"])


@given(SLOTS, st.sampled_from(GUILDS), st.sampled_from(CRAFTS), st.booleans())
def test_words_that_no_list_connects_never_conflict(slot, english, ukrainian, turned):
    pair = [said("personal_info", slot, english, f"Is: {english}"), said("personal_info", slot, ukrainian)]
    assert verdict(*(reversed(pair) if turned else pair)) is not Verdict.CONFLICTS


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (said("personal_info", "age", "27", "Is 27 years old"), said("personal_info", "вік", "28", "Має 28 років")),
        (
            said("personal_info", "location", "Kharkiv", "Lives in Kharkiv"),
            said("personal_info", "місто", "Рівне", "Живе в Рівному"),
        ),
        (
            said("personal_info", "occupation", "nurse", "Works as a nurse"),
            said("personal_info", "occupation", "вчителька", "Тепер працює вчителькою"),
        ),
        (said("preference", "music", "jazz", "Loves jazz"), said("preference", "music", "джаз", "Не любить джаз")),
        (
            said("personal_info", "marital_status", "married", "Is married"),
            said("personal_info", "сімейний стан", "розлучений", "Розлучений"),
        ),
    ],
    ids=["numbers", "names", "told to have changed", "denied", "opposite states of one slot"],
)
def test_what_needs_no_translation_still_conflicts(one, other):
    assert verdict(one, other) is Verdict.CONFLICTS


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


def test_likeness_decides_over_unknown_words_but_not_over_names():
    old = said("personal_info", "occupation", "upholsterer", "Upholsterer")
    new = said("personal_info", "occupation", "furniture padder", "Furniture padder")
    assert verdict(old, new) is Verdict.CONFLICTS
    assert verdict(old, new, similarity=0.95) in MERGES
    here = said("personal_info", "workplace", "Bosch", "Works at Bosch")
    there = said("personal_info", "workplace", "Toyota", "Works at Toyota")
    assert verdict(here, there, similarity=0.95) is Verdict.CONFLICTS


def test_a_phrase_of_two_words_is_known_at_the_very_end_of_a_text_and_only_whole():
    found = phrase_at(["a", "night", "owl"], 1)
    assert found is not None
    assert (found[0], found[1].name) == (2, "nightowl")
    assert phrase_at(["a", "night"], 1) is None
    assert phrase_at(["night", "bus"], 0) is None
