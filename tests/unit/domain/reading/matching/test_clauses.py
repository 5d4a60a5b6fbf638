"""Messages cut into sentences: in one spelling for the rows, verbatim for the quote, bounded however long they are."""

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from shared.domain.reading.matching.clauses import (
    MAX_SENTENCE,
    MAX_SENTENCES,
    MAX_TEXT,
    clean,
    language_of,
    sentences,
    with_specification,
)

TEXTS = st.text(st.characters() | st.sampled_from(".!?…;\n«»“”\"'():🔥> -–—\u200b\u202e"), max_size=300)


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("Живу у Львові. Люблю каву!", ["Живу у Львові", "Люблю каву"]),
        ("раз\nдва", ["раз", "два"]),
        ("1) без реклами 2) без спаму", ["без реклами", "без спаму"]),
        ("люблю каву :) а ти", ["люблю каву", "а ти"]),
        ("> чуже\nмоє", ["моє"]),
        ("он каже: «ми кожної суботи на рибалку, без цього не живемо»", ["он каже:"]),
        ("люблю «Тіні забутих предків»", ["люблю «Тіні забутих предків»"]),
        ("we usually leave a 🔥 on each other's runs", ["we usually leave a , on each other's runs"]),
        ("???", []),
        ("+", ["+"]),
        ("", []),
    ],
)
def test_a_message_is_cut_where_its_sentences_end(text, found):
    assert [sentence.text for sentence in sentences(text)] == found


def test_a_question_is_told_from_a_statement():
    assert [sentence.question for sentence in sentences("Хто йде? Я йду.")] == [True, False]


@given(TEXTS)
def test_every_sentence_is_quoted_verbatim_and_bounded(text):
    whole = unicodedata.normalize("NFC", text)
    for sentence in sentences(text):
        assert sentence.quote in whole
        assert len(sentence.text) <= MAX_SENTENCE
        assert any(char.isalnum() or char == "+" for char in sentence.text)


def test_a_message_of_any_length_is_read_so_far():
    assert len(sentences("так. " * 2_000)) == MAX_SENTENCES
    assert len(clean("я" * 10_000)) == MAX_TEXT


@pytest.mark.parametrize(
    ("text", "spelled"), [("п’ятниця", "п'ятниця"), ("ка\u200bва", "кава"), ("пpавила", "правила")]
)
def test_one_spelling_is_read_however_it_is_typed(text, spelled):
    assert clean(text) == spelled


def test_what_specifies_a_clause_belongs_to_it():
    assert (
        with_specification("люблю фантастику", "люблю фантастику, особливо тверду, і чай")
        == "люблю фантастику, особливо тверду"
    )
    assert with_specification("I like tea", "I like tea, and coffee") == "I like tea"


def test_any_ukrainian_letter_makes_a_text_ukrainian():
    assert (language_of("ok так"), language_of("plain words"), language_of("❤️")) == ("uk", "en", "en")
