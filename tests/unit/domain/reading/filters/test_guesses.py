"""What nobody said is neither guessed from a word nor told as unknown."""

import pytest

from shared.domain.reading.filters.reasons import Reason
from tests.unit.domain.reading.filters.verdicts import from_model, verdict


@pytest.mark.parametrize(
    ("description", "quote", "reason"),
    [
        ("Olya seems friendly", "Hi!", Reason.UNKNOWN_INFORMATION),
        ("olya's job is unknown", "not going to say where I work", Reason.UNKNOWN_INFORMATION),
        ("olya: місто не згадано", "не скажу вам місто", Reason.UNKNOWN_INFORMATION),
        ("Olya не вказала вік", "вік це секрет", Reason.UNKNOWN_INFORMATION),
        ("Olya не розповіла про роботу", "робота не вовк", Reason.UNKNOWN_INFORMATION),
        ("Olya — інформація відсутня", "та таке", Reason.UNKNOWN_INFORMATION),
        ("Olya, ймовірно, вчителька", "діти сьогодні галасливі", Reason.UNKNOWN_INFORMATION),
        ("olya might be a teacher", "kids were loud today", Reason.UNKNOWN_INFORMATION),
        ("olya has no known allergies", "cats are fine", Reason.UNKNOWN_INFORMATION),
        ("olya is male", "hey there, all of you people", Reason.DEMOGRAPHIC_GUESS),
        ("olya is about 30 years old", "that song was my youth", Reason.DEMOGRAPHIC_GUESS),
        ("olya має близько 30 років", "мій випускний був давно", Reason.DEMOGRAPHIC_GUESS),
        ("Olya є жінкою", "я пішла додому", Reason.DEMOGRAPHIC_GUESS),
        ("Olya жінка", "я втомилася дуже", Reason.DEMOGRAPHIC_GUESS),
        ("Olya — українка за національністю", "борщ це життя", Reason.DEMOGRAPHIC_GUESS),
        ("Olya росіянка", "говорю російською вдома", Reason.DEMOGRAPHIC_GUESS),
        ("Olya віруюча", "дай Боже здоров'я", Reason.DEMOGRAPHIC_GUESS),
        ("Olya близько тридцяти років", "пам'ятаю дев'яності", Reason.DEMOGRAPHIC_GUESS),
        ("Olya старша за 40", "пам'ятаю дев'яності", Reason.DEMOGRAPHIC_GUESS),
        ("Olya підліток", "завтра контрольна з алгебри", Reason.DEMOGRAPHIC_GUESS),
        ("olya is Christian", "merry christmas everyone dear", Reason.DEMOGRAPHIC_GUESS),
        ("olya is a millennial", "nineties music is best", Reason.DEMOGRAPHIC_GUESS),
    ],
)
def test_a_guess_about_somebody_is_named(description: str, quote: str, reason: Reason) -> None:
    assert verdict(from_model(description, quote)) in (reason, Reason.CONVERSATION_ACTION)


@pytest.mark.parametrize(
    ("description", "quote"),
    [
        ("olya is 34 years old", "I just turned 34"),
        ("olya's daughter is 5 years old", "my daughter is 5 years old"),
        ("olya is a woman in tech", "as a woman in tech I get asked that"),
        ("olya's favourite band is Unknown Mortal Orchestra", "Unknown Mortal Orchestra is my favourite band"),
        ("Olya — жінка в ІТ", "я жінка в ІТ"),
        ("Olya українка", "я українка з Полтави"),
        ("Olya пенсіонерка", "я вже пенсіонерка"),
        ("Olya має 34 роки", "мені 34 виповнилося"),
        ("Olya бігає вже 5 років", "бігаю вже п'ять років"),
        ("Olya — мама двох дітей", "я мама двох дітей"),
        ("Olya ходить до церкви щонеділі", "ходжу до церкви щонеділі"),
        ("olya is Ukrainian", "I'm Ukrainian"),
        ("olya dislikes young wine", "I dislike young wine"),
    ],
)
def test_what_they_say_of_themselves_is_no_guess(description: str, quote: str) -> None:
    assert verdict(from_model(description, quote)) is None
