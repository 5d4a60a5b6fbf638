"""What is said in two languages: one fact where words, names and numbers say so, no conflict for want of a word."""

from __future__ import annotations

from collections import Counter
from types import SimpleNamespace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from shared.domain.facts.dedup import Verdict, verdict
from shared.domain.facts.dedup.lexicon import Kind, opposites, phrase_at
from shared.domain.text.data_files import word_lists, word_tables

MERGES = (Verdict.DUPLICATE, Verdict.REINFORCES)


def said(category, key, value, description=""):
    return SimpleNamespace(
        subject="user:1",
        category=category,
        key=key,
        value=value,
        description=description or value.capitalize(),
        single=False,
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


def test_a_phrase_of_two_words_is_known_at_the_very_end_of_a_text_and_only_whole():
    found = phrase_at(["a", "night", "owl"], 1)
    assert found is not None
    assert (found[0], found[1].name) == (2, "nightowl")
    assert phrase_at(["a", "night"], 1) is None
    assert phrase_at(["night", "bus"], 0) is None


# --- The data ------------------------------------------------------------------------------------

PACKAGE = "shared.domain.facts.dedup"
SORTED = ("content", "languages", "places", "domains")


def names_in_order(table):
    return sorted(table, key=lambda name: (name.lstrip("-").casefold(), name))


@pytest.mark.parametrize("name", SORTED)
def test_concepts_are_sorted_by_name(name):
    table = word_lists(PACKAGE, name)
    assert list(table) == names_in_order(table)


@pytest.mark.parametrize("name", ["phrases", "opposites"])
def test_concepts_are_sorted_under_each_heading(name):
    for table in word_tables(PACKAGE, name).values():
        assert list(table) == names_in_order(table)


def test_a_pattern_means_one_thing():
    parts = word_tables(PACKAGE, "parts")
    tables = [table for part, table in parts.items() if part != "strong"]
    tables += [word_lists(PACKAGE, name) for name in ("content", "languages", "places")]
    found = Counter(pattern for table in tables for patterns in table.values() for pattern in patterns)
    assert [pattern for pattern, times in found.items() if times > 1] == []


def test_a_phrase_means_one_thing():
    tables = word_tables(PACKAGE, "phrases").values()
    found = Counter(phrase for table in tables for phrases in table.values() for phrase in phrases)
    assert [phrase for phrase, times in found.items() if times > 1] == []


def test_every_heading_is_a_kind():
    headings = {*word_tables(PACKAGE, "parts"), *word_tables(PACKAGE, "phrases")}
    assert headings <= {kind.name.lower() for kind in Kind}


def test_what_is_excluded_is_excluded_both_ways():
    for table in (opposites("antonyms"), opposites("states")):
        assert all(name in table[other] for name, others in table.items() for other in others)
        assert all(name not in others for name, others in table.items())


def test_a_word_of_a_key_belongs_to_one_world():
    words_of_keys = [word for of_it in word_lists(PACKAGE, "domains").values() for word in of_it]
    assert len(words_of_keys) == len(set(words_of_keys))
