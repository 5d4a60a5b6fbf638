"""A short answer says what its question makes of it, and no more."""

from typing import Any

import pytest

from shared.domain.facts.fact import Candidate
from shared.domain.reading.patterns.answers import is_put_to
from tests.support.talk import learnt, said


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


Line = str | tuple[str, dict[str, Any]]

OURS: Line = ("Пропоную в чаті говорити українською", {"by": 203})
THEIRS: Line = ("Пропоную в чаті заборонити згадувати Олю", {"by": 201})


def values(*lines: Line) -> list[str]:
    return [fact.value for fact in learnt(*lines)]


def supporters(fact: Candidate) -> list[int]:
    return [quote.user_id for quote in fact.evidence[1:]]


def plus(by: int, **fields: Any) -> Line:
    return "+1", {"by": by, **fields}


# --- agreement ---------------------------------------------------------------------------------


def test_a_proposal_that_is_squeezed_in_gathers_nobodys_agreement() -> None:
    assert values(OURS, THEIRS, plus(204), plus(205), plus(206)) == []


def test_with_two_proposals_open_a_reply_says_which_is_meant() -> None:
    replied = {"reply_to": 1}
    (fact,) = learnt(OURS, THEIRS, plus(204, **replied), plus(205, **replied), plus(206))
    assert (fact.value, supporters(fact)) == ("ukrainian", [204, 205])


def test_who_has_answered_to_one_proposal_means_the_other() -> None:
    facts = learnt(OURS, plus(204), plus(205), THEIRS, plus(204), plus(205))
    assert {fact.value: supporters(fact) for fact in facts} == {"ukrainian": [204, 205], "олю": [204, 205]}


def test_who_has_answered_to_the_only_proposal_may_change_their_mind() -> None:
    (fact,) = learnt(OURS, plus(204), plus(205), plus(206), ("ні, я проти", {"by": 204}))
    assert (supporters(fact), [voice.user_id for voice in fact.voices]) == ([205, 206], [204])


@pytest.mark.parametrize(
    "question",
    [
        ("Хто йде на футбол?", {"by": 205}),
        ("Марку, ти їдеш?", {"by": 205}),
        ("who is in for pizza?", {"by": 205}),
        ("Хто йде на футбол?", {"by": 999, "is_bot": True}),
        ("Хто йде на футбол?", {"by": 205, "forwarded": True}),
    ],
)
@pytest.mark.parametrize("first", [True, False])
def test_agreement_that_may_answer_a_question_is_none_with_a_proposal(question: Line, first: bool) -> None:
    talk = [question, OURS] if first else [OURS, question]
    assert values(*talk, plus(204)) == []
    assert values(*talk, plus(204, reply_to=2 if first else 1)) == ["ukrainian"]


def test_who_says_themselves_what_they_agree_with_has_said_it_whatever_else_is_open() -> None:
    games: Line = ("Щосереди граємо в настолки", {"by": 203})
    (fact,) = learnt(games, THEIRS, ("Так, щосереди граємо в настолки", {"by": 204}))
    assert (fact.value, supporters(fact)) == ("wednesday", [204])


def test_an_objection_to_one_of_two_proposals_is_for_neither() -> None:
    backed = [plus(by, reply_to=1) for by in (204, 205)]
    (fact,) = learnt(OURS, THEIRS, *backed, ("ні, я проти", {"by": 206}))
    assert fact.voices == ()


# --- answers -----------------------------------------------------------------------------------


def test_a_question_that_is_squeezed_in_is_not_answered_by_a_yes() -> None:
    asked: list[Line] = [("Ти любиш каву?", {"by": 203}), ("Ти працюєш в поліції?", {"by": 201})]
    assert values(*asked, ("так", {"by": 202})) == []
    assert values(*asked, ("так", {"by": 202, "reply_to": 1})) == ["кава"]


def test_a_yes_may_be_meant_for_a_proposal_as_well_as_for_a_question() -> None:
    assert values(("Ти працюєш в поліції?", {"by": 201}), OURS, ("так", {"by": 202})) == []


@pytest.mark.parametrize(
    "question",
    [
        "Марку, ти працюєш в поліції?",
        "марку, ти працюєш в поліції?",
        "Марку! Ти працюєш в поліції?",
        "а ти працюєш в поліції, Марку?",
        "@marko, ти працюєш в поліції?",
    ],
)
def test_a_question_to_somebody_else_is_answered_only_by_a_reply(question: str) -> None:
    asked: Line = (question, {"by": 201})
    assert values(asked, ("так", {"by": 202, "name": "Ганна"})) == []
    assert values(asked, ("так", {"by": 202, "name": "Марко Петрук", "username": "marko"})) == ["поліція"]
    assert values(asked, ("так", {"by": 202, "name": "Ганна", "reply_to": 1})) == ["поліція"]


def test_a_question_that_replies_to_somebody_is_put_to_them() -> None:
    talk: list[Line] = [
        ("мороз надворі", {"by": 204}),
        ("Ти працюєш в поліції?", {"by": 201, "reply_to": 1}),
    ]
    assert values(*talk, ("так", {"by": 202})) == []
    assert [fact.subject for fact in learnt(*talk, ("так", {"by": 204}))] == ["user:204"]


@pytest.mark.parametrize(
    "question", ["Слухай, ти любиш каву?", "до речі, ти любиш каву?", "ти любиш каву, правда?", "ну а ти любиш каву?"]
)
def test_words_of_every_talk_are_nobodys_name(question: str) -> None:
    assert is_put_to(said(question, by=201), said("так", by=202, id=2), {})
