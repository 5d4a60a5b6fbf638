"""How much may be asked of the bot within an hour, told from what was asked."""

from datetime import UTC, datetime, timedelta

from hypothesis import given
from hypothesis import strategies as st

from shared.domain.delivery.limits import HOUR, CountedQuestion, Limit, chat_limit

NOON = datetime(2026, 11, 6, 12, tzinfo=UTC)


def questions(*users):
    return [CountedQuestion(user, NOON + timedelta(seconds=n)) for n, user in enumerate(users)]


def test_there_is_room_until_all_together_have_asked_so_often():
    assert chat_limit(questions(1, 2), per_user=9, per_chat=3) is None
    assert chat_limit(questions(1, 2, 1), per_user=9, per_chat=3) == Limit("chat", NOON + HOUR)


def test_questions_over_their_authors_own_limit_take_nobodys_room():
    assert chat_limit(questions(1, 1, 1, 1, 1), per_user=2, per_chat=3) is None
    limit = chat_limit(questions(1, 1, 1, 1, 2), per_user=2, per_chat=3)
    assert limit == Limit("chat", NOON + HOUR)


def test_of_the_forgotten_every_question_counts_for_nobody_knows_whose_it_was():
    assert chat_limit(questions(None, None, None), per_user=1, per_chat=3) is not None


@given(st.lists(st.none() | st.integers(1, 3), max_size=30), st.integers(1, 5), st.integers(1, 10))
def test_the_next_question_is_answered_exactly_when_fewer_were(users, per_user, per_chat):
    room = sum(min(users.count(user), per_user) for user in (1, 2, 3)) + users.count(None) < per_chat
    assert (chat_limit(questions(*users), per_user=per_user, per_chat=per_chat) is None) is room
