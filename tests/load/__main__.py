"""`python -m tests.load [SHAPE ...] [--on sqlite|emulator] [--rate N] [--seconds N] [--small]`: `make load`.

`burst` and `behind` are what once locked a group up: questions all at once, each update delivered three times, and
talk behind a question while the model thinks for 20 seconds. `flood` talks while 200 answers of 20 seconds are made,
`create` compares the webhook with a bare `create`, and `kills` kills the function that answers twenty times (on the
emulator, wherever the others run). With `--soak MINUTES` one process over SQLite is watched
for so long: `make soak`.
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import logging
import sys
import tempfile
from collections.abc import AsyncIterator
from dataclasses import replace
from pathlib import Path

from tests.load import flood as flooding
from tests.load import kills as killing
from tests.load.arrivals import SHAPES, arrivals
from tests.load.burst import behind, burst
from tests.load.outcome import Outcome, as_table
from tests.load.running import run, warm_up
from tests.load.soak import as_lines, is_flat, soak
from tests.load.targets import MODEL_SECONDS, Target, deployed_target, local_target
from tests.support.google.emulator import running_emulator
from tests.support.telegram.delivery import TelegramDelivery

RATES = {
    "steady": (20.0, 30.0),
    "spike": (2.0, 40.0),
    "backlog": (1.0, 0.0),
    "hot": (20.0, 30.0),
    "quiet": (100.0, 100.0),
}
"""Messages a second, and for how many seconds."""

SMALL = {"steady": (10.0, 4.0), "spike": (1.0, 10.0), "backlog": (0.05, 0.0), "hot": (10.0, 4.0), "quiet": (50.0, 2.0)}
"""As the gate runs them."""


STORIES = {
    "burst": burst,
    "behind": behind,
    "flood": flooding.flood,
    "create": flooding.beside_create,
    "kills": killing.kill_answers,
}
THINKS = {"behind": 20.0, "flood": flooding.MODEL_SECONDS, "kills": killing.MODEL_SECONDS}
"""Seconds of the model where it is not two."""

PATIENT = {"flood": {"ANSWER_MODEL_SECONDS": "50", "EXTRACTION_WINDOW_SECONDS": "86400"}}
"""Settings where they are not those of every load: memory answers by itself when the model takes long, and what two
hundred chats said would be read on the same cores while the webhook's time is taken."""


def main() -> int:
    """Run; 1 when something was lost or refused, or a soak was not flat."""
    parser = argparse.ArgumentParser(prog="python -m tests.load", description="Put Spomyn under load.")
    parser.add_argument("shapes", nargs="*", metavar="shape", help=f"of {', '.join(SHAPES)}; all by default")
    parser.add_argument("--on", choices=("sqlite", "emulator"), default="sqlite", help="what it stands on")
    parser.add_argument("--rate", type=float, help="messages a second")
    parser.add_argument("--seconds", type=float, help="for so long")
    parser.add_argument("--small", action="store_true", help="a few seconds of each")
    parser.add_argument("--soak", type=float, metavar="MINUTES", help="watch one process over SQLite")
    options = parser.parse_args()
    if unknown := set(options.shapes) - {*SHAPES, *STORIES}:
        parser.error(f"there is no shape {', '.join(sorted(unknown))}; there are {', '.join([*SHAPES, *STORIES])}")
    logging.disable(logging.WARNING)
    if options.soak:
        return _soak(options.soak, options.rate or 5.0)
    if stories := [name for name in STORIES if name in options.shapes]:
        return asyncio.run(_stories(stories, options.on))
    outcomes = asyncio.run(_all(options))
    sys.stdout.write(as_table(outcomes) + "\n")
    return int(any(outcome.lost or outcome.doubled or outcome.failed for outcome in outcomes))


async def _stories(names: list[str], on: str) -> int:
    wrong = 0
    for name in names:
        on = "emulator" if name == "kills" else on
        with tempfile.TemporaryDirectory() as folder:
            settings = PATIENT.get(name, {})
            instances = flooding.INSTANCES if name == "flood" else 1
            thinks = THINKS.get(name, MODEL_SECONDS)
            async with _target(on, Path(folder), thinks=thinks, instances=instances, **settings) as target:
                await warm_up(target, TelegramDelivery(target.api, target.post))
                told = await STORIES[name](target)
        wrong += not told.is_right
        sys.stdout.write(f"{name} on {on}: {told.as_line()}\n")
    return wrong


async def _all(options: argparse.Namespace) -> list[Outcome]:
    rates, found = SMALL if options.small else RATES, []
    for name in options.shapes or SHAPES:
        rate, seconds = options.rate or rates[name][0], options.seconds or rates[name][1]
        with tempfile.TemporaryDirectory() as folder:
            async with _target(options.on, Path(folder)) as target:
                outcome = await run(name, target, arrivals(SHAPES[name], rate, seconds))
        found.append(replace(outcome, reads=target.counts.get("reads"), writes=target.counts.get("writes")))
        sys.stderr.write(as_table(found[-1:]).splitlines()[-1] + "\n")
    return found


@contextlib.asynccontextmanager
async def _target(
    on: str, folder: Path, thinks: float = MODEL_SECONDS, instances: int = 1, **more: str
) -> AsyncIterator[Target]:
    if on == "sqlite":
        async with local_target(folder, thinks=thinks, **more) as target:
            yield target
        return
    with running_emulator() as emulator:
        async with deployed_target(emulator, folder, thinks=thinks, answer_instances=instances, **more) as target:
            yield target


def _soak(minutes: float, rate: float) -> int:
    with tempfile.TemporaryDirectory() as folder:
        samples, outcome = asyncio.run(soak(Path(folder), minutes=minutes, rate=rate))
    sys.stdout.write("\n" + as_lines(samples, outcome) + "\n")
    return 0 if is_flat(samples) and not outcome.lost and not outcome.doubled else 1


if __name__ == "__main__":
    sys.exit(main())
