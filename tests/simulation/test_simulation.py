"""A thousand seeds of the simulation hold, and those that failed once; and a seed is the same story every time.

The laws notice what they are for: a product that gives up too early, refuses by itself or repeats itself breaks one
within a few stories.
"""

from __future__ import annotations

import itertools
import subprocess
import sys
from pathlib import Path

import pytest

from shared.application.delivery import sending
from shared.application.intake import receive, responding
from shared.application.spending import asking
from shared.domain.errors import MessageRejected
from tests.simulation.run import simulate
from tests.simulation.seeds import kept

_ROOT = Path(__file__).parents[2]
_STORIES = range(500_000, 500_080)


def play(*args: str) -> str:
    """What the command line says; a process of its own has the same order of sets every time."""
    ran = subprocess.run(
        [sys.executable, "-m", "tests.simulation", *args], cwd=_ROOT, capture_output=True, text=True, check=False
    )
    assert ran.returncode == 0, f"{ran.stdout[-20_000:]}\n{ran.stderr[-2_000:]}"
    return ran.stdout


def test_a_thousand_seeds_keep_every_law():
    assert "1000 seeds" in play("--seeds", "1000")  # on all cores: one process reads what all of them need


@pytest.mark.parametrize("number", [pytest.param(n, marks=[pytest.mark.xfail] * is_open) for n, _, is_open in kept()])
def test_a_seed_that_failed_once_keeps_every_law(number):
    assert simulate(number).problems == ()


def spend_much(seeds):
    """What breaks a law of spending where budgets are small."""
    small = {"tokens_per_day": 6_000, "tokens_per_member": 4_000}
    problems = [problem for seed in seeds for problem in simulate(seed, **small).problems]
    return [problem for problem in problems if " took " in problem]


def test_a_product_that_books_calls_only_when_they_are_over_breaks_the_law_of_budgets(monkeypatch):
    seeds = range(20, 40)
    assert spend_much(seeds) == []
    monkeypatch.setattr(asking, "call_tokens", lambda _: 0)
    assert spend_much(seeds) != []


def test_a_seed_is_the_same_story_every_time():
    first, second = simulate(4), simulate(4)
    assert first.trace == second.trace
    assert first.digest == second.digest
    assert simulate(5).digest != first.digest


def is_noticed(problem):
    """Whether a law says this of some story."""
    return any(problem in found for number in _STORIES for found in simulate(number).problems)


def test_an_answer_that_is_given_up_after_one_send_is_noticed(monkeypatch):
    for name, module in list(sys.modules.items()):
        if name.startswith("shared.") and hasattr(module, "MOST_SENDS"):
            monkeypatch.setattr(module, "MOST_SENDS", 1)
    assert is_noticed("is uncertain, of")


def test_a_stop_that_is_left_to_a_task_is_noticed(monkeypatch):
    monkeypatch.setattr(receive, "is_stop", lambda *_: False)
    assert is_noticed("which was acknowledged at")


def test_an_answer_that_nobody_refused_is_noticed(monkeypatch):
    compose, numbers = responding.compose_answer, itertools.count(1)

    async def refuse_every_third(*args, **kwargs):
        if next(numbers) % 3 == 0:
            raise MessageRejected("mutant")
        return await compose(*args, **kwargs)

    monkeypatch.setattr(responding, "compose_answer", refuse_every_third)
    assert is_noticed("is rejected, that nobody refused")


def test_a_sender_that_had_trouble_and_sends_again_what_arrived_is_noticed(monkeypatch):
    send = sending._send_to

    async def send_often(app, to, content):
        sent, life = await send(app, to, content), app.gateway._life
        for _ in range(5):
            if any(at > life._loop.time() - 300 for at in life.troubles):
                await send(app, to, content)
        return sent

    monkeypatch.setattr(sending, "_send_to", send_often)
    assert is_noticed("though nothing was open about it")
