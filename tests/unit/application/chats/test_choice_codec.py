"""A choice is read back from where it was written, and takes nothing else with it."""

from datetime import timedelta

from hypothesis import given
from hypothesis import strategies as st

from shared.application.chats.choice_codec import (
    ChoiceLocation,
    Chosen,
    read_settings_log,
    settings_log_fields,
)
from tests.support.builders import START

PLACES = [ChoiceLocation("persona"), ChoiceLocation("facts", prompt=True), ChoiceLocation("private_mode", apart=True)]
values = st.text(min_size=1) | st.integers(min_value=1) | st.just(True)


@given(place=st.sampled_from(PLACES), other=st.sampled_from(PLACES), value=values, kept=values)
def test_a_choice_is_read_back_and_those_beside_it_stay(place, other, value, kept):
    chat = other.changes({}, kept)
    chat |= place.changes(chat, value)
    assert place.read(chat) == value
    assert other.read(chat) == (value if other == place else kept)
    chat |= place.changes(chat, None)
    assert place.read(chat) is None
    assert other.read(chat) == (None if other == place else kept)


def test_wishes_for_facts_from_before_there_were_others_hold_until_they_are_replaced():
    facts, old = ChoiceLocation("facts", prompt=True), {"extraction_instructions": "їжа"}
    assert facts.read(old) == "їжа"
    assert facts.read({**old, **facts.changes(old, None)}) is None


@given(hours=st.lists(st.integers(min_value=0, max_value=100)))
def test_remembered_changes_are_read_back_in_their_order(hours):
    changes = [Chosen(-7, "persona", START + timedelta(hours=each)) for each in hours]
    assert read_settings_log(settings_log_fields(changes)) == changes


def test_a_document_that_remembers_no_changes_has_none():
    assert read_settings_log({}) == read_settings_log({"settings_log": None}) == []
