"""Rows in compressed blocks: each is read back alone, and all in order."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from shared.domain.recall.index.blocks import Blocks

ROWS = st.lists(st.lists(st.none() | st.booleans() | st.integers() | st.text(), max_size=3), max_size=20)


@given(ROWS, st.integers(1, 7))
def test_every_row_comes_back_alone_and_with_the_others(rows, size):
    packed = Blocks.of(rows, size)
    assert list(packed) == rows
    assert [packed.row(index) for index in range(len(rows))] == rows
    assert len(packed.blocks) == -(-len(rows) // size)


def test_half_a_character_of_two_is_kept_too():
    assert list(Blocks.of(["\ud83d", "🙂"], 1)) == ["\ud83d", "🙂"]


def test_a_row_that_is_not_there_is_an_error():
    with pytest.raises(IndexError):
        Blocks.of([1, 2, 3], 2).row(3)
