"""Gemini's adapters, through the real SDK, against a strict server on this machine."""

import asyncio
import math
import subprocess
import sys
from datetime import timedelta
from pathlib import Path

import pytest

from infra.gemini.catalogue import GeminiCatalogue
from infra.gemini.embedder import GeminiEmbedder
from infra.gemini.model import GeminiModel
from infra.offline import OfflineModel
from shared.application.ports.model import Grounding, ModelRequest, ModelTurn, TokenUsage
from shared.domain.errors import ModelRefused, ModelUnavailable
from tests.support.gemini.server import CHAT_MODEL, EMBEDDING_MODEL, EXTRACTION_MODEL, FakeGemini

KEY = "key-of-the-test"
AT_ONCE = timedelta(milliseconds=1)
SOON = timedelta(seconds=0.2)
SCHEMA = {
    "type": "object",
    "properties": {"facts": {"type": "array", "items": {"type": "string"}}},
    "required": ["facts"],
}


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


@pytest.fixture
def embedder(connect):
    return connect(GeminiEmbedder)


def request(**changes):
    defaults = {
        "purpose": "answer",
        "system": "Ти — Спомин.",
        "turns": (ModelTurn("user", ("[meta] user_id=1", "які правила?")),),
        "grounding": Grounding(question="які правила?", language="uk"),
    }
    return ModelRequest(**(defaults | changes))


# --- Every language model ---


@pytest.fixture(params=["gemini", "offline"])
def any_model(request):
    return OfflineModel() if request.param == "offline" else request.getfixturevalue("model")


async def test_an_answer_has_text_and_the_name_of_its_model(any_model):
    reply = await any_model.generate(request())
    assert reply.text.strip()
    assert reply.model in {CHAT_MODEL, "offline"}


# --- What is sent ---


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


@pytest.mark.parametrize(("tier", "name"), [("chat", CHAT_MODEL), ("extraction", EXTRACTION_MODEL)])
async def test_the_tier_chooses_the_model(model, gemini, tier, name):
    reply = await model.generate(request(tier=tier))
    assert (gemini.requests[0].model, reply.model) == (name, name)


async def test_a_schema_is_sent_and_the_reply_is_its_json(model, gemini):
    gemini.reply_with(lambda _: {"facts": ["любить каву"]})
    reply = await model.generate(request(purpose="facts", response_schema=SCHEMA))
    assert gemini.requests[0].schema == SCHEMA
    assert reply.text == '{"facts": ["любить каву"]}'


async def test_a_model_without_thinking_levels_is_not_sent_one(connect, gemini):
    gemini.models.add("gemma-4")
    await connect(GeminiModel, chat_model="gemma-4").generate(request())
    assert "thinkingConfig" not in gemini.requests[0].config


# --- What comes back ---


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


# --- Refusals ---


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


async def test_a_request_that_google_finds_invalid_is_refused_and_not_retried(model, gemini):
    gemini.fail_next(400, message="The input token count exceeds the maximum")
    with pytest.raises(ModelRefused, match="input token count"):
        await model.generate(request())
    assert len(gemini.requests) == 1


# --- Faults ---


@pytest.mark.parametrize("status", [408, 429, 500, 502, 503, 504])
async def test_a_transient_fault_is_retried(model, gemini, status):
    gemini.fail_next(status)
    assert (await model.generate(request())).text == "echo: які правила?"
    assert len(gemini.requests) == 2


@pytest.mark.parametrize("status", [429, 503])
async def test_a_lasting_fault_gives_up_after_three_attempts(model, gemini, status):
    gemini.fail_next(status, times=9)
    with pytest.raises(ModelUnavailable, match=str(status)) as caught:
        await model.generate(request())
    assert (len(gemini.requests), caught.value.retry_after) == (3, None)


async def test_the_wait_that_google_asks_for_is_passed_on(model, gemini):
    gemini.fail_next(429, times=3, retry_delay=17.5)
    with pytest.raises(ModelUnavailable) as caught:
        await model.generate(request())
    assert caught.value.retry_after == 17.5


async def test_a_hang_ends_at_the_deadline(connect, gemini):
    gemini.delay_next(30)
    with pytest.raises(ModelUnavailable, match=r"within 0\.2 s"):
        async with asyncio.timeout(60):
            await connect(GeminiModel, timeout=SOON).generate(request())


async def test_retries_end_at_the_deadline_too(connect, gemini):
    gemini.fail_next(503, times=9)
    with pytest.raises(ModelUnavailable, match=r"within 0\.2 s"):
        async with asyncio.timeout(60):
            await connect(GeminiModel, timeout=SOON, retry_delay=timedelta(seconds=30)).generate(request())


