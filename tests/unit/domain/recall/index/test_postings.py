"""The inverted index: what a plain loop would find, also when it is joined from parts or grown from an earlier one."""

from collections import Counter

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from shared.domain.recall.index.postings import analyse, join_postings, term_hash
from shared.domain.text.terms import terms_of, words_of

WORDS = ["кава", "чай", "борщ", "coffee", "tea"]
TERMS = [words_of(word)[0] for word in WORDS]
TEXTS = st.lists(st.lists(st.sampled_from(WORDS), max_size=5).map(" ".join), max_size=8)


def found(postings, term):
    rows, counts = postings.find(term)
    return list(zip(rows.tolist(), counts.tolist(), strict=True))


def expected(texts, term):
    counts = [(row, Counter(terms_of(text))[term]) for row, text in enumerate(texts)]
    return [(row, float(count)) for row, count in counts if count]


@given(TEXTS)
def test_a_term_is_found_where_it_stands_and_as_often(texts):
    read = analyse(texts)
    assert read.lengths.tolist() == [len(terms_of(text)) for text in texts]
    for term in [*TERMS, "ніде"]:
        assert found(read.index, term) == expected(texts, term)


@given(TEXTS, TEXTS)
def test_parts_that_are_joined_are_what_they_would_be_as_one(first, second):
    parts = [analyse(texts).index for texts in (first, second)]
    places = [np.arange(len(first), dtype=np.int32), np.arange(len(second), dtype=np.int32) + len(first)]
    joined = join_postings(zip(parts, places, strict=True))
    for term in TERMS:
        assert found(joined, term) == expected(first + second, term)


@given(TEXTS, st.data())
def test_a_row_whose_place_is_negative_is_left_out(texts, data):
    dropped = data.draw(st.sets(st.sampled_from(range(len(texts))))) if texts else set()
    kept = [row for row in range(len(texts)) if row not in dropped]
    places = np.full(len(texts), -1, np.int32)
    places[kept] = np.arange(len(kept), dtype=np.int32)
    joined = join_postings([(analyse(texts).index, places)])
    for term in TERMS:
        assert found(joined, term) == expected([texts[row] for row in kept], term)


@settings(max_examples=50, deadline=None)
@given(TEXTS, TEXTS, st.randoms(use_true_random=False))
def test_what_did_not_change_is_taken_from_the_earlier_analysis(before, new, chance):
    earlier = analyse(before)
    after = [*enumerate(before), *((None, text) for text in new)]
    chance.shuffle(after)
    same = {old: row for row, (old, _) in enumerate(after) if old is not None}
    texts = [text for _, text in after]
    again, at_once = analyse(texts, earlier.index, same), analyse(texts)
    assert again.lengths.tolist() == at_once.lengths.tolist()
    for term in TERMS:
        assert found(again.index, term) == found(at_once.index, term)


def test_the_number_of_a_term_is_the_same_in_every_process():
    assert term_hash("кав") == 14360560675654493552
