"""The estimate of tokens against what Gemma's vocabulary makes of the same texts (`tests.support.gemini.token_counts`).

The rules were fitted on the first file; of the second, talk and contexts were not looked at before they were right.
"""

import json
from collections import defaultdict
from datetime import date, timedelta
from pathlib import Path
from statistics import mean

import pytest
from hypothesis import given
from hypothesis import strategies as st

from shared.domain.spending import tokens as counting
from shared.domain.spending.tokens import (
    ModelPrice,
    estimate_tokens,
    price_of,
    price_to_count,
    retirement_of,
    tokens_of_lines,
    within_budget,
)
from shared.domain.text.data_files import read_data
from shared.settings import Settings

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


ENTRIES = read_data(counting.__package__, "prices")
TODAY = date(2026, 11, 23)
TOKENS = st.integers(0, 10**7)


@pytest.mark.parametrize("model", ENTRIES)
def test_every_model_says_where_its_prices_are_from_and_has_them_in_order(model):
    entry = ENTRIES[model]
    assert set(entry) <= {"source", "prices", "retires"}
    assert entry["source"]
    days = [row["from"] for row in entry["prices"]]
    assert days == sorted(set(days))
    for row in entry["prices"]:
        assert set(row) <= {"from", "input", "output", "cached", "flex"}
        assert 0 < row.get("cached", row["input"]) <= row["input"]
        assert 0 < row.get("flex", 1) <= 1


def test_the_models_of_the_default_settings_have_a_price_and_no_last_day():
    chosen = Settings.from_env({})
    for model in (chosen.gemini_chat_model, chosen.gemini_extraction_model, chosen.gemini_embedding_model):
        assert price_of(model, TODAY)
        assert retirement_of(model) is None


def test_a_price_holds_from_its_day_on_and_not_before():
    december, january = date(2026, 12, 31), date(2027, 1, 1)
    assert price_of("gemini-3.8-flash", december) == ModelPrice(0.75, 3.75, 0.075, 0.5)
    assert price_of("models/gemini-3.8-flash", january) == ModelPrice(1.50, 7.50, 0.15, 0.5)
    assert price_of("gemini-2.5-flash", date(2026, 11, 30)) is None
    assert price_of("gemini-2.5-flash", date(2026, 12, 1)) == price_of("gemini-3.5-flash-lite", january)
    assert retirement_of("gemini-3.1-flash-lite") == date(2027, 5, 7)


@given(
    model=st.sampled_from(sorted(ENTRIES)),
    days=st.integers(-400, 400),
    tokens=st.tuples(TOKENS, TOKENS, TOKENS),
    flex=st.booleans(),
)
def test_an_unknown_model_counts_at_least_at_what_any_known_one_costs(model, days, tokens, flex):
    read, written, cached = tokens
    day = TODAY + timedelta(days=days)
    known = price_to_count(model, day).microdollars(read, written, cached=cached, flex=flex)
    unknown = price_to_count("a new one", day).microdollars(read, written, cached=cached, flex=flex)
    assert 0 <= known <= unknown
