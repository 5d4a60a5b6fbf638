"""Calls of the forgotten, and what is more than a call."""

import pytest

from shared.domain.forgetting.telling import Living
from tests.unit.domain.forgetting.people import OTHER, TARAS, YARYNA, forgotten


@pytest.mark.parametrize(
    "text",
    ["ох Ярино ❤️", "Ярина топ", "Ярино!", "Дякуємо, Ярино", "oh Yaryna", "Ярина", "Бувай, Коваль!", "Ярино, обіймаю"],
)
def test_what_only_calls_a_forgotten_member_is_known_by_any_form_of_the_name(text):
    assert forgotten().is_called_in(text, by=TARAS)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "ох",
        "Дякуємо, Маріє",
        "Марія топ",
        "Привіт Ярині",
        "Ярина обіцяла принести газету на збори",
        "рахунок за воду виріс",
    ],
)
def test_what_tells_more_than_the_name_or_calls_another_is_no_call(text):
    assert not forgotten().is_called_in(text, by=TARAS)


def test_who_is_called_may_be_a_namesake_and_who_speaks_may_be_back():
    assert not forgotten(Living(OTHER, ["Ярина Бойко"])).is_called_in("Ярино, привіт", by=TARAS)
    assert forgotten(Living(OTHER, ["Ярина Бойко"])).is_called_in("Коваль, привіт", by=TARAS)
    assert not forgotten().is_called_in("Ярина тут", by=YARYNA)


def test_of_a_text_the_lines_that_only_call_go_and_all_others_stay():
    told = 'Про оренду.\n- "Тарас": "ох Ярино ❤️"\n- "Оля": "рахунок виріс"\nЯрино!'
    assert forgotten().without_calls(told) == 'Про оренду.\n- "Оля": "рахунок виріс"'
