"""The right to answer one update."""

import pytest

from shared.application.delivery.answer import AnswerPiece
from shared.application.delivery.lease import Lease, memory_of
from shared.application.delivery.pace import note_erasure
from shared.application.ports.chat import OutgoingText
from tests.support.queues import SteppedClock
from tests.support.updates import CHAT_ID as CHAT

HERE = AnswerPiece(OutgoingText("тут", "тут"))
PRIVATE = AnswerPiece(OutgoingText("тсс", "тсс"), private_to=7)
PRIVATE_OR_HERE = AnswerPiece(OutgoingText("тсс", "тсс"), private_to=7, otherwise=OutgoingText("!", "!"))


def test_what_was_sent_is_not_left():
    lease = Lease(1, "mine", CHAT, (HERE, PRIVATE), sent=1)
    assert lease.left == (PRIVATE,)
    assert Lease(1, "mine").left == ()


@pytest.mark.parametrize(
    ("chat_id", "pieces", "paced"),
    [(CHAT, (HERE,), True), (CHAT, (PRIVATE,), False), (CHAT, (PRIVATE_OR_HERE,), True), (7, (HERE,), False)],
)
def test_only_what_may_be_said_in_a_group_needs_room_there(chat_id, pieces, paced):
    assert Lease(1, "mine", chat_id, pieces).is_paced is paced


async def test_a_memory_is_another_one_after_something_was_forgotten(sqlite_store):
    before = await memory_of(sqlite_store, CHAT)
    await note_erasure(sqlite_store, SteppedClock(), CHAT)
    assert await memory_of(sqlite_store, CHAT) != before
    assert await memory_of(sqlite_store, CHAT) == await memory_of(sqlite_store, CHAT)
