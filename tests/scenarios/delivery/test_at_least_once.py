"""Every answer is said, whoever stalls, dies, comes twice, has a wrong clock, or speaks in a burst; and it is said
twice only where it had arrived and nobody could know."""

import asyncio
import contextlib
import hashlib
import inspect
import itertools
from dataclasses import replace

import pytest

from shared.application.delivery.ledger_codec import LONGEST
from shared.application.delivery.parcels import Destination
from shared.application.delivery.sending import answer_once, say_once
from shared.application.delivery.waiting import deliver_waiting
from shared.domain.errors import LeaseHeld
from tests.support.delivery.answers import MESSAGES_PER_MINUTE, MINUTE, SECOND, fill_the_minute, limit_messages, saying
from tests.support.faults import Crashed
from tests.support.group import CHAT


def long(*marks):
    """Texts too long to be merged, each ending with its mark."""
    return ["а" * 4000 + mark for mark in marks]


def said(group):
    return [text[-1] for text in group.answers]


async def wait_with(group, *marks):
    """Answers that wait for a minute that is full."""
    fill_the_minute(group)
    for mark in marks:
        assert await answer_once(group.runtime.app, f"say-{mark}", Destination(CHAT), saying(*long(mark))) == "waits"
    group.clock.advance(MINUTE)


class Slow:
    """Around a part of the app: at the n-th call of a method it tells that it is there, and waits to be let go on."""

    def __init__(self, part, method, nth=1, *, before=False):
        self._part, self._method, self._nth, self._before = part, method, nth, before
        self.there, self.go_on = asyncio.Event(), asyncio.Event()

    def __getattr__(self, name):
        found = getattr(self._part, name)
        if name != self._method:
            return found

        async def call(*args, **kwargs):
            self._nth -= 1
            if self._nth == 0 and self._before:
                await self._stall()
            result = await found(*args, **kwargs)
            if self._nth == 0 and not self._before:
                await self._stall()
            return result

        return call

    async def _stall(self):
        self.there.set()
        await self.go_on.wait()


@pytest.mark.parametrize("call", ["query", "transaction"], ids=["before its turn", "in its turn"])
async def test_a_worker_that_comes_late_to_its_turn_neither_ends_nor_overtakes_the_next_ones(laptop, call):
    """It has looked for what waits, and stalls; another one sends; then both go on."""
    await wait_with(laptop, "1", "2", "3")
    app = laptop.runtime.app
    late = Slow(app.store, call)
    sending = Slow(app.gateway, "send", 2)
    first = asyncio.create_task(deliver_waiting(replace(app, store=late), CHAT))
    await late.there.wait()
    laptop.clock.advance(LONGEST)
    second = asyncio.create_task(deliver_waiting(replace(app, gateway=sending), CHAT))
    await sending.there.wait()
    late.go_on.set()
    assert await first == {"sent": 0}
    sending.go_on.set()
    assert await second == {"sent": 3}
    assert said(laptop) == ["1", "2", "3"]


async def test_a_worker_that_found_nothing_more_does_not_end_the_turn_of_the_next(laptop):
    await wait_with(laptop, "1")
    app = laptop.runtime.app
    late = Slow(app.store, "query", 2)
    sending = Slow(app.gateway, "send")
    first = asyncio.create_task(deliver_waiting(replace(app, store=late), CHAT))
    await late.there.wait()
    laptop.clock.advance(LONGEST)
    await wait_with(laptop, "2", "3")
    second = asyncio.create_task(deliver_waiting(replace(app, gateway=sending), CHAT))
    await sending.there.wait()
    late.go_on.set()
    assert await first == {"sent": 1}
    sending.go_on.set()
    assert await second == {"sent": 2}
    assert said(laptop) == ["1", "2", "3"]


async def test_a_worker_whose_message_failed_late_does_not_end_the_turn_of_the_next(laptop):
    await wait_with(laptop, "1", "2", "3")
    app = laptop.runtime.app
    late = Slow(app.gateway, "send", before=True)
    sending = Slow(app.gateway, "send")
    first = asyncio.create_task(deliver_waiting(replace(app, gateway=late), CHAT))
    await late.there.wait()
    laptop.clock.advance(LONGEST)
    second = asyncio.create_task(deliver_waiting(replace(app, gateway=sending), CHAT))
    await sending.there.wait()
    laptop.api.fail_next("sendMessage", status=429, retry_after=60)
    late.go_on.set()
    assert await first == {"sent": 0}
    sending.go_on.set()
    assert await second == {"sent": 3}
    assert said(laptop) == ["1", "2", "3"], "the next one sent what its predecessor was not heard of any more with"


async def test_a_turn_lasts_as_long_as_messages_are_sent(laptop):
    await wait_with(laptop, "1", "2", "3")
    app, within = laptop.runtime.app, []

    class Trickling:
        def __getattr__(self, name):
            return getattr(app.gateway, name)

        async def send(self, *args, **kwargs):
            laptop.clock.advance(LONGEST * 0.35)
            within.append(await deliver_waiting(app, CHAT))
            return await app.gateway.send(*args, **kwargs)

    assert await deliver_waiting(replace(app, gateway=Trickling()), CHAT) == {"sent": 3}
    assert within == [{"sent": 0}] * 3
    assert said(laptop) == ["1", "2", "3"]


