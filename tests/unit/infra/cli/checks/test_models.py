"""What is said of models by their prices and last days."""

from datetime import date

import pytest

from infra.cli.checks.models import judge_model


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
