"""What a tool found is data for the model: escaped, and no larger than it may be."""

import json
from datetime import date
from operator import mul

import pytest
from hypothesis import given
from hypothesis import strategies as st

from shared.application.answering.tools.results import TOO_LONG, bound_response, result_tokens
from shared.domain.text.plain import inert

texts = st.builds(mul, st.text(max_size=15), st.integers(0, 20))  # long enough to be cut, and cheap to draw
values = st.recursive(
    st.none() | st.booleans() | st.integers() | texts,
    lambda inner: st.lists(inner, max_size=6) | st.dictionaries(st.sampled_from("abc"), inner, max_size=3),
    max_leaves=12,
)
responses = st.dictionaries(st.sampled_from(["messages", "text", "value", "pages"]), values)


def strings(value):
    if isinstance(value, str):
        return [value]
    children = value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
    return [text for child in children for text in strings(child)]


@given(response=responses, budget=st.integers(20, 400))
def test_no_result_exceeds_its_budget(response, budget):
    assert result_tokens(bound_response(response, budget)) <= budget


@given(response=responses)
def test_with_room_enough_a_result_is_whole_and_only_escaped(response):
    shown = bound_response(response, 10**9)
    assert sorted(strings(shown)) == sorted(map(inert, strings(response)))
    assert "cut" not in shown


@given(response=responses, budget=st.integers(20, 400))
def test_nothing_that_people_wrote_opens_a_marker_or_a_tag(response, budget):
    for text in strings(bound_response(response, budget)):
        bare = text.replace("\\\\", "").replace("\\[", "").replace("\\<", "")
        assert "[" not in bare
        assert "<" not in bare


def test_the_last_of_a_list_goes_first_and_it_is_said_that_something_is_missing():
    shown = bound_response({"messages": [{"text": f"{n} " * 40} for n in range(5)]}, 120)
    assert shown["cut"] is True
    assert shown["messages"] == [{"text": "0 " * 40}]


def test_a_long_text_loses_its_end():
    shown = bound_response({"found": "слово " * 400}, 100)
    assert shown["found"].startswith("слово слово")
    assert shown["found"].endswith("…")


@given(response=responses, budget=st.integers(-5, 20))
def test_without_room_little_is_shown(response, budget):
    assert result_tokens(bound_response(response, budget)) <= max(budget, result_tokens(TOO_LONG))


def test_a_text_that_is_cut_ends_between_two_words():
    words = "збираємось біля бібліотеки о сьомій вечора, як завжди, і беремо чай"
    shown = bound_response({"text": words}, result_tokens({"text": words}) - 1)["text"]
    assert words.startswith(shown.removesuffix("…") + " ")


def deep(levels):
    response = {"text": "[найглибше]"}
    for _ in range(levels):
        response = {"in": [response]}
    return response


def test_what_lies_too_deep_is_left_out():
    assert "найглибше" in str(bound_response(deep(3), 400))
    shown = bound_response(deep(5_000), 400)
    assert shown["cut"] is True
    assert "найглибше" not in str(shown)


@pytest.mark.parametrize(
    ("value", "shown"),
    [(float("nan"), None), (float("-inf"), None), (date(2026, 11, 6), "2026-11-06"), (b"[", "b'\\['"), ({7}, "{7}")],
)
def test_what_json_does_not_know_is_told_otherwise(value, shown):
    assert bound_response({"messages": [value]}, 100) == {"messages": [shown]}


def test_half_a_character_is_replaced():
    shown = bound_response({"text": "а\ud83d", "\ud83d[": 1}, 100)
    assert shown == {"text": "а?", "?\\[": 1}
    assert json.dumps(shown, ensure_ascii=False).encode()


@pytest.mark.parametrize(
    "flood",
    [
        {"messages": [{"text": "слово " * 20}] * 20_000},
        {"found": "слово " * 2_000_000},
        {"numbers": list(range(200_000))},
        {"tree": [[[["слово"] * 50] * 50] * 50] * 50},
        {"messages": [{"text": "[<" * 100_000}]},
        {f"слово {n}": n for n in range(200_000)},
    ],
    ids=["items", "text", "numbers", "tree", "marks", "names"],
)
def test_however_large_a_result_is_it_is_cut_at_once(flood):
    """With a budget of hundreds of tokens not the millionth part of it is looked at."""
    shown = bound_response(flood, 500)
    assert shown.get("cut") is True or shown == TOO_LONG
    assert result_tokens(shown) <= 500


def test_a_result_is_not_changed_where_it_came_from():
    response = {"messages": [{"text": "слово " * 100} for _ in range(5)]}
    bound_response(response, 60)
    assert response == {"messages": [{"text": "слово " * 100} for _ in range(5)]}
