"""How long each command takes that asks no model: through the webhook, on the Firestore emulator, taking turns.

The chat has `FACTS` facts and `TALK` messages. The clock that the bot sees stands still while a command runs; the time
is the wall's, from Telegram's POST to the answer that Telegram gets, sending the reply to the fake Bot API included.
What a worker answers is shown to be under way in that time; a second figure runs on until the worker's reply.
"""

from __future__ import annotations

import time
from collections import defaultdict
from datetime import timedelta

from infra.firestore import FirestoreStore
from shared.application.facts.memory import learn_candidates
from shared.domain.facts.evidence.claim import Evidence
from shared.domain.facts.fact import CHAT_CATEGORIES, Candidate
from tests.benchmarks.report import Figure, percentile
from tests.support.group import CHAT, Group, running_group

RUNS, WARM_UP = 40, 3
FACTS, TALK = 200, 60
MOST_MS = 150

COMMANDS = (
    "/gryadhelp",
    "/gryadchatfacts",
    "/gryadchatfacts rule",
    "/gryadfacts",
    "/gryadwhy",
    "/gryadfix котик",
    "/gryaddrop котик",
    "/gryadrecap 3 год",
    "/gryadcontext",
    "/gryadprofile",
    "/gryadforgetme",
    "/gryadexport",
    "/gryadsettings",
    "/gryadchatreset",
    "/gryadregen last 20",
    "/gryadfreeze котик",
    "/gryadstats",
    # What changes the memory comes last: the workers have the profile ready again before the next turn.
    "/gryadremember ключ під килимком {run}",
    "/gryadoptout",
    "/gryadoptin",
)
BY_WORKER = frozenset({"/gryadprofile", "/gryadexport", "/gryadremember"})
ADMIN, ALSO = (102, "Тарас"), {"ASKS_PER_USER_PER_HOUR": "1000", "ASKS_PER_CHAT_PER_HOUR": "1000"}


async def measure(emulator: str) -> list[Figure]:
    """`RUNS` of each command by an admin, after `WARM_UP`."""
    store = FirestoreStore("bench-commands", emulator_host=emulator)
    taken: dict[str, list[float]] = defaultdict(list)
    async with running_group(store, **ALSO) as group:
        group.api.add_chat(ADMIN[0], "private")
        await _fill(group)
        for run in range(WARM_UP + RUNS):
            for command in COMMANDS:
                name = command.split()[0]
                await group.work()  # what others asked for is not this command's
                taken[name].append(await _timed(group, command.format(run=run)))
                if name in BY_WORKER:
                    taken[f"{name}, worker's reply"].append(taken[name][-1] + await _worked(group))
            group.clock.advance(timedelta(minutes=5))
            await group.tasks.dispatch_due(group.clock.now())  # the workers do what is due, as they would
    await store.aclose()
    kept = {name: times[-RUNS:] for name, times in taken.items()}
    figures = [
        Figure("commands", f"{name}: p95", percentile(times, 0.95), "ms", None if "worker" in name else MOST_MS)
        for name, times in kept.items()
    ]
    everything = [each for name, times in kept.items() if "worker" not in name for each in times]
    return [
        *figures,
        Figure("commands", "all: p50", percentile(everything, 0.5), "ms"),
        Figure("commands", "all: p95", percentile(everything, 0.95), "ms", MOST_MS),
    ]


async def _timed(group: Group, command: str) -> float:
    update = group.says(command, *ADMIN)
    before = time.perf_counter()
    status = await group.deliver(update)
    elapsed = (time.perf_counter() - before) * 1000
    if status != 200:
        raise RuntimeError(f"{command}: HTTP {status}")
    group.clock.advance(timedelta(seconds=20))
    return elapsed


async def _worked(group: Group) -> float:
    before = time.perf_counter()
    await group.work()
    return (time.perf_counter() - before) * 1000


async def _fill(group: Group) -> None:
    """Talk, and facts that it stands behind."""
    for number in range(TALK):
        await group.say(f"Котик номер {number} знову спить на дивані", 101 + number % 4, f"Ім'я{number % 4}")
    await group.settle()
    said = await group.messages()
    for number in range(FACTS):
        message = said[number % len(said)]
        evidence = Evidence(message["sent_at"], message["message_id"], message["user_id"], message["text"])
        category = CHAT_CATEGORIES[number % len(CHAT_CATEGORIES)]
        fact = Candidate(
            "chat", category, f"key_{number}", f"value {number}", f"Факт про котика номер {number}", 0.8, (evidence,)
        )
        await learn_candidates(group.runtime.app, CHAT, [fact])
