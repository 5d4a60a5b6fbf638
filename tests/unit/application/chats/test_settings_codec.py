"""A choice that is not of its type is no choice."""

import logging
from datetime import timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from shared.application.chats.settings_codec import (
    ChoiceLocation,
    Chosen,
    choices_of,
    consent_of,
    hearsay_fields,
    merge_settings,
    opt_in_fields,
    opt_out_fields,
    read_seen_names,
    read_settings_log,
    seen_name,
    seen_names_fields,
    settings_log_fields,
    settings_of,
)
from shared.application.ports.store import ArrayUnion, Document
from shared.domain.conversation.messages import name_mark
from shared.domain.forgetting.forgotten import Hearsay
from tests.support.builders import START


@pytest.mark.parametrize(
    ("name", "stored", "expected"),
    [
        ("quiet_hours", "22-8", "22-8"),
        ("quiet_hours", 22, None),
        ("language", "en", "en"),
        ("language", "fr", None),
        ("language", ["uk"], None),
        ("questions", False, False),
        ("questions", 0, None),
        ("retention_days", 0, 0),
        ("retention_days", True, None),
        ("retention_days", -1, None),
        ("retention_days", "7", None),
        ("prompts", {"facts": "їжа", "meta": 3}, {"facts": "їжа"}),
        ("prompts", "їжа", None),
        ("tools", ["search", 3], {"search"}),
        ("tools", [], frozenset()),
        ("tools", "search", None),
    ],
)
def test_a_choice_of_another_type_is_none(name, stored, expected):
    assert choices_of({"settings": {name: stored}}) == ({} if expected is None else {name: expected})
    assert choices_of({"settings": {}}) == {}


def test_a_zone_that_does_not_exist_is_no_choice_and_is_logged(caplog):
    assert choices_of({"settings": {"timezone": "Europe/Kyiv"}}) == {"timezone": "Europe/Kyiv"}
    with caplog.at_level(logging.WARNING):
        assert choices_of({"settings": {"timezone": "Mars/Olympus"}}) == {}
    assert "timezone" in caplog.text


def test_settings_that_are_no_map_are_none():
    assert settings_of({}) == settings_of({"settings": "persona"}) == settings_of({"settings": None}) == {}


def test_of_two_chats_choices_the_new_ones_hold_and_custom_instructions_are_joined_one_by_one():
    old = {"settings": {"persona": "козак", "language": "uk", "prompts": {"facts": "їжа", "meta": "стисло"}}}
    new = {"settings": {"persona": "відьма", "prompts": {"facts": "книги"}}, "extraction_instructions": "ігри"}
    prompts = {"facts": "книги", "meta": "стисло"}
    kept = {"persona": "відьма", "language": "uk", "prompts": prompts}
    assert merge_settings(old, new) == {"settings": kept, "extraction_instructions": "ігри"}
    assert merge_settings({}, {}) == {"settings": {}, "extraction_instructions": ""}


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


def test_instructions_for_facts_from_before_there_were_others_hold_until_they_are_replaced():
    facts, old = ChoiceLocation("facts", prompt=True), {"extraction_instructions": "їжа"}
    assert facts.read(old) == "їжа"
    assert facts.read({**old, **facts.changes(old, None)}) is None


@given(hours=st.lists(st.integers(min_value=0, max_value=100)))
def test_remembered_changes_are_read_back_in_their_order(hours):
    changes = [Chosen(-7, "persona", START + timedelta(hours=each)) for each in hours]
    assert read_settings_log(settings_log_fields(changes)) == changes


def test_a_document_that_remembers_no_changes_has_none():
    assert read_settings_log({}) == read_settings_log({"settings_log": None}) == []


ids = st.integers(min_value=1, max_value=2**40)


@given(opted_out=st.frozensets(ids, min_size=1), name=st.text(min_size=1))
def test_the_names_of_who_opted_in_again_do_not_count(opted_out, name):
    names = [seen_name(user_id, name) for user_id in sorted(opted_out)]
    data = {"opted_out": sorted(opted_out), "opted_out_names": names}
    assert consent_of(data)["opted_out_names"] == {name_mark(name)}
    for user_id in sorted(opted_out):
        data |= opt_in_fields(user_id, consent_of(data)["opted_out"], data["opted_out_names"])
    assert data == {"opted_out": [], "opted_out_names": []}
    assert consent_of({"opted_out_names": names})["opted_out_names"] == frozenset()


def test_opting_out_adds_to_what_is_stored():
    assert opt_out_fields(7) == {"opted_out": ArrayUnion((7,))}
    called = ArrayUnion((seen_name(7, "Оля"), seen_name(7, "olya")))
    assert opt_out_fields(7, "Оля", "olya") == {"opted_out": ArrayUnion((7,)), "opted_out_names": called}
    assert seen_names_fields(7, "Оля", "olya") == {"opted_out_names": called}


def test_a_document_of_an_earlier_day_leaves_nobody_out():
    assert consent_of({}) == {"opted_out": frozenset(), "opted_out_names": frozenset(), "hearsay": Hearsay()}
    assert consent_of(hearsay_fields(Hearsay())) == consent_of({})
    assert read_seen_names(None) == read_seen_names(Document("chats/-1", {"opted_out_names": None})) == ()
