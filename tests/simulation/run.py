"""One run: a world and a story drawn from a seed, played to the end, and judged."""

from __future__ import annotations

import asyncio
import hashlib
import logging
import random  # noqa: TID251  seeded: the same seed gives the same run
import traceback
import warnings
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

from shared.application.policy import Policy
from shared.application.recall import loading
from tests.simulation.laws import judge
from tests.simulation.loop import SimulatedLoop, Stuck
from tests.simulation.observing import Observer
from tests.simulation.peers.telegram import Deliverer
from tests.simulation.story import Story
from tests.simulation.world import World
from tests.support import updates

_BEGIN = datetime(2026, 11, 6, tzinfo=UTC)
_MOST_DISPATCHES = 4_000
_TAILS = (loading.TAIL, loading.TAIL, 6)
"""Messages read with each question: mostly as in production; few, and a burst is what an outage's backlog is there."""

_LONGEST = 10 * 86_400.0


@dataclass(frozen=True, slots=True)
class Run:
    """What became of a seed.

    Attributes:
        problems: What must not be; none when all is well.
        digest: Of the trace and of all that is stored in the end: two runs of a seed have the same.
        events: How many updates were delivered.
    """

    seed: int
    problems: tuple[str, ...]
    trace: tuple[str, ...]
    digest: str
    events: int


def simulate(seed: int, *, events: int | None = None, **chosen: int) -> Run:
    """Play one seed.

    Args:
        events: Only so many of its events; None for as many as the seed says.
        chosen: Numbers of the policy in place of those that are drawn.
    """
    logging.disable(logging.CRITICAL)
    try:
        with warnings.catch_warnings():
            warnings.filterwarnings("ignore", "coroutine .* was never awaited")  # its instance died
            return _simulate(seed, events, chosen)
    finally:
        logging.disable(logging.NOTSET)


def _simulate(seed: int, events: int | None, chosen: dict[str, int]) -> Run:
    chance = random.Random(seed)
    loop = SimulatedLoop(chance)
    drawn = chance.randint(6, 26)
    policy = Policy(
        bot_id=updates.BOT_ID,
        bot_username="gryag_bot",
        bot_names=("гряг", "gryag"),
        asks_per_user=chance.choice((30, 30, 4)),
        asks_per_chat=chance.choice((120, 120, 12)),
        tokens_per_day=chance.choice((200_000, 200_000, 20_000)),
        tokens_per_member=chance.choice((60_000, 60_000, 8_000)),
        unprompted=chance.random() < 0.3,
        tools=chance.choice(((), ("calculator", "current_time", "recall", "remember", "forget"))),
        when_leaving=chance.choice(("keep", "erase")),
    )
    loading.TAIL = chance.choice(_TAILS)
    policy = policy._replace(**chosen)
    begin = _BEGIN + timedelta(hours=chance.randint(0, 47), seconds=chance.randint(0, 3_600))
    world = World(
        seed, chance, loop, begin, policy, with_model=chance.random() < 0.7, with_embedder=chance.random() < 0.3
    )
    story = Story(world, Deliverer(world))
    observer = Observer(world)
    try:
        loop.run(_live(world, story, observer, drawn if events is None else min(events, drawn)))
    except Stuck as error:
        world.problems.append(f"a task for ever: {error}")
    world.problems += [f"an exception that nobody took: {error}" for error in loop.errors]
    told = "\n".join([*world.trace, *world.problems, world.store.dump()])
    digest = hashlib.blake2s(told.encode("utf-8", "surrogatepass"), digest_size=8).hexdigest()
    return Run(seed, tuple(world.problems), tuple(world.trace), digest, len(story.deliverer.attempts))


async def _live(world: World, story: Story, observer: Observer, events: int) -> None:
    """Play and judge; what the simulation itself raises is a problem, too."""
    playing = world.loop.create_task(_play(world, story, events))
    await asyncio.wait([playing])
    if (error := playing.exception()) is not None:
        world.problems.append("".join(traceback.format_exception(error)))
    if not world.problems:
        await judge(world, story, observer)


async def _play(world: World, story: Story, events: int) -> None:
    driver = world.loop.create_task(world.run_queue())
    await story.play(events)
    world.log("the weather is calm from now on")
    world.weather.calm()
    world.weather.is_over = True
    await _drain(world, story, driver)
    driver.cancel()


async def _drain(world: World, story: Story, driver: asyncio.Task[None]) -> None:
    """Let time pass until nothing is left to do."""
    begun, dispatched = world.loop.time(), world.dispatches
    while not (story.deliverer.is_idle and world.is_idle and not world.queue.tasks):
        seconds = 5.0 if world.busy or not story.deliverer.is_idle else 600.0
        if not world.loop.pass_time(seconds):
            await asyncio.sleep(seconds)
        if driver.done():
            driver.result()
        if world.dispatches - dispatched > _MOST_DISPATCHES or world.loop.time() - begun > _LONGEST:
            left = [f"{task.name} (attempt {task.attempt})" for task in world.queue.tasks.values()]
            world.problems.append(f"a task for ever: {', '.join(left[:5]) or 'an update is never acknowledged'}")
            return
