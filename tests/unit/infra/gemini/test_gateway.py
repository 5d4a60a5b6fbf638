"""Calls of Gemini: what is tried again, what each failure means, and a key that nobody sees."""

import asyncio
import subprocess
import sys
from datetime import timedelta
from pathlib import Path

import pytest

from infra.gemini.model import GeminiModel
from shared.domain.errors import ModelRefused, ModelUnavailable
from tests.support.gemini.adapters import KEY, request
from tests.support.gemini.server import FakeGemini

SOON = timedelta(seconds=0.2)


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


def test_importing_the_adapter_does_not_import_the_sdk():
    loaded = "any(m in sys.modules for m in ('google.genai', 'httpx2'))"
    code = f"import sys, infra.gemini, infra.offline.model; sys.exit({loaded})"
    assert subprocess.run([sys.executable, "-c", code], check=False, cwd=Path(__file__).parents[4]).returncode == 0


async def test_closing_twice_or_unused_is_fine_and_a_closed_model_reconnects(model):
    await model.aclose()
    await model.generate(request())
    await model.aclose()
    await model.aclose()
    assert (await model.generate(request())).text
