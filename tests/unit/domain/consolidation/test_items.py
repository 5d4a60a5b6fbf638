"""An item keeps its id however it is worded later, and survives its fields."""

import json
from dataclasses import replace
from datetime import date

import pytest
from hypothesis import given, settings

from shared.domain.consolidation.items import item_from_fields, item_to_fields
from tests.unit.domain.consolidation.boards import boards, hostile_text, item

TICKETS = item("Тарас: забронювати квитки", days=2, due=date(2026, 3, 25))


@settings(max_examples=30, deadline=None)
@given(boards(texts=hostile_text))
def test_items_survive_their_fields(items):
    for each in items:
        fields = item_to_fields(each)
        assert item_from_fields(fields) == each
        json.dumps(fields, default=str)


def test_an_items_id_stays_when_it_is_worded_otherwise():
    later = replace(TICKETS, text="Тарас: взяти квитки", name="тарас: забронювати квитки")
    assert later.id == TICKETS.id


def test_fields_that_are_no_item_are_an_error():
    with pytest.raises(ValueError, match="weather"):
        item_from_fields(item_to_fields(TICKETS) | {"section": "weather"})
    with pytest.raises(KeyError):
        item_from_fields({"section": "ongoing"})
