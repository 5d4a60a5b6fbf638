"""Names across scripts: one name in any case form and spelling, and no two brought together."""

from __future__ import annotations

import pytest

from shared.domain.text.names import same_name


@pytest.mark.parametrize(
    ("latin", "cyrillic"),
    [("siemens", "сіменсі"), ("penicillin", "пеніцилін"), ("microsoft", "майкрософтом"), ("bosch", "боші")],
)
def test_a_declined_loan_word_is_the_same_name(latin, cyrillic):
    assert same_name(latin, cyrillic)
    assert same_name(cyrillic, latin)


@pytest.mark.parametrize(
    ("one", "other"), [("oleksandr", "олександра"), ("marian", "маріана"), ("paula", "павло"), ("bosch", "босий")]
)
def test_names_that_only_sound_alike_stay_two(one, other):
    assert not same_name(one, other)
