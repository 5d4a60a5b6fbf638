"""Which model of Gemini is asked, and how."""

import pytest

from infra.gemini.model import GeminiModel
from shared.domain.errors import ModelRefused
from tests.support.gemini.adapters import request
from tests.support.gemini.server import CHAT_MODEL, EXTRACTION_MODEL


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
