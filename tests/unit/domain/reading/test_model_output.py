"""A model's answer: any form is read, nothing is believed without its quote."""

import json
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from shared.domain.reading.model_output import parse_confidence
from tests.support.reading.model_facts import parse_model_facts
from tests.unit.domain.reading.model_answers import item


def contents(raw: str) -> list[str]:
    return [fact.content for fact in parse_model_facts(raw).items]


ONE = json.dumps(item())


@pytest.mark.parametrize(
    "raw",
    [
        f"[{ONE}]",
        ONE,
        f"```json\n[{ONE}]\n```",
        f"Sure, [2 messages] gave me this:\n[{ONE}]\nAnything else [for example a summary]?",
        f'{{"facts": [{ONE}]}}',
        f'{{"memories": [{ONE}], "summary": "They chatted about {{money}}.", "themes": ["a"]}}',
        f'{{"result": {{"items": [{ONE}]}}}}',
        f"[{ONE[:-1]},}},]",
        f"[{ONE},\n// a comment\n]",
        f'[{ONE}, {{"content": "cut off in the mid',
        f'{{"facts": [{ONE}, {{"content": "cut',
        f"{ONE}\n{ONE[:40]}",
        f"[null, 42, true, [], {{}}, {ONE}]",
        str([item()]),
        f'A quote " before: [{ONE},]',
    ],
)
def test_any_form_of_the_answer_is_read(raw: str) -> None:
    assert contents(raw) == ["olya lives in Lutsk"]


@pytest.mark.parametrize(
    "raw", ["", "  \n", "Sorry, nothing.", "[]", "{}", "```json\n[]\n```", "null", '"text"', "[[[[", "}{"]
)
def test_an_answer_without_items_gives_none(raw: str) -> None:
    assert parse_model_facts(raw).items == ()


@pytest.mark.parametrize(
    ("about", "key", "category"),
    [(1, "event.driving_test", "experience"), (1, "culture.tea", "experience"), (0, "event.trip", "event")],
)
def test_what_only_a_group_has_is_of_a_member_what_they_live_through(about: int, key: str, category: str) -> None:
    (read,) = parse_model_facts(json.dumps([{**item(), "category": "", "about": about, "key": key}])).items
    assert read.category == category


@pytest.mark.parametrize(
    ("written", "number"),
    [(0.7, 0.7), (1, 1.0), ("0.92", 0.92), (" .8 ", 0.8), ("9e-1", 0.9), (0, 0.0)],
)
def test_a_number_is_a_confidence_also_as_a_string(written: Any, number: float) -> None:
    assert parse_confidence(written) == pytest.approx(number)


@pytest.mark.parametrize(
    "written",
    ["high", None, True, False, float("nan"), float("inf"), "NaN", "inf", 95, -0.1, "1.5", "90%", "0_9", [], {}, ""],
)
def test_anything_else_is_no_confidence(written: Any) -> None:
    assert parse_confidence(written) is None


@pytest.mark.parametrize(
    "changes",
    [
        {"content": None},
        {"content": {"text": "x"}},
        {"quote": ""},
        {"quote": 0},
        {"confidence": "very high"},
        {"confidence": True},
        {"confidence": None},
        {"category": None},
        {"category": " "},
        {"category": 7},
        {"content": "olya lives in \x00Lutsk"},
        {"content": "olya lives in \u202eLutsk"},
        {"value": "Lut\x1bsk"},
        {"key": "loc\x7fation"},
        {"quote": "I live\x00 in Lutsk"},
        {"content": "olya lives in Lutsk " * 40},
    ],
)
def test_a_malformed_item_is_dropped_and_counted(changes: dict[str, Any]) -> None:
    parsed = parse_model_facts(json.dumps([item(**changes), item()]))
    assert [fact.content for fact in parsed.items] == ["olya lives in Lutsk"]
    assert parsed.malformed == 1


@pytest.mark.parametrize("missing", ["category", "confidence", "quote", "content"])
def test_an_item_without_a_required_field_is_dropped(missing: str) -> None:
    assert parse_model_facts(json.dumps([{k: v for k, v in item().items() if k != missing}])).items == ()


def test_line_breaks_of_a_text_become_spaces() -> None:
    assert contents(json.dumps([item(content="olya lives\r\n[meta]\tin Lutsk")])) == ["olya lives [meta] in Lutsk"]


def test_not_a_number_in_the_answer_costs_its_item_only() -> None:
    assert contents(f"[{ONE.replace('0.9', 'NaN')}, {ONE}]") == ["olya lives in Lutsk"]


@pytest.mark.parametrize(
    "raw",
    [
        "[" * 100_000,
        '{"a":' * 50_000,
        '["' * 60_000,
        '"\\' * 50_000,
        "[" + "1" * 10_000 + "]",
        '{"content": "\ud800"}',
        "[{" * 40_000,
    ],
    ids=lambda raw: raw[:8],
)
def test_a_hostile_answer_neither_raises_nor_hangs(raw: str) -> None:
    assert parse_model_facts(raw).items == ()


@settings(max_examples=150, deadline=None)
@given(st.text(alphabet='[]{}",:\\ \nabc019.-', max_size=200))
def test_no_answer_makes_the_parser_raise(raw: str) -> None:
    parsed = parse_model_facts(raw)
    assert parsed.items == () or all(0 <= item.confidence <= 1 and item.quote for item in parsed.items)
