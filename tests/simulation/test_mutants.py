"""The laws notice what they are for: a product that gives up too early, refuses by itself or repeats itself breaks one
within a few stories."""

from __future__ import annotations

import itertools
import sys

from shared.application.delivery import sending
from shared.application.intake import responding
from shared.domain.errors import MessageRejected
from tests.simulation.run import simulate

_STORIES = range(500_000, 500_080)


def is_noticed(problem):
    """Whether a law says this of some story."""
    return any(problem in found for number in _STORIES for found in simulate(number).problems)


def test_an_answer_that_is_given_up_after_one_send_is_noticed(monkeypatch):
    for name, module in list(sys.modules.items()):
        if name.startswith("shared.") and hasattr(module, "MOST_SENDS"):
            monkeypatch.setattr(module, "MOST_SENDS", 1)
    assert is_noticed("is uncertain, of")


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
