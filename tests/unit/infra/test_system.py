"""The machine's clock and dice."""

from datetime import UTC, timedelta

import pytest

from infra.system import SystemClock, SystemIds


@pytest.mark.wall_clock
def test_the_clock_tells_utc_and_does_not_go_back():
    first, second = SystemClock().now(), SystemClock().now()
    assert first.tzinfo is UTC
    assert timedelta(0) <= second - first < timedelta(minutes=1)


def test_a_token_is_22_characters_for_an_address_and_never_the_same():
    tokens = {SystemIds().token() for _ in range(100)}
    assert len(tokens) == 100
    assert all(len(token) == 22 and token.replace("-", "a").replace("_", "a").isalnum() for token in tokens)
