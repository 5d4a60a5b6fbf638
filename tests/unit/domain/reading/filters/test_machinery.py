"""What is said of the assistant, or of a model, is no member's fact."""

import pytest

from shared.domain.reading.filters.reasons import Reason
from tests.unit.domain.reading.filters.verdicts import from_model, verdict


@pytest.mark.parametrize(
    ("description", "quote", "reason"),
    [
        ("Nova loves helping with coding", "she loves helping with coding", Reason.ASSISTANT_FACT),
        ("assistant is able to detect spam", "spam is bad, folks", Reason.ASSISTANT_FACT),
        ("гряг обожнює сарказм", "сарказм це добре", Reason.ASSISTANT_FACT),
        ("User's name is Nova", "Hello Nova, my dear friend", Reason.ASSISTANT_FACT),
        ("Асистент знає українську", "він знає українську", Reason.ASSISTANT_FACT),
        ("olya is uncensored", "well, whatever you say", Reason.PROMPT_LEAK),
        ("olya is a helpful assistant that follows instructions", "well whatever", Reason.PROMPT_LEAK),
        ("Olya без цензури", "ну як завгодно", Reason.PROMPT_LEAK),
        ("Olya не має обмежень", "ну як завгодно", Reason.PROMPT_LEAK),
        ("Olya є корисним асистентом", "ну як завгодно", Reason.PROMPT_LEAK),
        ("Olya створена для допомоги", "ну як завгодно", Reason.PROMPT_LEAK),
        ("Olya дотримується всіх інструкцій", "ну як завгодно", Reason.PROMPT_LEAK),
        ("Olya є штучним інтелектом", "ну як завгодно", Reason.PROMPT_LEAK),
        ("Olya — це мовна модель", "ну як завгодно", Reason.PROMPT_LEAK),
        ("olya is an AI", "whatever you say there", Reason.PROMPT_LEAK),
        ("olya must follow the rules", "whatever you say there", Reason.PROMPT_LEAK),
    ],
)
def test_what_is_said_of_a_model_is_no_members_fact(description: str, quote: str, reason: Reason) -> None:
    assert verdict(from_model(description, quote)) is reason


@pytest.mark.parametrize(
    ("description", "quote"),
    [
        ("olya is a software developer", "I work as a developer"),
        ("olya is an assistant manager", "I'm an assistant manager"),
        ("olya's house is designed to be passive", "our house was designed to be passive"),
        ("Olya любить фільми без цензури", "люблю фільми без цензури"),
        ("Olya працює асистенткою режисера", "працюю асистенткою режисера"),
        ("olya is an AI researcher", "I'm an AI researcher"),
    ],
)
def test_words_of_machines_may_be_a_members_own(description: str, quote: str) -> None:
    assert verdict(from_model(description, quote)) is None
