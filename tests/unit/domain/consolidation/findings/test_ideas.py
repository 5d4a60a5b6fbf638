"""What somebody says that the group might do together, and for which day."""

from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

from shared.domain.consolidation.findings.ideas import (
    dates_in,
    days_named_in,
    ideas_in,
    is_owed_words,
    is_past,
    subject,
)
from shared.domain.text.words import analyse
from tests.unit.domain.consolidation.cases import talk
from tests.unit.domain.consolidation.item_lists import KYIV


def said(text):
    return talk([["O", text]])[1]


@pytest.mark.parametrize(
    ("text", "ideas"),
    [
        ("давайте поїдемо в Карпати", ["Поїхати в Карпати"]),
        ("Let's paint the fence on Saturday", ["Paint the fence"]),
        ("Давайте поїдемо в Одесу. А ще давайте пофарбуємо паркан!", ["Поїхати в Одесу", "Пофарбувати паркан"]),
        ("I went to Odesa", []),
        ("якби ми поїхали в Одесу", []),
        ("колега каже: давайте поїдемо в Одесу", []),
        ("гарна погода сьогодні", []),
    ],
)
def test_a_proposal_is_an_idea_and_a_tale_or_a_dream_is_none(text, ideas):
    assert [idea.text for idea in ideas_in(said(text), KYIV)] == ideas


def test_an_idea_has_its_day_and_the_words_that_say_it():
    [idea] = ideas_in(said("Привіт! Давайте поїдемо в Одесу в суботу. Га?"), KYIV)
    assert idea.due == date(2026, 3, 14)
    assert idea.quote == "Давайте поїдемо в Одесу в суботу."


def test_a_day_is_named_for_the_thing_that_is_moved():
    [moved] = days_named_in(said("шашлик переносимо на 2 травня"), KYIV)
    assert (moved.day, moved.terms) == (date(2026, 5, 2), {"шашлик"})


def test_a_deadline_is_no_day_on_which_something_is():
    due = said("треба здати звіт до 13 березня")
    assert list(days_named_in(due, KYIV)) == []
    assert dates_in(due, KYIV) == {date(2026, 3, 13)}


@pytest.mark.parametrize(
    ("text", "about"), [("do the fair again", "fair"), ("поїхати в Карпати знову", "поїхати в Карпати")]
)
def test_the_subject_is_what_is_done_without_empty_words(text, about):
    assert subject(text) == about


def test_a_promise_or_request_is_no_plan_of_all_and_what_was_is_over():
    assert is_owed_words(analyse("я куплю хліб"))
    assert is_owed_words(analyse("купи хліб"))
    assert not is_owed_words(analyse("давайте поїдемо в одесу"))
    assert is_past(analyse("ми поїхали в одесу"))
    assert not is_past(analyse("поїдемо в одесу"))


@given(st.text(max_size=200))
def test_any_text_has_at_most_one_idea_a_sentence_and_quotes_it_verbatim(text):
    message = said(text)
    for idea in ideas_in(message, KYIV):
        assert idea.quote in message.text
