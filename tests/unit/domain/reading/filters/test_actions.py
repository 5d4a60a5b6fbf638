"""What was done in the chat is no fact about anybody, unless they tell of such a deed."""

import pytest

from shared.domain.reading.filters.reasons import Reason
from tests.unit.domain.reading.filters.verdicts import from_model, verdict


@pytest.mark.parametrize(
    ("description", "quote", "reason"),
    [
        ("olya greeted", "Hello Nova!", Reason.CONVERSATION_ACTION),
        ("User asked about the weather", "and what about the weather tomorrow", Reason.CONVERSATION_ACTION),
        ("olya подякувала за допомогу", "дякую за допомогу", Reason.CONVERSATION_ACTION),
        ("olya likes photos", "what is this photo?", Reason.CONVERSATION_ACTION),
        ("Olya привіталася з усіма", "Привіт усім, друзі мої любі", Reason.CONVERSATION_ACTION),
        ("Olya написала повідомлення", "ну я тут і шо далі", Reason.CONVERSATION_ACTION),
        ("Olya висловила згоду", "та звісно що так", Reason.CONVERSATION_ACTION),
        ("olya shared a link", "see this one, folks", Reason.CONVERSATION_ACTION),
    ],
)
def test_what_somebody_did_in_the_chat_is_no_fact(description: str, quote: str, reason: Reason) -> None:
    assert verdict(from_model(description, quote)) is reason


@pytest.mark.parametrize(
    ("description", "quote"),
    [
        ("User appreciates photography", "Beautiful photo."),
        ("olya was asked to be best man at a wedding", "I was asked to be best man at my cousin's wedding"),
        ("olya was asked to lead the choir", "they want me to lead the choir"),
        ("Olya попросили вести гурток", "мені доручили вести гурток"),
        ("olya asked her boss for a raise", "I asked my boss for a raise"),
        ("Olya просила підвищення на роботі", "я просила підвищення на роботі"),
        ("Olya не сказала мамі про переїзд", "я не сказала мамі про переїзд"),
        ("olya speaks Ukrainian at home", "we speak Ukrainian at home"),
    ],
)
def test_what_they_tell_of_such_deeds_is_one(description: str, quote: str) -> None:
    assert verdict(from_model(description, quote)) is None


@pytest.mark.parametrize(
    ("description", "quote", "reason"),
    [
        ("Olya asks to be called Lina", "please call me Lina from now on", None),
        ("Olya asked to send the photos", "please send the photos from yesterday", Reason.CONVERSATION_ACTION),
    ],
)
def test_how_somebody_wants_to_be_called_is_more_than_a_request(
    description: str, quote: str, reason: Reason | None
) -> None:
    assert verdict(from_model(description, quote)) is reason
