"""A choice that is not of its type is no choice."""

import logging

import pytest

from shared.application.chats.settings_codec import (
    choice_in,
    merge_settings,
    names_in,
    number_in,
    settings_of,
    switch_in,
    text_in,
    texts_in,
    timezone_in,
)


@pytest.mark.parametrize(
    ("read", "stored", "expected"),
    [
        (text_in, "22-8", "22-8"),
        (text_in, 22, None),
        (lambda s, n: choice_in(s, n, ("uk", "en")), "en", "en"),
        (lambda s, n: choice_in(s, n, ("uk", "en")), "fr", None),
        (lambda s, n: choice_in(s, n, ("uk", "en")), ["uk"], None),
        (switch_in, False, False),
        (switch_in, 0, None),
        (number_in, 0, 0),
        (number_in, True, None),
        (number_in, -1, None),
        (number_in, "7", None),
        (texts_in, {"facts": "їжа", "meta": 3}, {"facts": "їжа"}),
        (texts_in, "їжа", {}),
        (names_in, ["search", 3], {"search"}),
        (names_in, [], frozenset()),
        (names_in, "search", None),
    ],
)
def test_a_choice_of_another_type_is_none(read, stored, expected):
    assert read({"choice": stored}, "choice") == expected
    assert not read({}, "choice")


def test_a_zone_that_does_not_exist_is_no_choice_and_is_logged(caplog):
    assert timezone_in({"timezone": "Europe/Kyiv"}) == "Europe/Kyiv"
    with caplog.at_level(logging.WARNING):
        assert timezone_in({"timezone": "Mars/Olympus"}) is None
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
