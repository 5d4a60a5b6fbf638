"""What one update costs is gathered with it alone, whatever runs beside it, and told by kinds and counts."""

import asyncio
import logging

import pytest
from hypothesis import given
from hypothesis import strategies as st

from shared.application.ports.model import TokenUsage
from shared.application.telemetry import EVENTS, chat_at_hand, handling, note_chat, note_usage, tell, tell_model_error
from shared.domain.errors import ModelRefused, ModelUnavailable, StoreUnavailable

COUNTS = st.tuples(st.integers(0, 10**6), st.integers(0, 10**6))


@given(st.lists(COUNTS, max_size=10))
def test_the_calls_of_one_handling_add_up_and_none_costs_nothing(calls):
    with handling() as gathered:
        for read, written in calls:
            note_usage(TokenUsage(read, written), read + 3)
    spent = gathered.totals()
    if not calls:
        assert spent == {}
        return
    assert spent["calls"] == len(calls)
    assert (spent["tokens_in"], spent["tokens_out"]) == tuple(map(sum, zip(*calls, strict=True)))
    assert spent["cost_usd"] == pytest.approx(sum(read + 3 for read, _ in calls) / 1_000_000)


async def test_what_is_started_within_is_gathered_and_what_runs_beside_is_not():
    async def one(chat_id, calls):
        with handling() as gathered:
            note_chat(chat_id)
            for _ in range(calls):
                await asyncio.create_task(spend())
            return chat_at_hand(), gathered.calls

    async def spend():
        await asyncio.sleep(0)
        note_usage(TokenUsage(1, 1), 1)

    assert await asyncio.gather(one(-1, 2), one(-2, 3)) == [(-1, 2), (-2, 3)]


def test_after_a_handling_the_one_around_it_goes_on():
    with handling() as outer:
        note_chat(-1)
        with handling():
            note_chat(-2)
            note_usage(TokenUsage(1, 1), 1)
        assert (chat_at_hand(), outer.calls) == (-1, 0)
    assert chat_at_hand() is None


def told(caplog):
    return [
        (record.levelname, record.fields, record.exc_info) for record in caplog.records if record.name == EVENTS.name
    ]


def test_what_is_not_known_is_left_out_of_the_line(caplog):
    caplog.set_level(logging.INFO, EVENTS.name)
    tell("task", "done", {"chunks": 0, "job": None})
    assert told(caplog) == [("INFO", {"event": "task", "outcome": "done", "chunks": 0}, None)]


def test_of_errors_only_a_bug_says_where_it_broke(caplog):
    tell("task", "failed", level=logging.ERROR, error=StoreUnavailable("away"))
    tell("task", "failed", level=logging.ERROR, error=KeyError("words"))
    assert [bool(where) for *_, where in told(caplog)] == [False, True]


def test_a_model_that_refuses_is_told_apart_from_one_that_is_away(caplog):
    tell_model_error(ModelRefused("no"), purpose="answer")
    tell_model_error(ModelUnavailable("away"), purpose="facts")
    assert [fields for _, fields, _ in told(caplog)] == [
        {"event": "model_error", "outcome": "refused", "purpose": "answer"},
        {"event": "model_error", "outcome": "unavailable", "purpose": "facts"},
    ]
