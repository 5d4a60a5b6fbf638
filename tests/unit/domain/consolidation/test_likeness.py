"""Two lines that share most of what the shorter one is about are one."""

import pytest

from shared.domain.consolidation.items import Section
from shared.domain.consolidation.likeness import is_proper
from shared.domain.consolidation.merging import merge
from shared.domain.text.language import is_known, lemma
from tests.unit.domain.consolidation.item_lists import NIGHT, item


@pytest.mark.parametrize(
    ("section", "one", "other"),
    [
        (Section.PENDING, "Тарас: забронювати квитки", "Тарас: взяти квитки"),
        (Section.PENDING, "Taras: book the tickets", "Taras: get tickets"),
        (Section.ONGOING, "Поїхати в Карпати", "Їхати в Карпати на травневі"),
        (Section.ONGOING, "Paint the fence", "Painting our fence this spring"),
        (Section.TOPICS, "дах, веранда", "ремонт даху"),
        (Section.TOPICS, "new laptop", "laptop, battery"),
        (Section.PREFERENCES, "Писати коротко", "Пишемо коротко"),
        (Section.PREFERENCES, "Speak Ukrainian", "Speaking Ukrainian here"),
    ],
)
def test_the_same_said_otherwise_is_one_item(section, one, other):
    items = merge([item(one, section, days=5)], [item(other, section, days=1)], now=NIGHT)
    assert [each.id for each in items] == [item(one, section).id]


@pytest.mark.parametrize(
    ("section", "one", "other"),
    [
        (Section.PENDING, "Тарас: купити хліб", "Тарас: купити молоко"),
        (Section.PENDING, "Тарас: забрати ключі", "Оля: забрати ключі"),
        (Section.PENDING, "Taras: buy bread", "Taras: buy milk"),
        (Section.PENDING, "Taras: book the tickets", "Olha: book the tickets"),
        (Section.ONGOING, "Поїхати в Карпати", "Пофарбувати паркан"),
        (Section.PREFERENCES, "Speak Ukrainian", "Don't speak Ukrainian"),
        (Section.PREFERENCES, "Надсилати голосові", "Не надсилати голосові"),
    ],
)
def test_different_things_stay_apart(section, one, other):
    assert len(merge([item(one, section, days=5)], [item(other, section, days=1)], now=NIGHT)) == 2


def test_no_word_has_no_dictionary_form_and_is_no_name():
    assert (lemma(""), is_known(""), is_proper("")) == ("", False, False)
