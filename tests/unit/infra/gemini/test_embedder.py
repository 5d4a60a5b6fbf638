"""Vectors of Gemini: of unit length, in batches, in order, or an error."""

import math

import pytest

from infra.gemini.embedder import GeminiEmbedder
from shared.domain.errors import ModelUnavailable
from tests.support.gemini.server import EMBEDDING_MODEL


@pytest.fixture
def embedder(connect):
    return connect(GeminiEmbedder)


def cosine(one, other):
    return sum(a * b for a, b in zip(one, other, strict=True))


async def test_vectors_are_of_unit_length_and_of_the_configured_dimension(embedder):
    vectors = await embedder.embed(["настолки щоп'ятниці", "кава"])
    assert [len(vector) for vector in vectors] == [768, 768]
    assert [math.hypot(*vector) for vector in vectors] == pytest.approx([1, 1])


async def test_similar_texts_are_nearer_than_others(embedder):
    (game, coffee) = await embedder.embed(["граємо в настолки у пʼятницю", "вона любить каву"])
    (asked,) = await embedder.embed(["настолки"], query=True)
    assert cosine(asked, game) > cosine(asked, coffee)


async def test_the_name_tells_model_and_dimension(connect):
    assert connect(GeminiEmbedder, dimensions=256).name == f"{EMBEDDING_MODEL}/256"


@pytest.mark.parametrize(("query", "task"), [(True, "RETRIEVAL_QUERY"), (False, "RETRIEVAL_DOCUMENT")])
async def test_questions_and_documents_are_embedded_as_such(embedder, gemini, query, task):
    await embedder.embed(["кава"], query=query)
    (sent,) = gemini.requests[0].body["requests"]
    assert (sent["taskType"], sent["outputDimensionality"]) == (task, 768)


async def test_many_texts_go_in_batches_of_a_hundred_and_come_back_in_order(connect, gemini):
    embedder = connect(GeminiEmbedder, dimensions=64)
    texts = [f"слово{n}" for n in range(205)]
    vectors = await embedder.embed(texts)
    assert [len(sent.body["requests"]) for sent in gemini.requests] == [100, 100, 5]
    assert [vectors[n] for n in (0, 100, 204)] == await embedder.embed([texts[n] for n in (0, 100, 204)])


async def test_another_model_still_gets_one_vector_a_text(connect, gemini):
    gemini.models.add("gemini-embedding-2")
    vectors = await connect(GeminiEmbedder, model="gemini-embedding-2", dimensions=64).embed(["один", "два"])
    assert len(set(vectors)) == 2


async def test_no_texts_need_no_request(embedder, gemini):
    assert await embedder.embed([]) == []
    assert gemini.requests == []


async def test_a_zero_vector_is_an_error(embedder):
    with pytest.raises(ModelUnavailable, match="length 0"):
        await embedder.embed(["!?"])


@pytest.mark.parametrize(
    ("embeddings", "complaint"),
    [([], "0 vectors for 1"), ([{"values": [1.0]}], "1 dimensions"), ([{}], "0 dimensions")],
)
async def test_missing_or_misshapen_vectors_are_an_error(embedder, gemini, embeddings, complaint):
    gemini.send_next({"embeddings": embeddings})
    with pytest.raises(ModelUnavailable, match=complaint):
        await embedder.embed(["кава"])


async def test_embedding_faults_are_retried_and_then_unavailable(embedder, gemini):
    gemini.fail_next(503)
    assert len(await embedder.embed(["кава"])) == 1
    gemini.fail_next(429, times=3, retry_delay=2)
    with pytest.raises(ModelUnavailable) as caught:
        await embedder.embed(["кава"])
    assert caught.value.retry_after == 2


async def test_a_text_that_google_refuses_to_embed_is_unavailable(embedder):
    with pytest.raises(ModelUnavailable, match="refused"):
        await embedder.embed([""])


async def test_one_empty_text_costs_every_text_of_its_request_the_vector(embedder, gemini):
    with pytest.raises(ModelUnavailable, match="refused"):
        await embedder.embed(["кава", "", "чай"])
    assert len(gemini.requests) == 1, "it would be refused again"


async def test_an_unknown_embedding_model_names_its_setting(connect):
    with pytest.raises(ModelUnavailable, match="GEMINI_EMBEDDING_MODEL"):
        await connect(GeminiEmbedder, model="gone").embed(["кава"])
