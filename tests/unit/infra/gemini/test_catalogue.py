"""What Google says of a model."""

import pytest

from infra.gemini.catalogue import GeminiCatalogue
from shared.domain.errors import ModelUnavailable
from tests.support.gemini.server import CHAT_MODEL, EMBEDDING_MODEL


async def test_the_catalogue_says_what_a_model_can_do(connect):
    catalogue = connect(GeminiCatalogue)
    assert "generateContent" in (await catalogue.entry(CHAT_MODEL, setting="GEMINI_CHAT_MODEL")).actions
    assert (await catalogue.entry(EMBEDDING_MODEL, setting="X")).actions == ("embedContent",)


async def test_a_model_that_is_gone_names_its_setting(connect, gemini):
    gemini.models.discard(CHAT_MODEL)
    with pytest.raises(ModelUnavailable, match="GEMINI_CHAT_MODEL"):
        await connect(GeminiCatalogue).entry(CHAT_MODEL, setting="GEMINI_CHAT_MODEL")
