"""JSON as models write it: whatever is whole is read, whatever is broken is dropped, and nothing takes long."""

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from shared.domain.text.loose_json import read_loosely

ITEM = {"content": "olya lives", "quote": "I'm here", "user_id": 5, "confidence": 0.9}
ONE = json.dumps(ITEM)
PYTHON = str({**ITEM, "known": None, "sure": True})


def values(text: str) -> list[Any]:
    return [value for value in read_loosely(text) if value]


@pytest.mark.parametrize(
    "text",
    [
        f"```json\n{ONE}\n```",
        f"\ufeff{ONE}",
        f"Sure, here's it:\n{ONE}\nAnything else?",
        f"{ONE[:-1]},}}",
        f"{ONE[:-1]},,}},",
        ONE.replace(", ", ",\n// a comment\n", 1),
        ONE.replace(", ", ", /* a comment, with a comma */ ", 1),
        ONE.replace(", ", ",\n# a comment\n", 1),
        ONE.replace('"olya lives", ', '"olya lives"\n'),
        ONE.replace("5, ", "5 "),
        ONE.replace('"', "&quot;"),
        ONE.replace('"', '\\"'),
        json.dumps(ONE),
        "{content: 'olya lives', quote: 'I'm here', user_id: 5, confidence: 0.9}",
        "{“content”: “olya lives”, “quote”: “I'm here”, “user_id”: 5, “confidence”: 0.9}",
        "{`content`: `olya lives`, `quote`: `I'm here`, `user_id`: 5, `confidence`: .9}",
        f"<think>maybe [olya, {{sam}}]?</think> {ONE}",
    ],
    ids=lambda text: text[:40],
)
def test_an_object_is_read_in_whatever_clothes(text: str) -> None:
    assert ITEM in values(text)


@pytest.mark.parametrize(
    "value", [[ITEM], ITEM, {"facts": [ITEM, ITEM]}, {"a": {"b": [ITEM]}}, [], {}, [[1, "2"], None]]
)
def test_flawless_json_is_read_as_it_is(value: Any) -> None:
    assert read_loosely(json.dumps(value)) == (value,)


def test_python_literals_are_read() -> None:
    assert values(PYTHON) == [{**ITEM, "known": None, "sure": True}]


def test_what_was_whole_before_the_end_is_kept_and_what_was_not_is_dropped() -> None:
    assert values(f'{{"facts": [{ONE}, {{"content": "cut off in the') == [ITEM]
    assert values(f'[{ONE}, {{"content": "cut", "quote": "x"') == [ITEM]
    assert values(ONE[:-1]) == []


def test_lines_of_objects_are_read_one_by_one() -> None:
    assert values(f"{ONE}\n{ONE}\n\n{ONE}") == [ITEM, ITEM, ITEM]


def test_quotation_marks_that_nobody_escaped_stay_in_their_string() -> None:
    assert values('[{"content": "she said "hi, all" to me", "n": 1}]') == [
        [{"content": 'she said "hi, all" to me', "n": 1}]
    ]


def test_a_forgotten_bracket_costs_nothing() -> None:
    assert values(f"[{ONE[:-1]}]") == [[ITEM]]
    assert values(f"{ONE}}}]") == [ITEM]


def test_escapes_are_read_also_next_to_wrong_ones() -> None:
    assert values(r'[{"content": "\u0456\d", "q": "a\tb"},]') == [[{"content": "іd", "q": "a\tb"}]]


def test_a_key_given_twice_has_its_last_value() -> None:
    assert values('{"a": 1, "a": 2}') == values('{"a": 1, "a": 2,}') == [{"a": 2}]


@pytest.mark.parametrize(
    "piece",
    [
        "[",
        "{",
        "]",
        '{"a":',
        '["',
        '"\\',
        "[{",
        '[" ',
        "[/*",
        "[//",
        "['' ,",
        "[&quot;",
        "[{a:",
        '[\\"',
        "[ ",
        '["a" ',
        "[-1",
    ],
)
def test_endless_brackets_are_read_in_linear_time(piece: str) -> None:
    assert values(piece * (100_000 // len(piece))) == []


@pytest.mark.parametrize("piece", ["[", '{"a":', '["'])
def test_a_megabyte_of_brackets_is_read_in_a_moment(piece: str) -> None:
    assert values(piece * (1_000_000 // len(piece))) == []


@given(st.text(alphabet="[]{}\",:'\\ \nab&quot;019.-#/*“”", max_size=200))
def test_no_text_makes_the_reader_raise(text: str) -> None:
    assert all(isinstance(value, list | dict) for value in read_loosely(text))


_TREES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=8,
)


@given(st.lists(_TREES, min_size=1, max_size=3))
def test_json_in_prose_is_read_as_json(tree: Any) -> None:
    assert read_loosely(f"Here: {json.dumps(tree)} .")[0] == tree
