"""How far words were said: the same word in another form, language or script."""

import pytest

from shared.domain.reading.filters.support import same_word


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        ("тарас", "taras", True),
        ("марк", "mark", True),
        ("марк", "kram", False),
        ("лев", "lev", False),
        ("книжками", "книжки", True),
        ("кава", "coffee", True),
        ("кава", "чай", False),
    ],
)
def test_a_word_is_the_same_in_another_form_language_or_script(one: str, other: str, same: bool) -> None:
    assert same_word(one, other) is same_word(other, one) is same
