"""Fixtures for tests over the strict fake Gemini: its server, and adapters that are connected to it."""

import pytest

from infra.gemini.embedder import GeminiEmbedder
from infra.gemini.model import GeminiModel
from tests.support.gemini.adapters import AT_ONCE, KEY
from tests.support.gemini.server import CHAT_MODEL, EMBEDDING_MODEL, EXTRACTION_MODEL, FakeGemini


@pytest.fixture
async def gemini():
    async with FakeGemini(KEY, require_meta=True) as fake:
        yield fake


@pytest.fixture
async def connect(gemini):
    """Makes models and embedders with fast retries, and closes them."""
    made = []

    def make(kind, **changes):
        names = {"chat_model": CHAT_MODEL, "extraction_model": EXTRACTION_MODEL}
        defaults = {GeminiModel: names, GeminiEmbedder: {"model": EMBEDDING_MODEL}}.get(kind, {})
        arguments = {"api_key": KEY, "base_url": gemini.url, "retry_delay": AT_ONCE} | defaults | changes
        made.append(kind(**arguments))
        return made[-1]

    yield make
    for adapter in made:
        await adapter.aclose()


@pytest.fixture
def model(connect):
    return connect(GeminiModel)
