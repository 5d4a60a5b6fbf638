"""What goes to Gemini and comes back, field by field."""

import pytest

from shared.application.ports.model import ModelTurn, TokenUsage
from shared.domain.errors import ModelRefused
from tests.support.gemini.adapters import request

SCHEMA = {
    "type": "object",
    "properties": {"facts": {"type": "array", "items": {"type": "string"}}},
    "required": ["facts"],
}


async def test_system_turns_and_parts_arrive_as_sent_and_in_order(model, gemini):
    turns = (
        ModelTurn("user", ('[meta] name="Оля"', "привіт\nусім")),
        ModelTurn("model", ("Вітаю!",)),
        ModelTurn("user", ('[meta] name="Тарас"', "які правила?", "і ще одне")),
    )
    await model.generate(request(system="Будь стислим.", turns=turns))
    (sent,) = gemini.requests
    assert sent.system == "Будь стислим."
    assert sent.turns == [(turn.role, list(turn.parts)) for turn in turns]


async def test_temperature_and_output_bound_are_sent(model, gemini):
    await model.generate(request(temperature=0.25, max_output_tokens=77))
    assert gemini.requests[0].config["temperature"] == 0.25
    assert gemini.requests[0].config["maxOutputTokens"] == 77


async def test_a_schema_is_sent_and_the_reply_is_its_json(model, gemini):
    gemini.reply_with(lambda _: {"facts": ["любить каву"]})
    reply = await model.generate(request(purpose="facts", response_schema=SCHEMA))
    assert gemini.requests[0].schema == SCHEMA
    assert reply.text == '{"facts": ["любить каву"]}'


async def test_the_reply_is_the_text_without_the_thoughts(model, gemini):
    gemini.thoughts = "Треба згадати правила."
    gemini.reply_with(lambda _: "Без політики.")
    assert (await model.generate(request())).text == "Без політики."


async def test_the_reply_has_no_control_characters(model, gemini):
    gemini.reply_with(lambda _: "Без\x00 по\x1bліти\u202eки.\nЗовсім\tбез.")
    assert (await model.generate(request())).text == "Без політики.\nЗовсім\tбез."
    gemini.reply_with(lambda _: "\x07\u2066")
    with pytest.raises(ModelRefused):
        await model.generate(request())


async def test_usage_counts_prompt_reply_thoughts_and_cache(model, gemini):
    gemini.thoughts = "думка" * 8
    gemini.cached_tokens = 3
    gemini.reply_with(lambda _: "слово" * 4)
    reply = await model.generate(request())
    assert reply.usage == TokenUsage(input=len(gemini.requests[0].prompt) // 4, output=5 + 10, cached=3)


async def test_a_reply_cut_at_the_bound_is_kept(model, gemini):
    gemini.reply_with(lambda _: "а" * 100)
    assert (await model.generate(request(max_output_tokens=5))).text == "а" * 20


async def test_a_reply_without_usage_costs_nothing_known(model, gemini):
    gemini.finish_next("STOP", "так")
    assert (await model.generate(request())).usage == TokenUsage()


async def test_a_blocked_prompt_is_refused_with_its_reason(model, gemini):
    gemini.block_next("PROHIBITED_CONTENT")
    with pytest.raises(ModelRefused, match="PROHIBITED_CONTENT"):
        await model.generate(request())


@pytest.mark.parametrize("reason", ["SAFETY", "PROHIBITED_CONTENT", "RECITATION", "BLOCKLIST", "SPII", "OTHER"])
async def test_an_answer_stopped_for_its_content_is_refused_even_with_text(model, gemini, reason):
    gemini.finish_next(reason, "початок")
    with pytest.raises(ModelRefused, match=reason):
        await model.generate(request())


@pytest.mark.parametrize("reason", ["STOP", "MAX_TOKENS"])
async def test_an_answer_without_text_is_refused(model, gemini, reason):
    gemini.finish_next(reason)
    with pytest.raises(ModelRefused, match=reason):
        await model.generate(request())


async def test_no_candidate_is_a_refusal(model, gemini):
    gemini.send_next({"candidates": []})
    with pytest.raises(ModelRefused, match="no candidate"):
        await model.generate(request())
