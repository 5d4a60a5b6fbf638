"""Calls of the model that are made at once: each judged alone, all booked in one write."""

from dataclasses import replace

import pytest

from shared.application.documents import usage_path
from shared.application.ports.model import ModelReply, ModelRequest, ModelTurn, TokenUsage
from shared.application.spending.asking import ask_at_once
from shared.domain.errors import ModelRefused, ModelUnavailable
from tests.cost.store import CountingStore
from tests.support.tool_chat import CHAT

USAGE = TokenUsage(input=100, output=10, cached=40)


class Model:
    """Answers by purpose: a reply, or an error."""

    def __init__(self, **outcomes):
        self._outcomes = outcomes

    async def generate(self, request):
        outcome = self._outcomes[request.purpose]
        if isinstance(outcome, Exception):
            raise outcome
        return ModelReply(outcome, "model", USAGE)


@pytest.fixture
async def asked(chat, tmp_path):
    """Asks for three texts at once; the answers, and the writes of the day's usage."""
    store = CountingStore(tmp_path / "asked.db")
    booked = usage_path(CHAT, chat.app.clock.now().date())

    async def ask(**outcomes):
        requests = [ModelRequest(purpose, "system", (ModelTurn("user", ("talk",)),)) for purpose in outcomes]
        try:
            answers = await ask_at_once(replace(chat.app, store=store, model=Model(**outcomes)), CHAT, requests)
        except ZeroDivisionError as error:
            answers = error
        document = await store.get(booked)
        return answers, store.done.documents[booked], document.data if document is not None else {}

    yield ask
    await store.aclose()


async def test_three_calls_at_once_are_booked_in_one_write(asked):
    answers, writes, usage = await asked(summary="a", episodes="b", facts="c")
    assert [answer.text for answer in answers] == ["a", "b", "c"]
    assert writes == 1
    assert (usage["calls"], usage["tokens"], usage["cached_tokens"]) == (3, 3 * USAGE.total, 120)
    each = {"calls": 1, "input_tokens": 100, "output_tokens": 10, "cached_tokens": 40}
    for purpose in ("summary", "episodes", "facts"):
        assert {name: usage[f"{purpose}_{name}"] for name in each} == each


async def test_one_that_is_refused_and_one_that_finds_the_model_away_cost_the_third_nothing(asked):
    answers, _, usage = await asked(summary=ModelRefused("no"), episodes=ModelUnavailable("away"), facts="c")
    assert [(answer.text, answer.later) for answer in answers] == [("", False), ("", True), ("c", False)]
    assert (usage["calls"], usage["facts_calls"]) == (1, 1)


async def test_nothing_is_booked_when_nothing_was_answered(asked):
    _, writes, usage = await asked(summary=ModelUnavailable("away"), facts=ModelUnavailable("away"))
    assert (writes, usage) == (0, {})


async def test_a_bug_in_one_call_passes_through_after_the_others_were_booked(asked):
    answers, _, usage = await asked(summary="a", episodes=ZeroDivisionError(), facts="c")
    assert isinstance(answers, ZeroDivisionError)
    assert usage["calls"] == 2
