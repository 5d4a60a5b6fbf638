"""The right to answer one update."""

import pytest

from shared.application.delivery.answer import AnswerPiece
from shared.application.delivery.lease import Lease, counts, memory_of, note_erasure
from shared.application.ports.chat import OutgoingText
from shared.domain.delivery.limits import Limit
from tests.support.queues import NOON, SteppedClock
from tests.support.updates import CHAT_ID as CHAT

HERE = AnswerPiece(OutgoingText("тут", "тут"))
PRIVATE = AnswerPiece(OutgoingText("тсс", "тсс"), private_to=7)
PRIVATE_OR_HERE = AnswerPiece(OutgoingText("тсс", "тсс"), private_to=7, otherwise=OutgoingText("!", "!"))


def lease(**fields):
    return Lease(1, "mine", NOON, CHAT, **fields)


def test_what_was_sent_is_not_left():
    assert lease(outbox=(HERE, PRIVATE), sent=1).left == (PRIVATE,)
    assert lease().left == ()


@pytest.mark.parametrize(
    ("chat_id", "piece", "is_said_there"),
    [(CHAT, HERE, True), (CHAT, PRIVATE, False), (CHAT, PRIVATE_OR_HERE, True), (7, HERE, True)],
)
def test_only_what_may_be_said_in_a_chat_needs_room_there(chat_id, piece, is_said_there):
    assert counts(piece, chat_id) is is_said_there


@pytest.mark.parametrize(
    ("doubts", "sending", "given_up"), [(0, 0, False), (1, 0, False), (2, 0, True), (2, None, False)]
)
def test_a_piece_is_given_up_when_it_may_have_arrived_three_times(doubts, sending, given_up):
    assert lease(outbox=(HERE,), sending=sending, doubts=doubts).gives_up is given_up


def test_what_became_of_an_answer_says_who_was_told_only_a_notice_and_what_nobody_knows():
    limit = Limit("member", NOON)
    outcomes = [lease().outcome, lease(limit=limit).outcome, lease(limit=limit, is_uncertain=True).outcome]
    assert outcomes == ["answered", "limited", "uncertain"]


async def test_a_memory_is_another_one_after_something_was_forgotten(sqlite_store):
    before = await memory_of(sqlite_store, CHAT)
    await note_erasure(sqlite_store, SteppedClock(), CHAT)
    assert await memory_of(sqlite_store, CHAT) != before
    assert await memory_of(sqlite_store, CHAT + 1) == before, "another chat's is its own"
    assert await memory_of(sqlite_store, CHAT) == await memory_of(sqlite_store, CHAT)
