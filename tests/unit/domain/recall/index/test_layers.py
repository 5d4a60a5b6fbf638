"""Stretches laid over one another: the later one counts where two hold the same thing."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from shared.domain.recall.index.layers import Followed, Layers, last_of_each, stack_columns, take_rows
from shared.domain.recall.index.postings import analyse
from shared.domain.recall.index.vectors import TextVector, Vectors
from shared.domain.text.terms import words_of

WORDS = ["кава", "чай", "борщ"]
TEXTS = st.lists(st.lists(st.sampled_from(WORDS), max_size=3).map(" ".join), max_size=5)


class Texts:
    """Texts as a layer."""

    def __init__(self, texts, *, joined=True):
        self.texts, self._postings = texts, analyse(texts).index
        self.index = self._postings if joined else None
        self.vectors = Vectors.of(
            len(texts), {n: TextVector(text, bytes([n])) for n, text in enumerate(texts)}
        ).spread()

    def postings(self, term):
        return self._postings.find(term)

    def item(self, row):
        return self.texts[row]


def held(layers, size):
    """Every row's text, and for each word in which rows it is found."""
    found = {word: layers.postings(words_of(word)[0])[0].tolist() for word in WORDS}
    named = [
        [kind.model for kind in layers.vectors.stack.kinds if row in vectors_of(layers, kind)] for row in range(size)
    ]
    texts = [layers.item(row) for row in range(size)]
    assert named == [[text] for text in texts]
    return texts, found


def vectors_of(layers, kind):
    return np.flatnonzero(layers.vectors.stack.scales[kind][layers.vectors.places])


def expected(texts):
    return texts, {word: [row for row, text in enumerate(texts) if word in text.split()] for word in WORDS}


@given(st.lists(TEXTS, min_size=1, max_size=4), st.booleans(), st.data())
def test_layers_show_the_rows_that_count_in_their_order(stretches, joined, data):
    numbered = [text for texts in stretches for text in texts]
    order = data.draw(st.permutations(range(len(numbered)))) if numbered else []
    order = order[: data.draw(st.integers(0, len(order)))]
    layers = Layers.of(
        [Texts(texts, joined=joined) for texts in stretches], [len(texts) for texts in stretches], np.array(order, int)
    )
    wanted = expected([numbered[row] for row in order])
    assert held(layers, len(order)) == wanted
    whole = layers.join_postings()
    assert (whole.index is not None) is joined
    assert held(whole, len(order)) == wanted


@given(TEXTS, TEXTS, st.data())
def test_what_follows_a_base_stands_after_it(base, news, data):
    order = data.draw(st.permutations(range(len(news)))) if news else []
    followed = Followed(Texts(base), len(base), Texts(news), np.array(order, np.int64))
    assert held(followed, len(base) + len(news)) == expected([*base, *(news[row] for row in order)])


@given(st.lists(st.integers(0, 5)))
def test_of_each_key_the_last_place_counts(keys):
    last = {key: place for place, key in enumerate(keys)}
    assert last_of_each(np.array(keys, int)).tolist() == [last[key] for key in sorted(last)]


def test_tables_are_stacked_and_their_rows_taken_column_by_column():
    one, other = (np.array([1, 2]), np.array([True, False])), (np.array([3]), np.array([True]))
    stacked = stack_columns([one, other])
    assert [column.tolist() for column in stacked] == [[1, 2, 3], [True, False, True]]
    taken = take_rows(tuple(stacked), np.array([2, 0]))
    assert [column.tolist() for column in taken] == [[3, 1], [True, True]]
