"""The estimate of tokens against what Gemma's vocabulary makes of the same texts (`tests.support.gemini.token_counts`).

The rules were fitted on the first file; of the second, talk and contexts were not looked at before they were right.
"""

import json
from collections import defaultdict
from pathlib import Path
from statistics import mean

import pytest
from hypothesis import given
from hypothesis import strategies as st

from shared.domain.spending.tokens import estimate_tokens, tokens_of_lines, within_budget

FOLDER = Path(__file__).resolve().parents[3] / "data/tokens"
SHORT = 20
FILES = ("fit", "check")


def counted(name):
    return [json.loads(line) for line in (FOLDER / f"{name}.jsonl").read_text(encoding="utf-8").splitlines()]


@pytest.mark.parametrize("name", FILES)
def test_no_text_costs_more_than_five_percent_above_its_estimate(name):
    long = [line for line in counted(name) if line["tokens"] >= SHORT]
    missed = [line["text"] for line in long if estimate_tokens(line["text"]) < 0.95 * line["tokens"]]
    assert len(long) > 100
    assert missed == []


@pytest.mark.parametrize("name", FILES)
def test_short_texts_together_are_not_underestimated_either(name):
    short = [line for line in counted(name) if line["tokens"] < SHORT]
    assert sum(estimate_tokens(line["text"]) for line in short) >= sum(line["tokens"] for line in short)


@pytest.mark.parametrize("name", FILES)
@pytest.mark.parametrize("kind", ["uk", "en", "translit"])
def test_chat_is_overestimated_by_less_than_a_quarter(name, kind, record_property):
    ratios = [
        estimate_tokens(line["text"]) / line["tokens"]
        for line in counted(name)
        if line["kind"] == kind and line["tokens"] >= SHORT
    ]
    record_property("mean overshoot", round(mean(ratios) - 1, 3))
    assert 1 <= mean(ratios) < 1.25


def test_the_texts_are_of_every_kind_that_groups_write():
    kinds = defaultdict(int)
    for line in counted("fit") + counted("check"):
        kinds[line["kind"]] += 1
    assert kinds.keys() >= {"uk", "en", "mixed", "translit", "emoji", "numbers", "urls", "code", "names", "caps"}
    assert kinds.keys() >= {"long_words", "misspelled", "punctuation", "compact", "meta", "context"}


@given(st.lists(st.text()))
def test_lines_one_by_one_cost_no_less_than_joined(lines):
    assert estimate_tokens("\n".join(lines)) <= tokens_of_lines(lines)


@given(st.text())
def test_every_visible_text_costs_something(text):
    assert estimate_tokens(text) >= (1 if text.strip() else 0)


@given(st.lists(st.text(max_size=30)), st.integers(0, 60))
def test_lines_are_kept_whole_and_in_order_within_the_budget(lines, budget):
    kept = within_budget(lines, budget)
    assert tokens_of_lines(kept) <= budget
    rest = iter(lines)
    assert all(line in rest for line in kept)
