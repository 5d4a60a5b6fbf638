"""The right to answer one update."""

import asyncio

import pytest

from shared.application.delivery.answer import AnswerPiece
from shared.application.delivery.closing import close_as
from shared.application.delivery.lease import (
    Lease,
    LeaseLost,
    compose_while_ours,
    counts,
    is_ours,
    memory_of,
    note_erasure,
)
from shared.application.delivery.ledger import Ledger
from shared.application.ports.chat import OutgoingText
from shared.domain.delivery.limits import Limit
from shared.domain.delivery.outcomes import AnswerOutcome
from tests.support.delivery.answers import asked
from tests.support.queues import NOON, SteppedClock
from tests.support.updates import CHAT_ID as CHAT

HERE = AnswerPiece(OutgoingText("тут", "тут"))
PRIVATE = AnswerPiece(OutgoingText("тсс", "тсс"), private_to=7)
PRIVATE_OR_HERE = AnswerPiece(OutgoingText("тсс", "тсс"), private_to=7, otherwise=OutgoingText("!", "!"))


class Tokens:
    def token(self):
        return "mine"


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


@pytest.mark.parametrize("outcome", [AnswerOutcome.STOPPED, AnswerOutcome.MERGED])
async def test_only_who_has_the_lease_may_go_on(sqlite_store, outcome):
    await asked(sqlite_store, 7)
    await Ledger(sqlite_store, SteppedClock(), Tokens()).take(7)
    assert await is_ours(sqlite_store, 7, "mine")
    assert not await is_ours(sqlite_store, 7, "another's")
    assert not await is_ours(sqlite_store, 8, "mine")
    await close_as(sqlite_store, 7, outcome)
    assert not await is_ours(sqlite_store, 7, "mine")


async def test_making_an_answer_is_broken_off_when_it_is_ended_and_not_before(sqlite_store):
    lease = await Ledger(sqlite_store, SteppedClock(), Tokens()).take(7)
    broken_off = asyncio.Event()

    async def compose():
        try:
            await asyncio.Event().wait()
        finally:
            broken_off.set()

    async def forty_two():
        return 42

    assert await compose_while_ours(sqlite_store, lease, forty_two) == 42
    making = asyncio.create_task(compose_while_ours(sqlite_store, lease, compose))
    done, _ = await asyncio.wait({making}, timeout=0.05)
    assert not done
    await close_as(sqlite_store, 7, AnswerOutcome.STOPPED)
    with pytest.raises(LeaseLost):
        await asyncio.wait_for(making, 5)
    assert broken_off.is_set()


async def test_who_dies_while_an_answer_is_made_leaves_nobody_at_it(sqlite_store):
    lease = await Ledger(sqlite_store, SteppedClock(), Tokens()).take(7)
    broken_off = asyncio.Event()

    async def compose():
        try:
            await asyncio.Event().wait()
        finally:
            broken_off.set()

    making = asyncio.create_task(compose_while_ours(sqlite_store, lease, compose))
    await asyncio.sleep(0)
    await asyncio.sleep(0)
    making.cancel()
    with pytest.raises(asyncio.CancelledError):
        await making
    assert broken_off.is_set()
