"""Conversations end by silence or by a change of topic."""

from datetime import UTC, datetime, timedelta
from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from shared.domain.reading.episodes.conversations import (
    MIN_MESSAGES,
    MOST_MESSAGES,
    SILENCE,
    Outline,
    divide_by_topic,
    is_over,
    split_by_silence,
)
from tests.unit.domain.reading.episodes.talks import BREAD, CATS, talk

START = datetime(2026, 3, 6, 18, tzinfo=UTC)


def outlines(*minutes, thread=0):
    return [Outline(n, START + timedelta(minutes=m), thread) for n, m in enumerate(minutes, start=1)]


def test_conversations_come_in_the_order_in_which_they_began_whatever_their_ids():
    later = outlines(30, 31)
    earlier = [Outline(n, START + timedelta(minutes=n), 7) for n in (11, 12)]
    assert split_by_silence([*later, *earlier]) == [earlier, later]


def test_a_pause_of_an_hour_ends_a_conversation():
    runs = split_by_silence(outlines(0, 5, 59, 118, 178))
    assert [[o.message_id for o in run] for run in runs] == [[1, 2, 3, 4], [5]]


def test_topics_of_a_forum_do_not_keep_each_other_alive():
    mixed = [*outlines(0, 30, 60), *(o._replace(message_id=o.message_id + 10) for o in outlines(0, 90, thread=7))]
    runs = split_by_silence(mixed)
    assert sorted([o.message_id for o in run] for run in runs) == [[1, 2, 3], [11], [12]]


def test_a_conversation_is_over_when_nobody_answered_for_an_hour():
    run = outlines(0, 10)
    assert not is_over(run, quiet_until=START + timedelta(minutes=69))
    assert is_over(run, quiet_until=START + timedelta(minutes=70))


@given(st.lists(st.tuples(st.integers(0, 5_000), st.integers(0, 2)), min_size=1, max_size=60), st.randoms())
def test_conversations_are_a_partition_whatever_the_order_of_arrival(drawn, chance):
    known = [Outline(n, START + timedelta(minutes=m), thread) for n, (m, thread) in enumerate(drawn)]
    shuffled = list(known)
    chance.shuffle(shuffled)
    runs = split_by_silence(shuffled)
    assert runs == split_by_silence(known)
    assert sorted(o for run in runs for o in run) == sorted(known)
    for run in runs:
        assert all(b.sent_at - a.sent_at < SILENCE and a.thread_id == b.thread_id for a, b in pairwise(run))


@pytest.mark.parametrize(("one", "other"), [(CATS, BREAD), (BREAD, CATS)], ids=["uk-en", "en-uk"])
def test_a_change_of_topic_divides_a_conversation(one, other):
    parts = divide_by_topic(talk(*one, *one, *other, *other))
    assert len(parts) == 2
    assert abs(len(parts[0]) - 12) <= 1


@pytest.mark.parametrize(
    "texts", [CATS * 3, BREAD * 3, ["ага", "ок", "хаха", "ну"] * 5], ids=["uk", "en", "small talk"]
)
def test_a_conversation_that_holds_together_stays_whole(texts):
    assert len(divide_by_topic(talk(*texts))) == 1


@settings(max_examples=40, deadline=None)
@given(st.lists(st.sampled_from([*CATS, *BREAD, "", "ок"]), min_size=1, max_size=150))
def test_parts_are_a_partition_in_order_and_none_is_too_long(texts):
    messages = talk(*texts)
    parts = divide_by_topic(messages)
    assert [m for part in parts for m in part] == messages
    assert all(0 < len(part) <= MOST_MESSAGES for part in parts)
    if len(parts) > 1 and len(messages) <= MOST_MESSAGES:
        assert all(len(part) >= MIN_MESSAGES for part in parts)
