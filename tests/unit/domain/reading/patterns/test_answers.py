"""A short answer says what its question makes of it, and no more."""

import pytest

from shared.domain.facts.fact import Candidate
from tests.support.talk import learnt


def told(*lines: str) -> list[Candidate]:
    return learnt(*lines)


@pytest.mark.parametrize(
    ("question", "answer", "key", "value"),
    [
        ("where are you based these days?", "galway now, it rains sideways", "location", "galway"),
        ("do you live in Leeds?", "yes", "location", "leeds"),
        ("amara you're a vet right?", "yep, large animal vet", "occupation", "vet"),
        ("а ти де зараз?", "Луцьк, вже третій рік", "location", "луцьк"),
        ("ким робиш?", "фельдшеркою на швидкій", "occupation", "фельдшеркою на швидкій"),
        ("віта ж у нас медсестра?", "так, медсестра, у дитячій реанімації", "occupation", "медсестра"),
        ("ти ж граєш на гітарі?", "ага, з 12 років", "instrument", "гітара"),
        ("what do you lot even talk about all day", "slugs. mostly slugs", "frequent_topic", "slugs"),
        ("про що тут балакають переважно?", "та про розсаду і помідори", "frequent_topic", "розсаду і помідори"),
    ],
)
def test_an_answer_is_read_as_the_statement_that_it_stands_for(
    question: str, answer: str, key: str, value: str
) -> None:
    facts = told(question, answer)
    assert [(fact.key, fact.value) for fact in facts] == [(key, value)]
    assert facts[0].evidence[0].quote == answer


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("де ти?", "вдома"),
        ("where are you", "in the kitchen"),
        ("what do you do?", "nothing"),
        ("ти ж живеш у Львові?", "ні"),
        ("do you live in Leeds?", "no"),
        ("do you live in Leeds?", "who doesn't?"),
        ("where do you live?", "guess"),
        ("де живеш?", "не скажу"),
        ("what is this chat about?", "no idea"),
    ],
)
def test_an_answer_that_tells_nothing_lasting_teaches_nothing(question: str, answer: str) -> None:
    assert told(question, answer) == []


def test_nobody_answers_their_own_question() -> None:
    assert learnt(("do you live in Leeds?", {"by": 101}), ("yes", {"by": 101})) == []


def test_an_answer_to_another_message_is_none_to_the_question() -> None:
    assert learnt("do you live in Leeds?", "who wants tea?", ("yes", {"reply_to": 2})) == []


def test_a_question_is_forgotten_after_two_messages_unless_everybody_is_asked() -> None:
    assert learnt("do you live in Leeds?", "hm", "so", "yes") == []
    facts = learnt("а хто де живе?", "хм", "ну", "Полтава")
    assert [fact.value for fact in facts] == ["полтава"]
