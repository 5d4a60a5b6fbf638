"""Detection by letters, words with apostrophes, lemmas of both languages."""

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from shared.domain.text.language import asker_language, detect_language, fold, interface_language, lemmas, tokens


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


def test_a_few_letters_do_not_overrule_the_language_of_the_chat() -> None:
    assert asker_language("ok", chat_language="uk", client_language="en") == "uk"
    assert asker_language("what do you remember", chat_language="uk", client_language="uk") == "en"
    assert asker_language("👍", chat_language=None, client_language="uk-UA") == "uk"
    assert asker_language("", chat_language=None, client_language=None) == "en"


def test_the_answer_is_in_the_language_of_the_question_then_of_the_chat_then_of_the_app():
    assert asker_language("What are the rules?", chat_language="uk", client_language="uk") == "en"
    assert asker_language("Які правила?", chat_language="en", client_language=None) == "uk"
    assert asker_language("👍", chat_language="uk", client_language="en") == "uk"
    assert asker_language("@andriy_dron?", chat_language="uk", client_language="en") == "uk"
    assert asker_language("@andriy_dron де живе?", chat_language="en", client_language="en") == "uk"
    assert interface_language(None, "uk-UA") == "uk"
    assert interface_language(None, "de") == "en"
