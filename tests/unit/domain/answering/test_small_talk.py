"""Greetings, thanks, sums and the time are answered without memory; anything else is not."""

from datetime import UTC, datetime

import pytest

from shared.domain.answering.small_talk import reply_to_small_talk

NOW = datetime(2026, 11, 9, 14, 5, tzinfo=UTC)


def reply(said, language="uk"):
    return reply_to_small_talk(said, language, NOW)


@pytest.mark.parametrize("said", ["Привіт!", "привіт", "Добрий день", "доброго ранку!", "вітаю", "hi", "Good morning!"])
def test_a_greeting_is_returned(said):
    assert reply(said).startswith("Привіт!")


@pytest.mark.parametrize("said", ["Thanks!", "thank you very much", "дякую", "щиро дякую!", "Дякую, гряг"])
def test_thanks_are_answered(said):
    assert reply(said, "en") == "You are welcome!"


@pytest.mark.parametrize("said", ["котра година?", "яке сьогодні число?", "який сьогодні день?", "what time is it?"])
def test_the_time_and_the_date_are_told(said):
    assert reply(said) == "Зараз 14:05, понеділок, 9 листопада 2026 року."
    assert reply(said, "en") == "It is 14:05, Monday, 9 November 2026."


def test_an_unknown_time_is_not_told():
    assert reply_to_small_talk("котра година?", "uk", None) == ""


@pytest.mark.parametrize(
    ("said", "value"),
    [
        ("скільки буде 2+2?", "= 4"),
        ("2 + 2 * 2 =", "= 6"),
        ("what is 15% of 240?", "= 36"),
        ("скільки буде 15% від 240", "= 36"),
        ("порахуй (12,5 + 7) / 3", "= 6.5"),
        ("сім", ""),
        ("скільки буде 7 помножити на 8?", "= 56"),
        ("what's 2 to the power of 10?", "= 1024"),
        ("calculate sqrt(144)", "= 12"),
    ],
)
def test_a_sum_is_worked_out(said, value):
    assert reply(said).endswith(value)


@pytest.mark.parametrize(
    "said",
    [
        "привіт, де живе Оля?",
        "дякую тобі за нічого, а коли концерт?",
        "який день ми граємо?",
        "котра година збору?",
        "what time is the meeting?",
        "скільки буде людей?",
        "what is our rule 2?",
        "050-304-17-88",
        "2026-11-09",
        "1/0",
        "42",
        "",
    ],
)
def test_anything_else_is_left_to_memory(said):
    assert reply(said) == ""
