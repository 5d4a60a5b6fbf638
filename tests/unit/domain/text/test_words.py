"""Words are everything they may be."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from shared.domain.text.words import MAX_WORDS, analyse


def atoms(text: str) -> frozenset[str]:
    return analyse(text).atoms


@pytest.mark.parametrize(
    ("text", "reading"),
    [
        ("переїхала", "переїхати#past"),
        ("живемо", "жити#we"),
        ("живу", "жити#i"),
        ("граєш", "грати#you"),
        ("читають", "читати#they"),
        ("читає", "читати#he"),
        ("працювали", "працювати#pastpl"),
        ("вивчити", "вивчити#inf"),
        ("катаюсь", "кататися#i"),
        ("собаками", "собака"),
        ("Львові", "львів"),
        ("children", "child"),
        ("taught", "teach"),
    ],
)
def test_a_form_is_read_as_its_dictionary_form_and_person(text: str, reading: str) -> None:
    assert reading in atoms(text)


def test_a_verb_that_no_dictionary_knows_is_read_by_its_ending() -> None:
    assert "стримити#i" in atoms("стримлю")
    assert "залипати#i" in atoms("залипаю")


def test_contractions_are_read_in_full_with_and_without_apostrophe() -> None:
    assert {"i", "am", "do", "not"} <= atoms("I'm sure I dont")
    assert {"have", "let", "us"} <= atoms("i’ve said: let’s go")


def test_both_halves_of_a_contraction_lie_at_the_same_place() -> None:
    words = analyse("well, I'm home")
    assert [words.text[start:end] for start, end in words.spans] == ["well", ",", "I'm", "I'm", "home"]


def test_a_noun_has_no_person() -> None:
    assert not any("#" in atom for atom in atoms("кава"))


def test_punctuation_is_a_word_but_not_inside_a_time_or_a_name() -> None:
    assert {",", "19:00", "@all", "c++", "–"} <= atoms("о 19:00 @all (c++) — так")


def test_a_stretch_of_words_is_their_text_as_written_even_when_a_word_is_one_sign() -> None:
    words = analyse("Я, до речі, з Луцька")
    starts = [*words.starts, len(words.code)]
    assert words.slice(starts[0], starts[1]) == "Я"
    assert words.slice(starts[0], starts[2]) == "Я,"
    assert words.slice(starts[2], starts[7]) == "до речі, з Луцька"
    assert words.slice(starts[2], starts[2]) == words.slice(starts[3], starts[1]) == ""


@given(st.text(max_size=300))
def test_every_word_lies_where_its_span_says(text: str) -> None:
    words = analyse(text)
    assert len(words.spans) == len(words.starts) <= MAX_WORDS
    assert all(0 <= start < end <= len(text) for start, end in words.spans)
    assert all(words.index(at) == number for number, at in enumerate(words.starts))
