"""Prices are dated, say where they come from, and what is not known counts at the dearest."""

from datetime import date, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from shared.domain.spending import prices
from shared.domain.spending.prices import ModelPrice, price_of, price_to_count, retirement_of
from shared.domain.text.data_files import read_data
from shared.settings import Settings

ENTRIES = read_data(prices.__package__, "prices")
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
