"""An item keeps its id however it is worded later."""

from dataclasses import replace
from datetime import date

import pytest

from shared.domain.consolidation.items import owner_of
from tests.unit.domain.consolidation.item_lists import item

TICKETS = item("Тарас: забронювати квитки", days=2, due=date(2026, 3, 25))


def test_an_items_id_stays_when_it_is_worded_otherwise():
    later = replace(TICKETS, text="Тарас: взяти квитки", name="тарас: забронювати квитки")
    assert later.id == TICKETS.id


@pytest.mark.parametrize(
    ("text", "owner", "task"),
    [
        ("Тарас: забрати ключі", "Тарас", "забрати ключі"),
        ("Everyone: bring water", "Everyone", "bring water"),
        ("Забрати ключі", "", "Забрати ключі"),
        ("Тарас: купити: хліб, сіль", "Тарас", "купити: хліб, сіль"),
    ],
)
def test_a_line_tells_who_owes_what(text, owner, task):
    assert owner_of(text) == (owner, task)
