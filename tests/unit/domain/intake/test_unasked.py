"""A question to nobody in particular is known by its form."""

import pytest

from shared.domain.intake.unasked import asks_everybody
from tests.unit.domain.answering.test_unprompted import asks


@pytest.mark.parametrize("text", ["коли в нас підсумки?", "when do we meet again?!"])
def test_three_words_and_a_question_mark_ask_everybody(text):
    assert asks_everybody(asks(text))


@pytest.mark.parametrize("text", ["коли підсумки?", "коли в нас підсумки", ""])
def test_fewer_words_or_no_question_mark_do_not(text):
    assert not asks_everybody(asks(text))
