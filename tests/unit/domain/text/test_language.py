"""Detection by letters, words with apostrophes, lemmas of both languages."""

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from shared.domain.text.language import detect_language, fold, lemmas, tokens


@pytest.mark.parametrize(
    ("text", "language"),
    [
        ("привіт, як справи", "uk"),
        ("hello there", "en"),
        ("купив новий iPhone у магазині", "uk"),
        ("это не наш язык", None),
        ("123 :) 👍", None),
        ("", None),
        ("こんにちは", None),
    ],
)
def test_language_follows_the_script_and_its_letters(text: str, language: str | None) -> None:
    assert detect_language(text) == language


@pytest.mark.parametrize("apostrophe", ["'", "’", "ʼ"])
def test_an_apostrophe_of_any_kind_stays_inside_its_word(apostrophe: str) -> None:
    assert tokens(f"У п{apostrophe}ятницю!") == ["у", "п'ятницю"]


def test_tokens_are_the_same_for_composed_and_decomposed_text() -> None:
    text = "Їжачок і йогурт"
    assert tokens(unicodedata.normalize("NFD", text)) == tokens(text) == ["їжачок", "і", "йогурт"]


def test_lemmas_join_the_forms_of_a_word_in_both_languages() -> None:
    assert lemmas("підсумки") == lemmas("підсумок")
    assert lemmas("movies") == lemmas("movie") == ["movie"]


@given(st.text(max_size=200))
def test_any_text_has_tokens_and_at_most_one_language(text: str) -> None:
    assert detect_language(text) in ("uk", "en", None)
    assert all(token == fold(token) and token.strip() for token in tokens(text))
