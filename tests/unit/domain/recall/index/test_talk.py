"""Talk as columns: found by its words and what its media show, with its times as they were."""

from datetime import timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from shared.domain.recall.index.segment import Segment
from shared.domain.recall.index.talk import Blocks
from shared.domain.text.terms import words_of
from tests.support.builders import at, message


def test_words_are_found_where_they_stand_and_as_often():
    segment = Segment.build([message("кава кава чай", message_id=3), message("кава", message_id=1)])
    rows, counts = segment.talk.postings(words_of("кава")[0])
    assert (rows.tolist(), counts.tolist()) == ([0, 1], [1.0, 2.0])
    assert segment.talk.postings("невідоме")[0].tolist() == []


def test_what_is_in_the_media_is_found_too():
    segment = Segment.build([message("", media_text="борщ із пампушками")])
    assert segment.talk.postings(words_of("борщ")[0])[0].tolist() == [0]


def test_messages_of_two_chats_do_not_go_together():
    with pytest.raises(ValueError, match="2 chats"):
        Segment.build([message(), message(message_id=2, chat_id=-5)])


def test_times_are_kept_to_the_microsecond():
    odd = at(0) + timedelta(microseconds=123_457)
    assert Segment.build([message(sent_at=odd, edited_at=odd)]).messages()[0].edited_at == odd


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
