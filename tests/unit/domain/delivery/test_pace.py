"""How much may be said in a minute, and asked in an hour."""

from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from shared.domain.delivery.pace import (
    CHAT,
    HOUR,
    MESSAGES_PER_MINUTE,
    MINUTE,
    Limit,
    Pace,
    ask,
    enqueue,
    release,
    report_sent,
    reserve,
    room,
    room_at,
    tell,
    without_member,
)

NOON = datetime(2026, 11, 6, 12, tzinfo=UTC)
LEASE = timedelta(seconds=90)
SECOND = timedelta(seconds=1)


def said(count, at=NOON):
    return Pace(sent=(at,) * count)


# --- Said ----------------------------------------------------------------------------------------


@st.composite
def senders(draw):
    """When each of some senders begins, how many pieces it has, and after which pauses it sends them; some die."""
    pause = st.integers(0, 40)
    one = st.tuples(st.integers(0, 300), st.lists(pause, min_size=1, max_size=8), st.integers(0, 8))
    return draw(st.lists(one, min_size=1, max_size=30))


def events(plans):
    """(second, what happens, sender) in the order of time."""
    for sender, (start, pauses, lives) in enumerate(plans):
        yield start, "begins", sender
        at = start
        for number, pause in enumerate(pauses):
            at += pause
            yield at, "sends" if number < lives else "dies", sender


@given(senders())
def test_no_minute_ever_sees_a_twenty_first_message(plans):
    pace, left, gone = Pace(), {}, {}
    for second, what, sender in sorted(events(plans)):
        now, key = NOON + timedelta(seconds=second), str(sender)
        if what == "begins":
            if (admitted := reserve(pace, key, len(plans[sender][1]), now=now, until=now + LEASE)) is not None:
                pace, left[sender] = admitted, now + LEASE
        elif sender in left and what == "sends" and now < left[sender]:
            gone.setdefault(sender, []).append(now)
            pace, left[sender] = report_sent(pace, key, now=now, until=now + LEASE, said=True), now + LEASE
        elif now < left.pop(sender, now):  # it sent this one and died before it could say so
            gone.setdefault(sender, []).append(now)
    instants = sorted(at for times in gone.values() for at in times)
    for first in instants:
        assert sum(first <= at < first + MINUTE for at in instants) <= MESSAGES_PER_MINUTE


@given(st.lists(st.integers(0, 200), max_size=40), st.integers(0, 200))
def test_there_is_room_when_it_is_said_that_there_will_be(seconds, at):
    pace, now = Pace(sent=tuple(NOON + SECOND * s for s in seconds if s <= at)), NOON + SECOND * at
    assert room(pace, room_at(pace, now)) >= 1
    assert (room(pace, now) > 0) == (room_at(pace, now) == now)


def test_what_is_reserved_counts_as_said_now_however_long_it_is_kept():
    pace = reserve(Pace(), "a", MESSAGES_PER_MINUTE, now=NOON, until=NOON + LEASE)
    assert pace is not None
    assert room_at(pace, NOON) == NOON + MINUTE
    assert room_at(pace, NOON + 10 * SECOND) == NOON + 10 * SECOND + MINUTE


def test_twenty_are_admitted_and_the_next_one_when_the_oldest_is_a_minute_old():
    pace = reserve(said(19), "a", 1, now=NOON, until=NOON + LEASE)
    assert pace is not None
    assert reserve(pace, "b", 1, now=NOON, until=NOON + LEASE) is None
    assert reserve(said(20), "b", 1, now=NOON + MINUTE - SECOND, until=NOON + LEASE) is None
    assert reserve(said(20), "b", 20, now=NOON + MINUTE, until=NOON + LEASE + MINUTE) is not None


def test_what_is_reserved_for_all_or_for_none():
    assert reserve(said(18), "a", 3, now=NOON, until=NOON + LEASE) is None
    assert room(said(18), NOON) == 2


def test_what_somebody_reserves_again_replaces_what_they_had_and_what_is_missing_counts_as_sent():
    pace = reserve(Pace(), "a", 5, now=NOON, until=NOON + LEASE)
    again = reserve(pace, "a", 3, now=NOON + LEASE, until=NOON + 2 * LEASE)
    assert again.reserved["a"].pieces == 3
    assert again.sent == (NOON + LEASE,) * 2


def test_what_nobody_reports_is_free_a_minute_after_its_lease():
    pace = reserve(Pace(), "a", 20, now=NOON, until=NOON + LEASE)
    assert room(pace, NOON + LEASE + MINUTE - SECOND) == 0
    assert room(pace, NOON + LEASE + MINUTE) == 20


def test_what_went_into_private_takes_no_room():
    pace = reserve(Pace(), "a", 2, now=NOON, until=NOON + LEASE)
    pace = report_sent(pace, "a", now=NOON, until=NOON + LEASE, said=False)
    assert (pace.sent, room(pace, NOON)) == ((), 19)
    assert room(release(pace, "a", 1, now=NOON), NOON) == 20


def test_the_queue_is_one_until_it_is_served():
    pace = enqueue(enqueue(Pace()))
    assert (pace.last, pace.is_queued) == (2, True)


# --- Asked ---------------------------------------------------------------------------------------


def asks(pace, *questions, per_user=2, per_chat=3):
    limits = []
    for user, minute in questions:
        pace, limit = ask(pace, user, now=NOON + minute * MINUTE, per_user=per_user, per_chat=per_chat)
        limits.append(limit)
    return pace, limits


def test_a_member_over_the_limit_waits_until_their_oldest_question_is_an_hour_old():
    pace, limits = asks(Pace(), ("1", 0), ("1", 5), ("1", 10))
    assert limits == [None, None, Limit("member", NOON + HOUR)]
    assert asks(pace, ("1", 60))[1] == [None]


def test_refused_questions_do_not_count():
    pace, _ = asks(Pace(), *[("1", 0)] * 10)
    assert len(pace.asked["1"]) == 2
    assert asks(pace, ("2", 1), ("2", 1))[1] == [None, Limit("chat", NOON + HOUR)]


@given(st.lists(st.tuples(st.sampled_from("123"), st.integers(0, 300)), max_size=80))
def test_no_hour_sees_more_questions_than_the_limits(questions):
    pace, admitted = Pace(), []
    for user, minute in sorted(questions, key=lambda one: one[1]):
        pace, (limit,) = asks(pace, (user, minute), per_user=3, per_chat=5)
        admitted += [(user, minute)] if limit is None else []
    for _, first in admitted:
        within = [user for user, minute in admitted if first <= minute < first + 60]
        assert len(within) <= 5
        assert all(within.count(user) <= 3 for user in "123")
    assert sum(map(len, pace.asked.values())) <= 5


@pytest.mark.parametrize(("whose", "whom"), [("member", "1"), ("chat", CHAT)])
def test_a_notice_is_given_once_an_hour(whose, whom):
    limit = Limit(whose, NOON + HOUR)
    told = tell(Pace(), "1", limit, now=NOON)
    assert told is not None
    assert list(told.told) == [whom]
    assert tell(told, "1", limit, now=NOON + HOUR - SECOND) is None
    assert tell(told, "1", limit, now=NOON + HOUR) is not None


def test_of_a_member_who_is_forgotten_nothing_is_left():
    pace, _ = asks(Pace(), ("1", 0), ("2", 0))
    pace = tell(pace, "1", Limit("member", NOON), now=NOON)
    assert pace is not None
    left = without_member(pace, "1")
    assert (set(left.asked), set(left.told)) == ({"2"}, set())
