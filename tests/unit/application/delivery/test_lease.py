"""The right to answer one update."""

import asyncio
from datetime import timedelta

import pytest

from shared.application.delivery.answer import AnswerPiece, EarlierQuestion
from shared.application.delivery.closing import close_as
from shared.application.delivery.lease import (
    Lease,
    LeaseLost,
    claim_question,
    close_merged,
    compose_while_ours,
    counts,
    give_back,
    is_left_open,
    is_ours,
    memory_of,
    note_erasure,
)
from shared.application.delivery.ledger import Ledger
from shared.application.delivery.ledger_codec import LONGEST, read_entry, update_path, waiting_fields
from shared.application.delivery.parcels import Destination
from shared.application.ports.chat import OutgoingText
from shared.domain.delivery.limits import Limit
from shared.domain.delivery.outcomes import AnswerOutcome
from shared.domain.errors import LeaseHeld
from tests.support.delivery.answers import asked, saying
from tests.support.group import CHAT as GROUP
from tests.support.queues import NOON, SteppedClock
from tests.support.talk import said
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
    ("doubts", "sending", "given_up"), [(0, 0, False), (2, 0, False), (3, 0, True), (3, None, False)]
)
def test_a_piece_is_given_up_when_it_may_have_arrived_four_times(doubts, sending, given_up):
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


class OwnTokens:
    def token(self):
        return "its own"


@pytest.fixture
def clock():
    return SteppedClock()


async def entry_of(store, update_id):
    return read_entry(await store.get(update_path(update_id)))


def earlier(update_id, token="ours"):
    return EarlierQuestion(update_id, token, said("питання"))


async def closed(store, *claimed):
    async def close(tx):
        for write in await close_merged(tx, claimed):
            tx.write(write)

    await store.transaction(close)


async def test_a_question_is_taken_from_who_answers_it_and_closed_with_the_newer_ones_answer(store, clock):
    await asked(store, 7, at=NOON)
    lease = await Ledger(store, clock, OwnTokens()).take(7)
    assert await claim_question(store, clock, 7, "ours", by=8)
    with pytest.raises(LeaseHeld):
        await Ledger(store, clock, OwnTokens()).take(7)
    with pytest.raises(Exception, match="taken over"):
        await Ledger(store, clock, OwnTokens()).fill(lease, await saying("сам")(), Destination(GROUP))
    await closed(store, earlier(7))
    entry = await entry_of(store, 7)
    assert (entry.state, entry.outcome, entry.yields_to) == ("done", AnswerOutcome.MERGED, 8)
    assert (await store.get(update_path(7))).data.get("counted_at") is None
    assert not await is_left_open(store, clock, 7)


async def test_of_two_newer_ones_the_newest_has_it_as_long_as_its_lease_runs(store, clock):
    await asked(store, 7, at=NOON)
    assert await claim_question(store, clock, 7, "eight's", by=8)
    assert await claim_question(store, clock, 7, "nine's", by=9)
    assert not await claim_question(store, clock, 7, "eight's", by=8)
    await closed(store, earlier(7, "eight's"))
    assert (await entry_of(store, 7)).is_open
    clock.advance(LONGEST)
    assert await claim_question(store, clock, 7, "eight's", by=8)


@pytest.mark.parametrize(
    "stands", [{"outbox": []}, waiting_fields(), {"state": "done"}, {"is_composed_again": True}, {"limit": None}, None]
)
async def test_what_is_made_already_or_gone_is_not_taken(store, clock, stands):
    if stands is not None:
        await asked(store, 7, at=NOON)
        await store.update(update_path(7), stands)
    assert await claim_question(store, clock, 7, "ours", by=8) is (stands == {"limit": None})


async def test_what_is_given_back_or_held_too_long_is_answered_by_itself(store, clock):
    await asked(store, 7, at=NOON)
    assert await claim_question(store, clock, 7, "ours", by=8)
    before = clock.now()
    assert await is_left_open(store, clock, 7)
    assert timedelta(seconds=1) < clock.now() - before < LONGEST
    await give_back(store, clock, [earlier(7, "another's")])
    with pytest.raises(LeaseHeld):
        await Ledger(store, clock, OwnTokens()).take(7)
    await give_back(store, clock, [earlier(7)])
    assert await is_left_open(store, clock, 7)
    lease = await Ledger(store, clock, OwnTokens()).take(7)
    assert (await entry_of(store, 7)).yields_to is None
    await closed(store, earlier(7))
    assert (await entry_of(store, 7)).is_leased_by(lease.token)


async def test_nothing_is_written_for_what_is_not_held(store):
    async def close(tx):
        return await close_merged(tx, [earlier(7)])

    assert await store.transaction(close) == []
    await give_back(store, SteppedClock(), [])
    assert not await is_left_open(store, SteppedClock(), 7)
