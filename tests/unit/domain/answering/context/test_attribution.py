"""Which memories an answer leans on: those whose words it repeats, in both languages."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from shared.domain.answering.context.attribution import attribution_scores
from shared.domain.answering.context.cleaning import cited_ids

TEXTS = st.lists(st.text("аб кава чай", max_size=20), max_size=5)


@pytest.mark.parametrize(
    ("answer", "question", "memories", "leant_on"),
    [
        ("Тарас просив без політики.", "які в нас правила?", ["У чаті заборонено: політика.", "Живе у Львові."], [0]),
        ("Збираємось у п'ятницю о сьомій.", "коли зустріч?", ["Кава", "Зустріч у п'ятниці о 19"], [1]),
        ("Olha likes her coffee black.", "what does Olha like?", ["Olha likes tea", "Black coffee every morning"], [1]),
        ("Без політики; пиво у п'ятницю.", "правила?", ["Без політики", "Пиво щоп'ятниці по роботі у барі"], [0, 1]),
        ("Не знаю.", "які правила?", ["Без політики", ""], []),
    ],
    ids=["uk", "case", "en", "list", "nothing"],
)
def test_an_answer_leans_on_what_it_repeats(answer, question, memories, leant_on):
    scores = attribution_scores(answer, question, memories)
    assert [index for index, score in enumerate(scores) if score > 0] == leant_on


@given(st.text(max_size=30), st.text(max_size=30), TEXTS)
def test_there_is_a_score_for_each_memory_and_none_below_nothing(answer, question, memories):
    scores = attribution_scores(answer, question, memories)
    assert len(scores) == len(memories)
    assert all(score >= 0 for score in scores)
    assert not any(attribution_scores("", question, memories))


@pytest.mark.parametrize(
    ("text", "ids"),
    [
        ("Так [#12]. І ні [#13, #14].", {12, 13, 14}),
        ("Давно [#-1099511627776]", {-1099511627776}),
        ("див. [↗](https://t.me/c/1000000001/7) і https://t.me/gryag_group/5/9", {7, 9}),
        ("просто #12, t.me/gryag_bot", set()),
    ],
    ids=["cited", "moved", "linked", "neither"],
)
def test_messages_are_cited_by_number_or_by_link(text, ids):
    assert cited_ids(text) == ids
