"""What is said of models: what they refuse of what they are sent, their prices and last days."""

from datetime import date

import pytest

from infra.cli.checks.models import check_models, judge_model
from shared.settings import Settings
from tests.support.gemini.server import CHAT_MODEL, EXTRACTION_MODEL, FakeGemini

TODAY = date(2026, 11, 23)


@pytest.fixture
async def google():
    async with FakeGemini() as server:
        yield server


async def looked(google, **env):
    return await check_models(Settings.from_env(google.environment | env), TODAY)


def of(checks, severity):
    return [check.text for check in checks if check.severity == severity]


async def test_models_that_take_everything_are_content_and_both_kinds_of_requests_were_tried(google):
    checks = await looked(google)
    assert {check.severity for check in checks} == {"ok"}
    assert f"{CHAT_MODEL} takes what it is sent (GEMINI_CHAT_MODEL)." in of(checks, "ok")
    asked = [sent for sent in google.requests if sent.model == EXTRACTION_MODEL]
    assert all(sent.system for sent in asked)
    for field in ("tools", "responseJsonSchema", "thinkingConfig", "serviceTier"):
        assert any(field in sent.body or field in sent.config for sent in asked), field


@pytest.mark.parametrize(
    ("field", "named", "severity"),
    [
        ("systemInstruction", "system_instruction", "error"),
        ("tools", "tools", "error"),
        ("responseJsonSchema", "response_json_schema", "error"),
        ("thinkingConfig", "thinking_config", "warning"),
        ("temperature", "temperature", "warning"),
    ],
)
@pytest.mark.parametrize("message", ["", "Request contains an invalid argument."])
async def test_the_field_that_is_refused_is_named_whatever_google_says(google, field, named, severity, message):
    google.refuse(field, message)
    told = of(await looked(google), severity)
    assert [f"does not take {named}:" in text for text in told] == [True, True]
    assert CHAT_MODEL in told[0]
    assert "GEMINI_EXTRACTION_MODEL" in told[1]


async def test_a_model_that_does_not_know_the_flex_tier_is_warned_of_where_it_is_asked_for(google):
    google.refuse("serviceTier")
    (told,) = of(await looked(google), "warning")
    assert "(GEMINI_EXTRACTION_MODEL) does not take service_tier:" in told
    assert of(await looked(google, GEMINI_FLEX="false"), "warning") == []


async def test_several_fields_that_are_refused_are_all_named(google):
    for field in ("serviceTier", "thinkingConfig", "tools"):
        google.refuse(field)
    checks = await looked(google)
    assert len(of(checks, "error")) == 2
    assert len(of(checks, "warning")) == 3


async def test_a_flex_tier_without_capacity_is_no_fault_of_the_model(google):
    google.flex = 503
    checks = await looked(google)
    assert {check.severity for check in checks} == {"ok"}
    assert any("the standard one is asked" in check.text for check in checks)


async def test_a_model_that_does_not_answer_is_an_error(google):
    google.fail_next(503, times=99)
    (chat, extraction) = of(await looked(google), "error")
    assert f"{CHAT_MODEL} (GEMINI_CHAT_MODEL) does not answer" in chat
    assert f"{EXTRACTION_MODEL} (GEMINI_EXTRACTION_MODEL) does not answer" in extraction


@pytest.mark.parametrize(
    ("model", "today", "said"),
    [
        ("gemini-3.5-flash", date(2026, 11, 23), []),
        ("gemini-3.1-flash-lite", date(2026, 11, 7), []),
        ("gemini-3.1-flash-lite", date(2026, 11, 8), ["will be switched off on 2027-05-07"]),
        ("models/gemini-3.1-flash-lite", date(2027, 5, 7), ["was to be switched off on 2027-05-07"]),
        ("gemini-2.5-flash", date(2026, 11, 30), ["will be switched off", "counted at the dearest price"]),
        ("gemini-2.5-flash", date(2026, 12, 1), ["was to be switched off"]),
        ("somebody's own", date(2026, 11, 23), ["counted at the dearest price"]),
    ],
)
def test_a_last_day_that_is_near_and_a_price_that_is_not_known_are_warned_of(model, today, said):
    found = list(judge_model(model, today))
    assert [check.severity for check in found] == ["warning"] * len(said)
    assert all(words in check.text and model in check.text for words, check in zip(said, found, strict=True))
