"""The concepts that a question's word finds its relatives by, as data."""

import pytest

from shared.domain.text.data_files import word_rows

FILES = ("related", "word_families")


@pytest.mark.parametrize("name", FILES)
def test_concepts_are_sorted_and_stand_once(name):
    for rows in word_rows("shared.domain.recall", name).values():
        lines = [" ".join(row) for row in rows]
        assert lines == sorted(set(lines))


@pytest.mark.parametrize("name", FILES)
def test_a_concept_relates_several_words_each_written_once(name):
    for rows in word_rows("shared.domain.recall", name).values():
        assert [row for row in rows if len(row) < 2 or len(row) != len(set(row))] == []
