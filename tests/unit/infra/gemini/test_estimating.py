"""What is known of a call that nobody waited for to its end."""

import asyncio
from datetime import timedelta

import pytest

from infra.gemini.estimating import estimate_reply, request_tokens
from infra.gemini.model import GeminiModel
from shared.application.ports.model import Media, ModelTurn, TokenUsage, Tool, ToolCall, ToolResult
from shared.domain.answering.context.budget import FILE_TOKENS
from shared.domain.errors import ModelUnavailable
from shared.domain.spending.tokens import estimate_tokens
from tests.support.gemini.adapters import request
from tests.support.gemini.server import CHAT_MODEL, EXTRACTION_MODEL

PROBE = Tool("probe", "Probes what there is.", {"type": "object", "properties": {}})
LONG = "Намет у Тараса, на чотирьох, він у коморі за лижами"


def test_everything_that_is_sent_counts():
    bare = request_tokens(request())
    assert bare == sum(map(estimate_tokens, ("Ти — Спомин.", "[meta] user_id=1", "які правила?")))
    assert request_tokens(request(tools=(PROBE,))) > bare
    assert request_tokens(request(response_schema={"type": "object"})) > bare
    called, found = ToolCall("probe", {"of": LONG}), ToolResult("probe", {"is": LONG})
    asked = (ModelTurn("model", (called,)), ModelTurn("user", (found,)))
    assert request_tokens(request(turns=asked)) > 2 * estimate_tokens(LONG)


def test_a_file_counts_by_what_is_kept_free_for_files_and_not_by_its_bytes():
    seen = ModelTurn("user", (Media("image/png", bytes(100_000)),))
    assert request_tokens(request(turns=(seen,), system="")) == FILE_TOKENS


def test_of_a_reply_counts_what_was_written():
    nothing, some = (estimate_reply(request(), "m", written) for written in ("", LONG))
    assert nothing.usage == TokenUsage(request_tokens(request()), 0)
    assert (some.usage.output, some.text, some.model) == (estimate_tokens(LONG), LONG, "m")


async def test_a_call_past_its_time_is_told_with_the_model_that_was_asked(connect, gemini):
    told = []
    gemini.delay_next(5)
    hasty = connect(GeminiModel, timeout=timedelta(seconds=0.3), flex=False)
    with pytest.raises(ModelUnavailable):
        await hasty.generate(request(tier="extraction", on_given_up=told.append))
    (given_up,) = told
    assert (given_up.model, given_up.usage) == (EXTRACTION_MODEL, TokenUsage(request_tokens(request()), 0))


async def test_what_had_been_written_when_somebody_gave_up_is_told(model, gemini):
    gemini.reply_with(lambda _: LONG)
    gemini.stall_next(60)
    told, heard, begun = [], [], asyncio.Event()

    def hear(text):
        heard.append(text)
        begun.set()

    writing = asyncio.create_task(model.generate(request(on_text=hear, on_given_up=told.append)))
    await asyncio.wait_for(begun.wait(), 30)
    writing.cancel()
    with pytest.raises(asyncio.CancelledError):
        await writing
    (given_up,) = told
    assert (given_up.model, [given_up.text]) == (CHAT_MODEL, heard)
    assert LONG.startswith(given_up.text)
    assert given_up.usage == TokenUsage(request_tokens(request()), estimate_tokens(given_up.text))


async def test_a_call_that_ends_is_told_once_by_its_reply(model, gemini):
    told = []
    await model.generate(request(on_given_up=told.append))
    gemini.fail_next(503, times=9)
    with pytest.raises(ModelUnavailable):
        await model.generate(request(on_given_up=told.append))
    assert told == []
