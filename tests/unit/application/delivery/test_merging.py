"""Who answers the newest question holds the older ones, closes them with its answer, and gives them back."""

from datetime import timedelta

import pytest

from shared.application.delivery.answer import EarlierQuestion
from shared.application.delivery.ledger import Ledger
from shared.application.delivery.ledger_codec import LEASE, read_entry, update_path, waiting_fields
from shared.application.delivery.merging import claim_question, close_merged, give_back, is_left_open
from shared.domain.delivery.outcomes import AnswerOutcome
from shared.domain.errors import LeaseHeld
from tests.support.delivery.answers import asked, saying
from tests.support.group import CHAT
from tests.support.queues import NOON, SteppedClock
from tests.support.talk import said


class Tokens:
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
    lease = await Ledger(store, clock, Tokens()).take(7)
    assert await claim_question(store, clock, 7, "ours", by=8)
    with pytest.raises(LeaseHeld):
        await Ledger(store, clock, Tokens()).take(7)
    with pytest.raises(Exception, match="taken over"):
        await Ledger(store, clock, Tokens()).fill(lease, await saying("сам")(), chat_id=CHAT)
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
    clock.advance(LEASE)
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
    assert timedelta(seconds=1) < clock.now() - before < LEASE
    await give_back(store, clock, [earlier(7, "another's")])
    with pytest.raises(LeaseHeld):
        await Ledger(store, clock, Tokens()).take(7)
    await give_back(store, clock, [earlier(7)])
    assert await is_left_open(store, clock, 7)
    lease = await Ledger(store, clock, Tokens()).take(7)
    assert (await entry_of(store, 7)).yields_to is None
    await closed(store, earlier(7))
    assert (await entry_of(store, 7)).is_leased_by(lease.token)


async def test_nothing_is_written_for_what_is_not_held(store):
    async def close(tx):
        return await close_merged(tx, [earlier(7)])

    assert await store.transaction(close) == []
    await give_back(store, SteppedClock(), [])
    assert not await is_left_open(store, SteppedClock(), 7)