class Skewed:
    """A clock that is wrong."""

    def __init__(self, clock, by):
        self._clock, self._by = clock, by

    def now(self):
        return self._clock.now() + self._by


def dice(seed):
    """Throws, each from 0 to 255, the same for the same seed."""
    for number in itertools.count():
        yield hashlib.sha256(f"{seed} {number}".encode()).digest()[0]


async def burst(group, seed, *, skew=0):
    """Instances speak and deliver at random: when each message arrived, by the true clock; and what did not."""
    throws, app, arrived, texts = dice(seed), group.runtime.app, [], []
    limit_messages(group)

    def look():
        arrived.extend([group.clock.now()] * (len(group.api.sent) - len(arrived)))

    def an_instance():
        return replace(app, clock=Skewed(group.clock, SECOND * (next(throws) % (2 * skew + 1) - skew)))

    for number in range(70):
        mark = f"{seed}-{number}."
        texts.append(mark)
        work = say_once(an_instance(), CHAT, mark, await saying(*[mark] * (1 + next(throws) % 2))())
        with contextlib.suppress(LeaseHeld):
            await work
        look()
        if next(throws) < 50:
            await deliver_waiting(an_instance(), CHAT)
            look()
        group.clock.advance(SECOND * (0, 0, 1, 3)[next(throws) % 4])
    for _ in range(30):
        group.clock.advance(SECOND * 10)
        await deliver_waiting(an_instance(), CHAT)
        look()
    return arrived, [text for text in texts if text not in " ".join(group.answers)]


@pytest.mark.parametrize("seed", [1, 2])
async def test_no_burst_brings_a_twenty_first_message_into_a_minute_and_nothing_is_lost(laptop, seed):
    arrived, lost = await burst(laptop, seed)
    assert lost == []
    assert max(sum(first <= at < first + MINUTE for at in arrived) for first in arrived) == MESSAGES_PER_MINUTE


async def test_clocks_that_differ_by_a_minute_lose_and_double_nothing(laptop):
    _, lost = await burst(laptop, 3, skew=30)
    assert lost == []
    words = " ".join(laptop.answers).split()
    assert all(words.count(word) <= 2 for word in words), "each is said once or twice, as it was asked for"


# --- Dying ---------------------------------------------------------------------------------------


class Peril:
    """What an instance does with the store and with Telegram, until it dies at a certain step: before a call, or when
    it had taken effect."""

    def __init__(self, die_at):
        self.steps, self.die_at, self.died_after = 0, die_at, None

    def around(self, part):
        return _Perilous(part, self)

    def step(self, what):
        self.steps += 1
        if self.steps == self.die_at:
            self.died_after = what
            raise Crashed(what)


class _Perilous:
    def __init__(self, part, peril):
        self._part, self._peril = part, peril

    def __getattr__(self, name):
        found = getattr(self._part, name)
        if not inspect.iscoroutinefunction(found):
            return found

        async def call(*args, **kwargs):
            self._peril.step(f"before {name}")
            result = await found(*args, **kwargs)
            self._peril.step(f"after {name}")
            return result

        return call


async def kill_each_step(group, say, finish):
    """Let an instance die at each of its steps, one after another, and others go on: at which steps it had sent what
    it could not say that it had sent, so that something came twice."""
    twice = []
    for die_at in itertools.count(1):
        group.api.sent.clear()
        peril, app = Peril(die_at), group.runtime.app
        dying = replace(app, store=peril.around(app.store), gateway=peril.around(app.gateway))
        expected = await say(dying, die_at)
        await finish(die_at)
        arrived = group.answers
        assert list(dict.fromkeys(arrived)) == expected, peril.died_after
        if len(arrived) > len(expected):
            assert len(arrived) == len(expected) + 1
            twice.append(peril.died_after)
        if peril.died_after is None:
            return twice
    raise AssertionError


async def test_an_instance_may_die_at_any_step_of_an_answer_and_it_is_said(laptop):
    to = Destination(CHAT)

    async def say(app, number):
        with contextlib.suppress(Crashed):
            await answer_once(app, number, to, saying("а", "б", "в"))
        return ["а", "б", "в"]

    async def finish(number):
        laptop.clock.advance(LONGEST)
        await answer_once(laptop.runtime.app, number, to, saying("а", "б", "в"))

    twice = await kill_each_step(laptop, say, finish)
    assert twice == ["after send", "before transaction"] * 3, "only where it had arrived, and that was not written down"


async def test_a_worker_may_die_at_any_step_of_what_waits_and_it_is_said(laptop):
    async def say(app, number):
        fill_the_minute(laptop)
        texts = [f"{number:03}{letter}" * 900 for letter in "абв"]  # none fits into one message with another
        for text in texts:
            assert await answer_once(laptop.runtime.app, f"say-{text[:4]}", Destination(CHAT), saying(text)) == "waits"
        laptop.clock.advance(MINUTE)
        with contextlib.suppress(Crashed):
            await deliver_waiting(app, CHAT)
        return texts

    async def finish(_):
        laptop.clock.advance(LONGEST)
        await deliver_waiting(laptop.runtime.app, CHAT)

    twice = await kill_each_step(laptop, say, finish)
    assert set(twice) <= {"after send", "before transaction", "before get", "after get"}