async def test_after_a_hang_the_same_model_answers_again(connect, gemini):
    model = connect(GeminiModel, timeout=timedelta(seconds=0.5))
    gemini.delay_next(30)
    with pytest.raises(ModelUnavailable):
        await model.generate(request())
    assert (await model.generate(request())).text == "echo: які правила?"


async def test_a_cut_connection_is_unavailable(model, gemini):
    gemini.cut_next(times=3)
    with pytest.raises(ModelUnavailable, match="No connection"):
        await model.generate(request())


async def test_a_port_where_nobody_listens_is_unavailable(connect):
    async with FakeGemini(KEY) as gone:
        url = gone.url
    with pytest.raises(ModelUnavailable, match="No connection"):
        await connect(GeminiModel, base_url=url).generate(request())


@pytest.mark.parametrize("body", ["<html>", '{"candidates": [{"con', '{"candidates": 7}', '{"candidates": ["a", 7]}'])
async def test_a_malformed_body_is_unavailable(model, gemini, body):
    gemini.send_next(body)
    with pytest.raises(ModelUnavailable, match="could not be read"):
        await model.generate(request())


@pytest.mark.parametrize(
    "body", ["", "null", "[]", '"text"', '{"candidates": ["a"]}', '{"candidates": [{"content": {}}]}']
)
async def test_a_body_that_the_sdk_reads_as_empty_is_no_answer(model, gemini, body):
    gemini.send_next(body)
    with pytest.raises(ModelRefused, match="returned no"):
        await model.generate(request())


@pytest.mark.parametrize("body", ["<html>busy</html>", "[]", '{"error": "busy"}', '{"error": {"details": 1}}'])
async def test_an_error_body_of_any_shape_is_unavailable(model, gemini, body):
    gemini.send_next(body, status=503, times=3)
    with pytest.raises(ModelUnavailable):
        await model.generate(request())


# --- Settings that are wrong ---


async def test_a_wrong_key_names_the_setting_and_does_not_show_the_key(connect, gemini):
    with pytest.raises(ModelUnavailable, match="GEMINI_API_KEY") as caught:
        await connect(GeminiModel, api_key="wrong-one").generate(request())
    assert "wrong-one" not in str(caught.value)


@pytest.mark.parametrize("status", [401, 403])
async def test_a_refused_key_names_the_setting(model, gemini, status):
    gemini.fail_next(status)
    with pytest.raises(ModelUnavailable, match="GEMINI_API_KEY"):
        await model.generate(request())
    assert len(gemini.requests) == 1


@pytest.mark.parametrize(
    ("tier", "setting"), [("chat", "GEMINI_CHAT_MODEL"), ("extraction", "GEMINI_EXTRACTION_MODEL")]
)
async def test_an_unknown_model_names_its_setting(connect, tier, setting):
    model = connect(GeminiModel, chat_model="gemini-0", extraction_model="gemini-0")
    with pytest.raises(ModelUnavailable, match=rf"'gemini-0'.*{setting}"):
        await model.generate(request(tier=tier))


# --- Embeddings ---


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


# --- Cold start and end of life ---


def test_importing_the_adapter_does_not_import_the_sdk():
    code = (
        "import sys, infra.gemini, infra.offline; sys.exit(any(m in sys.modules for m in ('google.genai', 'httpx2')))"
    )
    assert subprocess.run([sys.executable, "-c", code], check=False, cwd=Path(__file__).parents[2]).returncode == 0


async def test_closing_twice_or_unused_is_fine_and_a_closed_model_reconnects(model):
    await model.aclose()
    await model.generate(request())
    await model.aclose()
    await model.aclose()
    assert (await model.generate(request())).text


# --- The catalogue ---


async def test_the_catalogue_says_what_a_model_can_do(connect):
    catalogue = connect(GeminiCatalogue)
    assert "generateContent" in (await catalogue.entry(CHAT_MODEL, setting="GEMINI_CHAT_MODEL")).actions
    assert (await catalogue.entry(EMBEDDING_MODEL, setting="X")).actions == ("embedContent",)


async def test_a_model_that_is_gone_names_its_setting(connect, gemini):
    gemini.models.discard(CHAT_MODEL)
    with pytest.raises(ModelUnavailable, match="GEMINI_CHAT_MODEL"):
        await connect(GeminiCatalogue).entry(CHAT_MODEL, setting="GEMINI_CHAT_MODEL")
