"""The sets of words that many subjects ask for, as data."""

from collections import Counter

import pytest

from shared.domain.text.data_files import word_lists, word_rows
from shared.domain.text.language import fold
from shared.domain.text.word_sets import dictionary_forms

PACKAGE = "shared.domain.text"
FILES = ("stop_words", "common_words", "time_words")


@pytest.mark.parametrize("name", FILES)
def test_words_are_folded_and_stand_once_in_their_list(name):
    for words in word_lists(PACKAGE, name).values():
        assert [word for word in words if word != fold(word)] == []
        assert [word for word, times in Counter(words).items() if times > 1] == []


def test_common_words_of_english_are_sorted():
    english = word_lists(PACKAGE, "common_words")["english"]
    assert list(english) == sorted(english)


def test_dictionary_forms_are_sorted_and_of_themselves():
    for families in word_rows(PACKAGE, "irregular").values():
        assert list(families) == sorted(families)
    bases = {family[0] for families in word_rows(PACKAGE, "irregular").values() for family in families}
    assert bases >= set(dictionary_forms().values())
