"""Which model of Gemini is asked, and how."""

import itertools
from datetime import timedelta

import pytest

from infra.gemini.model import GeminiModel
from shared.application.ports.model import Tool
from shared.domain.errors import ModelRefused, ModelUnavailable
from tests.support.gemini.adapters import request
from tests.support.gemini.server import CHAT_MODEL, EXTRACTION_MODEL, STREAMED, Calls


@pytest.mark.parametrize(("tier", "name"), [("chat", CHAT_MODEL), ("extraction", EXTRACTION_MODEL)])
async def test_the_tier_chooses_the_model(model, gemini, tier, name):
    reply = await model.generate(request(tier=tier))
    assert (gemini.requests[0].model, reply.model) == (name, name)


async def test_a_model_without_thinking_levels_is_not_sent_one(connect, gemini):
    gemini.models.add("gemma-4")
    await connect(GeminiModel, chat_model="gemma-4").generate(request())
    assert "thinkingConfig" not in gemini.requests[0].config


async def test_a_request_that_google_finds_invalid_is_refused_and_not_retried(model, gemini):
    gemini.fail_next(400, message="The input token count exceeds the maximum")
    with pytest.raises(ModelRefused, match="input token count"):
        await model.generate(request())
    assert len(gemini.requests) == 1


async def test_who_wants_to_hear_a_text_grow_is_told_it_bit_by_bit(model, gemini):
    gemini.reply_with(lambda _: "Намет у Тараса, на чотирьох")
    heard = []
    told = await model.generate(request(on_text=heard.append))
    whole = await model.generate(request())
    assert [each.method for each in gemini.requests] == [STREAMED, "generateContent"]
    assert told == whole
    assert heard[-1] == told.text
    assert len(heard) > 1
    assert all(later.startswith(sooner) for sooner, later in itertools.pairwise(heard))


async def test_calls_come_through_a_stream_with_their_signatures(model, gemini):
    gemini.reply_with(lambda _: Calls((("probe", {"x": 1}),)))
    tools = (Tool("probe", "Probes.", {"type": "object", "properties": {}}),)
    heard = []
    told = await model.generate(request(tools=tools, on_text=heard.append))
    assert [(call.name, call.arguments) for call in told.calls] == [("probe", {"x": 1})]
    assert told.calls[0].signature
    assert heard == []


async def test_a_stream_that_is_blocked_or_breaks_is_told_as_any_answer_is(model, gemini):
    gemini.send_next('data: {"promptFeedback": {"blockReason": "PROHIBITED_CONTENT"}}\n\n', method=STREAMED)
    with pytest.raises(ModelRefused, match="blocked the prompt"):
        await model.generate(request(on_text=print))
    gemini.send_next("data: {not json\n\n", method=STREAMED)
    with pytest.raises(ModelUnavailable):
        await model.generate(request(on_text=print))


# --- the flex tier -------------------------------------------------------------------------------

READING = {"tier": "extraction"}
AGES = timedelta(hours=1)


def tiers(gemini):
    return [sent.body.get("serviceTier", "standard") for sent in gemini.requests]


async def test_reading_asks_for_the_flex_tier_and_answers_do_not(model, gemini):
    assert (await model.generate(request(**READING))).flex
    assert not (await model.generate(request())).flex
    assert tiers(gemini) == ["flex", "standard"]


async def test_what_the_flex_tier_refuses_goes_to_the_standard_one_and_for_a_while_nothing_is_asked_there(
    connect, gemini
):
    model = connect(GeminiModel, flex_rest=AGES)
    for status in (503, 429):
        gemini.flex = status
        reply = await model.generate(request(**READING))
        assert (reply.text, reply.flex) == ("echo: які правила?", False)
    assert tiers(gemini) == ["flex", "standard", "standard"]


async def test_after_the_rest_the_flex_tier_is_asked_again(connect, gemini):
    model = connect(GeminiModel, flex_rest=timedelta())
    gemini.flex = 503
    await model.generate(request(**READING))
    gemini.flex = "flex"
    assert (await model.generate(request(**READING))).flex
    assert tiers(gemini) == ["flex", "standard", "flex"]


async def test_a_flex_tier_that_does_not_answer_in_time_is_not_waited_for(connect, gemini):
    gemini.flex_seconds = 30
    reply = await connect(GeminiModel, flex_timeout=timedelta(seconds=0.2)).generate(request(**READING))
    assert (reply.text, reply.flex) == ("echo: які правила?", False)
    assert tiers(gemini) == ["flex", "standard"]


async def test_the_tier_that_is_booked_is_the_one_that_answered(model, gemini):
    gemini.flex = "standard"
    assert not (await model.generate(request(**READING))).flex
    assert tiers(gemini) == ["flex"]


async def test_an_answer_that_says_no_tier_is_booked_at_the_standard_one(model, gemini):
    gemini.send_next({"candidates": [{"content": {"parts": [{"text": "так"}]}, "finishReason": "STOP"}]})
    assert not (await model.generate(request(**READING))).flex


async def test_what_the_flex_tier_blocks_is_refused_and_not_asked_again(model, gemini):
    gemini.block_next()
    with pytest.raises(ModelRefused):
        await model.generate(request(**READING))
    assert tiers(gemini) == ["flex"]


@pytest.mark.parametrize("status", [401, 403, 404])
async def test_a_key_or_a_model_that_is_refused_is_not_tried_on_another_tier(model, gemini, status):
    gemini.flex = status
    with pytest.raises(ModelUnavailable, match="GEMINI_"):
        await model.generate(request(**READING))
    assert tiers(gemini) == ["flex"]


async def test_the_flex_tier_can_be_switched_off(connect, gemini):
    assert not (await connect(GeminiModel, flex=False).generate(request(**READING))).flex
    assert tiers(gemini) == ["standard"]
