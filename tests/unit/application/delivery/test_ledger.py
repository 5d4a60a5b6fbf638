"""Whoever has the lease answers, and only what nothing was forgotten for meanwhile."""

import asyncio
import contextlib
import random  # noqa: TID251 - seeded
from dataclasses import replace

import pytest

from infra.sqlite import SqliteStore
from shared.application.delivery.lease import note_erasure
from shared.application.delivery.ledger import Ledger
from shared.application.delivery.ledger_codec import LEASE, read_entry, update_path
from shared.application.delivery.parcels import Destination
from shared.application.delivery.sending import Asker, answer_once
from shared.application.documents import usage_path
from shared.application.spending.usage_codec import read_usage
from shared.domain.errors import Contention, LeaseHeld, StoreUnavailable, TransientError
from tests.simulation.loop import SimulatedLoop
from tests.support.delivery.answers import SECOND, asked, saying
from tests.support.group import CHAT, running_group
from tests.support.queues import NOON


async def test_whoever_made_an_answer_when_its_lease_had_run_out_says_nothing_nor_that_it_is_done(laptop):
    """Another run of its task has it, which may fail: a queue that is told of one end runs none of them again."""
    app = laptop.runtime.app

    async def compose():
        laptop.clock.advance(LEASE)
        await Ledger(app.store, app.clock, app.ids).take(7)  # another instance, which is at it
        return await saying("перша")()

    with pytest.raises(LeaseHeld):
        await answer_once(app, 7, Destination(CHAT), compose)
    assert laptop.answers == []
    laptop.clock.advance(LEASE)
    assert await answer_once(app, 7, Destination(CHAT), saying("друга")) == "answered"
    assert laptop.answers == ["друга"]


class Wall:
    """The loop's time."""

    def now(self):
        return NOON + asyncio.get_running_loop().time() * SECOND


def test_a_lease_runs_as_long_as_its_holder_lives_and_soon_ends_after_that():
    async def life():
        store = SqliteStore(":memory:")
        one, other = Ledger(store, Wall(), Tokens("one")), Ledger(store, Wall(), Tokens("other"))
        lease = await one.take(7)
        with one.renew(lease):
            for _ in range(10):
                await asyncio.sleep(LEASE.total_seconds())
                with pytest.raises(LeaseHeld):
                    await other.take(7)
        await asyncio.sleep(LEASE.total_seconds())  # it died
        await other.take(7)
        with one.renew(lease):  # and is back
            await asyncio.sleep(LEASE.total_seconds() - 1)
            with pytest.raises(LeaseHeld):
                await one.take(7)
            await asyncio.sleep(1)
            assert (await one.take(7)).token == "one", "what is another's is not renewed"
        await store.aclose()

    SimulatedLoop(random.Random(1)).run(life())


def test_a_lease_outlasts_a_store_that_is_away_for_a_moment():
    async def life():
        store = SqliteStore(":memory:")
        ledger = Ledger(Failing(store, 2, 3), Wall(), Tokens("one"))
        lease = await ledger.take(7)
        with ledger.renew(lease):
            await asyncio.sleep(3 * LEASE.total_seconds())
            with pytest.raises(LeaseHeld):
                await Ledger(store, Wall(), Tokens("other")).take(7)
        await store.aclose()

    SimulatedLoop(random.Random(1)).run(life())


class Tokens:
    def __init__(self, token):
        self.token = lambda: token


class Failing:
    """A store of which some transactions fail: the first records the answer, and the second that it was sent."""

    def __init__(self, store, *failing):
        self._store, self._failing, self.calls = store, failing, 0

    def __getattr__(self, name):
        return getattr(self._store, name)

    async def transaction(self, apply):
        self.calls += 1
        if self.calls in self._failing:
            raise StoreUnavailable("away for a moment")
        return await self._store.transaction(apply)


async def test_a_store_that_is_away_for_a_moment_doubles_nothing(laptop):
    app = replace(laptop.runtime.app, store=Failing(laptop.runtime.app.store, 2))
    assert await answer_once(app, 7, Destination(CHAT), saying("раз")) == "answered"
    assert laptop.answers == ["раз"]
    assert len(await laptop.messages()) == 1


async def test_a_message_that_was_sent_but_could_not_be_recorded_is_sent_again_and_counted(laptop):
    app, to = laptop.runtime.app, Destination(CHAT)
    with pytest.raises(TransientError):
        await answer_once(replace(app, store=Failing(app.store, 2, 3)), 7, to, saying("раз"))
    with pytest.raises(LeaseHeld):
        await answer_once(app, 7, to, saying("раз"))
    laptop.clock.advance(LEASE)
    assert await answer_once(app, 7, to, saying("раз")) == "answered"
    assert laptop.answers == ["раз", "раз"]
    assert await repeats(laptop, 7) == 1


async def repeats(group, update_id):
    """How often a piece of an answer was sent again, as its record and the day of its chat say."""
    entry = read_entry(await group.store.get(update_path(update_id)))
    day = read_usage(await group.store.get(usage_path(CHAT, group.clock.now().date())))
    assert day.answers_repeated == entry.repeats
    return entry.repeats


async def test_an_answer_is_thrown_away_as_often_as_something_is_erased_meanwhile_and_said_by_the_next(laptop):
    app = laptop.runtime.app

    async def decline(_):
        raise AssertionError

    async def compose():
        laptop.clock.advance(SECOND)
        await note_erasure(app.store, app.clock, CHAT)
        return await saying("перша")()

    asker = Asker(101, decline)
    for lost in (True, True, False):
        with pytest.raises(Contention) if lost else contextlib.nullcontext():
            await answer_once(app, 7, Destination(CHAT), compose if lost else saying("друга"), asker=asker)
    assert laptop.answers == ["друга"]


async def test_what_was_taken_in_is_answered_by_whoever_comes_first_and_keeps_who_asked(laptop):
    app, asker = laptop.runtime.app, Asker(101, saying("ні"))
    for number, by in ((7, asker), (8, None)):
        await asked(app.store, number, at=laptop.clock.now() - SECOND)
        assert await answer_once(app, number, Destination(CHAT, number), saying("так"), asker=by) == "answered"
        document = await app.store.get(update_path(number))
        entry = read_entry(document)
        assert (entry.state, entry.user_id, entry.message_id, document.data["ask"]) == ("done", 101, number, None)
        assert entry.asked_at == laptop.clock.now() - SECOND
        assert await answer_once(app, number, Destination(CHAT), saying("ще раз"), asker=by) == "already answered"
    assert laptop.answers == ["так", "так"]


async def test_a_question_that_was_taken_in_counts_like_any_other(sqlite_store):
    async with running_group(sqlite_store, ASKS_PER_USER_PER_HOUR="2") as group:
        outcomes = []
        for number in range(4):
            await asked(group.store, number, at=group.clock.now())
            to = Destination(CHAT, number)
            outcome = await answer_once(group.runtime.app, number, to, saying("так"), asker=Asker(101, decline))
            outcomes.append(outcome)
        assert outcomes == ["answered", "answered", "limited", "limited"]
        assert group.answers == ["так", "так", "перепочинь"]


async def decline(_):
    return await saying("перепочинь")()
