"""Lists of words of the filters."""

from shared.domain.reading.filters.lists import word_set, word_sets


def test_a_list_is_written_as_one_text():
    assert word_set("\n  one\n  two one") == {"one", "two"}


def test_long_lists_are_read_from_the_data_of_a_module():
    sets = word_sets("shared.domain.reading.filters", "support")
    assert all(isinstance(words, frozenset) and words for words in sets.values())
