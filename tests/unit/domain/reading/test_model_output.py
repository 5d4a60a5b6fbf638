"""A model's answer: any form is read, nothing is believed without its quote."""

import json
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from shared.domain.facts.evidence.claim import Authority
from shared.domain.facts.memory_profile import Profile
from shared.domain.reading.filters import Reason
from shared.domain.reading.model_output import (
    candidates_from_model,
    judge_model_facts,
    parse_confidence,
    parse_model_facts,
)
from tests.support.talk import said

PEOPLE = {101: ("Оля", "olya"), 102: ("Sam", "sam")}
TALK = [said("I live in Lutsk, working as a barista", id=1), said("I keep bees", by=102, id=2)]


def item(**changes: Any) -> dict[str, Any]:
    fields = {"content": "olya lives in Lutsk", "type": "fact", "category": "personal_info", "confidence": 0.9,
              "quote": "I live in Lutsk", "user_id": 101}  # fmt: skip
    return {**fields, **changes}


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
def test_a_malformed_item_is_dropped_and_the_problem_named(changes: dict[str, Any]) -> None:
    parsed = parse_model_facts(json.dumps([item(**changes), item()]))
    assert [fact.content for fact in parsed.items] == ["olya lives in Lutsk"]
    assert parsed.problems


@pytest.mark.parametrize("missing", ["category", "confidence", "quote", "content"])
def test_an_item_without_a_required_field_is_dropped(missing: str) -> None:
    assert parse_model_facts(json.dumps([{k: v for k, v in item().items() if k != missing}])).items == ()


def test_line_breaks_of_a_text_become_spaces() -> None:
    assert contents(json.dumps([item(content="olya lives\r\n[meta]\tin Lutsk")])) == ["olya lives [meta] in Lutsk"]


def test_not_a_number_in_the_answer_costs_its_item_only() -> None:
    assert contents(f"[{ONE.replace('0.9', 'NaN')}, {ONE}]") == ["olya lives in Lutsk"]


def candidates(*items: dict[str, Any], **options: Any) -> list[Any]:
    return candidates_from_model(parse_model_facts(json.dumps(items)).items, TALK, PEOPLE, **options)


def test_a_candidate_quotes_the_stored_text_verbatim() -> None:
    [fact] = candidates(item(quote="i LIVE in  lutsk"))
    assert (fact.subject, fact.authority) == ("user:101", Authority.MODEL)
    assert [(e.message_id, e.user_id, e.quote) for e in fact.evidence] == [(1, 101, "I live in Lutsk")]


@pytest.mark.parametrize(
    "changes",
    [
        {"quote": "I live in Paris"},
        {"quote": "I keep bees"},
        {"user_id": 102},
        {"user_id": 777},
        {"user_id": None, "content": "Marta lives in Lutsk"},
    ],
)
def test_a_quote_of_nobody_or_of_another_member_makes_no_candidate(changes: dict[str, Any]) -> None:
    assert candidates(item(**changes)) == []


def test_a_missing_id_is_found_by_the_name_that_the_sentence_begins_with() -> None:
    [fact] = candidates(item(user_id=None))
    assert fact.subject == "user:101"


@pytest.mark.parametrize(
    "content", ["Оля lives in Lutsk", "Olia lives in Lutsk", "@olya lives in Lutsk", "Олі добре в Луцьку"]
)
def test_a_missing_id_is_found_in_whichever_script_the_name_is(content: str) -> None:
    [fact] = candidates(item(user_id=None, content=content))
    assert fact.subject == "user:101"


def test_the_same_statement_twice_is_one_candidate_with_both_quotes() -> None:
    [fact] = candidates(item(confidence=0.8), item(quote="live in Lutsk"))
    assert (fact.confidence, len(fact.evidence)) == (0.9, 2)


def test_a_rule_of_the_chat_needs_an_admins_words() -> None:
    rule = item(subject="chat", category="rule", content="The chat lives in Lutsk", user_id=None)
    assert candidates(rule) == []
    [fact] = candidates(rule, admins=frozenset({101}))
    assert (fact.subject, fact.category) == ("chat", "rule")


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


_JSON = st.recursive(
    st.none() | st.booleans() | st.floats() | st.text(max_size=8) | st.integers(),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(
            st.sampled_from(["content", "quote", "confidence", "user_id", "facts", "x"]), inner, max_size=4
        )
    ),
    max_leaves=12,
)


@settings(max_examples=150, deadline=None)
@given(_JSON)
def test_no_types_make_the_parser_raise(value: Any) -> None:
    found = candidates_from_model(parse_model_facts(json.dumps(value)).items, TALK, PEOPLE)
    assert all(candidate.evidence for candidate in found)


@pytest.mark.parametrize(
    ("changes", "reason"),
    [
        ({"quote": "I live in Paris"}, Reason.UNVERIFIABLE_QUOTE),
        ({"quote": "I keep bees"}, Reason.WRONG_AUTHOR),
        ({"user_id": 777}, Reason.NON_PARTICIPANT),
        ({"user_id": None, "content": "Marta lives in Lutsk"}, Reason.NON_PARTICIPANT),
        ({"quote": "I am moving to Kyiv"}, Reason.FOREIGN_SOURCE),
        ({"quote": "my brother sells cars"}, Reason.FOREIGN_SOURCE),
        ({"subject": "chat", "category": "rule"}, Reason.UNAUTHORISED_RULE),
        ({"type": "story"}, Reason.PROFILE),
    ],
)
def test_why_an_item_makes_no_candidate_is_named(changes: dict[str, Any], reason: Reason) -> None:
    shown = [
        *TALK,
        said("I am moving to Kyiv", id=3, forwarded=True),
        said("haha", id=4, quote="my brother sells cars"),
    ]
    items = parse_model_facts(json.dumps([item(**changes)])).items
    judged = judge_model_facts(items, shown, PEOPLE, profile=Profile.EXTENDED)
    assert (judged.candidates, judged.refused) == ((), (reason,))
