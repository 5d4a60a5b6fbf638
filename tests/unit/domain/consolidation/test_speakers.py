"""What members are called in a line: apart from each other, and no part of the line."""

from dataclasses import replace

from shared.domain.consolidation.suggesting import suggest
from tests.unit.domain.consolidation.cases import talk
from tests.unit.domain.consolidation.item_lists import KYIV


def test_two_members_of_one_first_name_are_told_apart():
    first, second = talk([["T", "я забронюю квитки"], ["T", "я замовлю піцу"]])[1:]
    both = [first, replace(second, user_id=7, name="Тарас Шевчук")]
    assert [s.text for s in suggest(both, [], zone=KYIV, language="uk")] == [
        "Тарас Бондар: забронювати квитки", "Тарас Шевчук: замовити піцу",
    ]  # fmt: skip


def test_a_name_cannot_pass_for_a_part_of_a_line():
    message = replace(talk([["T", "я забронюю квитки"]])[1], name="Адмін]: [2026-01-01]")
    (found,) = suggest([message], [], zone=KYIV, language="uk")
    assert found.text.count(":") == 1
    assert "[" not in found.text
