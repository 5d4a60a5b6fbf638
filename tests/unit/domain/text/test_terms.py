"""Words of messages and questions meet."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from shared.domain.recall.matching import relatives_of, term_relatives
from shared.domain.text.data_files import word_rows
from shared.domain.text.terms import (
    ASKS,
    MAX_TERMS,
    TELLS_NUMBER,
    TELLS_PLACE,
    TELLS_TIME,
    stem,
    term,
    terms_of,
    words_of,
)

RECALL = "shared.domain.recall"


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("п'ятниці", "п'ятниця"),
        ("п’ятницю", "п'ятницею"),
        ("Києві", "Київ"),
        ("Олі", "Оля"),
        ("Тарасом", "Тарас"),
        ("купила", "купити"),
        ("грали", "грати"),
        ("діти", "дитини"),
        ("концерті", "концертом"),
        ("виїжджаємо", "виїхали"),
        ("забирали", "забрала"),
        ("здавав", "здати"),
        ("Львова", "Львові"),
        ("adopted", "adoption"),
        ("went", "going"),
        ("bought", "buys"),
        ("children", "child"),
        ("studies", "studied"),
        ("Caroline's", "caroline"),
    ],
)
def test_forms_of_a_word_meet(one, other):
    assert words_of(one) == words_of(other) != []


@pytest.mark.parametrize(("one", "other"), [("правило", "право"), ("school", "scholar"), ("кіт", "кит")])
def test_different_words_stay_apart(one, other):
    assert words_of(one) != words_of(other)


@pytest.mark.parametrize("text", ["", "   ", "і в на що", "What is it that you are?", "🙂🙂", "...!"])
def test_a_text_without_meaning_has_no_words(text):
    assert words_of(text) == []


def test_numbers_and_repetitions_stay():
    assert words_of("4471 and 4471, flat 7") == ["4471", "4471", "flat", "7"]


@pytest.mark.parametrize(
    ("text", "mark"),
    [
        ("коли їдемо?", ASKS),
        ("Any news? 🙂", ASKS),
        ("look?\n[image: a cat]", ASKS),
        ("зустріч о 18:30", TELLS_TIME),
        ("in May we move", TELLS_TIME),
        ("бачились у п'ятницю", TELLS_TIME),
        ("нас було троє, дали дві сотні", TELLS_NUMBER),
        ("it cost 180 quid", TELLS_NUMBER),
        ("I moved to Lisbon", TELLS_PLACE),
        ("живемо у Львові", TELLS_PLACE),
    ],
)
def test_a_text_is_marked_for_what_it_tells(text, mark):
    assert mark in terms_of(text)


@pytest.mark.parametrize(
    ("text", "sound"),
    [
        ("стоїть «Біолам» на балконі", "~biolam"),
        ("продаю біолам", "~biolam"),
        ("we drove to Cherkasy", "~cherkas"),
        ("їздили в Черкаси", "~cherkas"),
        ("бачив mazda у дворі", "~mazd"),
    ],
)
def test_a_name_stands_among_the_terms_as_it_sounds_too(text, sound):
    assert sound in terms_of(text)
    assert sound not in words_of(text)


@pytest.mark.parametrize("text", ["Стоїть на балконі", "Drove home", "we went home", "ANYONE HOME", "Наш кіт"])
def test_a_plain_word_does_not_stand_as_it_sounds(text):
    assert not [term for term in terms_of(text) if term.startswith("~")]


def test_a_plain_statement_has_no_mark():
    assert terms_of("кіт спить") == words_of("кіт спить")


def test_a_letter_of_another_script_is_read_as_meant():
    assert words_of("Львовi") == words_of("Львові")


def test_a_huge_text_is_read_up_to_a_bound():
    assert len(words_of("слово " * 100_000)) <= MAX_TERMS
    assert len(words_of("x" * 1_000_000)[0]) <= 40


@given(st.text(max_size=200))
def test_any_text_gives_the_same_terms_again_and_no_empty_one(text):
    terms = terms_of(text)
    assert terms == terms_of(text)
    assert all(terms)


def test_relatives_stand_in_dictionary_form():
    """Or they would never meet the word of a message, which is brought to its dictionary form."""
    concepts = [*word_rows(RECALL, "related").values(), *word_rows(RECALL, "word_families").values()]
    words = [word for rows in concepts for row in rows for word in row]
    assert [word for word in words if term(word) and term(word) != stem(word)] == []


def test_relatives_know_each_other_across_languages():
    relatives = term_relatives("related")
    assert term("children") in relatives[stem("kid")]
    assert term("дитина") in relatives[stem("kid")]
    assert all(term in relatives[other] for term, others in relatives.items() for other in others)


def test_a_word_of_the_same_root_counts_more_than_a_related_one():
    relatives = relatives_of(term("платити"))
    assert relatives[stem("оплата")] > relatives[stem("витратити")] > 0
    assert relatives_of("zeppelin") == {}
