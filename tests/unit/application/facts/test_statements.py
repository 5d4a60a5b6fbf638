"""What words state that somebody tells the bot to keep."""

import pytest

from shared.application.facts.statements import (
    MAX_VALUE,
    Obstacle,
    in_own_words,
    obstacle_to_stating,
    value_of,
)
from tests.support.talk import said


@pytest.mark.parametrize(
    ("words", "obstacle"),
    [
        ("я живу в Житомирі", None),
        ("we meet at the old mill", None),
        ("where do we meet?", Obstacle.QUESTION),
        ("maybe I will move to Lutsk", Obstacle.GUESS),
        ("так, дякую", Obstacle.UNCLEAR),
        ("haha ok", Obstacle.UNCLEAR),
    ],
)
def test_words_state_something_unless_they_ask_suppose_or_say_nothing(words, obstacle):
    assert obstacle_to_stating(words) is obstacle


def test_words_in_the_form_of_the_fact_that_they_correct_are_meant_as_it_is():
    assert obstacle_to_stating("maybe we meet on Friday", form="maybe we meet on Sunday") is None


@pytest.mark.parametrize(
    ("words", "subject"),
    [("I live in Lutsk", "user:101"), ("we live in Lutsk", "chat"), ("the key is under the mat", "chat")],
)
def test_words_in_the_first_person_are_about_the_speaker_and_all_others_about_the_chat(words, subject):
    fact = in_own_words(said(words), words)
    assert (fact.subject, fact.description, fact.evidence[0].quote) == (subject, words, words)


def test_a_value_is_one_folded_line_within_its_bound():
    assert value_of("The KEY\nis here") == "the key is here"
    assert len(value_of("слово " * 100)) <= MAX_VALUE
