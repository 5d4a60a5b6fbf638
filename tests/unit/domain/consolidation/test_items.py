"""An item keeps its id however it is worded later."""

from dataclasses import replace
from datetime import date

from tests.unit.domain.consolidation.boards import item

TICKETS = item("Тарас: забронювати квитки", days=2, due=date(2026, 3, 25))


def test_an_items_id_stays_when_it_is_worded_otherwise():
    later = replace(TICKETS, text="Тарас: взяти квитки", name="тарас: забронювати квитки")
    assert later.id == TICKETS.id
