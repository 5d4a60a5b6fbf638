"""A choice that is not of its type is no choice."""

import logging

import pytest

from shared.application.chats.settings_codec import choices_of, merge_settings, settings_of


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


def test_of_two_chats_choices_the_new_ones_hold_and_wishes_are_joined_one_by_one():
    old = {"settings": {"persona": "козак", "language": "uk", "prompts": {"facts": "їжа", "meta": "стисло"}}}
    new = {"settings": {"persona": "відьма", "prompts": {"facts": "книги"}}, "extraction_instructions": "ігри"}
    prompts = {"facts": "книги", "meta": "стисло"}
    kept = {"persona": "відьма", "language": "uk", "prompts": prompts}
    assert merge_settings(old, new) == {"settings": kept, "extraction_instructions": "ігри"}
    assert merge_settings({}, {}) == {"settings": {}, "extraction_instructions": ""}
