"""A server that does not know an optional field gets no more of it; any other refusal stays one."""

import logging

import pytest

from shared.domain.errors import ModelRefused
from tests.support.gemini.adapters import request

SCHEMA = {"type": "object", "properties": {}}


def has(sent, field):
    return field in sent.body or field in sent.config


@pytest.mark.parametrize(
    ("field", "message"),
    [
        ("serviceTier", ""),
        ("serviceTier", "Flex inference is not available for this model."),
        ("thinkingConfig", "Thinking level LOW is not supported for this model."),
        ("thinkingConfig", "Unable to submit request because thinking_level is not supported by this model."),
        ("thinkingConfig", "Unknown name \"thinkingLevel\" at 'generation_config.thinking_config': Cannot find field."),
        ("temperature", ""),
    ],
)
async def test_an_optional_field_that_is_refused_is_left_out_from_then_on_and_told_once(
    model, gemini, caplog, field, message
):
    gemini.refuse(field, message)
    for _ in range(2):
        assert (await model.generate(request(tier="extraction"))).text == "echo: які правила?"
    assert [has(sent, field) for sent in gemini.requests] == [True, False, False]
    (told,) = [record for record in caplog.records if record.levelno == logging.WARNING]
    assert "from now on it is left out" in told.getMessage()


async def test_an_answer_that_grows_goes_on_without_it_too(model, gemini):
    gemini.refuse("thinkingConfig")
    heard = []
    assert (await model.generate(request(on_text=heard.append))).text == heard[-1] == "echo: які правила?"
    assert [has(sent, "thinkingConfig") for sent in gemini.requests] == [True, False]


async def test_several_are_left_out_one_after_the_other(model, gemini):
    for field in ("serviceTier", "thinkingConfig", "temperature"):
        gemini.refuse(field)
    assert (await model.generate(request(tier="extraction"))).text == "echo: які правила?"
    assert len(gemini.requests) == 4


async def test_another_model_is_sent_what_one_refused(model, gemini):
    gemini.refuse("thinkingConfig")
    await model.generate(request(tier="extraction"))
    gemini.refused.clear()
    await model.generate(request(tier="chat"))
    assert has(gemini.requests[-1], "thinkingConfig")


@pytest.mark.parametrize(
    ("field", "changes"),
    [
        ("systemInstruction", {}),
        ("responseJsonSchema", {"response_schema": SCHEMA}),
        ("temperature", {"temperature": None}),
    ],
)
async def test_a_field_that_is_needed_or_was_not_sent_is_no_optional_one(model, gemini, field, changes):
    gemini.refuse(field if changes != {"temperature": None} else "systemInstruction", f'Unknown name "{field}"')
    with pytest.raises(ModelRefused, match=field):
        await model.generate(request(**changes))
    assert len(gemini.requests) == 1
